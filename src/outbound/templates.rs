//! The templates of mail. They are built into the program, and the user can
//! replace each by a file of the same name.

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
        /// The built-in templates, by the names of their files.
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
    "legal.txt",
    "legend.txt",
    "no-move.txt",
    "not-your-turn.txt",
    "note.txt",
    "over.txt",
    "position.txt",
    "question.txt",
    "receipt.txt",
    "refused.txt",
    "rules.txt",
    "undelivered.txt",
    "unknown-address.txt",
    "which-game.txt",
);

/// The user's templates and the built-in ones.
#[derive(Clone, Debug)]
pub struct Templates {
    folder: PathBuf,
}

impl Templates {
    /// Creates templates that prefer the user's own in a folder, which need not
    /// exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Templates {
        Templates {
            folder: folder.into(),
        }
    }

    /// Renders the text of a kind of mail.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or if a template of the user's that it needs
    /// is broken or cannot be read: the template, the place, and the reason.
    ///
    /// # Panics
    ///
    /// Never: the default delimiters are valid.
    pub fn render(&self, kind: &str, values: impl Serialize) -> Result<String, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        // A block tag on a line of its own leaves no empty line, and an
        // included template brings its own line end.
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()
            .expect("the default delimiters are valid");
        environment.set_syntax(syntax);
        environment.add_filter("wrap", |text: &str| wrap::lines(text));
        environment.add_filter("quote", |text: &str| wrap::quote(text));
        // Reads only the templates of this mail, so that another broken
        // template does not hold it back.
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
            .map_err(|error| self.broken(&name, error))
    }

    /// Returns the texts of the built-in templates.
    pub(super) fn built_in_sources() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(_, source)| *source)
    }

    /// Returns the texts of the user's own templates. One that cannot be read is left
    /// out.
    pub(super) fn own_sources(&self) -> Vec<String> {
        let own = BUILT_IN.iter().map(|(name, _)| self.folder.join(name));
        own.filter_map(|path| fs::read_to_string(path).ok())
            .collect()
    }

    fn broken(&self, name: &str, error: minijinja::Error) -> Error {
        if let Some(unread) = error::causes(&error).find_map(|cause| cause.downcast_ref::<Error>())
        {
            return unread.clone();
        }
        // The error of an included template is more precise than that of the
        // template that includes it.
        let inner = error::causes(&error)
            .filter_map(|cause| cause.downcast_ref::<minijinja::Error>())
            .last()
            .unwrap_or(&error);
        let name = inner.name().unwrap_or(name);
        let own = self.folder.join(name);
        let place = if own.exists() {
            own
        } else {
            Path::new("templates").join(name)
        };
        let line = inner.line().unwrap_or(1);
        Error::refused(format!("{}:{line}: {inner}", place.display())).with_source(error)
    }
}

/// Returns the built-in template with this name.
fn built_in(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    found.map(|(_, source)| *source)
}

/// Loads a template, preferring the user's own. Looks up only known names, so
/// that no mail can ask for a file.
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
