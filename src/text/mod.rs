//! The 1994 format: diagrams, moves and lists, written to the byte and found
//! in noisy text.
