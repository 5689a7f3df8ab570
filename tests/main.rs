//! Every test of the project, one binary.

mod slow;
mod support;
mod text_lines;
