//! The configuration: the user and how the user wants mail, the section `[me]`; the section
//! `[policy]`, the senders that are believed, and the number of answers they get; the section
//! `[mail]`, the look of the mails that are sent; and the faults of its file, in words for
//! its user. The parser's own words are for those who know the program's types; settings may be
//! valid TOML and still be of no use.
//!
//! `docs/parapost.toml` is its manual.

pub mod club;
pub mod news;
pub mod partner;
pub mod store;
pub mod transport;

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use clap::ValueEnum;
use etcetera::BaseStrategy;
use lettre::Address;
use serde::Deserialize;

use crate::config::club::{ClubSettings, RawClub};
use crate::config::news::{NewsSettings, RawNews};
use crate::config::partner::{PartnerSettings, RawPartner};
use crate::config::store::{RawStore, StoreSettings};
use crate::config::transport::{RawImap, RawSmtp, RawTransport, TransportSettings, one_or_many};
use crate::limits::SETTINGS;
use crate::mail::secret::Secret;
use crate::mail::settings::{ConnectionSettings, ImapSettings};
use crate::mail::{Pattern, files};
use crate::matches::player::{Player, is_mailable};
use crate::notation::diagram::DiagramStyle;
use crate::rules::Color;
use crate::{Error, suggest};

/// The name of the configuration file in its folder.
const FILE: &str = "config.toml";

/// The configuration.
#[derive(Clone, Debug)]
pub struct Config {
    me: Option<User>,
    /// The transport of mail.
    pub transport: TransportSettings,
    /// Over how many connections `serve` sends at a time.
    pub connections: usize,
    /// The mailbox that is read on a mail server, if there is one.
    pub imap: Option<ImapSettings>,
    /// The news server, if there is one.
    pub news: Option<NewsSettings>,
    /// The senders that are believed, and the number of answers they get.
    pub policy: Policy,
    /// The look of the mails that are sent.
    pub mail: MailSettings,
    /// The place of the matches.
    pub store: StoreSettings,
    /// The name and the colours of the site of matches.
    pub club: ClubSettings,
    /// Against whom the program plays by mail, if it does.
    pub partner: Option<PartnerSettings>,
    /// The file it was read from, or would be read from.
    pub path: PathBuf,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Raw {
    me: Option<RawUser>,
    transport: Option<RawTransport>,
    smtp: Option<RawSmtp>,
    imap: Option<RawImap>,
    news: Option<RawNews>,
    policy: Policy,
    mail: MailSettings,
    store: RawStore,
    #[serde(default)]
    club: RawClub,
    partner: Option<RawPartner>,
}

impl Raw {
    /// Checks that the settings can be used. An error names the section and the setting.
    fn check(self, path: PathBuf) -> Result<Config, Error> {
        let base = path.parent().unwrap_or(Path::new(""));
        let me = self.me.map(User::check).transpose()?;
        let asked = self.transport.as_ref().and_then(|raw| raw.connections);
        let transport = TransportSettings::check(self.transport, self.smtp, base)?;
        let is_referee = me.as_ref().is_some_and(|me| me.role == UserRole::Referee);
        let partner = self.partner;
        let partner = partner.map(|raw| PartnerSettings::check(&raw, is_referee));
        Ok(Config {
            me,
            partner: partner.transpose()?,
            connections: transport::connections(&transport, asked)?,
            transport,
            imap: self.imap.map(|raw| raw.check(base)).transpose()?,
            news: self.news.map(|raw| raw.check(base)).transpose()?,
            policy: self.policy.check()?,
            mail: self.mail,
            store: StoreSettings::check(self.store, base)?,
            club: ClubSettings::check(self.club)?,
            path,
        })
    }
}

impl Config {
    /// Reads the configuration from this file, or from the user's own, which
    /// need not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or a setting is wrong: the place and the
    /// fault.
    pub fn load(path: Option<&Path>) -> Result<Config, Error> {
        let must_exist = path.is_some();
        let path = Config::place(path)?;
        let text = match Config::text(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => String::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::refused(format!(
                    "{}; 'parapost init' makes a configuration, --config names another",
                    Error::file(&path, &error)
                ))
                .with_source(error));
            }
            text => text.map_err(|error| Error::file(&path, &error))?,
        };
        Config::parse(&text, path)
    }

    /// Reads the text of a configuration.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is too long or is not UTF-8.
    pub fn text(path: &Path) -> io::Result<String> {
        let bytes = files::open(path).and_then(|file| files::read_to_end(file, SETTINGS))?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Returns the given path, or that of the user's own configuration.
    ///
    /// # Errors
    ///
    /// If no path is given and the user has no home.
    pub fn place(path: Option<&Path>) -> Result<PathBuf, Error> {
        match path {
            Some(path) => Ok(path.to_path_buf()),
            None => Ok(user_folders()?.config_dir().join("parapost").join(FILE)),
        }
    }

    /// Parses a configuration as the file at `path`. Relative paths in it start
    /// at that file's folder.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub fn parse(text: &str, path: PathBuf) -> Result<Config, Error> {
        let file = path.display().to_string();
        let wrong = |text: String| Error::refused(format!("{file}: {}", text.trim_end()));
        let raw: Raw = toml::from_str(text)
            .map_err(|error| wrong(explain(text, &error)).with_source(error))?;
        raw.check(path).map_err(|error| wrong(error.to_string()))
    }

    /// Returns the user.
    ///
    /// # Errors
    ///
    /// If the configuration has no user: the lines to add, and the file.
    pub fn me(&self) -> Result<&User, Error> {
        self.me.as_ref().ok_or_else(|| {
            Error::refused(format!(
                "who you are is not configured: 'parapost init' asks for it; or add these lines, with your own name and address, to {}:\n\n[me]\nname = \"Anna White\"\naddress = \"anna@example.org\"",
                self.path.display()
            ))
        })
    }

    /// Returns the user, if the configuration has one.
    pub fn somebody(&self) -> Option<&User> {
        self.me.as_ref()
    }

    /// Returns the files that hold passwords and tokens.
    pub fn secret_files(&self) -> impl Iterator<Item = &Path> {
        let smtp = match &self.transport {
            TransportSettings::Smtp(ConnectionSettings { login, .. }) => login.as_ref(),
            _ => None,
        };
        let imap = self.imap.as_ref().map(|imap| &imap.login);
        let news = self
            .news
            .as_ref()
            .and_then(|news| news.server.login.as_ref());
        let logins = smtp.into_iter().chain(imap).chain(news);
        let of_store = match &self.store {
            StoreSettings::Postgres(settings) => settings.password.as_ref(),
            StoreSettings::Folder => None,
        };
        let all = logins.map(|login| &login.credential).chain(of_store);
        all.filter_map(|credential| match credential.secret() {
            Secret::File(file) => Some(file.as_path()),
            _ => None,
        })
    }

    /// Returns the folder of the user's own templates.
    pub fn templates(&self) -> PathBuf {
        self.path.with_file_name("templates")
    }
}

