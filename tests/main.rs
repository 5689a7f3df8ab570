//! Every test of the project, one binary.

mod agree;
mod bad_input;
mod check;
mod commands_look;
mod commands_play;
mod commands_send;
mod commands_smtp;
mod config;
mod fen;
#[path = "fuzz/harness.rs"]
mod fuzz_harness;
mod fuzzing;
mod invariants;
mod mail;
mod mail_game;
mod mbox;
mod ninth_game;
mod notation;
mod outgoing;
mod perft;
mod playing;
mod readme;
mod receive;
mod render;
mod rules;
mod said;
mod samples;
mod slow;
mod store_file;
mod store_match;
mod support;
mod text_correct;
mod text_diagram;
mod text_lines;
mod text_list;
mod text_round;
