//! Commands by mail, each alone on its line.

use std::fmt;

/// A command that stands alone on a line of a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// `resign`
    Resign,
    /// `offer draw`
    OfferDraw,
    /// `accept draw`
    AcceptDraw,
    /// `decline draw`
    DeclineDraw,
    /// `claim draw`
    ClaimDraw,
    /// `show`, or `show N`: the position after so many half-moves.
    Show(Option<usize>),
    /// `help`
    Help,
}

impl Request {
    /// The command that a line is, if it is one and nothing else. `I` before
    /// it, an article and a full stop are let pass; a question mark is not.
    #[must_use]
    pub fn parse(line: &str) -> Option<Request> {
        let line = line.trim().trim_end_matches(['.', '!']).to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = words.strip_prefix(&["i"]).unwrap_or(&words);
        Some(match words {
            ["resign" | "resigns"] => Request::Resign,
            ["offer" | "offers", "draw"] | ["offer" | "offers", "a", "draw"] => Request::OfferDraw,
            ["accept" | "accepts", "draw"] | ["accept" | "accepts", "the" | "your", "draw"] => {
                Request::AcceptDraw
            }
            ["decline" | "declines", "draw"] | ["decline" | "declines", "the" | "your", "draw"] => {
                Request::DeclineDraw
            }
            ["claim" | "claims", "draw"] | ["claim" | "claims", "a" | "the", "draw"] => {
                Request::ClaimDraw
            }
            ["show"] => Request::Show(None),
            ["show", plies] => Request::Show(Some(plies.parse().ok()?)),
            ["help"] => Request::Help,
            _ => return None,
        })
    }
}

impl Request {
    /// Whether it changes the match; else it only asks for something.
    #[must_use]
    pub const fn is_order(self) -> bool {
        !matches!(self, Request::Show(_) | Request::Help)
    }
}

impl fmt::Display for Request {
    /// The command as it is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Request::Resign => "resign",
            Request::OfferDraw => "offer draw",
            Request::AcceptDraw => "accept draw",
            Request::DeclineDraw => "decline draw",
            Request::ClaimDraw => "claim draw",
            Request::Show(None) => "show",
            Request::Show(Some(plies)) => return write!(f, "show {plies}"),
            Request::Help => "help",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Request::{self, *};

    #[test]
    fn a_command_stands_alone() {
        for (line, expected) in [
            ("resign", Resign),
            ("  I resign.  ", Resign),
            ("RESIGNS", Resign),
            ("offer draw", OfferDraw),
            ("I offer a draw", OfferDraw),
            ("Accept Draw!", AcceptDraw),
            ("I accept the draw.", AcceptDraw),
            ("decline draw", DeclineDraw),
            ("claim draw", ClaimDraw),
            ("show", Show(None)),
            ("show 12", Show(Some(12))),
            ("help", Help),
        ] {
            assert_eq!(Request::parse(line), Some(expected), "{line}");
            assert_eq!(Request::parse(&expected.to_string()), Some(expected));
        }
    }

    #[test]
    fn talk_of_a_command_is_none() {
        for line in [
            "",
            "I",
            "resign?",
            "should I resign",
            "I will not resign",
            "I resign myself to it",
            "offer",
            "draw",
            "draw?",
            "shall I offer draw",
            "show me",
            "show -1",
            "show 99999999999999999999999",
            "help me",
            "> resign",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }
}
