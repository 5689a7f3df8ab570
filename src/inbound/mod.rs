//! Incoming mail: its sources, its contents and the requests in it.

pub mod answer_form;
pub mod answered;
pub mod banner;
mod closing;
pub mod condition;
pub mod incoming_message;
pub mod intent;
pub mod invitation;
pub mod known;
mod link_target;
pub mod mailing_list;
pub mod match_lookup;
mod own_html;
pub mod partner_wish;
mod position_words;
pub mod request;
pub mod sender_authentication;
pub mod talk;
