//! Messages that come in.

mod intent;
mod mbox;
mod programs;
mod replies;