fn user_folders() -> Result<impl BaseStrategy, Error> {
    etcetera::base_strategy::choose_native_strategy().map_err(|error| {
        Error::refused(format!(
            "there is no home folder ({error}); say --config FILE and --games DIR"
        ))
    })
}

/// Returns the program's folder in the user's data directory.
///
/// # Errors
///
/// If the user has no home.
pub(crate) fn data_folder() -> Result<PathBuf, Error> {
    Ok(user_folders()?.data_dir().join("parapost"))
}

/// Returns the program's folder in the user's cache directory.
///
/// # Errors
///
/// If the user has no home.
pub(crate) fn cache_folder() -> Result<PathBuf, Error> {
    Ok(user_folders()?.cache_dir().join("parapost"))
}

/// Returns the folder of the matches: the given one, else `games` in the
/// current folder if it exists and `is_ours` says so, else one in the user's data
/// directory.
///
/// # Errors
///
/// If the user has no home, or the current folder cannot be searched.
pub(crate) fn games_folder(
    given: Option<&Path>,
    is_ours: impl FnOnce(&Path) -> bool,
) -> Result<PathBuf, Error> {
    if let Some(given) = given {
        return Ok(given.to_path_buf());
    }
    let here = Path::new("games");
    if files::is_folder(here).map_err(|error| Error::file(here, &error))? && is_ours(here) {
        return Ok(here.to_path_buf());
    }
    Ok(data_folder()?.join("games"))
}

/// The user.
#[derive(Clone, Debug)]
pub struct User {
    /// The user's name and addresses.
    pub player: Player,
    /// The user's part in the matches of the games folder.
    pub role: UserRole,
}

