//! Damage to a text, for the tests here and those of whole records.

use alloc::string::String;
use alloc::vec::Vec;

use fastrand::Rng;

/// The signs that moves are made of.
pub(crate) const SIGNS: &str = "KQRBNPGSLkqrbnpgslabcdefghi123456789>-x:=+#!*@'/,. ()0Ooe";

/// Returns one of these signs.
pub(crate) fn sign(rng: &mut Rng, signs: &str) -> char {
    let count = signs.chars().count();
    signs.chars().nth(rng.usize(..count)).expect("a sign")
}

/// Changes, adds or removes a sign of a text, or two.
pub(crate) fn damaged(rng: &mut Rng, text: &str, signs: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..3) {
        let at = rng.usize(0..=chars.len());
        let sign = sign(rng, signs);
        match rng.u8(0..3) {
            0 => chars.insert(at, sign),
            1 if at < chars.len() => chars[at] = sign,
            _ if at < chars.len() => {
                chars.remove(at);
            }
            _ => {}
        }
    }
    chars.into_iter().collect()
}
