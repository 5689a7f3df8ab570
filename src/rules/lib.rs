#![no_std]
//! Exact rules of six drop-chess games and the two they come from.
#![deny(missing_docs)]
extern crate alloc;
