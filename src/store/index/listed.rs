//! The note that a listing leaves behind: when it was, and how the files of the index were then.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use crate::limits::FEW_MATCHES;
use crate::mail::files;
use crate::store::index::entry::{sum, sum_of_lines};

/// The file that tells when the folder was last listed.
pub(super) const LISTED: &str = "listed";

/// The time from one listing to the next.
const PERIOD: Duration = Duration::from_mins(1);

/// The lengths and sums of files of the index, by their names.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Files(BTreeMap<String, (usize, u32)>);

impl Files {
    /// Returns the length that a file had; none, if it was not seen.
    pub(super) fn length(&self, name: &str) -> usize {
        self.0.get(name).map_or(0, |(length, _)| *length)
    }

    /// Returns true if a file begins as it did when its length and sum were taken, if ever.
    pub(super) fn is_beginning_of(&self, name: &str, whole: &[u8]) -> bool {
        let known = self.0.get(name);
        known.is_none_or(|(length, sum)| whole.get(..*length).map(sum_of_lines) == Some(*sum))
    }

    /// Notes a file's whole lines. Returns false if they do not begin with those of before.
    pub(super) fn see(&mut self, name: &str, whole: &[u8]) -> bool {
        let is_beginning = self.is_beginning_of(name, whole);
        let extent = (whole.len(), sum_of_lines(whole));
        self.0.insert(name.to_owned(), extent);
        is_beginning
    }
}

/// A listing that was made.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Listed {
    /// The start of the system, before which the index may have lost rows.
    pub(super) boot: String,
    /// The time since that start, when the listing began.
    pub(super) uptime: Duration,
    /// The time of the file system when the listing began, in nanoseconds.
    pub(super) time: i128,
    /// The number of matches.
    pub(super) count: usize,
    /// The files of the index when the listing had ended.
    pub(super) files: Files,
}

impl Listed {
    /// Reads what the last listing has left behind. One from before the last start of the
    /// system counts for nothing.
    pub(super) fn read(folder: &Path) -> io::Result<Option<Listed>> {
        let bytes = match files::read(&folder.join(LISTED), 1 << 20) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let is_of_now = |listed: &Listed| listed.boot == boot() && listed.uptime <= uptime();
        Ok(Listed::parse(&text).filter(is_of_now))
    }

    fn parse(text: &str) -> Option<Listed> {
        let (text, end) = text.rsplit_once("end ")?;
        if u32::from_str_radix(end.trim_end(), 16) != Ok(sum(text)) {
            return None;
        }
        let mut lines = text.lines();
        let mut words = lines.next()?.split(' ');
        let listed = Listed {
            boot: words.next()?.to_owned(),
            uptime: Duration::from_millis(words.next()?.parse().ok()?),
            time: words.next()?.parse().ok()?,
            count: words.next()?.parse().ok()?,
            files: Files::default(),
        };
        let files = lines.map(|line| {
            let mut words = line.split(' ');
            let name = words.next()?.to_owned();
            let length = words.next()?.parse().ok()?;
            let sum = u32::from_str_radix(words.next()?, 16).ok()?;
            Some((name, (length, sum)))
        });
        Some(Listed {
            files: Files(files.collect::<Option<_>>()?),
            ..listed
        })
    }

    pub(super) fn text(&self) -> String {
        let Listed {
            boot,
            uptime,
            time,
            count,
            files,
        } = self;
        let mut text = format!("{boot} {} {time} {count}\n", uptime.as_millis());
        for (name, (length, sum)) in &files.0 {
            let _ = writeln!(text, "{name} {length} {sum:08x}");
        }
        let end = sum(&text);
        let _ = writeln!(text, "end {end:04x}");
        text
    }

    /// Returns true if no listing is due. A folder of a few matches is listed for
    /// each errand.
    pub(super) fn is_current(&self) -> bool {
        let age = uptime().checked_sub(self.uptime);
        self.count > FEW_MATCHES && age.is_some_and(|age| age < PERIOD)
    }
}

/// Names the start of the system; where that is unknown, the process.
pub(super) fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let id = id.ok().map(|id| id.trim().to_owned());
    let is_word = |id: &String| !id.is_empty() && !id.contains(char::is_whitespace);
    id.filter(is_word)
        .unwrap_or_else(|| format!("process-{}", std::process::id()))
}

/// Returns a time that no setting of the clock changes.
#[cfg(unix)]
pub(super) fn uptime() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    #[cfg(target_os = "linux")]
    let clock = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Monotonic;
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
pub(super) fn uptime() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
