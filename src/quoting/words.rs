//! Texts as the words that stand near each other in them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::quoting::line::{self, Line};

/// The length in characters above which a program may break a word.
const LONG: usize = 16;

/// The longest rest of a broken word that is looked for, in characters. A move is shorter.
const LONGEST_REST: usize = 8;

/// The words of texts, with the order in which they stand near each other. Holds a
/// bounded number of pairs for each word.
#[derive(Clone, Default, Debug)]
pub(super) struct Words {
    /// Words that many texts share. Theirs are the first numbers.
    shared: Option<Arc<Words>>,
    numbers: HashMap<Box<str>, u32>,
    /// The pairs of words, the first before the second.
    pairs: HashSet<(u32, u32)>,
}

impl Words {
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.shared.as_ref().is_none_or(|shared| shared.is_empty())
    }

    /// Returns the same words, which cost nothing to clone until some are added.
    pub(super) fn shared(self) -> Words {
        Words {
            shared: Some(Arc::new(self)),
            ..Words::default()
        }
    }

    /// Returns the number of different words.
    fn len(&self) -> usize {
        self.numbers.len() + self.shared.as_ref().map_or(0, |shared| shared.len())
    }

    /// Adds a text. Two of its words are near if at most `reach` words lie between their
    /// starts.
    pub(super) fn add(&mut self, text: &str, reach: usize) {
        let words: Vec<String> = line::split(text).iter().flat_map(of_line).collect();
        let numbers: Vec<u32> = words.iter().map(|word| self.number(word)).collect();
        for (i, &first) in numbers.iter().enumerate() {
            for &second in numbers[i + 1..].iter().take(reach) {
                self.pairs.insert((first, second));
            }
        }
        for (i, word) in words.iter().enumerate() {
            for (start, rest) in rests(word) {
                let (start, rest) = (self.number(start), self.number(rest));
                self.pairs.insert((start, rest));
                for &second in numbers[i + 1..].iter().take(reach) {
                    self.pairs.insert((rest, second));
                }
            }
        }
    }

    /// Returns the number of a word, if a text has it.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        let shared = self.shared.as_ref().and_then(|shared| shared.find(word));
        shared.or_else(|| self.numbers.get(word).copied())
    }

    /// Returns true if the second word stands near behind the first in a text.
    pub(super) fn has(&self, first: Option<u32>, second: Option<u32>) -> bool {
        let pair = first.zip(second);
        pair.is_some_and(|pair| self.has_pair(pair))
    }

    fn has_pair(&self, pair: (u32, u32)) -> bool {
        let shared = self.shared.as_ref();
        self.pairs.contains(&pair) || shared.is_some_and(|shared| shared.has_pair(pair))
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.find(word) {
            return number;
        }
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.into(), number);
        number
    }
}

/// Returns the words of a line: its letters and digits, without the signs
/// between them, which programs change. A number is split from a move that touches it.
pub(super) fn of_line(line: &Line<'_>) -> Vec<String> {
    let text = line.plain();
    let mut words = Vec::new();
    for chunk in text.split_whitespace() {
        let behind = chunk.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, rest) = chunk.split_at(chunk.len() - behind.len());
        let parts = if !number.is_empty() && rest.starts_with('.') {
            [number, rest]
        } else {
            [chunk, ""]
        };
        for part in parts {
            let is_kept = |c: &char| c.is_alphanumeric();
            let word: String = part.chars().filter(is_kept).collect();
            if !word.is_empty() {
                words.push(word);
            }
        }
    }
    words
}

/// Returns the ways in which a program may break a long word shortly before its end.
fn rests(word: &str) -> Vec<(&str, &str)> {
    let places: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    if places.len() <= LONG {
        return Vec::new();
    }
    let last = places[places.len() - LONGEST_REST..].iter();
    last.map(|at| word.split_at(*at)).collect()
}

/// Returns true if a word is a number, as of a move.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a word may be a move: it has a digit among letters, or castles.
pub(super) fn is_like_move(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && !is_number(word)
        || ["OO", "oo", "00"]
            .iter()
            .any(|castling| word.starts_with(castling))
}