/// The user's part in a match.
#[derive(Deserialize, ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
    /// The user plays.
    #[default]
    #[value(help = "You play")]
    Player,
    /// The user passes the moves between two other players.
    #[value(help = "You pass the moves between two other players")]
    Referee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUser {
    #[serde(default)]
    name: String,
    #[serde(deserialize_with = "one_or_many")]
    address: Vec<String>,
    #[serde(default)]
    role: UserRole,
}

impl User {
    fn check(raw: RawUser) -> Result<User, Error> {
        let wrong = |what: &dyn Display| Error::refused(format!("[me] {what}"));
        let address = |text: String| {
            let read = text.parse().ok().filter(is_mailable);
            read.ok_or_else(|| wrong(&format!("address: '{text}' is no mail address")))
        };
        let addresses: Result<Vec<Address>, Error> = raw.address.into_iter().map(address).collect();
        Ok(User {
            player: Player::new(&raw.name, addresses?).map_err(|error| wrong(&error))?,
            role: raw.role,
        })
    }
}

/// The senders that are believed, and the number of answers they get.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The proof that a message must carry of its sender.
    pub identity: SenderPolicy,
    /// The hosts whose signature checks are trusted.
    #[serde(deserialize_with = "one_or_many")]
    pub trusted: Vec<String>,
    /// The maximum number of explanations that one player gets in a day.
    pub answers: usize,
    /// The lines that a gateway puts into each letter, which nobody has written.
    #[serde(deserialize_with = "one_or_many")]
    pub banners: Vec<String>,
}

/// The proof that a message must carry of its sender.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SenderPolicy {
    /// The address in the From field.
    #[default]
    Address,
    /// The From address, and the Message-ID of a mail of this match that went
    /// to its sender.
    Token,
    /// The From address, and a signature of its domain that a trusted host has
    /// checked.
    Dkim,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            identity: SenderPolicy::default(),
            trusted: Vec::new(),
            answers: Policy::ANSWERS,
            banners: Vec::new(),
        }
    }
}

impl Policy {
    /// The default of `answers`: more than a person needs.
    pub const ANSWERS: usize = 20;

    fn check(self) -> Result<Policy, Error> {
        if self.identity == SenderPolicy::Dkim && self.trusted.is_empty() {
            return Err(Error::refused(
                "[policy] identity = \"dkim\" needs trusted = \"…\", the name of the mail server that checks signatures, as it stands in Authentication-Results",
            ));
        }
        Ok(self)
    }
}

/// The look of the mails that are sent.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct MailSettings {
    /// True if a mail about a match has a part in HTML, with a picture of the board, unless
    /// its reader has asked for text alone.
    pub html: bool,
    /// True if a mail to the player to move has a page to answer on attached.
    pub page: bool,
    /// True if files and ranks stand at the edges of the board.
    pub coords: bool,
    /// The side from which the board is shown.
    pub side: BoardSide,
    /// What the subjects of the mails of a match say.
    pub subject: MailSubject,
}

/// What the subjects of the mails of a match say.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum MailSubject {
    /// The game and the players: one subject for all mails of a match, so that every mail
    /// program shows them as one conversation.
    #[default]
    Match,
    /// The move, or what else has happened.
    Move,
}

/// The side from which the board of a mail is shown.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum BoardSide {
    /// The first player's, as in the 1994 format.
    #[default]
    White,
    /// The reader's. Files and ranks then stand at the edges, because only they tell the
    /// side.
    Own,
}

impl Default for MailSettings {
    fn default() -> MailSettings {
        MailSettings {
            html: true,
            page: false,
            coords: false,
            side: BoardSide::default(),
            subject: MailSubject::default(),
        }
    }
}

