//! Reads of a server that another may have replaced.
//!
//! A database server that was stopped, and has a successor meanwhile, answers reads with what
//! was true before until it learns of that. None of its writes is acknowledged any more. So a
//! read counts once a write has been acknowledged that the same server was asked for later.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// A server, as long as it runs: one that is started again is another.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    servers: Vec<(ServerRun, Instant)>,
    /// How long the letter has waited for the stores.
    pub(super) waited: Duration,
}

impl Reads {
    /// Returns true if nothing was read that a write would have to stand for.
    #[must_use]
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
        match self.servers.iter_mut().find(|(known, _)| known == server) {
            Some((_, last)) => *last = at.max(*last),
            None => self.servers.push((server.clone(), at)),
        }
    }
}

#[cfg(feature = "postgres")]
impl Reads {
    /// Removes what a server has read before it was asked for a write that it has acknowledged.
    pub(super) fn confirm(&mut self, server: &ServerRun, asked: Instant) {
        self.servers
            .retain(|(known, at)| known != server || *at > asked);
    }

    /// Returns true if another server was read before this one was asked for a write that it
    /// has acknowledged: that other one is not the one that takes writes.
    pub(super) fn are_superseded_by(&self, server: &ServerRun, asked: Instant) -> bool {
        let mut reads = self.servers.iter();
        reads.any(|(known, at)| known != server && *at <= asked)
    }
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

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
