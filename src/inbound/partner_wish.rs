//! The letter that asks for a match with the partner: a line of the writer's own that has the words
//! and nothing else, like `new unachess as white with partner level 3`.
//!
//! Nothing else is read for it: no subject, which somebody else may have written, and no quotation.

use crate::inbound::closing::without_closing;
use crate::inbound::request;
use crate::mail::quoting::line::{Author, Line};
use crate::notation::header;
use crate::rules::{Color, Variant};

/// A letter's wish to play against the partner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartnerWish {
    /// The level, which may be none that there is.
    pub level: u8,
    /// The game with its options; or why there is none, in sentences.
    pub variant: Result<Variant, String>,
    /// The side that its writer wants to play.
    pub side: Option<Color>,
    /// The other words of its writer, which are not read.
    pub more: String,
}

impl PartnerWish {
    /// Returns true if a letter with these lines has such a wish.
    pub fn is_in(lines: &[Line<'_>]) -> bool {
        own(lines).any(|text| words(text).is_some())
    }

    /// Reads the wish in the lines of a letter, if it has any. Of several wishes none is chosen.
    pub fn read(lines: &[Line<'_>]) -> Option<PartnerWish> {
        let is_wish = |at: &usize| own(&lines[*at..=*at]).any(|text| words(text).is_some());
        let at = (0..lines.len()).find(is_wish)?;
        let mut wishes = own(lines).filter_map(words);
        let first = wishes.next()?;
        let is_one = wishes.all(|other| other == first);
        let (game, level) = first;
        let (variant, side) = if !is_one {
            let why = "Each match is asked for in a letter of its own.";
            (Err(why.to_owned()), None)
        } else if !request::stands_alone(lines, at..at + 1) {
            let why = "This line may be part of a longer sentence. Please send it alone, with an empty line above and below it.";
            (Err(why.to_owned()), None)
        } else {
            variant_and_side(&game)
        };
        let more: Vec<&str> = own(lines).filter(|text| words(text).is_none()).collect();
        Some(PartnerWish {
            level,
            variant,
            side,
            more: more.join("\n"),
        })
    }

    /// Returns true if the letter says more than the wish and how its writer, of this name, closes.
    pub fn says_more(&self, name: &str) -> bool {
        // What closes a letter stands below something.
        let words = format!("new\n{}", self.more);
        without_closing(&words, name) != "new"
    }

    /// Writes the words that ask for a match, in the form in which the log has them.
    pub fn words(variant: &Variant, side: Color, level: u8) -> String {
        let mut game = variant.game().id.to_owned();
        for option in variant.options() {
            game = format!("{game}, {option}");
        }
        let side = match side {
            Color::White => "white",
            Color::Black => "black",
        };
        format!("new {game} as {side} with partner level {level}")
    }
}

/// Returns the lines that the writer has written, without blank ones.
fn own<'l>(lines: &'l [Line<'l>]) -> impl Iterator<Item = &'l str> {
    let own = lines
        .iter()
        .filter(|line| line.author == Author::Own && !line.is_doubtful);
    let texts = own.map(|line| line.text.trim());
    texts.filter(|text| !text.is_empty())
}

/// Splits `new GAME with partner level N`, in any case and perhaps with a full stop, into what
/// stands for the game and the level.
fn words(line: &str) -> Option<(String, u8)> {
    let line = line.trim_end_matches(['.', '!']).to_lowercase();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [first, game @ .., with, partner, word, level] = words.as_slice() else {
        return None;
    };
    let is_wish = [*first, *with, *partner, *word] == ["new", "with", "partner", "level"];
    let is_number = level.len() <= 3 && level.bytes().all(|byte| byte.is_ascii_digit());
    if !is_wish || !is_number || game.is_empty() || game.len() > MOST_GAME_WORDS {
        return None;
    }
    Some((game.join(" "), level.parse().unwrap_or(u8::MAX)))
}

/// What every letter with such a wish has in its text.
pub const WISH: &str = "with partner level";

/// The most words for a game, its options and a side.
const MOST_GAME_WORDS: usize = 12;

/// Reads `GAME, OPTION, OPTION as SIDE`, of which all but the game may be missing.
fn variant_and_side(text: &str) -> (Result<Variant, String>, Option<Color>) {
    let (game, side) = match text.rsplit_once(" as ") {
        Some((game, side)) => (game, Some(side)),
        None => (text, None),
    };
    let (name, options) = game.split_once(',').unwrap_or((game, ""));
    let found = header::game(name).and_then(|game| header::variant(game, options));
    let variant = match found {
        Ok(variant) => variant,
        Err(error) => {
            let why = error.to_string();
            let end = if why.ends_with('?') { "" } else { "." };
            return (Err(why + end), None);
        }
    };
    let Some(side) = side else {
        return (Ok(variant), None);
    };
    let named = ["white", "black"].into_iter().zip(Color::ALL);
    let mut named = named.map(|(name, color)| (name, variant.player(color).to_lowercase(), color));
    let found = named.find(|(name, own, _)| side == *name || side == own);
    if let Some((.., color)) = found {
        return (Ok(variant), Some(color));
    }
    let [one, other] = Color::ALL.map(|color| variant.player(color));
    let why = format!("'{side}' is no side: they are {one} and {other}.");
    (Err(why), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::quoting::sent::Sent;
    use crate::notation::reader::classify;

    fn read(text: &str) -> Option<PartnerWish> {
        PartnerWish::read(&classify(text, &Sent::nothing()))
    }

    #[test]
    fn the_words_are_read_in_every_form() {
        for (text, game, side, level, has_more) in [
            (
                "new unachess with partner level 3\n",
                "unachess",
                None,
                3,
                false,
            ),
            (
                "  New Unachess as White with partner level 1.\n",
                "unachess",
                Some(Color::White),
                1,
                false,
            ),
            (
                "NEW NEW CHESS AS BLACK WITH PARTNER LEVEL 5\n",
                "newchess",
                Some(Color::Black),
                5,
                false,
            ),
            (
                "new unashogi as gote with partner level 2\n",
                "unashogi",
                Some(Color::Black),
                2,
                false,
            ),
            (
                "new shogi as white with partner level 2\n",
                "shogi",
                Some(Color::White),
                2,
                false,
            ),
            (
                "Hello!\n\nnew chess with partner level 9\n\nAnna\n",
                "chess",
                None,
                9,
                true,
            ),
            (
                "new chess with partner level 999\n",
                "chess",
                None,
                255,
                false,
            ),
        ] {
            let wish = read(text).unwrap_or_else(|| panic!("{text}"));
            let says_more = wish.says_more("Anna White");
            let variant = wish.variant.unwrap_or_else(|why| panic!("{text}: {why}"));
            let found = (variant.game().id, wish.side, wish.level, says_more);
            assert_eq!(found, (game, side, level, has_more), "{text}");
        }
    }

    #[test]
    fn options_stand_behind_commas_and_the_words_of_the_log_are_read_back() {
        let options: Vec<&str> = header::game("unachess")
            .unwrap()
            .options
            .iter()
            .map(|option| option.name)
            .collect();
        let line = format!(
            "new unachess, {} as black with partner level 2\n",
            options[0]
        );
        let variant = read(&line).unwrap().variant.unwrap();
        assert_eq!(variant.options(), [options[0]]);
        let words = PartnerWish::words(&variant, Color::Black, 2);
        assert_eq!(words, line.trim());
    }

    #[test]
    fn what_is_wrong_in_them_is_told() {
        for (text, why) in [
            (
                "new unaches with partner level 3\n",
                "did you mean 'unachess'?",
            ),
            ("new unachess, no-quens with partner level 3\n", "no option"),
            (
                "new unachess as red with partner level 3\n",
                "'red' is no side: they are White and Black.",
            ),
            (
                "new shogi as red with partner level 3\n",
                "'red' is no side: they are Sente and Gote.",
            ),
        ] {
            let told = read(text).unwrap().variant.unwrap_err();
            assert!(told.contains(why), "{text}: {told}");
        }
    }

    #[test]
    fn nothing_but_the_words_alone_on_a_line_of_one_s_own_is_a_wish() {
        for text in [
            "> new chess with partner level 1\n",
            "On Monday Ben wrote:\n> new chess with partner level 1\nno\n",
            "Let us begin a new chess with partner level 1\n",
            "new chess with partner level 1 please\n",
            "\"new chess with partner level 1\"\n",
            "new chess with partner level 1?\n",
            "new chess with partner level one\n",
            "new chess with a friend level 1\n",
            "new with partner level 1\n",
            "new chess with partner\n",
            "-- \nnew chess with partner level 1\n",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn how_a_letter_closes_is_no_more_than_the_wish() {
        for (rest, says_more) in [
            ("", false),
            ("\nAnna\n", false),
            ("\nBest regards,\nAnna White\n", false),
            ("\nP>e3\n", true),
            ("\nP>e3\n\nAnna\n", true),
        ] {
            let text = format!("new chess with partner level 1\n{rest}");
            let wish = read(&text).expect("a wish");
            assert_eq!(wish.says_more("Anna White"), says_more, "{text}");
        }
    }

    #[test]
    fn of_several_wishes_none_is_chosen() {
        let twice = "new chess with partner level 1\nnew chess with partner level 1\n";
        assert!(read(twice).is_some_and(|wish| wish.variant.is_ok()));
        let other = "new chess with partner level 1\nnew chess with partner level 2\n";
        let why = read(other).and_then(|wish| wish.variant.err());
        assert_eq!(
            why.as_deref(),
            Some("Each match is asked for in a letter of its own.")
        );
    }
}
