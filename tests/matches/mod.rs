//! A match, its events, and what messages come to in it.

mod decide;
pub(crate) mod log;
mod mail_id;
mod quota;
mod reported;
