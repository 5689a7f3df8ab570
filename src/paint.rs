//! Colours, for people at a terminal.

use std::env;
use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

/// An error.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A warning, or what presses.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A request to the reader.
pub const YOURS: Style = AnsiColor::Green.on_default().bold();
/// A heading or a name.
pub const STRONG: Style = Style::new().bold();
/// Things that matter less.
pub const FAINT: Style = Style::new().dimmed();
/// The pieces of the second player. It can be read on light and on dark.
pub const SECOND: Style = AnsiColor::Magenta.on_default();

/// Tells if a stream takes colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Paint(bool);

impl Paint {
    /// Decides by the command line; else by `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`,
    /// in this order; else a terminal takes colours that is not as dumb as to say so.
    pub fn of(choice: ColorChoice, is_terminal: bool) -> Paint {
        Paint(match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if anstyle_query::no_color() => false,
            ColorChoice::Auto if anstyle_query::clicolor_force() => true,
            ColorChoice::Auto => {
                is_terminal
                    && anstyle_query::clicolor() != Some(false)
                    && env::var_os("TERM").is_some_and(|term| term != "dumb")
            }
        })
    }

    /// Returns true if the stream takes colours.
    pub fn is_on(self) -> bool {
        self.0
    }

    /// Writes a text in a style, or plainly.
    pub fn text(self, style: Style, text: impl Display) -> String {
        if self.0 {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_painted_is_as_it_was() {
        assert_eq!(Paint::default().text(ERROR, "no"), "no");
        assert_eq!(Paint(true).text(STRONG, "yes"), "\u{1b}[1myes\u{1b}[0m");
        assert!(Paint::of(ColorChoice::Always, false).is_on());
        assert!(!Paint::of(ColorChoice::Never, true).is_on());
    }
}
