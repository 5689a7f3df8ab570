//! `parapost rules`: prints the rules and their sources.

use std::fmt::Write as _;

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::status::Status;
use crate::render::rules_text;
use crate::rules::{Game, games};

pub(super) fn run(args: &args::Rules, context: &mut Context<'_>) -> Result<Status, Error> {
    if let Some(game) = args.game {
        context.print(context.told(told(game)))?;
        return Ok(Status::Done);
    }
    let room = context.room().unwrap_or(usize::MAX);
    let layout = textwrap::Options::new(room).subsequent_indent(BESIDE_ID);
    for game in games::ALL {
        let row = format!("{:<11} {}. {}.", game.id, game.name, game.credit);
        context.print(textwrap::fill(&row, &layout) + "\n")?;
    }
    Ok(Status::Done)
}

/// What stands below the id of a game where its line is broken.
const BESIDE_ID: &str = "            ";

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
