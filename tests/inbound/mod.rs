//! Messages that come in.

mod adversary;
mod intent;
mod lmtp;
mod mbox;
mod programs;
pub(crate) mod replies;
