//! The rules of a game, for people.

use crate::rules::Game;

/// Returns the rules of a game with their source, a paragraph or an item to a line.
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
    text
}

#[cfg(test)]
mod tests {
    use super::paragraphs;
    use crate::rules::games;

    #[test]
    fn no_word_of_the_rules_is_lost() {
        for game in games::ALL {
            let text = paragraphs(game);
            let words: Vec<&str> = text.split_whitespace().collect();
            let rules: Vec<&str> = game.text.split_whitespace().collect();
            assert!(words.ends_with(&rules), "{text}");
            let items = |text: &str| text.lines().filter(|line| line.starts_with("- ")).count();
            assert_eq!(items(&text), items(game.text), "{text}");
        }
    }
}
