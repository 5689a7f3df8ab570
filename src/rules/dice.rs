//! Chance for tests.

use alloc::string::String;
use alloc::vec::Vec;

/// The signs that damage a text.
const SIGNS: &[u8] = b"KQRBNPGSLkqrbnpgslacdefhi123456789>-x=+O/";

/// Numbers that look random, the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }

    /// Changes a sign of a text, or a few.
    pub(crate) fn damage(&mut self, text: &str) -> String {
        let mut signs: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(2) {
            let at = self.below(signs.len() + 1);
            let sign = char::from(SIGNS[self.below(SIGNS.len())]);
            match self.below(3) {
                0 => signs.insert(at, sign),
                1 if at < signs.len() => signs[at] = sign,
                _ if at < signs.len() => {
                    signs.remove(at);
                }
                _ => {}
            }
        }
        signs.into_iter().collect()
    }
}
