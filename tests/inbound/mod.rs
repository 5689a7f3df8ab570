//! Messages that come in.

mod intent;
mod lmtp;
mod mbox;
mod programs;
mod replies;
