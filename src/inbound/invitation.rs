//! Reads an invitation: the terms of the match that a message invites the user to.
//!
//! An invitation is a stranger's. Its lines are data in a fixed form, never a command,
//! and the hash at its foot must be that of the terms and of its list of moves.

use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::sender_authentication::AuthenticationError;
use crate::mail::quoting::line::Line;
use crate::mail::quoting::sent::Sent;
use crate::match_id::Id;
use crate::matches::hash::hash_of_moves;
use crate::matches::r#match::MatchSettings;
use crate::matches::terms::{self, TermsError};
use crate::notation::header::{IdLine, id_lines};
use crate::notation::move_list;
use crate::notation::reader::{self, classify};
use crate::rules::{Color, Record, Variant};
use crate::shell;

/// A match that a message invites to.
#[derive(Debug)]
pub struct Invitation {
    /// The terms.
    pub settings: MatchSettings,
    /// The moves made so far.
    pub record: Record,
}

/// Reads the invitation that a message is. Returns none if it is none: an answer that
/// quotes one is none, nor is a mail about a match that is known.
///
/// # Errors
///
/// If it is one, but not in full as this program writes it.
pub fn read(
    message: &IncomingMessage,
    is_known: impl FnOnce(&Id) -> bool,
) -> Result<Option<Invitation>, InvitationError> {
    if !may_invite(&message.text) {
        return Ok(None);
    }
    let lines = classify(&message.text, &Sent::nothing());
    let feet = id_lines(&lines);
    let [foot] = feet.as_slice() else {
        return Ok(None);
    };
    if foot.author.depth() > 0 || is_known(&foot.id) {
        return Ok(None);
    }
    let Some(settings) = settings(&unquoted(&lines), &foot.id)? else {
        return Ok(None);
    };
    if let Some(referee) = &settings.referee
        && settings.players.iter().any(|player| player.has(referee))
    {
        return Err(InvitationError::Referee);
    }
    if settings.list_of_people().is_some() {
        return Err(InvitationError::List);
    }
    if let Some(address) = settings.without_mail() {
        return Err(InvitationError::WithoutMail(address.to_string()));
    }
    let record = record(lines, &settings.variant, foot).ok_or(InvitationError::Hash)?;
    Ok(Some(Invitation { settings, record }))
}

/// Returns true if the lines are those of an invitation to the match with this id. The
/// moves in them are examples.
pub fn is_one(lines: &[Line<'_>], id: &Id) -> bool {
    let settings = settings(&unquoted(lines), id);
    settings.is_ok_and(|settings| settings.is_some())
}

fn unquoted<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let lines = lines.iter();
    lines
        .filter(|line| line.author.is_read() && line.author.depth() == 0)
        .cloned()
        .collect()
}

/// A cheap test that spares most messages the rest.
fn may_invite(text: &str) -> bool {
    text.contains("Rules: ") || text.contains(COMMAND)
}

/// Returns the terms of the match in these lines: those of the invitation, or the
/// command in an invitation of earlier versions.
///
/// # Errors
///
/// If they are not as this program writes them, or there are several.
pub fn settings(lines: &[Line<'_>], id: &Id) -> Result<Option<MatchSettings>, InvitationError> {
    let texts = lines.iter().map(|line| {
        // A blank stands between a quote mark and the text.
        let is_quoted = line.author.depth() > 0;
        let text = line.text.strip_prefix(' ').filter(|_| is_quoted);
        text.unwrap_or(line.text)
    });
    let told = terms::read(texts, id)?;
    let mut commanded = reader::commands(lines).into_iter().map(|command| {
        let lines = lines[command].iter().map(|line| line.text.trim_end());
        command_settings(&lines.collect::<Vec<_>>().join("\n"), id)
    });
    match (told, commanded.next(), commanded.next()) {
        (told, None, _) => Ok(told),
        (None, Some(command), None) => command.map(Some),
        _ => Err(TermsError::Several.into()),
    }
}

/// The start of the command in invitations of earlier versions.
const COMMAND: &str = "parapost new ";

/// Reads the terms in the command of an invitation of earlier versions. It is taken
/// apart, and never run.
fn command_settings(command: &str, id: &Id) -> Result<MatchSettings, InvitationError> {
    let words = shell::split(command.trim_start()).ok_or(TermsError::Lines)?;
    let mut words = words.iter().map(String::as_str);
    if (words.next(), words.next()) != (Some("parapost"), Some("new")) {
        return Err(TermsError::Lines.into());
    }
    let mut values: Vec<(&str, &str)> = Vec::new();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        let name = match word {
            "--invited" => continue,
            "--id" | "--game" | "--option" | "--white" | "--black" | "--time" | "--event"
            | "--referee" | "--moves" => &word[2..],
            _ => return Err(TermsError::Lines.into()),
        };
        let value = words.next().ok_or(TermsError::Lines)?;
        if name == "option" {
            options.push(value);
        } else if values.iter().any(|(other, _)| *other == name) {
            return Err(TermsError::Lines.into());
        } else {
            values.push((name, value));
        }
    }
    let value = |name: &str| {
        let found = values.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| *value)
    };
    if value("id") != Some(id.as_str()) {
        return Err(InvitationError::OtherId);
    }
    let need = |name: &'static str| value(name).ok_or(TermsError::Missing(name));
    let player = |name| need(name)?.parse().map_err(|_| TermsError::Value(name));
    let wrong = |name: &'static str| move || TermsError::Value(name);
    let time = value("time").map(|time| time.parse().map_err(|_| wrong("time")()));
    let event = value("event").map(|text| terms::event(text).ok_or_else(wrong("event")));
    let referee = value("referee").map(|text| text.parse().map_err(|_| wrong("referee")()));
    Ok(MatchSettings {
        id: id.clone(),
        variant: Variant::find(need("game")?, &options).map_err(TermsError::from)?,
        players: [player("white")?, player("black")?],
        referee: referee.transpose()?,
        event: event.transpose()?,
        time: time.transpose()?,
        // Invitations of those versions had no last day.
        until: None,
        news: None,
        counts_news: false,
        start: None,
        list: None,
    })
}

