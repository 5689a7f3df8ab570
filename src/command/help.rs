//! What a newcomer is told: by `parapost` alone what it is and what to do first, by `--help` the
//! commands in groups, by `parapost help moves` how to write a move of each game so that a shell
//! takes it.

mod moves;

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};

use crate::Error;
use crate::command::context::{Context, Status};
use crate::printable::terminal_width;

/// `parapost` alone.
pub(super) const FIRST: &str = "\
parapost plays chess by post. It checks each move against the rules of eight
games, in six of which pieces drop from a reserve onto the board, keeps every
match in a text file, and mails the next position. Your opponent needs a mail
program and no more.

First:
  parapost init               tell it who you are and where your mailbox is
  parapost rules              choose a game; then invite somebody: parapost new --help
  parapost fetch --send       read the answers; then play: parapost move ID 'N>d5' --send
'parapost --help' lists all commands, 'parapost help moves' says how to write a move.
";

/// The commands in groups, those of every day first. A command that stands nowhere comes last.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Play",
        &[
            "move", "new", "say", "draw", "takeback", "undo", "resign", "decline", "withdraw",
            "note",
        ],
    ),
    (
        "Read and send mail",
        &["fetch", "receive", "send", "mail", "news", "init", "doctor"],
    ),
    (
        "Look",
        &[
            "list", "show", "open", "legal", "check", "rules", "help", "perft",
        ],
    ),
    ("Club", &["serve", "archive", "status", "forget"]),
    (
        "Keep",
        &[
            "verify",
            "repair",
            "export",
            "import",
            "store",
            "completions",
            "man",
        ],
    ),
];

/// The topic of `parapost help` that is no command.
const MOVES: &str = "moves";

/// `parapost help`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost help move
  parapost help moves")]
pub(super) struct Help {
    /// A command, or 'moves' for how to write a move
    #[arg(value_name = "COMMAND|moves", index = 1, hide_possible_values = true)]
    topic: Option<String>,
    /// A command of that command
    #[arg(value_name = "COMMAND", index = 2)]
    below: Option<String>,
}

impl Help {
    /// Returns the command line that asks for the same help.
    fn words(&self) -> Vec<OsString> {
        let mut words = vec!["parapost"];
        words.extend(self.topic.as_deref());
        words.extend(self.below.as_deref());
        words.push("--help");
        words.into_iter().map(OsString::from).collect()
    }
}

pub(super) fn run(
    args: &Help,
    command_line: Command,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    if args.topic.as_deref() == Some(MOVES) {
        context.print(moves::text())?;
        return Ok(Status::Done);
    }
    // The help of a command is what its `--help` prints.
    let Err(help) = command_line.try_get_matches_from(args.words()) else {
        return Ok(Status::Done);
    };
    if help.use_stderr() {
        return Err(Error::usage(help.render().to_string().trim_end()));
    }
    if context.out.is_on() {
        context.print(help.render().ansi())?;
    } else {
        context.print(help.render())?;
    }
    Ok(Status::Done)
}

/// Returns how moves are written, for the help of `parapost move`.
pub(super) fn of_move() -> String {
    moves::of_move()
}

/// Returns the command line whose help shows the commands in groups.
pub(super) fn grouped(mut command: Command) -> Command {
    let names = GROUPS.iter().flat_map(|(_, names)| *names).copied();
    let mut topics: Vec<&str> = names
        .filter(|name| command.find_subcommand(name).is_some())
        .collect();
    topics.push(MOVES);
    command = command.mut_subcommand("help", |help| {
        help.mut_arg("topic", |topic| {
            topic.value_parser(PossibleValuesParser::new(topics))
        })
    });
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{{options}}{{after-help}}",
        groups(&command, terminal_width().min(WIDTH)),
        heading(&command, "Options"),
    );
    command.help_template(template)
}

/// The width of the list of commands, if there is room for it.
const WIDTH: usize = 80;

/// The columns of the names.
const NAMES: usize = 13;

/// Writes a heading as the library does.
fn heading(command: &Command, text: &str) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{text}:{style:#}")
}

/// Lists the commands, each with a line.
fn groups(command: &Command, columns: usize) -> String {
    let known: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    let others = command.get_subcommands().map(Command::get_name);
    let others: Vec<&str> = others.filter(|name| !known.contains(name)).collect();
    let style = command.get_styles().get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS.into_iter().chain([("More", others.as_slice())]) {
        let found = names
            .iter()
            .filter_map(|name| command.find_subcommand(name));
        let rows: Vec<String> = found.map(|found| row(found, columns)).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{}", heading(command, title));
        for row in rows {
            let end = row.trim_start().find(' ').map_or(row.len(), |end| end + 2);
            let (name, rest) = row.split_at(end);
            let _ = writeln!(text, "{style}{name}{style:#}{rest}");
        }
        text.push('\n');
    }
    text
}

/// A command and what it does.
fn row(command: &Command, columns: usize) -> String {
    let about = command.get_about().map(ToString::to_string);
    let line = format!(
        "  {:<NAMES$}{}",
        command.get_name(),
        about.unwrap_or_default()
    );
    let indent = " ".repeat(NAMES + 2);
    textwrap::fill(
        &line,
        textwrap::Options::new(columns).subsequent_indent(&indent),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let command = crate::command::command_line();
        for command in command.get_subcommands() {
            let name = command.get_name();
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&name));
            assert_eq!(groups.count(), 1, "{name}");
        }
    }

    #[test]
    fn what_the_program_is_takes_ten_lines() {
        assert_eq!(FIRST.lines().count(), 10);
        assert!(FIRST.lines().all(|line| line.len() <= 90));
    }
}
