//! A terminal for a program to run at, by `script` of util-linux.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};

use parapost::shell;
use unicode_width::UnicodeWidthStr;

use super::Test;

/// What stood on a terminal when a program had ended.
pub(crate) struct Screen {
    /// What it was sent, escapes included.
    pub(crate) sent: String,
    pub(crate) status: i32,
}

impl Screen {
    fn of(sent: Vec<u8>, status: ExitStatus) -> Screen {
        let sent = String::from_utf8(sent).expect("UTF-8");
        Screen {
            sent: sent.replace("\r\n", "\n"),
            status: status.code().expect("a status"),
        }
    }

    /// What can be read: the text without its colours.
    pub(crate) fn text(&self) -> String {
        without_colours(&self.sent)
    }

    /// Returns true if there were colours.
    pub(crate) fn is_painted(&self) -> bool {
        self.sent.contains('\u{1b}')
    }

    /// The columns of the longest line.
    pub(crate) fn columns(&self) -> usize {
        let text = self.text();
        text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
    }
}

/// Takes the colours out of a text.
pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').expect("nothing but colours");
        assert!(
            code.chars().all(|c| c.is_ascii_digit() || c == ';'),
            "{code}"
        );
        plain.push_str(rest);
    }
    plain
}

/// Runs at a terminal that has so many columns and takes colours, with somebody who types.
pub(crate) fn at_terminal(test: Test, columns: u16, typed: &str) -> Screen {
    let test = test.env("NO_COLOR", "").env("TERM", "xterm");
    at_plain_terminal(&test, columns, typed)
}

/// Runs at a terminal as [`at_terminal`] does, in the environment that the test has.
pub(crate) fn at_plain_terminal(test: &Test, columns: u16, typed: &str) -> Screen {
    let program = test.command();
    by_shell(
        &program,
        columns,
        &format!("exec {}", line_of(&program)),
        typed,
    )
}

/// Runs at a terminal in the environment that the test has, with somebody who waits each time for
/// a text before the next words are typed.
pub(crate) fn in_turns(test: &Test, columns: u16, turns: &[(&str, &str)]) -> Screen {
    let program = test.command();
    let mut child = start(&program, columns, &format!("exec {}", line_of(&program)));
    let mut keyboard = child.stdin.take().expect("piped");
    let mut screen = child.stdout.take().expect("piped");
    let (mut sent, mut seen) = (Vec::new(), 0);
    for (awaited, typed) in turns {
        loop {
            let shown = String::from_utf8_lossy(&sent[seen..]);
            if let Some(at) = shown.find(awaited) {
                seen += at + awaited.len();
                break;
            }
            let mut part = [0; 4096];
            let read = screen.read(&mut part).expect("a terminal");
            assert!(
                read > 0,
                "no '{awaited}': {}",
                String::from_utf8_lossy(&sent)
            );
            sent.extend(&part[..read]);
        }
        keyboard.write_all(typed.as_bytes()).expect("typed");
    }
    screen.read_to_end(&mut sent).expect("a terminal");
    let status = child.wait().expect("it ends");
    drop(keyboard);
    Screen::of(sent, status)
}

/// The command line that runs a program, for a shell.
fn line_of(program: &Command) -> String {
    let words = std::iter::once(program.get_program()).chain(program.get_args());
    let words: Vec<String> = words
        .map(|word| shell::quote(word.to_str().expect("UTF-8")))
        .collect();
    words.join(" ")
}

/// Runs a command of the shell at a terminal, in the folder and with the environment of a
/// program.
pub(crate) fn by_shell(program: &Command, columns: u16, command: &str, typed: &str) -> Screen {
    let mut child = start(program, columns, command);
    let mut keyboard = child.stdin.take().expect("piped");
    keyboard.write_all(typed.as_bytes()).expect("typed");
    let output = child.wait_with_output().expect("it ends");
    // Not before: `script` presses Ctrl-D when its keyboard has gone.
    drop(keyboard);
    Screen::of(output.stdout, output.status)
}

/// Starts a command of the shell at a terminal.
fn start(program: &Command, columns: u16, command: &str) -> Child {
    let line = format!("stty cols {columns} rows 24; {command}");
    Command::new("timeout")
        .args(["100", "script", "-qec", &line, "/dev/null"])
        .current_dir(program.get_current_dir().expect("a sandbox"))
        .env_clear()
        .envs(
            program
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux, starts")
}
