//! The templates of mail. They are built into the program, and the user can
//! replace each by a file of the same name.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde::Serialize;

use crate::Error;
use crate::config::MailSettings;
use crate::limits::SETTINGS;
use crate::mail::{Pattern, error, files};
use crate::outbound::wrap::{self, flow};

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        /// The built-in templates, by the names of their files.
        const BUILT_IN: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../templates/", $name)))),*
        ];
    };
}

built_in!(
    "address.txt",
    "ambiguous.txt",
    "answer.html",
    "answer.txt",
    "blocks.html",
    "board.html",
    "board.txt",
    "confirm.txt",
    "folded.html",
    "foot.html",
    "foot.txt",
    "help.txt",
    "how.html",
    "how.txt",
    "invitation.html",
    "invitation.txt",
    "legal.html",
    "legal.txt",
    "legend.txt",
    "moves.html",
    "no-move.txt",
    "not-your-turn.txt",
    "note.html",
    "note.txt",
    "over.txt",
    "page.html",
    "position.html",
    "position.txt",
    "puzzle.html",
    "puzzle.txt",
    "question.txt",
    "receipt.html",
    "receipt.txt",
    "refused.txt",
    "rules.html",
    "rules.txt",
    "undelivered.txt",
    "unknown-address.txt",
    "unsubscribed.txt",
    "which-game.txt",
    "words.html",
);

/// The user's templates and the built-in ones, with the user's settings of mail.
#[derive(Clone, Debug)]
pub struct Templates {
    folder: PathBuf,
    /// The user's own, if they are not read anew for each mail.
    kept: Option<Arc<OnceLock<Own>>>,
    /// Those of text as they were compiled, if the user's own are kept.
    compiled: Option<Arc<OnceLock<Environment<'static>>>>,
    pub(super) settings: MailSettings,
}

/// The user's own templates, and why one cannot be read.
type Own = BTreeMap<&'static str, io::Result<String>>;

impl Templates {
    /// Creates templates that prefer the user's own in a folder, which need not
    /// exist.
    pub fn new(folder: impl Into<PathBuf>) -> Templates {
        Templates {
            folder: folder.into(),
            kept: None,
            compiled: None,
            settings: MailSettings::default(),
        }
    }

    /// Makes the mails look as the user's settings say.
    #[must_use]
    pub fn with_settings(self, settings: MailSettings) -> Templates {
        Templates { settings, ..self }
    }

    /// Reads the user's own templates once, when they are first needed, for a run of many
    /// messages.
    #[must_use]
    pub fn for_a_run(self) -> Templates {
        Templates {
            kept: Some(Arc::default()),
            compiled: Some(Arc::default()),
            ..self
        }
    }

    /// Reads the user's own templates now, for a run that lasts: a file that somebody is
    /// changing has no effect until they are read again.
    ///
    /// # Errors
    ///
    /// If one cannot be read or is broken.
    pub fn kept(self) -> Result<Templates, Error> {
        let kept = self.for_a_run();
        for (name, _) in BUILT_IN {
            let own = kept.own(name);
            let own = own.map_err(|error| Error::file(&kept.folder.join(name), &error))?;
            if own.is_none() {
                continue;
            }
            let environment = kept.environment(is_html(name), &Arc::default());
            if let Err(error) = environment.get_template(name) {
                return Err(kept.broken(name, error));
            }
        }
        Ok(kept)
    }

    /// Reads a template of the user's own, if there is one.
    fn own(&self, name: &str) -> io::Result<Option<String>> {
        let Some(kept) = &self.kept else {
            return self.read_own(name);
        };
        match kept.get_or_init(|| self.read_all_own()).get(name) {
            None => Ok(None),
            Some(Ok(source)) => Ok(Some(source.clone())),
            Some(Err(error)) => Err(error::copy(error)),
        }
    }

    fn read_own(&self, name: &str) -> io::Result<Option<String>> {
        use io::ErrorKind::{NotADirectory, NotFound};
        match files::read(&self.folder.join(name), SETTINGS) {
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
            source => String::from_utf8(source?)
                .map(Some)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
        }
    }

    fn read_all_own(&self) -> Own {
        let names = BUILT_IN.iter().map(|(name, _)| *name);
        names
            .filter_map(|name| Some((name, self.read_own(name).transpose()?)))
            .collect()
    }

    /// Renders the text of a kind of mail.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or if a template of the user's that it needs
    /// is broken or cannot be read: the template, the place, and the reason.
    pub fn render(&self, kind: &str, values: impl Serialize) -> Result<String, Error> {
        let name = format!("{kind}.txt");
        if built_in(&name).is_none() {
            return Err(Error::refused(format!(
                "there is no mail of the kind '{kind}'"
            )));
        }
        let values = Value::from(Serde(values));
        let Some(compiled) = &self.compiled else {
            return Ok(self.rendered(&name, values)?.0);
        };
        // The loader must not keep alive what it is kept in.
        let loading = || Templates {
            compiled: None,
            ..self.clone()
        };
        let environment = compiled.get_or_init(|| loading().environment(false, &Arc::default()));
        self.render_in(environment, &name, values)
    }

