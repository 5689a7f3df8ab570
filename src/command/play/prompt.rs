//! How a line is read: at a terminal with a line that can be edited, with history and completion;
//! from a pipe as it comes. And Ctrl-C: while the program thinks or writes, it ends what it does, and
//! says how the match goes on. Where it waits for a line of a terminal that cannot edit one, the process
//! ends at once as any other does: every half-move is kept.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::mpsc::{self, RecvTimeoutError};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};

use rustyline::completion::Completer;
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Editor, Helper};

use crate::Error;
use crate::command::ask::next_line;
use crate::command::context::Context;

/// What reads the lines.
pub(super) enum Prompt {
    /// A terminal on which a line can be edited.
    Editor(Box<Editor<Completion, MemHistory>>),
    /// A terminal that can do no more than show what is typed.
    Dumb,
    /// A pipe or a file.
    Pipe,
}

impl Prompt {
    /// Returns what fits the streams.
    pub(super) fn of(context: &Context<'_>) -> Prompt {
        if !context.is_shown || !io::stdin().is_terminal() {
            return Prompt::Pipe;
        }
        if env::var_os("TERM").is_none_or(|term| term == "dumb") {
            return Prompt::Dumb;
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Disabled)
            .auto_add_history(true)
            .build();
        let history = MemHistory::with_config(&config);
        match Editor::with_history(config, history) {
            Ok(mut editor) => {
                editor.set_helper(Some(Completion::default()));
                Prompt::Editor(Box::new(editor))
            }
            Err(_) => Prompt::Dumb,
        }
    }

    /// Returns true if there is a person.
    pub(super) fn is_terminal(&self) -> bool {
        !matches!(self, Prompt::Pipe)
    }

    /// Sets what completes a line.
    pub(super) fn completes(&mut self, candidates: impl FnOnce() -> Vec<String>) {
        if let Prompt::Editor(editor) = self
            && let Some(completion) = editor.helper_mut()
        {
            completion.candidates = candidates();
        }
    }

    /// Reads a line behind this prompt, which a pipe does not get. Returns `None` at the end of
    /// the input, and where somebody presses Ctrl-C.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or a line is too long to be anything.
    pub(super) fn line(
        &mut self,
        prompt: &str,
        context: &mut Context<'_>,
    ) -> Result<Option<String>, Error> {
        context.flush()?;
        let Prompt::Editor(editor) = self else {
            if self.is_terminal() {
                context.print(prompt)?;
                context.flush()?;
            }
            return next_line(context.stdin, TOO_LONG);
        };
        match editor.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(Error::io("the terminal", &error)),
            Err(error) => Err(Error::refused(format!("the terminal: {error}"))),
        }
    }
}

/// Why a line is not read.
const TOO_LONG: &str =
    "this line is too long to be a move or a word; the match is kept as it stood";

/// What completes a line: all that can be typed.
#[derive(Default)]
pub(super) struct Completion {
    candidates: Vec<String>,
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..pos].trim_start();
        // Letters are small and capital for either side, and are written as they should be.
        let begins = |candidate: &&String| {
            let begin = candidate.get(..typed.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(typed))
        };
        let found = self.candidates.iter().filter(begins).cloned().collect();
        Ok((pos - typed.len(), found))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}

impl Validator for Completion {}

impl Helper for Completion {}

/// Knows whether somebody has pressed Ctrl-C.
pub(super) struct Interrupt {
    /// True from then on.
    pub(super) stop: Arc<AtomicBool>,
    /// True while a line is read.
    waits: Arc<AtomicBool>,
}

impl Interrupt {
    /// Heeds Ctrl-C, if there is somebody who can press it.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub(super) fn heed(is_terminal: bool) -> Result<Interrupt, Error> {
        let interrupt = Interrupt {
            stop: Arc::default(),
            waits: Arc::default(),
        };
        if is_terminal {
            interrupt.register()?;
        }
        Ok(interrupt)
    }

    #[cfg(unix)]
    fn register(&self) -> Result<(), Error> {
        use signal_hook::consts::SIGINT;
        use signal_hook::flag;

        let failed = |error: std::io::Error| Error::io("signals", &error);
        flag::register_conditional_default(SIGINT, Arc::clone(&self.waits)).map_err(failed)?;
        flag::register(SIGINT, Arc::clone(&self.stop)).map_err(failed)?;
        Ok(())
    }

    /// Without signals, a process is only ended at once, which is safe.
    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    fn register(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Does some work that any key at a terminal stops, as Ctrl-C does: then its flag becomes true. Keys
    /// that were pressed before, as in lines that were pasted, stop nothing.
    #[cfg(unix)]
    pub(super) fn until_key<T>(&self, work: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
        let (is_working, has_ended) = mpsc::channel::<()>();
        let key: Arc<AtomicBool> = Arc::default();
        let pressed = Arc::clone(&key);
        thread::scope(|scope| {
            scope.spawn(move || {
                let keys = Keys::watch();
                while has_ended.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                    let is_key = keys.is_some() && is_readable();
                    if self.is_pressed()
                        || is_key && tcflush(io::stdin(), QueueSelector::IFlush).is_ok()
                    {
                        pressed.store(true, Ordering::Relaxed);
                    }
                }
            });
            let done = work(key);
            drop(is_working);
            done
        })
    }

    #[cfg(not(unix))]
    pub(super) fn until_key<T>(&self, work: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
        work(Arc::clone(&self.stop))
    }

    /// Returns true if it was pressed.
    pub(super) fn is_pressed(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs what waits for a line.
    pub(super) fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.waits.store(true, Ordering::Relaxed);
        let line = wait();
        self.waits.store(false, Ordering::Relaxed);
        line
    }
}

/// How often a key is looked for.
#[cfg(unix)]
const GLANCE: Duration = Duration::from_millis(20);

/// The keys of the terminal, which come one by one and unseen until this is dropped.
#[cfg(unix)]
struct Keys {
    /// How the terminal was.
    before: Termios,
}

#[cfg(unix)]
impl Keys {
    /// Returns none where there is no terminal, and where lines are waiting.
    fn watch() -> Option<Keys> {
        let before = tcgetattr(io::stdin()).ok().filter(|_| !is_readable())?;
        let mut modes = before.clone();
        modes
            .local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok()?;
        Some(Keys { before })
    }
}

#[cfg(unix)]
impl Drop for Keys {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

/// Returns true if a read from standard input would return something.
#[cfg(unix)]
fn is_readable() -> bool {
    let stdin = io::stdin();
    let mut stdin = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut stdin, Some(&Timespec::default())).is_ok_and(|count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_completed_in_either_size_of_letters() {
        let completion = Completion {
            candidates: ["help", "hint", "n>g5", "n>g6", "k>e8"]
                .map(ToOwned::to_owned)
                .to_vec(),
        };
        let history = MemHistory::new();
        let context = rustyline::Context::new(&history);
        for (line, from, expected) in [
            ("h", 0, &["help", "hint"][..]),
            ("N>", 0, &["n>g5", "n>g6"]),
            (" k", 1, &["k>e8"]),
            ("é", 0, &[]),
            ("n>g5x", 0, &[]),
        ] {
            let found = completion.complete(line, line.len(), &context).unwrap();
            assert_eq!(
                found,
                (from, expected.iter().map(ToString::to_string).collect())
            );
        }
    }
}
