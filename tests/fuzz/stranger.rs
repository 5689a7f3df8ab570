//! Letters by anybody, heard in a match that is kept in memory: all that happens between the bytes of a letter and what it
//! leaves in the log and in the mail that goes out because of it.

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::LazyLock;

use parapost::config::{MailSettings, Policy, SenderPolicy};
use parapost::inbound::answered::{AnsweredMessage, AnsweredPosition};
use parapost::inbound::incoming_message::{self, IncomingMessage};
use parapost::inbound::intent;
use parapost::inbound::match_lookup::Lookup;
use parapost::inbound::sender_authentication;
use parapost::inbound::talk;
use parapost::mail::message_id::MessageId;
use parapost::mail::quoting::sent::Sent;
use parapost::mail::transport::OutgoingMessage;
use parapost::matches::action::{Action, Intent, Request};
use parapost::matches::codes::CodeState;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::player::Player;
use parapost::notation::header;
use parapost::notation::reader::{self, classify};
use parapost::outbound::compose;
use parapost::outbound::sent_mail;
use parapost::outbound::templates::Templates;
use parapost::rules::{Color, Variant};

/// The host whose word about signatures is taken.
const TRUSTED: &str = "mx.example.net";

/// The header fields that our mail has, each once.
pub const OUR_FIELDS: [&str; 13] = [
    "Message-ID",
    "In-Reply-To",
    "References",
    "From",
    "To",
    "Subject",
    "Date",
    "X-Loop",
    "List-Unsubscribe",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// A match in which White has played `P>e3`, and another that has just begun.
static MATCHES: LazyLock<[Match; 2]> = LazyLock::new(|| {
    let [mut one, two] = ["one", "two"].map(|id| {
        let settings = MatchSettings {
            id: id.parse().expect("an id"),
            variant: Variant::find("unachess", &[]).expect("a known game"),
            players: [
                "White <white@example.test>",
                "Black <black@example.test>, <ben@example.test>",
            ]
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
        Match::new(settings, now())
    });
    let first = LogEntry::new(now(), Action::play("P>e3"), Color::White)
        .key("msg", Some("<white.1@example.test>"));
    one.push(first).expect("a legal move");
    let position = NewMail::new("position", Color::Black).automatic();
    one.owe(now(), position, &ids()).expect("a known kind");
    [one, two]
});

/// When everything happens; a time of whatever library parapost takes them from.
fn now<T: FromStr<Err: Debug>>() -> T {
    "2026-11-20T03:00:00Z".parse().expect("a time")
}

fn ids() -> MailIds {
    MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.net")
}

/// The referee whose program hears the letter.
fn referee() -> Player {
    let text = "Referee <games@example.net>";
    text.parse().expect("a player")
}

/// Hears a letter as it is, and as if it came from each of the players.
pub(super) fn hear(letter: &IncomingMessage) {
    let [one, _] = &*MATCHES;
    let lines = classify(&letter.text, &Sent::nothing());
    let found = Lookup::new(letter, &lines, &*MATCHES, &[]).find();
    if found.is_ok_and(|game| game.id() == one.id()) {
        let alone = Lookup::new(letter, &lines, std::slice::from_ref(one), &[]).find();
        assert!(alone.is_ok(), "{alone:?}");
    }
    for side in Color::ALL {
        let mut letter = letter.clone();
        let sender = letter.sender.as_ref();
        let is_senders = sender.is_some_and(|sender| one.player(side).has(sender));
        if !is_senders {
            letter.sender = Some(one.player(side).address().clone());
        }
        believed(&letter, side);
        let game = rule(&letter, side);
        // Making mail takes long, above all without optimisation; one side's is as good as the other's.
        let is_one_in_many = !cfg!(debug_assertions) || letter.text.len().is_multiple_of(16);
        if is_one_in_many && (is_senders || side == one.position().turn()) {
            tell(&game);
        }
    }
}

/// A policy that asks for more than an address believes nobody who does not show it.
fn believed(letter: &IncomingMessage, side: Color) {
    let [one, _] = &*MATCHES;
    let hold = |identity: SenderPolicy| {
        let policy = Policy {
            identity,
            trusted: vec![TRUSTED.to_owned()],
            answers: Policy::ANSWERS,
            banners: Vec::new(),
        };
        sender_authentication::check(&policy, letter, one, side, &[], &referee()).is_ok()
    };
    assert!(hold(SenderPolicy::Address));
    if hold(SenderPolicy::Token) {
        let is_proof = |id: &MessageId| id.as_str().starts_with("<one.3.") && side == Color::Black;
        assert!(letter.cites.iter().any(is_proof), "{:?}", letter.cites);
    }
    if hold(SenderPolicy::Dkim) {
        let results = letter.results.join(";");
        let plain = results.to_ascii_lowercase();
        let is_said = ["pass", "example.test"]
            .iter()
            .all(|word| plain.contains(word));
        assert!(is_said && plain.contains("mx.example.net"), "{results:?}");
    }
}

/// What the letter says is done, as far as it can be, kept, and owed to both players.
fn rule(letter: &IncomingMessage, side: Color) -> Match {
    let mut game = MATCHES[0].clone();
    let before = game.record().steps().len();
    let mut lines = classify(&letter.text, &Sent::nothing());
    let me = game.player(!side).clone();
    let templates = Templates::new("/nowhere");
    let sent = |game: &Match, mail: &_| sent_mail::text_of(game, mail, &me, &templates);
    AnsweredMessage::of(letter, &game, &[]).bound(&mut lines, &me, &sent);
    let answered = AnsweredPosition::of(letter, &game, &[side], CodeState::Unknown, &ids());
    let text = reader::read_lines(lines, game.variant());
    let id_lines = header::id_lines(&text.lines);
    let said = intent::read(&game, side, &text, &id_lines, answered, false, false);
    let words = talk::of(&text, &id_lines, &[]);
    assert!(words.chars().count() <= talk::LONGEST + 4);
    let event = |what: Event| LogEntry::new(now(), what, side).key("msg", Some(&letter.id));
    let mut told = String::new();
    match said {
        Intent::Move(played) => {
            assert_eq!(game.turn(), Some(side));
            let position = game.position();
            assert!(position.is_legal(&played.reading.ply), "{played:?}");
            let move_text = position.text(&played.reading.ply);
            game.push(event(Action::Move(move_text).into()))
                .expect("a legal move");
        }
        Intent::Command(request) => {
            let event = match request {
                Request::Act(action) => {
                    let event = game.entry(now(), action, side);
                    event.key("msg", Some(&letter.id))
                }
                Request::Decline => game
                    .entry(now(), Action::DeclineInvitation, side)
                    .key("msg", Some(&letter.id)),
                Request::ResignMatch => event(Action::Resign.into()),
                Request::Rematch => event(Event::Rematch(Some("next".to_owned()))),
                Request::AddAddress(_)
                | Request::Note
                | Request::Show(_)
                | Request::Help
                | Request::Rules
                | Request::Legal => event(Event::Asked(None)),
                Request::Mail(_) => event(Event::Wish(None)),
            };
            // That it is not allowed now is an answer, too.
            told = game
                .push(event)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
        }
        Intent::Mention { line, moves, .. } | Intent::Ambiguous { line, forms: moves } => {
            told = format!("{line}\n{}", moves.join(", "));
        }
        Intent::Refused(refusal) => told = format!("{}\n{}", refusal.lines.join("\n"), refusal.why),
        Intent::OutOfTurn(line) => told = line,
        Intent::Again(ply) => assert!(ply < before),
        Intent::Words => {}
    }
    assert!(game.record().steps().len() <= before + 1);
    if !words.is_empty() {
        game.push(event(Event::note(&words))).expect("a note");
    }
    let position = NewMail::new("position", !side).answering(game.last_received(!side));
    let answer = NewMail::new("answer", side)
        .answering(Some(letter.id.clone()))
        .at_address(letter.sender.clone().expect("it was given one"))
        .automatic();
    for mail in [position.saying(words), answer.saying(told)] {
        game.owe(now(), mail, &ids()).expect("a known kind");
    }
    let written = game.to_string();
    let again: Match = written
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_string(), written);
    game
}

/// Makes the mails that are owed, without pictures, which are no words of a stranger's.
fn tell(game: &Match) {
    let settings = MailSettings {
        html: false,
        ..MailSettings::default()
    };
    let templates = Templates::new("/nonexistent").with_settings(settings);
    for owed in &game.owed()[1..] {
        let mail = compose::compose(game, owed, &referee(), &templates, &ids());
        outgoing(&mail.unwrap_or_else(|error| panic!("{error}\n{game}")));
    }
}

/// A mail of ours has the fields it is to have, lines that every mail server takes, and nothing that steers a terminal.
fn outgoing(mail: &OutgoingMessage) {
    let bytes = mail.bytes();
    let text = str::from_utf8(&bytes).expect("mail in ASCII");
    let (head, _) = text.split_once("\r\n\r\n").expect("a head");
    let shown = head.escape_debug();
    let is_folded = |line: &&str| line.starts_with([' ', '\t']);
    let mut names: Vec<&str> = head
        .split("\r\n")
        .filter(|line| !is_folded(line))
        .map(|line| line.split_once(": ").expect("a field").0)
        .collect();
    let count = names.len();
    assert!(
        names.iter().all(|name| OUR_FIELDS.contains(name)),
        "{shown}"
    );
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{shown}");
    for line in text.split("\r\n") {
        assert!(line.len() <= 998, "{line}");
        assert!(
            !line.contains(|c: char| c.is_ascii_control() || !c.is_ascii()),
            "{line:?}"
        );
    }
    let letter = incoming_message::read(&bytes).expect("a message");
    assert_eq!(letter.id, *mail.id());
    assert_eq!(letter.sender.as_ref(), Some(referee().address()));
    let steers = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
    assert!(!letter.text.contains(steers), "{:?}", letter.text);
}
