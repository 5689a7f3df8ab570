//! `parapost rules`: prints the rules and their sources.

use std::fmt::Write as _;

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::status::Status;
use crate::render::rules_text;
use crate::rules::{Game, games};

pub(super) fn run(args: &args::Rules, context: &mut Context<'_>) -> Result<Status, Error> {
    match args.game {
        Some(game) => context.print(told(game))?,
        None => {
            for game in games::ALL {
                context.print(format_args!(
                    "{:<11} {}. {}.\n",
                    game.id, game.name, game.credit
                ))?;
            }
        }
    }
    Ok(Status::Done)
}

/// The width of the lines.
const WIDTH: usize = 72;

/// Where more stands about the marks in the rules.
const READINGS: &str = "All such readings stand in docs/rules.md.";

fn told(game: &Game) -> String {
    let mut text = format!("{} ({})\n", game.name, game.id);
    // Keeps a rights notice whole on its line.
    let credit = format!("{}.", game.credit.replace("; ", ";\n"));
    let _ = write!(text, "{credit}\n\n{}\n", game.text.trim_end());
    if let Some(explanation) = rules_text::explanation(game) {
        let told = textwrap::fill(&format!("{explanation} {READINGS}"), WIDTH);
        let _ = writeln!(text, "\n{told}");
    }
    if game.options.is_empty() {
        text.push_str("\nThere are no options.\n");
        return text;
    }
    text.push_str("\nOptions:\n\n");
    for option in game.options {
        let told = format!("{}: {}.", option.name, option.summary);
        let layout = textwrap::Options::new(WIDTH)
            .initial_indent("- ")
            .subsequent_indent("  ");
        let _ = writeln!(text, "{}", textwrap::fill(&told, layout));
        if !option.excludes.is_empty() {
            let _ = writeln!(text, "  Not together with {}.", option.excludes.join(", "));
        }
    }
    text
}
