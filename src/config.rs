//! Who plays, and how mail leaves the house: the configuration, checked.