impl MailSettings {
    /// Returns the look of the diagram in a mail to a player of this side.
    pub fn look(self, reader: Color) -> DiagramStyle {
        let is_own = self.side == BoardSide::Own;
        DiagramStyle {
            has_edges: self.coords || is_own,
            is_flipped: is_own && reader == Color::Black,
            ..DiagramStyle::default()
        }
    }
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
fn explain(text: &str, error: &toml::de::Error) -> String {
    static SECRET: Pattern = Pattern::new(r#"(?i)(?:pass|secret|token)[\w-]*["']?\s*[=:]?"#);
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
    static UNKNOWN: Pattern = Pattern::new(
        r"^unknown (field|variant) `([^`]*)`, (?:expected (?:one of )?(.*)|there are no)",
    );
    static INVALID: Pattern = Pattern::new(r"(?s)^invalid (?:type|value): (.*), expected (.*)$");
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
    match EXPECTED.iter().find(|(theirs, _)| *theirs == words) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::secret::{Credential, Login};
    use crate::mail::settings::Tls;

    fn parse(text: &str) -> Result<Config, Error> {
        Config::parse(text, PathBuf::from("/home/anna/config.toml"))
    }

    fn refusal(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn nothing_is_configured_at_first() {
        let config = parse("").unwrap();
        assert_eq!(config.transport, TransportSettings::Folder(None));
        assert!(config.somebody().is_none());
        let refused = config.me().unwrap_err().to_string();
        assert!(
            refused.contains("/home/anna/config.toml:\n\n[me]\n"),
            "{refused}"
        );
        // The lines that the message tells to add are valid.
        let (_, lines) = refused.split_once("[me]").unwrap();
        assert!(parse(&format!("[me]{lines}")).unwrap().me().is_ok());
    }

    #[test]
    fn one_address_or_several() {
        let one = parse("[me]\nname = \"Anna\"\naddress = \"a@x.test\"").unwrap();
        assert_eq!(one.me().unwrap().player.to_string(), "Anna <a@x.test>");
        assert_eq!(one.me().unwrap().role, UserRole::Player);
        let two =
            parse("[me]\naddress = [\"a@x.test\", \"b@y.test\"]\nrole = \"referee\"").unwrap();
        assert_eq!(
            two.me().unwrap().player.to_string(),
            "<a@x.test>, <b@y.test>"
        );
        assert_eq!(two.me().unwrap().role, UserRole::Referee);
    }

    #[test]
    fn a_mail_server_has_the_usual_port_and_no_password_goes_in_the_clear() {
        let smtp = |lines: &str| {
            parse(&format!(
                "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"mx.test\"\n{lines}"
            ))
        };
        for (tls, port) in [("none", 25), ("starttls", 587), ("tls", 465)] {
            let config = smtp(&format!("tls = \"{tls}\"")).unwrap();
            assert!(matches!(config.transport, TransportSettings::Smtp(smtp) if smtp.port == port));
        }
        let TransportSettings::Smtp(found) =
            smtp("user = \"anna\"\npassword_file = \"secret\"\nca_file = \"/ca.pem\"\nport = 2525")
                .unwrap()
                .transport
        else {
            panic!("not smtp");
        };
        assert_eq!(found.tls, Tls::Starttls);
        assert_eq!(found.port, 2525);
        assert_eq!(found.ca_file, Some("/ca.pem".into()));
        assert_eq!(
            found.login,
            Some(Login {
                user: "anna".to_owned(),
                credential: Credential::Password(Secret::File("/home/anna/secret".into())),
            })
        );
        let clear = smtp("tls = \"none\"\nuser = \"anna\"\npassword_command = \"pass mail\"");
        assert!(clear.unwrap_err().to_string().contains("without TLS"));
        assert!(smtp("user = \"anna\"").is_err());
        assert!(smtp("password_file = \"x\"").is_err());
        assert!(smtp("user = \"a\"\npassword_file = \"x\"\npassword_command = \"y\"").is_err());
        assert!(smtp("user = \"a\"\npassword_command = []").is_err());
        assert!(smtp("user = \"a\"\npassword_env = \"x\"\ntoken_env = \"y\"").is_err());
        assert!(smtp("user = \"a\"\npassword_env = \"x=y\"").is_err());
        for (lines, credential) in [
            (
                "token_command = [\"oama\", \"access\"]",
                Credential::Token(Secret::Command(vec!["oama".into(), "access".into()])),
            ),
            (
                "token_file = \"token\"",
                Credential::Token(Secret::File("/home/anna/token".into())),
            ),
            (
                "password_env = \"MAIL_PASSWORD\"",
                Credential::Password(Secret::Environment("MAIL_PASSWORD".into())),
            ),
        ] {
            let config = smtp(&format!("user = \"anna\"\n{lines}")).unwrap();
            let TransportSettings::Smtp(found) = config.transport else {
                panic!("not smtp");
            };
            assert_eq!(found.login.unwrap().credential, credential);
        }
    }

    #[test]
    fn a_policy_says_who_is_believed() {
        let config = parse("").unwrap();
        assert_eq!(config.policy.identity, SenderPolicy::Address);
        assert_eq!(config.policy.answers, Policy::ANSWERS);
        let config = parse("[policy]\nidentity = \"token\"\nanswers = 3").unwrap();
        assert_eq!(config.policy.identity, SenderPolicy::Token);
        assert_eq!(config.policy.answers, 3);
        let config =
            parse("[policy]\nidentity = \"dkim\"\ntrusted = [\"mx.test\", \"b.test\"]").unwrap();
        assert_eq!(config.policy.trusted, ["mx.test", "b.test"]);
        assert!(refusal("[policy]\nidentity = \"dkim\"").contains("needs trusted"));
        assert!(refusal("[policy]\nidentity = \"face\"").contains("`token`"));
    }

    #[test]
    fn what_cannot_be_said_is_refused_with_its_place() {
        let unknown = refusal("[me]\nname = \"Anna\"\nadress = \"a@x.test\"");
        assert!(unknown.starts_with("/home/anna/config.toml: "), "{unknown}");
        assert!(
            unknown.contains("line 3") && unknown.contains("`address`"),
            "{unknown}"
        );
        for text in [
            "[you]",
            "[me]\nname = \"Anna\"",
            "[me]\naddress = \"nobody\"",
            "[me]\naddress = []",
            "[me]\naddress = \"a@x.test\"\nname = \"A\\nBcc: b@x.test\"",
            "[me]\naddress = \"a@x.test\"\nrole = \"king\"",
            "[transport]\nkind = \"pigeon\"",
            "[transport]\nkind = \"print\"\npath = \"x\"",
            "[transport]\nkind = \"smtp\"",
            "[smtp]\nhost = \"mx.test\"",
            "me = 1",
            "[mail]\nside = \"black\"",
            "[mail]\ncords = true",
            "[me",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn paths_begin_at_the_file() {
        let folder = |path: &str| {
            parse(&format!(
                "[transport]\nkind = \"folder\"\npath = \"{path}\""
            ))
            .unwrap()
            .transport
        };
        assert_eq!(
            folder("out"),
            TransportSettings::Folder(Some("/home/anna/out".into()))
        );
        assert_eq!(
            folder("/var/out"),
            TransportSettings::Folder(Some("/var/out".into()))
        );
        let sendmail = |line: &str| {
            parse(&format!("[transport]\nkind = \"sendmail\"\n{line}"))
                .unwrap()
                .transport
        };
        assert_eq!(sendmail(""), TransportSettings::Sendmail("sendmail".into()));
        assert_eq!(
            sendmail("path = \"msmtp\""),
            TransportSettings::Sendmail("msmtp".into())
        );
        assert_eq!(
            sendmail("path = \"/usr/sbin/sendmail\""),
            TransportSettings::Sendmail("/usr/sbin/sendmail".into())
        );
    }

    fn look(text: &str) -> MailSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn the_board_is_that_of_1994_unless_something_else_is_said() {
        for reader in Color::ALL {
            assert_eq!(look("").look(reader), DiagramStyle::default());
            assert_eq!(
                look("side = \"white\"").look(reader),
                DiagramStyle::default()
            );
            let coords = look("coords = true").look(reader);
            assert!(coords.has_edges && !coords.is_flipped);
        }
    }

    #[test]
    fn a_mail_has_html_unless_something_else_is_said() {
        assert_eq!(look(""), MailSettings::default());
        assert!(look("").html && look("html = true").html && look("coords = true").html);
        assert!(!look("html = false").html);
    }

    #[test]
    fn the_readers_own_side_has_the_edges_that_tell_it() {
        for text in ["side = \"own\"", "side = \"own\"\ncoords = false"] {
            for reader in Color::ALL {
                let look = look(text).look(reader);
                assert!(look.has_edges, "{text}");
                assert_eq!(look.is_flipped, reader == Color::Black, "{text}");
            }
        }
        assert!(toml::from_str::<MailSettings>("side = \"black\"").is_err());
        assert!(toml::from_str::<MailSettings>("cords = true").is_err());
    }
}
