//! Runs at a terminal, as `script` of util-linux gives one.

use std::iter::once;
use std::process::{Command, Stdio};

use parapost::shell;

use super::Test;

/// What a terminal of so many columns gets of a run: both streams, with plain line ends.
pub(crate) fn shown(test: &Test, columns: usize) -> String {
    let program = test.command();
    let words = once(program.get_program()).chain(program.get_args());
    let words: Vec<String> = words
        .map(|word| shell::quote(word.to_str().expect("a plain path")))
        .collect();
    shown_by_shell(&program, columns, &words.join(" "))
}

/// What such a terminal gets of a command of the shell, in the folder and with the
/// environment of a program.
pub(crate) fn shown_by_shell(program: &Command, columns: usize, command: &str) -> String {
    let output = Command::new("timeout")
        .args(["100", "script", "-q", "-c"])
        .arg(format!("stty cols {columns} rows 24; {command}"))
        .arg("/dev/null")
        .current_dir(program.get_current_dir().expect("a folder"))
        .env_clear()
        .envs(
            program
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .env("TERM", "xterm")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("script, of util-linux, starts");
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    shown.replace("\r\n", "\n")
}

/// The columns that a line takes: two for each letter of Chinese or Japanese.
pub(crate) fn columns(line: &str) -> usize {
    let wide = line.chars().filter(|c| *c >= '\u{1100}').count();
    line.chars().count() + wide
}