    /// Renders the HTML of a kind of mail, or returns `None` if this mail has
    /// none: no template makes one, or only its text is made by templates of the
    /// user's own, which the HTML would contradict.
    ///
    /// Every value is escaped. The templates can use the text of another one,
    /// `text_of("how.txt")`, in blocks.
    ///
    /// # Errors
    ///
    /// If a template of the user's that it needs is broken or cannot be read:
    /// the template, the place, and the reason.
    pub(super) fn render_html(
        &self,
        kind: &str,
        values: impl Serialize,
    ) -> Result<Option<String>, Error> {
        let name = format!("{kind}.html");
        if built_in(&name).is_none() {
            return Ok(None);
        }
        let values = Value::from(Serde(values));
        let (html, is_own) = self.rendered(&name, values.clone())?;
        if !is_own {
            let (_, is_own) = self.rendered(&format!("{kind}.txt"), values)?;
            if is_own {
                return Ok(None);
            }
        }
        Ok(Some(html))
    }

    /// Renders a template with those that it includes. Returns the text, and true if one of
    /// them is the user's own.
    fn rendered(&self, name: &str, values: Value) -> Result<(String, bool), Error> {
        let is_own = Arc::new(AtomicBool::new(false));
        let mut environment = self.environment(is_html(name), &is_own);
        if is_html(name) {
            let (texts, values) = (self.clone(), values.clone());
            environment.add_function("text_of", move |name: &str| texts.blocks(name, &values));
            environment.add_filter("flow", |text: &str| Value::from(Serde(flow(text))));
            environment.add_filter("folded", |text: &str| {
                Value::from(Serde(wrap::folded_blocks(flow(text))))
            });
        }
        let text = self.render_in(&environment, name, values)?;
        Ok((text, is_own.load(Ordering::Relaxed)))
    }

    fn render_in(
        &self,
        environment: &Environment<'_>,
        name: &str,
        values: Value,
    ) -> Result<String, Error> {
        environment
            .get_template(name)
            .and_then(|template| template.render(values))
            .map_err(|error| self.broken(name, error))
    }

    /// Renders a text in blocks, for a template of HTML.
    fn blocks(&self, name: &str, values: &Value) -> Result<Value, minijinja::Error> {
        let failed = |why: String| minijinja::Error::new(ErrorKind::InvalidOperation, why);
        if is_html(name) || built_in(name).is_none() {
            return Err(failed(format!("there is no text '{name}'")));
        }
        let rendered = self.rendered(name, values.clone());
        let (text, _) = rendered.map_err(|error| failed(error.to_string()).with_source(error))?;
        Ok(Value::from(Serde(flow(&text))))
    }

    /// Creates an environment of the templates of HTML or of text, which notes
    /// whether one of the user's own was read.
    ///
    /// # Panics
    ///
    /// Never: the default delimiters are valid.
    fn environment(&self, of_html: bool, is_own: &Arc<AtomicBool>) -> Environment<'static> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let escape = if of_html {
            AutoEscape::Html
        } else {
            AutoEscape::None
        };
        environment.set_auto_escape_callback(move |_| escape.clone());
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
        let (own, is_own) = (self.clone(), Arc::clone(is_own));
        environment.set_loader(move |name| {
            // In HTML, the words of a text would be tags.
            if is_html(name) == of_html {
                load(&own, name, &is_own)
            } else {
                Ok(None)
            }
        });
        environment
    }

    /// Returns the wording of the built-in templates, without tags.
    pub(super) fn built_in_sources() -> impl Iterator<Item = String> {
        BUILT_IN.iter().map(|(name, source)| wording(name, source))
    }

    /// Returns the wording of the user's own templates. One that cannot be read is
    /// left out.
    pub(super) fn own_sources(&self) -> Vec<String> {
        let own = BUILT_IN.iter().filter_map(|(name, _)| {
            let source = self.own(name).ok()??;
            Some(wording(name, &source))
        });
        own.collect()
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

/// Returns what a template says, without the tags of HTML.
fn wording(name: &str, source: &str) -> String {
    static TAGS: Pattern = Pattern::new(r"(?s)<style>.*?</style>|<[^>]*>");
    if is_html(name) {
        TAGS.replace_all(source, "\n").into_owned()
    } else {
        source.to_owned()
    }
}

/// Returns true for the name of a template of HTML, whose values are escaped.
fn is_html(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|is| is == "html")
}

/// Returns the built-in template with this name.
fn built_in(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    found.map(|(_, source)| *source)
}

/// Loads a template, preferring the user's own. Looks up only known names, so
/// that no mail can ask for a file. Notes in `is_own` that one is the user's own.
fn load(
    own: &Templates,
    name: &str,
    is_own: &AtomicBool,
) -> Result<Option<String>, minijinja::Error> {
    let Some(built_in) = built_in(name) else {
        return Ok(None);
    };
    match own.own(name) {
        Ok(Some(source)) => {
            is_own.store(true, Ordering::Relaxed);
            Ok(Some(source))
        }
        Ok(None) => Ok(Some(built_in.to_owned())),
        Err(error) => {
            let unread = minijinja::Error::new(ErrorKind::InvalidOperation, "it cannot be read");
            Err(unread.with_source(Error::file(&own.folder.join(name), &error)))
        }
    }
}
