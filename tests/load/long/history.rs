//! What was done to the workers and the servers, and whom the servers agreed on, with the times.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Local};

use crate::servers::patroni::Keys;

/// The time between two looks at the keys.
const PERIOD: Duration = Duration::from_millis(100);

/// What has happened, in its order. It stands in the file `history`, too.
pub(crate) struct History(Mutex<Events>);

struct Events {
    file: File,
    events: Vec<(SystemTime, String)>,
}

impl History {
    /// Begins it in a folder.
    pub(crate) fn begin(folder: &Path) -> History {
        let file = File::create(folder.join("history")).expect("a file can be made");
        let events = Vec::new();
        History(Mutex::new(Events { file, events }))
    }

    fn events(&self) -> MutexGuard<'_, Events> {
        self.0.lock().expect("no thread panics")
    }

    /// Notes what happens now.
    pub(crate) fn note(&self, what: String) {
        let mut events = self.events();
        let time = SystemTime::now();
        writeln!(events.file, "{} {what}", clock(time)).expect("there is room");
        events.events.push((time, what));
    }

    /// Notes each change of the keys, until told to end.
    pub(crate) fn follow(&self, keys: Keys, is_over: &AtomicBool) {
        let mut last = Keys::NAMES.map(|_| None);
        while !is_over.load(Ordering::Relaxed) {
            for (name, last) in Keys::NAMES.into_iter().zip(&mut last) {
                let now = keys.read(name);
                if now != *last {
                    self.note(format!("{name}: {}", now.as_deref().unwrap_or("nobody")));
                    *last = now;
                }
            }
            thread::sleep(PERIOD);
        }
    }

    /// Tells what happened last before a time, and first after it.
    pub(crate) fn around(&self, time: SystemTime) -> String {
        let events = &self.events().events;
        let next = events.partition_point(|(of, _)| *of <= time);
        let told = |event: Option<&(SystemTime, String)>| {
            event.map_or("nothing".to_owned(), |(time, what)| {
                format!("{} {what}", clock(*time))
            })
        };
        let last = next.checked_sub(1).map(|last| &events[last]);
        format!(
            "after ({}), before ({})",
            told(last),
            told(events.get(next))
        )
    }
}

/// Returns the time of day, as the logs of the servers have it.
pub(crate) fn clock(time: SystemTime) -> String {
    let time = DateTime::<Local>::from(time);
    time.format("%H:%M:%S%.3f").to_string()
}
