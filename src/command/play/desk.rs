//! What a person sits before: the lines that are read, the words and boards that are written.

use crate::Error;
use crate::command::context::{Context, Status};
use crate::command::play::prompt::{Interrupt, Prompt};
use crate::command::play::word::{BoardForm, Sign, listed, marks, signs};
use crate::notation::move_list;
use crate::rules::{Color, Position, Rules};

/// The columns of what is no terminal.
const WIDTH: usize = 72;

/// The streams of a dialogue, and what is known about them.
pub(super) struct Desk<'d, 'a> {
    pub(super) context: &'d mut Context<'a>,
    pub(super) form: BoardForm,
    pub(super) prompt: Prompt,
    pub(super) interrupt: Interrupt,
    /// The lines read so far.
    lines: usize,
    /// The marks of moves that were explained.
    explained: Vec<&'static str>,
    /// Refused once a line of a pipe was.
    pub(super) status: Status,
}

impl<'d, 'a> Desk<'d, 'a> {
    /// Prepares what fits the streams.
    ///
    /// # Errors
    ///
    /// If the system refuses to tell of Ctrl-C.
    pub(super) fn of(form: BoardForm, context: &'d mut Context<'a>) -> Result<Desk<'d, 'a>, Error> {
        let prompt = Prompt::of(context);
        Ok(Desk {
            form,
            interrupt: Interrupt::heed(prompt.is_terminal())?,
            prompt,
            lines: 0,
            explained: Vec::new(),
            status: Status::Done,
            context,
        })
    }

    /// Reads a line. Returns `None` at the end of the input, and where somebody presses Ctrl-C.
    pub(super) fn line(&mut self, prompt: &str) -> Result<Option<String>, Error> {
        let (reader, context) = (&mut self.prompt, &mut *self.context);
        let line = self.interrupt.waiting(|| reader.line(prompt, context))?;
        self.lines += usize::from(line.is_some());
        Ok(line)
    }

    /// Writes sentences.
    pub(super) fn tell(&mut self, text: &str) -> Result<(), Error> {
        let text = self.context.wrapped_for_stdout(text.to_owned());
        for line in text.lines() {
            let line = self.fitting(line);
            self.context.print(line + "\n")?;
        }
        Ok(())
    }

    /// Explains to a person each mark behind the moves of a text that was not shown before.
    pub(super) fn explain(&mut self, moves: &str) -> Result<(), Error> {
        if !self.prompt.is_terminal() {
            return Ok(());
        }
        for Sign { text, means, .. } in marks(moves) {
            if !self.explained.contains(text) {
                self.explained.push(text);
                self.tell(&format!("'{text}' is {means}."))?;
            }
        }
        Ok(())
    }

    /// Lists the signs of moves of a game.
    pub(super) fn list_signs(&mut self, rules: &Rules) -> Result<(), Error> {
        let signs = signs(rules).map(|sign| (sign.text, sign.means));
        let signs = listed(&signs.collect::<Vec<_>>(), self.columns());
        self.context.print(format!("The signs in a move:\n{signs}"))
    }

    /// Breaks what stands in a line at a terminal, where it is wider than that: a placement of
    /// many pieces.
    pub(super) fn fitting(&self, line: &str) -> String {
        match self.context.room() {
            Some(columns) => move_list::broken(line, columns),
            None => line.to_owned(),
        }
    }

    /// Says why a line does nothing.
    pub(super) fn refuse(&mut self, why: impl std::fmt::Display) -> Result<(), Error> {
        // What was written before comes first.
        self.context.flush()?;
        if self.prompt.is_terminal() {
            self.context.say(why);
        } else {
            self.status = Status::Refused;
            let line = self.lines;
            self.context.say_error(format_args!("line {line}: {why}"));
        }
        Ok(())
    }

    pub(super) fn columns(&self) -> usize {
        self.context.room().unwrap_or(WIDTH)
    }

    /// Draws the board, for a player of this side.
    pub(super) fn show(&mut self, position: &Position, side: Color) -> Result<(), Error> {
        let board = self.form.draw(position, side, self.context);
        self.context.print(format!("\n{board}\n"))
    }
}
