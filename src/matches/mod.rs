//! A match: its events, the state they lead to, and what a message comes to in
//! it.

pub mod days;
pub mod decide;
pub mod decision;
pub mod disposition;
pub mod ending;
pub mod event;
pub mod explanation;
pub(crate) mod hex;
pub mod intent;
pub mod mail_id;
pub mod r#match;
pub mod not_allowed;
pub mod player;
pub mod state;
pub mod takeback;
pub mod which_match;
