//! An errand: work of one thread that as a whole waits no longer than one `--wait` allows,
//! lists a folder once, and knows what it has read, such as the handling of a letter.
//!
//! A letter may name many matches, and need the locks of several files and the database. Each
//! wait of its own would be short, and all together would hold a slot of `serve` for minutes.
//! The stores know nothing of letters, and a letter is handled by one thread: so it is the
//! thread that has an errand. Time that no store waits for is not counted, such as that in
//! which a letter waits for those before it.
//!
//! An errand also knows which servers it has read, since another may have replaced one of them.
//! A database server that was stopped, and has a successor meanwhile, answers reads with what
//! was true before until it learns of that. None of its writes is acknowledged any more. So a
//! read counts once a write has been acknowledged that the same server was asked for later.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(feature = "postgres")]
use crate::Error;

thread_local! {
    /// The errand of this thread.
    static UNDER_WAY: RefCell<Option<UnderWay>> = const { RefCell::new(None) };
}

/// The state of an errand so far.
#[derive(Default)]
struct UnderWay {
    /// The time that was waited.
    waited: Duration,
    /// The wait that goes on: its beginning, and the most that it may last.
    wait: Option<(Instant, Duration)>,
    /// Why the database was given up.
    #[cfg(feature = "postgres")]
    gave_up: Option<Error>,
    /// The folder that was listed.
    listed: Option<PathBuf>,
    /// The reads since the last acknowledged write.
    reads: Reads,
}

/// The errand of this thread, for as long as the value exists. One within another is a part
/// of it.
#[must_use]
pub(crate) struct Errand {
    is_outermost: bool,
    /// It stays in its thread.
    thread: PhantomData<*const ()>,
}

impl Errand {
    /// Begins an errand.
    pub(crate) fn begin() -> Errand {
        Errand::having_waited(Duration::ZERO)
    }

    /// Begins an errand that waits for nothing: whatever is not free at once fails.
    pub(crate) fn without_waiting() -> Errand {
        Errand::having_waited(Duration::MAX)
    }

    /// Begins the end of an errand whose reads were taken: it has waited for so long already.
    pub(crate) fn going_on(reads: &Reads) -> Errand {
        Errand::having_waited(reads.waited)
    }

    fn having_waited(waited: Duration) -> Errand {
        let is_outermost = UNDER_WAY.with_borrow_mut(|under_way| {
            let is_first = under_way.is_none();
            under_way.get_or_insert_with(|| UnderWay {
                waited,
                ..UnderWay::default()
            });
            is_first
        });
        Errand {
            is_outermost,
            thread: PhantomData,
        }
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        if self.is_outermost {
            UNDER_WAY.set(None);
        }
    }
}

/// A wait for what somebody else holds: as long as one may last, or what the errand has left
/// of it. One within another is a part of it.
pub(super) struct Wait {
    begun: Instant,
    most: Duration,
    /// True if its time is counted for an errand.
    is_counted: bool,
}

impl Wait {
    /// Begins to wait.
    pub(super) fn begin(longest: Duration) -> Wait {
        let begun = Instant::now();
        let of_errand = with(|errand| {
            let outer = errand
                .wait
                .map_or(Duration::ZERO, |(outer, _)| begun - outer);
            let most = longest.saturating_sub(errand.waited.saturating_add(outer));
            let is_counted = errand.wait.is_none();
            if is_counted {
                errand.wait = Some((begun, most));
            }
            (most, is_counted)
        });
        let (most, is_counted) = of_errand.unwrap_or((longest, false));
        Wait {
            begun,
            most,
            is_counted,
        }
    }

    /// Returns how long it has lasted.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns what is left of it.
    pub(super) fn left(&self) -> Duration {
        self.most.saturating_sub(self.elapsed())
    }

    /// Returns true if nothing is left of it.
    pub(super) fn is_over(&self) -> bool {
        self.left().is_zero()
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if self.is_counted {
            let elapsed = self.elapsed();
            with(|errand| {
                errand.waited = errand.waited.saturating_add(elapsed);
                errand.wait = None;
            });
        }
    }
}

/// Works on the errand of this thread, if it has one.
fn with<T>(work: impl FnOnce(&mut UnderWay) -> T) -> Option<T> {
    UNDER_WAY.with_borrow_mut(|under_way| under_way.as_mut().map(work))
}

/// Returns what is left of the errand's wait that goes on, if there is one.
#[cfg(feature = "postgres")]
pub(super) fn left() -> Option<Duration> {
    let wait = with(|errand| errand.wait).flatten();
    wait.map(|(begun, most)| most.saturating_sub(begun.elapsed()))
}

/// Notes that the database was out of reach for as long as the errand may wait: it is asked
/// no more.
#[cfg(feature = "postgres")]
pub(super) fn give_up(why: &Error) {
    with(|errand| errand.gave_up = Some(why.clone()));
}

/// Returns why the errand has given the database up, if it has.
#[cfg(feature = "postgres")]
pub(super) fn gave_up() -> Option<Error> {
    with(|errand| errand.gave_up.clone()).flatten()
}

/// Returns what the errand of this thread has read up to now, unless a write has been acknowledged
/// since, and forgets it: whoever asks sees to it.
pub(crate) fn take_reads() -> Reads {
    let reads = with(|errand| {
        let mut reads = std::mem::take(&mut errand.reads);
        reads.waited = errand.waited;
        reads
    });
    reads.unwrap_or_default()
}

/// Notes that a server has answered a read.
#[cfg(feature = "postgres")]
pub(super) fn note_read(server: &ServerRun) {
    with(|errand| errand.reads.add(server, Instant::now()));
}

