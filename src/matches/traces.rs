//! The traces of a player in what others wrote: addresses and names.
//!
//! A text is compared in a folded form, in which neither case, accents, the way they are
//! composed, nor the kind and number of blanks differ. What is found is cut out of the text
//! as it was written.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use lettre::Address;

use crate::matches::event::{ADDRESS, EventKind, Who};
use crate::matches::r#match::Match;
use crate::matches::player::mailbox;
use crate::printable::is_unprintable;
use crate::rules::Color;

/// The fewest characters of a name that is looked for within words: a shorter one
/// stands in too many of them.
const SHORTEST: usize = 3;

/// The addresses and names of a player.
#[derive(Clone, Default, Debug)]
pub(super) struct Traces {
    /// The name of each mailbox and its domain, in small letters.
    mailboxes: Vec<(String, String)>,
    /// The folded names.
    names: Vec<Vec<char>>,
}

impl Traces {
    /// Adds what a match knows of the player of these sides.
    pub(super) fn add(&mut self, game: &Match, sides: &[Color]) {
        for side in sides {
            let player = game.player(*side);
            let added = game.log().iter().filter(|event| {
                event.kind == EventKind::Address && event.who == Who::Player(*side)
            });
            let added = added.filter_map(|event| event.get(ADDRESS)?.parse().ok());
            for address in added {
                self.add_address(&address);
            }
            player
                .addresses()
                .iter()
                .for_each(|address| self.add_address(address));
            let name = name_of(player.given_name());
            if !name.is_empty() && !self.names.contains(&name) {
                self.names.push(name);
            }
        }
        // The longest first: one may be a part of another.
        self.names
            .sort_by_key(|name| (std::cmp::Reverse(name.len()), name.clone()));
    }

    fn add_address(&mut self, address: &Address) {
        let mailbox = mailbox(address);
        if !self.mailboxes.contains(&mailbox) {
            self.mailboxes.push(mailbox);
        }
    }

    /// Returns the traces without the names that another player of a match has, too.
    pub(super) fn in_match_of_others(&self, game: &Match) -> Traces {
        let others = Color::ALL.map(|side| name_of(game.player(side).given_name()));
        let names = self.names.iter().filter(|name| {
            name.len() >= SHORTEST && !others.iter().any(|other| contains(other, name))
        });
        Traces {
            mailboxes: self.mailboxes.clone(),
            names: names.cloned().collect(),
        }
    }

    /// Returns true if an address is of one of the mailboxes, with any tag.
    pub(super) fn has(&self, address: &Address) -> bool {
        self.mailboxes.contains(&mailbox(address))
    }

    /// Puts another name in the place of each trace in a text. Takes time linear in the
    /// text, for each trace.
    pub(super) fn replaced(&self, text: &str, by: &str) -> String {
        let text = self.without_addresses(text, by);
        let folded = Folded::new(&text);
        let mut found: Vec<(usize, usize)> = Vec::new();
        for name in &self.names {
            folded.find(name, &mut found);
        }
        found.sort_unstable();
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in found {
            if start >= done {
                kept.push_str(&text[done..start]);
                kept.push_str(by);
                done = end;
            }
        }
        kept + &text[done..]
    }

    /// Looks at what stands around each `@`.
    fn without_addresses(&self, text: &str, by: &str) -> String {
        let is_name = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
        let is_domain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for (at, _) in text.match_indices('@') {
            let before = &text[done..at];
            let start = at - before.len() + before.trim_end_matches(is_name).len();
            let after = &text[at + 1..];
            let length = after.find(|c| !is_domain(c)).unwrap_or(after.len());
            let domain = after[..length].trim_end_matches(['.', '-']);
            let is_trace = self.mailboxes.iter().any(|(name, known)| {
                let user = text[start..at].to_lowercase();
                // Other signs may belong to the text: 'anna@example.org'.
                let user = user.split_once('+').map_or(user.as_str(), |(name, _)| name);
                let end = user.strip_suffix(name.to_lowercase().as_str());
                domain.to_lowercase() == known.to_lowercase()
                    && end.is_some_and(|end| !end.ends_with(char::is_alphanumeric))
            });
            if is_trace {
                kept.push_str(&text[done..start]);
                kept.push_str(by);
                done = at + 1 + domain.len();
            }
        }
        kept + &text[done..]
    }
}

/// Returns true if a text has a name in it.
fn contains(text: &[char], name: &[char]) -> bool {
    text.windows(name.len()).any(|part| part == name)
}

