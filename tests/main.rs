//! Every test of the project, one binary.

mod agree;
mod slow;
mod support;
mod text_lines;