/// Notes that a server has acknowledged a write that it was asked for then.
#[cfg(feature = "postgres")]
pub(super) fn note_write(server: &ServerRun, asked: Instant) {
    with(|errand| errand.reads.confirm(server, asked));
}

/// Notes that a folder was listed.
pub(super) fn note_listing(folder: &Path) {
    with(|errand| errand.listed = Some(folder.to_owned()));
}

/// Returns true if the errand has listed the folder.
pub(super) fn has_listed(folder: &Path) -> bool {
    with(|errand| errand.listed.as_deref() == Some(folder)) == Some(true)
}

/// A server, as long as it runs: one that is started again is another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ServerRun(Arc<str>);

#[cfg(feature = "postgres")]
impl ServerRun {
    pub(super) fn new(sign: &str) -> ServerRun {
        ServerRun(sign.into())
    }
}

/// The reads for a letter that no acknowledged write stands for: when each server was last
/// read.
#[derive(Clone, Default, Debug)]
pub struct Reads {
    servers: BTreeMap<ServerRun, Instant>,
    /// How long the letter has waited for the stores.
    waited: Duration,
}

impl Reads {
    /// Returns true if nothing was read that a write would have to stand for.
    pub fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// Adds what was read for another letter.
    pub fn merge(&mut self, other: &Reads) {
        for (server, at) in &other.servers {
            self.add(server, *at);
        }
        self.waited = self.waited.max(other.waited);
    }

    /// Adds a read of a server, which has answered by then.
    pub(super) fn add(&mut self, server: &ServerRun, at: Instant) {
        let last = self.servers.entry(server.clone()).or_insert(at);
        *last = at.max(*last);
    }
}

#[cfg(feature = "postgres")]
impl Reads {
    /// Removes what a server has read before it was asked for a write that it has acknowledged.
    pub(super) fn confirm(&mut self, server: &ServerRun, asked: Instant) {
        self.servers
            .retain(|known, at| known != server || *at > asked);
    }

    /// Returns true if another server was read before this one was asked for a write that it
    /// has acknowledged: that other one is not the one that takes writes.
    pub(super) fn are_superseded_by(&self, server: &ServerRun, asked: Instant) -> bool {
        let mut reads = self.servers.iter();
        reads.any(|(known, at)| known != server && *at <= asked)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_mins(10);

    /// Sixteen waits of a letter, and those within them, were sixteen times as long as one.
    #[test]
    fn all_waits_of_an_errand_last_as_long_as_one() {
        let outer = Errand::begin();
        let pause = Duration::from_millis(20);
        for _ in 0..5 {
            // A part of it has no more time of its own.
            let _inner = Errand::begin();
            let wait = Wait::begin(LONG);
            thread::sleep(pause);
            let within = Wait::begin(LONG);
            let left = wait.left();
            assert!(within.left() <= left);
        }
        // Time that no store waits is not counted, and each moment of a wait counts once.
        thread::sleep(pause * 10);
        let waited = LONG.saturating_sub(Wait::begin(LONG).left());
        assert!(waited >= pause * 5, "{waited:?}");
        assert!(Wait::begin(pause * 5).is_over());
        drop(outer);
        assert!(!Wait::begin(pause * 5).is_over());
    }

    #[test]
    fn without_waiting_nothing_is_waited_for() {
        let errand = Errand::without_waiting();
        assert!(Wait::begin(LONG).is_over() && Wait::begin(LONG).is_over());
        drop(errand);
        assert!(!Wait::begin(LONG).is_over());
    }

    /// A letter waited once for a lock, and as long again for its confirmation.
    #[test]
    fn what_ends_an_errand_has_waited_as_long_as_the_errand() {
        let pause = Duration::from_millis(20);
        let reads = {
            let _errand = Errand::begin();
            let wait = Wait::begin(LONG);
            thread::sleep(pause);
            drop(wait);
            take_reads()
        };
        let _errand = Errand::going_on(&reads);
        assert!(Wait::begin(LONG).left() <= LONG.saturating_sub(pause));
    }

    #[test]
    fn an_errand_knows_the_folder_that_it_has_listed_and_no_other() {
        let [one, other] = ["one", "other"].map(Path::new);
        note_listing(one);
        assert!(!has_listed(one), "nobody is on an errand");
        let errand = Errand::begin();
        note_listing(one);
        assert!(has_listed(one) && !has_listed(other));
        thread::scope(|scope| drop(scope.spawn(|| assert!(!has_listed(one)))));
        drop(errand);
        assert!(!has_listed(one));
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn a_write_stands_for_what_the_same_server_has_read_before() {
        let [old, new] = ["old", "new"].map(ServerRun::new);
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut reads = Reads::default();
        reads.add(&old, at(3));
        reads.add(&old, at(1));
        for (server, asked, is_left) in [(&new, 4, true), (&old, 2, true), (&old, 3, false)] {
            reads.confirm(server, at(asked));
            assert_eq!(!reads.is_empty(), is_left, "{server:?} {asked}");
        }
        reads.add(&old, at(3));
        assert!(reads.are_superseded_by(&new, at(3)));
        assert!(!reads.are_superseded_by(&new, at(2)), "it may be the next");
        assert!(!reads.are_superseded_by(&old, at(5)));
        let mut all = Reads::default();
        all.add(&new, at(1));
        all.merge(&reads);
        all.confirm(&new, at(1));
        all.confirm(&old, at(2));
        assert!(!all.is_empty(), "what was merged counts");
    }
}
