//! A letter heard in memory: every stage of `receive` that a stranger can make work, in a match of one move.

use parapost::inbound::answered::{AnsweredMessage, AnsweredPosition};
use parapost::inbound::incoming_message;
use parapost::mail::message::ParseMessageError;
use parapost::notation::reader::{self, classify};

use parapost::inbound::intent;
use parapost::inbound::match_lookup::Lookup;
use parapost::inbound::talk;
use parapost::mail::quoting::sent::Sent;
use parapost::matches::action::{Action, Intent};
use parapost::matches::codes::CodeState;
use parapost::matches::event::LogEntry;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::notation::header;
use parapost::outbound::sent_mail;
use parapost::outbound::templates::Templates;
use parapost::rules::{Color, Variant};

/// The match that the messages of this folder are about, of Anna and Ben, in which Anna has played `P>e3`.
pub(crate) fn game() -> Match {
    let settings = MatchSettings {
        id: "one".parse().expect("an id"),
        variant: Variant::find("unachess", &[]).expect("a known game"),
        players: ["Anna <anna@example.org>", "Ben <ben@example.test>"]
            .map(|player| player.parse().expect("a player")),
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        list: None,
        counts_news: false,
        start: None,
    };
    let time = "2026-11-20T03:00:00Z".parse().expect("a time");
    let mut game = Match::new(settings, time);
    let first = LogEntry::new(time, Action::play("P>e3"), Color::White);
    game.push(first).expect("a legal move");
    game
}

/// The result of a message from Ben, in a word or two.
pub(crate) fn hear(game: &Match, message: &[u8]) -> String {
    let letter = match incoming_message::read(message) {
        Ok(letter) => letter,
        Err(ParseMessageError::NoHeader) => return "no message".to_owned(),
        Err(ParseMessageError::Excess(excess)) => return format!("refused: {excess}"),
    };
    if let Some(excess) = letter.unread {
        return format!("unread: {excess}");
    }
    let lines = classify(&letter.text, &Sent::nothing());
    let found = Lookup::new(&letter, &lines, std::slice::from_ref(game), &[]).find();
    let Ok(game) = found else {
        return "not found".to_owned();
    };
    let mut lines = lines;
    let me = game.player(Color::White);
    let templates = Templates::new("/nowhere");
    let sent = |game: &Match, mail: &_| sent_mail::text_of(game, mail, me, &templates);
    AnsweredMessage::of(&letter, game, &[]).bound(&mut lines, me, &sent);
    let ids = &MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.org");
    let answered = AnsweredPosition::of(&letter, game, &[Color::Black], CodeState::Unknown, ids);
    let text = reader::read_lines(lines, game.variant());
    let id_lines = header::id_lines(&text.lines);
    let said = intent::read(game, Color::Black, &text, &id_lines, answered, false, false);
    let words = talk::of(&text, &id_lines, &[]);
    match said {
        Intent::Move(_) => "a move",
        Intent::Again(_) => "a move again",
        Intent::OutOfTurn(_) => "out of turn",
        Intent::Command(_) => "a command",
        Intent::Mention { .. } => "a move in prose",
        Intent::Ambiguous { .. } => "an ambiguous move",
        Intent::Refused(_) => "refused",
        Intent::Words if words.is_empty() => "nothing",
        Intent::Words => "words",
    }
    .to_owned()
}