/// Folds a name.
fn name_of(text: &str) -> Vec<char> {
    let folded = Folded::new(text.trim()).chars;
    folded.into_iter().map(|(c, ..)| c).collect()
}

/// A text in which neither case, accents nor blanks differ, with the place of each
/// character in the text as it was written.
struct Folded {
    chars: Vec<(char, usize, usize)>,
}

impl Folded {
    fn new(text: &str) -> Folded {
        let decomposed = DecomposingNormalizerBorrowed::new_nfkd();
        let classes = CanonicalCombiningClassMapBorrowed::new();
        let mut chars: Vec<(char, usize, usize)> = Vec::new();
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            if c.is_whitespace() {
                // A row of blanks is one.
                match chars.last_mut() {
                    Some((' ', _, last)) => *last = end,
                    _ => chars.push((' ', at, end)),
                }
                continue;
            }
            if is_unprintable(c) || matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}') {
                continue;
            }
            let parts = decomposed.normalize_iter(std::iter::once(c));
            for part in parts {
                if classes.get_u8(part) != 0 {
                    // An accent belongs to the letter before it.
                    if let Some((_, _, last)) = chars.last_mut() {
                        *last = end;
                    }
                } else if part.is_whitespace() {
                    chars.push((' ', at, end));
                } else {
                    let small = part.to_uppercase().flat_map(char::to_lowercase);
                    chars.extend(small.map(|c| (c, at, end)));
                }
            }
        }
        Folded { chars }
    }

    /// Finds a folded name: a short one only where it is a word of its own.
    fn find(&self, name: &[char], found: &mut Vec<(usize, usize)>) {
        if name.is_empty() {
            return;
        }
        let is_letter = |at: Option<usize>| {
            let c = at.and_then(|at| self.chars.get(at));
            c.is_some_and(|(c, ..)| c.is_alphanumeric())
        };
        for (at, part) in self.chars.windows(name.len()).enumerate() {
            let is_name = part.iter().map(|(c, ..)| c).eq(name);
            let is_word = || !is_letter(at.checked_sub(1)) && !is_letter(Some(at + name.len()));
            if is_name && (name.len() >= SHORTEST || is_word()) {
                found.push((part[0].1, part[name.len() - 1].2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(name: &str) -> Traces {
        let mut traces = Traces::default();
        traces.add_address(&"Anna.A+chess@Example.org".parse().unwrap());
        traces.names.push(name_of(name));
        traces
    }

    #[test]
    fn a_name_is_found_in_each_case_form_and_spacing() {
        for (name, text) in [
            ("Jürgen Groß", "JÜRGEN  GROSS"),
            ("Jürgen Groß", "Ju\u{308}rgen\u{a0}Groß"),
            ("Ju\u{308}rgen Groß", "jürgen\ngroß"),
            ("Jürgen Groß", "Jür\u{ad}gen Gro\u{200b}ß"),
            ("Søren Åby", "SØREN A\u{30a}BY"),
            ("Ελένης", "ΕΛΈΝΗΣ"),
            ("李 明", "李\u{3000}明"),
            ("Bo", "Bo"),
            ("Bo", "BO"),
        ] {
            let text = format!("Dear {text}, hello!");
            let expected = "Dear Player 1, hello!";
            assert_eq!(traces(name).replaced(&text, "Player 1"), expected, "{name}");
        }
        // Too short to be looked for within words.
        let kept = "A bow, a robot and a hobo.";
        assert_eq!(traces("Bo").replaced(kept, "Player 1"), kept);
    }

    #[test]
    fn a_mailbox_is_found_with_any_tag_and_no_other_is() {
        for text in [
            "anna.a@example.org",
            "ANNA.A+other@EXAMPLE.ORG",
            "anna.a+chess@example.org",
            "Anna.A+x+y@Example.org",
        ] {
            for (before, after) in [
                ("<", ">"),
                ("'", "'"),
                ("", "."),
                ("mailto:", "?subject=x"),
                ("/", "/"),
            ] {
                let text = format!("at {before}{text}{after} and");
                let expected = format!("at {before}Player 1{after} and");
                let replaced = traces("x y z").replaced(&text, "Player 1");
                let plain = replaced.replace("at Player 1", &format!("at {before}Player 1"));
                assert!(
                    replaced == expected || plain == expected,
                    "{text}: {replaced}"
                );
            }
        }
        for text in [
            "joanna.a@example.org",
            "anna.a@example.org.test",
            "anna.b@example.org",
            "@",
            "a@@b",
        ] {
            assert_eq!(traces("x y z").replaced(text, "Player 1"), text);
        }
    }
}
