//! The order of words on a command line: people write `draw k7f3qd accept` as well as
//! `draw accept k7f3qd`, and a move before its match.

use std::ffi::OsString;

use clap::Command;

use crate::match_id::Id;
use crate::shell;

/// Returns what a wrong command line may mean: the same, with two words behind the command
/// changed. Only a line that is right by itself counts, so that nothing is guessed.
pub(super) fn reordered(words: &[OsString], line: &Command) -> Vec<Vec<OsString>> {
    let command = words.iter().enumerate().skip(1).find_map(|(at, word)| {
        let command = line.find_subcommand(word)?;
        Some((at, command))
    });
    let Some((at, command)) = command else {
        return Vec::new();
    };
    let plain: Vec<usize> = (at + 1..words.len())
        .filter(|at| !words[*at].to_string_lossy().starts_with('-'))
        .collect();
    let Some(first) = command.get_positionals().next() else {
        // The word is a command of this command: `mail k7f3qd drop`.
        let is_verb = |at: &usize| command.find_subcommand(&words[*at]).is_some();
        return changed(words, &plain, is_verb);
    };
    let verbs = first.get_possible_values();
    if verbs.is_empty() && first.get_id() == "id" {
        // A match and other words. A drop and a sentence are no match, however that is misspelt.
        let is_other = |at: usize| words[at].to_string_lossy().contains(['>', ' ']);
        return match plain.as_slice() {
            [one, other] if is_other(*one) => vec![swapped(words, *one, *other)],
            _ => Vec::new(),
        };
    }
    let is_verb = |at: &usize| {
        let word = words[*at].to_string_lossy();
        verbs.iter().any(|verb| verb.matches(&word, false))
    };
    changed(words, &plain, is_verb)
}

/// Returns the lines in which the first of these words that is a verb has changed places with
/// one before it.
fn changed(
    words: &[OsString],
    plain: &[usize],
    is_verb: impl Fn(&usize) -> bool,
) -> Vec<Vec<OsString>> {
    let Some(verb) = plain.iter().position(is_verb) else {
        return Vec::new();
    };
    let before = plain[..verb].iter();
    before.map(|at| swapped(words, *at, plain[verb])).collect()
}

fn swapped(words: &[OsString], one: usize, other: usize) -> Vec<OsString> {
    let mut words = words.to_vec();
    words.swap(one, other);
    words
}

/// Returns the command line that was meant where one says `id`, of which there is no match, and
/// then one of these ids: `move e4 k7f3qd`.
pub(super) fn turned_round(words: &[OsString], id: &Id, ids: &[Id]) -> Option<String> {
    let one = words.iter().position(|word| word == id.as_str())?;
    let is_match = |word: &OsString| ids.iter().any(|id| word == id.as_str());
    let other = words.iter().skip(one + 1).position(is_match)? + one + 1;
    Some(line(&swapped(words, one, other)))
}

/// Writes a command line of this program for somebody to paste.
pub(super) fn line(words: &[OsString]) -> String {
    let rest = words.iter().skip(1);
    let rest = rest.map(|word| shell::quote(&word.to_string_lossy()));
    let words: Vec<String> = std::iter::once("parapost".to_owned()).chain(rest).collect();
    words.join(" ")
}
