//! Tests of the engine through its public functions.

mod uci;
