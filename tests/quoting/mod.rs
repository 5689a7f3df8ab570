//! Whose words each line is.

mod lines;
