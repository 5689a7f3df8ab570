//! What a newcomer is told: by `parapost` alone what it is and what to do first, by `--help` the
//! commands in groups, by `parapost help moves` how to write a move of each game so that a shell
//! takes it.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};

use crate::Error;
use crate::command::context::{Context, Status};
use crate::printable::terminal_width;

/// `parapost` alone.
pub(super) const FIRST: &str = include_str!("help/first.txt");

/// The commands in groups, those of every day first. A command that stands nowhere comes last.
const GROUPS: [(&str, &str); 5] = [
    (
        "Play",
        "play move new say draw takeback undo resign decline withdraw note",
    ),
    (
        "Read and send mail",
        "fetch receive send mail news init doctor",
    ),
    (
        "Look",
        "list show open legal check analyse puzzles rules help perft engine",
    ),
    ("Club", "serve partner archive status forget"),
    (
        "Keep",
        "verify repair name export import store completions man",
    ),
];

/// The topic of `parapost help` that is no command.
const MOVES: &str = "moves";

/// How moves are written, with examples for each game. The tests read every example, as a shell
/// does and by the rules.
const HOW_TO_MOVE: &str = include_str!("help/moves.txt");

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
        context.print(HOW_TO_MOVE)?;
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

/// Returns how moves are written, for the help of `parapost move`: the part of the text that
/// fits below it.
pub(super) fn of_move() -> String {
    let (_, examples) = HOW_TO_MOVE.split_once("--send\n\n").unwrap_or_default();
    let (examples, _) = examples.split_once("\n\nOther ways").unwrap_or_default();
    format!(
        "'>' drops a piece from the reserve, '-' moves one, 'x' captures. In quotes, since a\n\
         shell takes '>' for itself:\n\n{examples}"
    )
}

/// Returns the command line whose help shows the commands in groups.
pub(super) fn grouped(mut command: Command) -> Command {
    let mut topics: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, names)| names.split(' '))
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
    let is_known = |name: &&str| GROUPS.iter().any(|(_, names)| has(names, name));
    let others = command.get_subcommands().map(Command::get_name);
    let others: Vec<&str> = others.filter(|name| !is_known(name)).collect();
    let others = others.join(" ");
    let style = command.get_styles().get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS.into_iter().chain([("More", others.as_str())]) {
        let found = names
            .split(' ')
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

/// Returns true if a group has this command.
fn has(names: &str, command: &str) -> bool {
    names.split(' ').any(|name| name == command)
}

#[cfg(test)]
mod tests {
    use std::process::Command as Shell;

    use super::*;
    use crate::notation::judge;
    use crate::printable::width;
    use crate::rules::notation::Voice;
    use crate::rules::{Game, Position, Variant, games};

    #[test]
    fn every_command_stands_in_one_group() {
        let command = crate::command::command_line();
        for command in command.get_subcommands() {
            let name = command.get_name();
            let groups = GROUPS.iter().filter(|(_, names)| has(names, name));
            assert_eq!(groups.count(), 1, "{name}");
        }
    }

    #[test]
    fn what_the_program_is_takes_ten_lines() {
        assert_eq!(FIRST.lines().count(), 10);
        assert!(FIRST.lines().all(|line| line.len() <= 90));
    }

    /// The moves before each example, or the position as a FEN.
    const BEFORE: [(&str, &str); 9] = [
        ("k>e8", "K>e1"),
        ("N-d4", "K>e1 k>e8 N>f3 p>e5"),
        ("Nxe5", "K>e1 k>e8 N>f3 p>e5"),
        ("Nb-d2", "K>e1 k>e8 N>b1 p>e5 N>f1 p>d5"),
        ("N-f3", "N>d2/c4 n>g7/g6"),
        ("N>f3,P>c2", "K>e1,P>b4 k>e8,p>a5"),
        ("Pxa5", "K>e1,P>b4 k>e8,p>a5"),
        ("Pxd5", "e4 d5"),
        ("O-O", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    ];

    fn position(example: &str, variant: &Variant) -> Position {
        let fen = match example {
            "G>e5" | "S-d5" | "S-c7=+S" | "S-7c" => "4k4/9/9/2S6/9/9/9/9/4K4[G] w - -",
            "P-a8=Q" => "8/P6k/8/8/8/8/8/K7 w - -",
            _ => {
                let before = BEFORE.iter().find(|(text, _)| *text == example);
                let moves = before.map_or("", |(_, moves)| moves);
                return judge::record(moves, variant).unwrap().position().clone();
            }
        };
        Position::from_fen(variant, fen).unwrap()
    }

    /// The games by their names, each with its examples as a shell hands them over.
    fn examples() -> Vec<(&'static Game, Vec<String>)> {
        let heads = HOW_TO_MOVE
            .split("\n\n")
            .filter_map(|part| part.split_once(":\n  "));
        let mut examples = Vec::new();
        for (names, rows) in heads {
            let words: Vec<&str> = rows
                .lines()
                .map(|row| row.trim_start().split("  ").next().unwrap())
                .collect();
            let script = format!("printf '%s\\n' {}", words.join(" "));
            let printed = Shell::new("sh").args(["-c", &script]).output();
            let printed = String::from_utf8(printed.unwrap().stdout).unwrap();
            assert_eq!(printed.lines().count(), words.len(), "{printed}");
            for name in names.split(", ") {
                let game = games::ALL.iter().find(|game| game.name == name);
                let game = game.unwrap_or_else(|| panic!("{name}"));
                examples.push((*game, printed.lines().map(ToOwned::to_owned).collect()));
            }
        }
        examples
    }

    #[test]
    fn a_shell_takes_every_example_and_it_is_a_legal_move() {
        let examples = examples();
        for (game, texts) in &examples {
            let variant = Variant::new(game, &[]).unwrap();
            for text in texts {
                let read = position(text, &variant).read_with(text, Voice::Alone);
                assert!(read.is_ok(), "{} {text}: {read:?}", game.id);
            }
        }
        let told: Vec<&String> = examples.iter().flat_map(|(_, texts)| texts).collect();
        for (before, _) in BEFORE {
            assert!(told.iter().any(|text| *text == before), "{before}");
        }
        let mut told: Vec<&str> = examples.iter().map(|(game, _)| game.id).collect();
        told.sort_unstable();
        let mut all: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        all.sort_unstable();
        assert_eq!(told, all);
        assert!(HOW_TO_MOVE.lines().all(|line| width(line) <= 80));
    }
}
