//! The faults of a configuration file, in words for its user. The parser's own words are for
//! those who know the program's types; settings may be valid TOML and still be of no use.

use std::sync::LazyLock;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use regex::Regex;

use crate::limits::SENDING;
use crate::matches::player::ParsePlayerError;
use crate::suggest;

/// A setting that cannot be used. `Display` writes a clause that names its
/// section.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// An address of the user is not a mail address.
    #[error("[me] address: '{0}' is no mail address")]
    Address(String),
    /// The user's name or addresses cannot be a player's.
    #[error("[me] {0}")]
    Player(#[from] ParsePlayerError),
    /// Signatures are required, but no host is trusted to check them.
    #[error(
        "[policy] identity = \"dkim\" needs trusted = \"…\", the name of the mail server that checks signatures, as it stands in Authentication-Results"
    )]
    NoTrustedHost,
    /// A mail server is configured but not used.
    #[error("[smtp] is of no use without [transport] kind = \"smtp\"")]
    UnusedSmtp,
    /// The transport has no use for a path.
    #[error("[transport] path is for the kinds folder and sendmail")]
    UnusedPath,
    /// The transport has no use for several connections.
    #[error("[transport] connections is for the kinds smtp and sendmail")]
    UnusedConnections,
    /// There cannot be so many connections.
    #[error("[transport] connections is a number from 1 to {SENDING}")]
    Connections,
    /// The mail server is missing.
    #[error("[transport] kind = \"smtp\" needs a section [smtp] with at least host = \"…\"")]
    NoSmtp,
    /// One password has two sources, or there is a token besides.
    #[error(
        "[{0}] password_file, password_command, password_env, token_file, token_command and token_env exclude each other"
    )]
    TwoPasswords(&'static str),
    /// The command that prints a secret or the variable that holds it cannot be one.
    #[error("[{section}] {setting} is empty or has characters that it cannot have")]
    EmptySecret {
        /// The section of the configuration.
        section: &'static str,
        /// The setting.
        setting: &'static str,
    },
    /// A user without a password, or a password without a user.
    #[error(
        "[{0}] user needs a password (password_file, password_command or password_env) or a token (token_file, token_command or token_env), and they need user"
    )]
    IncompleteLogin(&'static str),
    /// A password would be sent in the clear.
    #[error("[smtp] no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user")]
    PasswordWithoutTls,
    /// The name of a folder on a mail server cannot be one.
    #[error("[imap] {0} is empty or has characters that it cannot have")]
    ImapName(&'static str),
    /// Mail is to be moved nowhere, or to the folder where it is.
    #[error(
        "[imap] after = \"move\" needs move_to = \"…\", another folder than the one that is read; without it move_to is of no use"
    )]
    MoveTo,
    /// A database is described but not used.
    #[error("[store] has settings of a database, which are of no use without kind = \"postgres\"")]
    UnusedDatabase,
    /// A setting of the database is missing or cannot be used.
    #[error(
        "[store] kind = \"postgres\" needs {0} = \"…\": hosts (one, or a list of names with or without a port), database and user"
    )]
    Database(&'static str),
    /// A password would be sent to another machine in the clear.
    #[error(
        "[store] no password is sent without TLS: leave out tls = \"none\", or the password, or name hosts of this machine alone"
    )]
    DatabaseWithoutTls,
}

/// The words of the parser for what it expects, and ours.
const EXPECTED: [(&str, &str); 10] = [
    ("u16", "a number from 0 to 65535"),
    ("u32", "a number, 0 or more"),
    ("u64", "a number, 0 or more"),
    ("usize", "a number, 0 or more"),
    ("a string", "a text in quotes"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("string or table", "a text in quotes"),
    ("a map", "a section, such as [me]"),
    (
        "a text or a list of texts",
        "a text in quotes, or a list of such texts,",
    ),
];

/// Tells what is wrong in the text of a configuration: the line and what is expected,
/// then the line itself with a mark under the fault. A line that may hold a password ends
/// where its value would begin.
pub(super) fn explain(text: &str, error: &toml::de::Error) -> String {
    static SECRET: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i)(?:pass|secret|token)[\w-]*["']?\s*[=:]?"#).expect("well-formed")
    });
    let Some(span) = error.span() else {
        return words(error.message());
    };
    let start = span.start.min(text.len());
    let before = text.get(..start).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let in_line = |at: usize| line.floor_char_boundary(at.saturating_sub(line_start));
    let mark = in_line(start)..in_line(span.end.max(start));
    let (line, mark, words) = match SECRET.find(line) {
        Some(key) => {
            let end = key.end();
            let mark = mark.start.min(end)..mark.end.min(end);
            (&line[..end], mark, words_without_value(error.message()))
        }
        None => (line, mark, words(error.message())),
    };
    let snippet = Snippet::source(line)
        .line_start(number)
        .annotation(AnnotationKind::Primary.span(mark));
    let group = Group::with_level(Level::ERROR).element(snippet);
    let shown = Renderer::plain().render(&[group]);
    format!("line {number}: {words}\n{shown}")
}

/// Says the parser's message as [`words`] does, but not what it has found.
fn words_without_value(message: &str) -> String {
    let words = words(message);
    let needed = words.split_once(" is needed, not ");
    needed.map_or(words.clone(), |(needed, _)| format!("{needed} is needed"))
}

/// Says the parser's message in other words.
fn words(message: &str) -> String {
    static UNKNOWN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^unknown (field|variant) `([^`]*)`, (?:expected (?:one of )?(.*)|there are no)",
        )
        .expect("the pattern is well-formed")
    });
    static INVALID: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?s)^invalid (?:type|value): (.*), expected (.*)$").expect("well-formed")
    });
    let message = message.trim_end();
    if let Some(parts) = UNKNOWN.captures(message) {
        let name = &parts[2];
        let known: Vec<&str> = parts
            .get(3)
            .map_or("", |known| known.as_str())
            .split('`')
            .skip(1)
            .step_by(2)
            .collect();
        let nearest = suggest::nearest(name, &known);
        let meant = nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
        let listed: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let listed = listed.join(", ");
        return match &parts[1] {
            "variant" => format!("`{name}` is not one of {listed}{meant}"),
            _ if known.contains(&"transport") => {
                format!("there is no section [{name}]{meant}; the sections are {listed}")
            }
            _ => format!("there is no setting `{name}` here{meant}; the settings are {listed}"),
        };
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("this section needs {name}");
    }
    if let Some(parts) = INVALID.captures(message) {
        return format!(
            "{} is needed, not {}",
            expected(&parts[2]),
            found(&parts[1])
        );
    }
    match EXPECTED.iter().find(|(theirs, _)| *theirs == message) {
        Some((_, ours)) => format!("{ours} is needed"),
        None => message.replace('\n', "; "),
    }
}

fn expected(words: &str) -> String {
    let known = EXPECTED.iter().find(|(theirs, _)| *theirs == words);
    match known {
        Some((_, ours)) => (*ours).to_owned(),
        None if words.starts_with("struct ") => "a section, such as [me],".to_owned(),
        None => words.to_owned(),
    }
}

fn found(words: &str) -> String {
    let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
    let value = rest.trim_matches('`');
    match kind {
        "string" => format!("the text {rest}"),
        "integer" => format!("the number {value}"),
        "floating" => "a fraction".to_owned(),
        "boolean" => value.to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "a section".to_owned(),
        _ => words.to_owned(),
    }
}
