//! The rules of a game, for people.

use crate::rules::Game;

/// Marks what is a reading of this program's.
const OURS: &str = "[R]";

/// Explains the mark.
const EXPLAINED: &str =
    "[R] marks what the source leaves open, as this program reads it, with the reason.";

/// Returns what explains the marks in the rules of a game, if they have any.
#[must_use]
pub fn explanation(game: &Game) -> Option<&'static str> {
    game.text.contains(OURS).then_some(EXPLAINED)
}

/// Returns the rules of a game with their source and what explains their marks, a
/// paragraph or an item to a line.
#[must_use]
pub fn paragraphs(game: &Game) -> String {
    let mut text = format!("{} ({})\n{}.\n", game.name, game.id, game.credit);
    let mut is_open = false;
    for line in game.text.lines() {
        let begins = line.starts_with("- ") || line.starts_with("* ");
        if line.trim().is_empty() {
            text.push('\n');
        } else if is_open && !begins {
            text.push(' ');
        } else {
            text.push('\n');
        }
        text.push_str(line.trim());
        is_open = !line.trim().is_empty();
    }
    if let Some(explanation) = explanation(game) {
        text.push_str("\n\n");
        text.push_str(explanation);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{explanation, paragraphs};
    use crate::rules::games;

    #[test]
    fn no_word_of_the_rules_is_lost() {
        for game in games::ALL {
            let text = paragraphs(game);
            let words: Vec<&str> = text.split_whitespace().collect();
            let rules: Vec<&str> = game.text.split_whitespace().collect();
            let explained = explanation(game).unwrap_or_default();
            let explained: Vec<&str> = explained.split_whitespace().collect();
            assert!(words.ends_with(&[rules, explained].concat()), "{text}");
            let items = |text: &str| text.lines().filter(|line| line.starts_with("- ")).count();
            assert_eq!(items(&text), items(game.text), "{text}");
        }
    }
}
