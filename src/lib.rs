//! Play drop-chess games by e-mail in the 1994 Unachess format.
pub use parapost_rules as rules;
