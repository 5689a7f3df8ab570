//! The forms a position is shown in.
//!
//! Every form that people read is the same post, a diagram, a list and a line
//! that says who is to move, in another dress: none of them takes away what the
//! one reader of texts needs to read it back.

mod bbcode;
mod json;
mod markdown;
mod post;

use clap::ValueEnum;

use crate::notation::diagram::Diagram;
use crate::notation::diagram::look::Look;
use crate::notation::diagram::script::Script;
use crate::rules::Record;

/// A form a position can be shown in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// The diagram of the 1994 format
    Diagram,
    /// Diagram, list and who is to move, as the body of a message
    Post,
    /// The post, with files and ranks at the edges
    Coords,
    /// The post, with figurines or the characters of shogi
    Unicode,
    /// The post for a forum, in a `[code]` block
    Bbcode,
    /// The post for Markdown, in a fenced block
    Markdown,
    /// FEN with reserves
    Fen,
    /// For programs
    Json,
}

/// What can be chosen about a form.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// The second player's side is below; the edges tell so.
    pub is_flipped: bool,
    /// A [`MARK`](crate::notation::diagram::script::MARK) stands before each piece of the second player.
    pub has_marks: bool,
    /// Markdown: the block is indented, not fenced.
    pub is_indented: bool,
}

/// What is shown: a match as it stands, or a diagram of which nothing else is
/// known.
#[derive(Clone, Debug)]
pub struct View<'r> {
    diagram: Diagram,
    record: Option<&'r Record>,
}

impl<'r> View<'r> {
    /// A match and its last position.
    #[must_use]
    pub fn of(record: &'r Record) -> View<'r> {
        View {
            diagram: Diagram::of(record.position()),
            record: Some(record),
        }
    }

    /// A diagram alone.
    #[must_use]
    pub fn drawn(diagram: Diagram) -> View<'r> {
        let record = None;
        View { diagram, record }
    }

    /// The record.
    ///
    /// # Errors
    ///
    /// That there is none.
    fn record(&self) -> Result<&'r Record, &'static str> {
        self.record
            .ok_or("a diagram alone does not tell who is to move: the list of moves is needed too")
    }
}

impl OutputFormat {
    /// Whether the form has a board that a style can change so.
    ///
    /// # Errors
    ///
    /// What it cannot do, as a clause.
    pub fn check(self, style: Style) -> Result<(), String> {
        let is_drawn = !matches!(self, OutputFormat::Fen | OutputFormat::Json);
        if style.is_flipped && !is_drawn {
            Err(format!("the form {self} has no board to flip"))
        } else if style.has_marks && !is_drawn {
            Err(format!("the form {self} has no board to mark"))
        } else if style.is_indented && self != OutputFormat::Markdown {
            Err("only the form 'markdown' is indented".to_owned())
        } else {
            Ok(())
        }
    }
}

impl std::fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.to_possible_value();
        write!(
            f,
            "'{}'",
            value.as_ref().map_or("", |value| value.get_name())
        )
    }
}

/// What is shown, in that form: lines, each with its line end.
///
/// # Errors
///
/// If the form needs more than is known, as a clause.
pub fn render(sheet: &View<'_>, form: OutputFormat, style: Style) -> Result<String, &'static str> {
    let look = Look {
        is_flipped: style.is_flipped,
        has_marks: style.has_marks,
        ..Look::default()
    };
    let post = |look| post::write(sheet, look);
    Ok(match form {
        OutputFormat::Diagram => sheet.diagram.draw(look),
        OutputFormat::Post => post(look),
        OutputFormat::Coords => post(Look {
            has_edges: true,
            ..look
        }),
        OutputFormat::Unicode => post(Look {
            script: Script::beyond_ascii(sheet.diagram.variant().rules()),
            ..look
        }),
        OutputFormat::Bbcode => bbcode::write(&post(look)),
        OutputFormat::Markdown => markdown::write(&post(look), style.is_indented),
        OutputFormat::Fen => format!("{}\n", sheet.record()?.position().fen()),
        OutputFormat::Json => json::write(sheet.record()?),
    })
}
