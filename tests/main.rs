//! Every test of the project, one binary.

mod agree;
mod mail;
mod outgoing;
mod perft;
mod said;
mod slow;
mod store_file;
mod store_match;
mod support;
mod text_lines;
