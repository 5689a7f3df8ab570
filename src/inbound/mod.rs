//! Incoming mail: its sources, its contents and the requests in it.

pub mod answer_form;
pub mod answered;
pub mod beginning;
pub mod incoming_message;
pub mod intent;
pub mod invitation;
pub mod known;
pub mod match_lookup;
mod own_html;
pub mod referee;
pub mod request;
pub mod sender_authentication;
pub mod talk;
mod tap_text;
