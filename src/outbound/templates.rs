//! The messages people read: templates built into the program, each of which
//! the user can replace by a file of the same name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde::Serialize;

use crate::outbound::wrap;
use crate::{Error, error};

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        /// The templates built in, by the names of their files.
        const BUILT_IN: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../templates/", $name)))),*
        ];
    };
}

built_in!(
    "ambiguous.txt",
    "answer.txt",
    "board.txt",
    "confirm.txt",
    "foot.txt",
    "help.txt",
    "how.txt",
    "invitation.txt",
    "legend.txt",
    "not-your-turn.txt",
    "note.txt",
    "over.txt",
    "position.txt",
    "question.txt",
    "receipt.txt",
    "refused.txt",
    "which-game.txt",
);

/// The templates, the user's own before those built in.
#[derive(Clone, Debug)]
pub struct Templates {
    folder: PathBuf,
}

impl Templates {
    /// The templates with the user's own in that folder, which need not be
    /// there.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Templates {
        Templates {
            folder: folder.into(),
        }
    }

    /// The text that a kind of mail comes to with those values.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or a template of the user's that it needs is
    /// broken or cannot be read: which, where, and why.
    ///
    /// # Panics
    ///
    /// Never: the usual delimiters are good ones.
    pub fn render(&self, kind: &str, values: impl Serialize) -> Result<String, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        // A block tag alone on its line leaves no line behind, and a template
        // that is included brings its own line end.
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()
            .expect("the usual delimiters are good ones");
        environment.set_syntax(syntax);
        environment.add_filter("wrap", |text: &str| wrap::lines(text));
        environment.add_filter("quote", |text: &str| wrap::quote(text));
        // What this mail does not need is not read: that it is broken is no
        // reason to hold the mail back.
        let folder = self.folder.clone();
        environment.set_loader(move |name| load(&folder, name));
        let name = format!("{kind}.txt");
        if built_in(&name).is_none() {
            return Err(Error::refused(format!(
                "there is no mail of the kind '{kind}'"
            )));
        }
        environment
            .get_template(&name)
            .and_then(|template| template.render(Serde(values)))
            .map_err(|error| self.broken(&name, &error))
    }

    fn broken(&self, name: &str, error: &minijinja::Error) -> Error {
        // Of a template that another includes, the other's error says little.
        let causes = error::causes(error);
        if let Some(unread) = causes
            .clone()
            .find_map(|cause| cause.downcast_ref::<Error>())
        {
            return unread.clone();
        }
        let error = causes
            .filter_map(|cause| cause.downcast_ref::<minijinja::Error>())
            .last()
            .unwrap_or(error);
        let name = error.name().unwrap_or(name);
        let own = self.folder.join(name);
        let place = if own.exists() {
            own
        } else {
            Path::new("templates").join(name)
        };
        let line = error.line().unwrap_or(1);
        Error::refused(format!("{}:{line}: {error}", place.display()))
    }
}

/// The built-in template of that name.
fn built_in(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    found.map(|(_, source)| *source)
}

/// The template of that name, the user's own if there is one. Only the
/// program's own names are looked for: nothing that was mailed can ask for a
/// file.
fn load(folder: &Path, name: &str) -> Result<Option<String>, minijinja::Error> {
    let Some(built_in) = built_in(name) else {
        return Ok(None);
    };
    let own = folder.join(name);
    match fs::read_to_string(&own) {
        Ok(source) => Ok(Some(source)),
        Err(error) if is_absent(&error) => Ok(Some(built_in.to_owned())),
        Err(error) => {
            let unread = minijinja::Error::new(ErrorKind::InvalidOperation, "it cannot be read");
            Err(unread.with_source(Error::file(&own, &error)))
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