/// Returns the record that the list of a mail tells, if the hash at its foot proves it,
/// and the game with it.
fn record(lines: Vec<Line<'_>>, variant: &Variant, foot: &IdLine) -> Option<Record> {
    let text = reader::read_lines(lines, variant);
    let start = Record::new(variant.start());
    let told = move_list::follow_lists(&start, &text, move_list::is_numbered);
    let steps = told.record.steps().get(..foot.plies)?;
    let moves = steps.iter().map(|step| step.text.as_str());
    let hash = hash_of_moves(&foot.id, variant, moves);
    (foot.hash.as_ref() == Some(&hash)).then(|| told.record.until(foot.plies))
}

/// Why an invitation cannot be entered. `Display` writes a clause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvitationError {
    /// Its terms cannot be used.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Its command is about another match than its foot.
    #[error("it names two matches")]
    OtherId,
    /// The referee is a player.
    #[error("its referee is a player of the match")]
    Referee,
    /// The mailing list is a player or the referee.
    #[error("its mailing list is the address of a player or of the referee")]
    List,
    /// No mail can be written to an address in it.
    #[error("no mail can be made for the address {0} in it")]
    WithoutMail(String),
    /// The hash at its foot is not that of its terms and moves.
    #[error("its terms and moves are not those of the hash at its foot")]
    Hash,
    /// Its last day has passed.
    #[error("it has lapsed: it stood until the end of {0}")]
    Lapsed(String),
    /// The user does not play one side.
    #[error("you play neither side in it, or both")]
    NotThePlayer,
    /// The user's side has an address that is not the user's.
    #[error("it gives you the address {0}, which is not among yours in the configuration")]
    OthersAddress(String),
    /// The policy asks for a signature.
    #[error(transparent)]
    NotAuthentic(#[from] AuthenticationError),
    /// The sender is neither the opponent nor the referee.
    #[error("its sender is not the one who would invite you: {0}")]
    Sender(String),
}

/// Names the side that the user would play, `opponent` being the other.
pub fn describe(invitation: &Invitation, side: Color) -> String {
    let settings = &invitation.settings;
    let variant = &settings.variant;
    let opponent = &settings.players[(!side).index()];
    let mut text = match &settings.referee {
        Some(referee) => format!(
            "{referee}, as the referee, invites you to a match of {} with {}",
            variant.game().name,
            opponent.name()
        ),
        None => format!(
            "{opponent} invites you to a match of {}",
            variant.game().name
        ),
    };
    if !variant.options().is_empty() {
        text = format!("{text} ({})", variant.options().join(", "));
    }
    text = format!("{text}, in which you play {}", variant.player(side));
    if let Some(time) = settings.time {
        text = format!("{text}; time for a move: {time}");
    }
    if let Some(event) = &settings.event {
        text = format!("{text}; event: {event}");
    }
    if let Some(group) = &settings.news {
        text = format!(
            "{text}; each move is posted to the newsgroup {group}, where you are named '{}'",
            settings.players[side.index()].name()
        );
    }
    if settings.counts_news {
        text = format!("{text}; moves count from there, too, where anybody can write");
    }
    if let Some(list) = &settings.list {
        text = format!(
            "{text}; each position is mailed to the mailing list {list}, where you are named '{}'",
            settings.players[side.index()].name()
        );
    }
    if let Some(day) = settings.until {
        text = format!("{text}; it stands until the end of {}", day.for_people());
    }
    let made = invitation.record.steps().len();
    if made > 0 {
        text = format!("{text}; half-moves made: {made}");
    }
    text
}
