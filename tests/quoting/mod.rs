//! Whose words each line is.

mod authors;
mod lines;
mod unmarked_quote;
