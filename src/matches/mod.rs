//! A match: its events, and the state they lead to.

pub mod days;
pub mod ending;
pub mod event;
pub mod intent;
pub mod mail_id;
pub mod r#match;
pub mod player;
pub mod state;
pub mod takeback;
