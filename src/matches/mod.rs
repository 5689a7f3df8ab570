//! Matches: their events, the state the events lead to, and decisions about
//! messages.

pub mod answer_code;
pub(crate) mod chain;
pub mod days;
pub mod decide;
pub mod decision;
pub mod disposition;
pub mod ending;
pub mod event;
pub mod explanation;
pub mod forget;
pub mod hash;
pub(crate) mod hex;
pub mod intent;
mod links;
pub mod mail_id;
pub mod mail_wish;
pub mod r#match;
pub mod new_address;
pub mod not_allowed;
pub mod player;
pub mod queued_mail;
pub mod quota;
mod referee;
#[cfg(test)]
mod sample;
mod size;
mod standing;
pub mod state;
pub mod takeback;
pub mod terms;
mod traces;
pub mod undelivered;
mod unsubscribe_code;
pub mod which_match;
