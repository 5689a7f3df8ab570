//! The commands, run as programs.

mod access;
mod bad_input;
mod bounces;
mod check;
mod concurrency;
mod doctor;
mod fetch;
mod foreign;
pub(crate) mod init;
mod json;
mod look;
mod mail_game;
pub(crate) mod play;
mod receive;
mod refused_mail;
mod repair;
mod scripts;
mod secrets;
pub(crate) mod send;
mod serve;
pub(crate) mod server;
mod setting;
mod smtp;
pub(crate) mod submission;
pub(crate) mod verify;
mod watching;
