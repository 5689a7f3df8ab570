//! Many matches in a folder, and what is opened of them.

use std::fs;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::path::Path;

use parapost::matches::r#match::{Match, MatchSettings};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use crate::matches::log::{settings, time};

/// Makes the matches `x0`, `x1` … of these numbers.
pub(crate) fn fill(folder: &Path, numbers: Range<usize>) {
    for number in numbers {
        let settings = MatchSettings {
            id: format!("x{number}").parse().unwrap(),
            ..settings("unachess", &[])
        };
        let game = Match::new(settings, time());
        fs::write(folder.join(format!("x{number}.txt")), game.to_string()).unwrap();
    }
}

/// Counts how often the file of a match is opened meanwhile.
pub(crate) fn opened(folder: &Path, run: impl FnOnce()) -> usize {
    let watch = inotify::init(CreateFlags::NONBLOCK).unwrap();
    // The system tells two equal events in a row once: a file that was opened is closed in between.
    inotify::add_watch(&watch, folder, WatchFlags::OPEN | WatchFlags::CLOSE).unwrap();
    run();
    let mut space = vec![MaybeUninit::uninit(); 64 << 10];
    let mut reader = Reader::new(&watch, &mut space);
    let mut count = 0;
    while let Ok(event) = reader.next() {
        let name = event.file_name().map(|name| name.to_string_lossy());
        let is_match = name.is_some_and(|name| name.ends_with(".txt"));
        count += usize::from(is_match && event.events().contains(ReadFlags::OPEN));
    }
    count
}
