//! Mail that goes out: what it looks like, and that it is the same whenever
//! it is made.

use std::path::PathBuf;

use mail_parser::{HeaderName, HeaderValue, Message, MessageParser};
use parapost::config::{MailSettings, MailSubject};
use parapost::mail::transport::OutgoingMessage;
use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::player::Player;
use parapost::outbound::compose;
use parapost::outbound::templates::Templates;
use parapost::rules::Color;

use crate::matches::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

pub(super) fn unachess() -> Match {
    Match::new(
        MatchSettings {
            time: Some("10d".parse().unwrap()),
            until: None,
            news: None,
            list: None,
            counts_news: false,
            start: None,
            ..settings("unachess", &["pawns-1-4"])
        },
        time(),
    )
}

pub(super) fn play(game: &mut Match, moves: &str) {
    for text in moves.split_whitespace() {
        let side = game.position().turn();
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap();
    }
}

pub(super) fn anna() -> Player {
    "Somebody <anna@example.org>".parse().unwrap()
}

/// The mail that the match owes last, from Anna.
pub(super) fn compose(game: &Match) -> OutgoingMessage {
    compose_from(game, &anna())
}

fn compose_from(game: &Match, me: &Player) -> OutgoingMessage {
    compose_about(game, me, MailSubject::Match)
}

/// Templates of mail of text alone.
pub(crate) fn text_alone(folder: impl Into<PathBuf>) -> Templates {
    text_about(folder, MailSubject::Match)
}

fn text_about(folder: impl Into<PathBuf>, subject: MailSubject) -> Templates {
    let settings = MailSettings {
        html: false,
        subject,
        ..MailSettings::default()
    };
    Templates::new(folder).with_settings(settings)
}

pub(super) fn compose_about(game: &Match, me: &Player, subject: MailSubject) -> OutgoingMessage {
    let templates = text_about("/nowhere", subject);
    compose::compose(game, game.owed().last().unwrap(), me, &templates, &ids()).unwrap()
}

pub(super) fn owed(mut game: Match, mail: NewMail) -> Match {
    game.owe(time(), mail, &ids()).unwrap();
    game
}

/// A match of one move, whose position is owed to Black.
pub(super) fn after_one_move() -> Match {
    let mut game = unachess();
    play(&mut game, "P>e3");
    owed(game, NewMail::new("position", BLACK))
}

pub(super) fn text(message: &OutgoingMessage) -> String {
    String::from_utf8(message.text()).unwrap()
}

fn parsed(text: &str) -> Message<'_> {
    MessageParser::default().parse(text).unwrap()
}

fn header<'a>(message: &'a Message<'_>, name: &'static str) -> Option<&'a str> {
    let name = HeaderName::parse(name).unwrap();
    match message.header(name)? {
        HeaderValue::Text(text) => Some(text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_move_is_mailed_as_the_1994_format_has_it() {
    let mut game = unachess();
    play(&mut game, "P>e3 n>g5 B>f4");
    let game = owed(game, NewMail::new("position", BLACK));
    let message = compose(&game);
    let body = text(&message);
    let (head, body) = body.split_once("\n\n").unwrap();
    let id = &game.owed()[0].msg;
    assert_eq!(
        head,
        format!(
            "From: \"Anna White\" <anna@example.org>\n\
             To: =?utf-8?b?QmrDtnJu?= <ben@example.org>\n\
             Subject: [demo] Unachess: Anna White - =?utf-8?b?QmrDtnJu?=\n\
             Date: Fri, 20 Nov 2026 03:00:00 +0000\n\
             Message-ID: {id}\n\
             X-Loop: anna@example.org\n\
             List-Unsubscribe: \n \
             <mailto:anna@example.org?subject=%5Bdemo%5D%20unsubscribe-2ekrdahqlgvmnhtu>\n\
             MIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 7bit"
        )
    );
    assert_eq!(
        body,
        "\
Anna White (White) has played 2. B>f4.

It is your move, Black, by Monday, 30 November 2026, 03:00 UTC.
To play, reply with your move on a line of its own above the quotation,
with or without its number, which is 2... now.
Alone on a line you may write \"resign\", \"offer draw\", \"show\", \"help\".

Game: Unachess
Options: pawns-1-4

- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - - - - -       rrbbn-qk
- - - - - - n -       pppppppp
- - - - - B - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRB-NNQK
                      PPPPPPP-

White       Black

1.  P>e3    n>g5
2.  B>f4

Options in force:
- pawns-1-4: pawns may be dropped on ranks 1 to 4; one dropped on rank 1
  never has a double step [R: the source gives it to pawns entered on
  the second row]

'>' places a piece from the reserve, '-' moves one, 'x' captures;
'+' is check, '#' checkmate, '!+' virtual check.

Game demo, 3 half-moves made, hash "
            .to_owned()
            + &game.hash()
            + ".\n"
    );
}

#[test]
fn mail_that_is_owed_is_the_same_whatever_happened_since() {
    let game = after_one_move();
    let first = game.owed()[0].clone();
    let before = text(&compose(&game));
    let mut game = game;
    play(&mut game, "n>g5 B>f4");
    let templates = text_alone("/nowhere");
    let after = compose::compose(&game, &first, &anna(), &templates, &ids()).unwrap();
    assert_eq!(text(&after), before);
    // And read from its file as well.
    let read: Match = game.to_string().parse().unwrap();
    let after = compose::compose(&read, &first, &anna(), &templates, &ids()).unwrap();
    assert_eq!(text(&after), before);
}

#[test]
fn the_thread_is_what_the_recipient_has_seen() {
    let mut game = unachess();
    game.owe(time(), NewMail::new("invitation", BLACK), &ids())
        .unwrap();
    play(&mut game, "P>e3");
    game.owe(time(), NewMail::new("position", BLACK), &ids())
        .unwrap();
    let reply =
        LogEntry::new(time(), Action::play("n>g5"), BLACK).key("msg", Some("<reply@ben.test>"));
    game.push(reply).unwrap();
    // What the other player was told is no part of it.
    game.owe(time(), NewMail::new("receipt", WHITE), &ids())
        .unwrap();
    play(&mut game, "B>f4");
    let last = game.last_received(BLACK);
    let game = owed(game, NewMail::new("position", BLACK).answering(last));
    let message = text(&compose(&game));
    let ids: Vec<String> = game
        .owed()
        .iter()
        .map(|owed| owed.msg.to_string())
        .collect();
    let unfolded = message.replace("\n ", " ");
    assert!(
        unfolded.contains("\nIn-Reply-To: <reply@ben.test>\n"),
        "{message}"
    );
    let references = format!("\nReferences: {} {} <reply@ben.test>\n", ids[0], ids[1]);
    assert!(unfolded.contains(&references), "{message}");
}

#[test]
fn a_long_match_makes_no_endless_header() {
    let mut game = Match::new(settings("chess", &[]), time());
    for _ in 0..2 {
        // Two times only, lest the third occurrence be a draw to claim.
        play(&mut game, "N-f3 n-f6 N-g1 n-g8");
    }
    for _ in 0..60 {
        game.owe(time(), NewMail::new("position", BLACK), &ids())
            .unwrap();
    }
    let message = text(&compose(&game));
    let message = message.replace("\n ", " ");
    let references = message
        .lines()
        .find_map(|line| line.strip_prefix("References: "))
        .unwrap();
    let cited: Vec<&str> = references.split(' ').collect();
    assert_eq!(cited.len(), 20);
    assert_eq!(cited[0], game.owed()[0].msg.as_str(), "the root stays");
    assert_eq!(cited[19], game.owed()[58].msg.as_str(), "and the parent");
}

#[test]
fn only_what_the_program_says_by_itself_is_marked_so() {
    let mut game = unachess();
    play(&mut game, "P>e3");
    let by_hand = text(&compose(&owed(
        game.clone(),
        NewMail::new("position", BLACK),
    )));
    assert_eq!(header(&parsed(&by_hand), "Auto-Submitted"), None);
    let by_itself = owed(game, NewMail::new("position", BLACK).automatic());
    let by_itself = text(&compose(&by_itself));
    assert_eq!(
        header(&parsed(&by_itself), "Auto-Submitted"),
        Some("auto-replied")
    );
}

#[test]
fn what_is_not_ascii_is_quoted_printable_and_reads_back() {
    let mut game = unachess();
    play(&mut game, "P>e3");
    let words = "Grüße aus Köln – viel Spaß!\nFrom here on it gets hard.\n.\n..dots\n".to_owned()
        + &"schön ".repeat(40);
    let game = owed(game, NewMail::new("position", BLACK).saying(&words));
    let message = text(&compose(&game));
    assert!(message.is_ascii());
    assert!(message.contains("\nContent-Transfer-Encoding: quoted-printable\n"));
    assert!(
        message
            .lines()
            .all(|line| line.len() <= 76 && !line.starts_with("From "))
    );
    let read = parsed(&message);
    let body = read.body_text(0).unwrap();
    assert!(body.contains("Anna White writes:"), "{body}");
    assert!(
        body.contains(
            "> Grüße aus Köln – viel Spaß!\n> From here on it gets hard.\n> .\n> ..dots\n"
        )
    );
    assert!(
        body.lines().all(|line| line.chars().count() <= 72),
        "{body}"
    );
    assert_eq!(body.matches("schön").count(), 40);
}

#[test]
fn a_line_that_begins_like_a_mailbox_entry_survives() {
    let game = unachess();
    let said =
        "From here on.\n\n.\nFrom me to you, at a length that comes close to the widest line";
    for said in [said.to_owned(), format!("{said}\nü")] {
        let game = owed(game.clone(), NewMail::new("answer", BLACK).saying(&said));
        let message = text(&compose(&game));
        assert!(
            !message.lines().any(|line| line.starts_with("From ")),
            "{message}"
        );
        assert!(message.lines().all(|line| line.len() <= 76), "{message}");
        let read = parsed(&message);
        assert!(read.body_text(0).unwrap().starts_with(&said), "{message}");
    }
}

#[test]
fn nothing_said_by_somebody_else_becomes_a_header_or_a_template() {
    let mut game = Match::new(
        MatchSettings {
            event: Some("{{ id }} Bcc: eve@example.org".to_owned()),
            ..settings("unachess", &[])
        },
        time(),
    );
    play(&mut game, "P>e3");
    let evil = "{{ id }} {% include \"foot.txt\" %}\r\nBcc: eve@example.org\r\n\r\n\u{1b}[2J\u{0}";
    let mail = NewMail::new("position", BLACK).saying(evil);
    let message = text(&compose(&owed(game, mail)));
    let read = parsed(&message);
    assert!(header(&read, "Bcc").is_none());
    let body = read.body_text(0).unwrap();
    assert!(body.contains("> {{ id }} {% include \"foot.txt\" %}\n> Bcc: eve@example.org\n"));
    assert!(!body.contains('\u{1b}') && !body.contains('\u{0}'));
}

#[test]
fn a_name_is_encoded_and_can_hold_nothing_that_steers() {
    for name in [
        "A\nBcc: x@y.test",
        "A\rB",
        "A\u{0}",
        "A <b@c.test>",
        "A \"B\"",
        "\u{202e}A",
    ] {
        assert!(Player::new(name, vec!["a@b.test".parse().unwrap()]).is_err());
    }
    for name in [
        "Müller, Anna",
        "Anna (the first)",
        "安奈",
        "a@b.test",
        "Ünal \\ O'Neil; x",
    ] {
        let mut settings = settings("unachess", &[]);
        settings.players[0] = Player::new(name, vec!["anna@example.org".parse().unwrap()]).unwrap();
        let game = owed(
            Match::new(settings, time()),
            NewMail::new("invitation", BLACK),
        );
        let message = text(&compose(&game));
        let read = parsed(&message);
        let from = read.from().unwrap().first().unwrap();
        assert_eq!(from.name(), Some(name), "{message}");
        assert_eq!(from.address(), Some("anna@example.org"));
    }
}

#[test]
fn what_a_player_does_is_said_to_people_and_once_to_programs() {
    let order = |what: Action, side: Color, before: &[(Action, Color)]| {
        let mut game = unachess();
        play(&mut game, "P>e3");
        // The mail of the move: what follows is another matter.
        game.owe(time(), NewMail::new("position", BLACK), &ids())
            .unwrap();
        for (what, side) in before {
            game.push(LogEntry::new(time(), what.clone(), *side))
                .unwrap();
        }
        game.push(LogEntry::new(time(), what, side)).unwrap();
        let game = owed(game, NewMail::new("position", !side));
        let me = game.player(side).clone();
        text(&compose_about(&game, &me, MailSubject::Move))
    };
    for (what, order_line, subject, before) in [
        (Action::OfferDraw, "offer draw", "draw offered", vec![]),
        (Action::Resign, "resign", "0-1 (resignation)", vec![]),
        (
            Action::AcceptDraw,
            "accept draw",
            "1/2-1/2 (agreement)",
            vec![(Action::OfferDraw, BLACK)],
        ),
        (
            Action::DeclineDraw,
            "decline draw",
            "draw declined",
            vec![(Action::OfferDraw, BLACK)],
        ),
    ] {
        let message = order(what, WHITE, &before);
        let alone = message.lines().filter(|line| *line == order_line).count();
        assert_eq!(alone, 1, "{message}");
        assert!(
            message.contains(&format!("\nSubject: [demo] Unachess: {subject}\n")),
            "{message}"
        );
    }
    let offered = order(Action::OfferDraw, WHITE, &[]);
    assert!(
        offered.contains("has offered a draw: \"accept draw\" takes it"),
        "{offered}"
    );
    let over = order(Action::Resign, WHITE, &[]);
    assert!(
        over.contains("The match is over. White resigns, Black wins: 0-1."),
        "{over}"
    );
    assert!(!over.contains("To play, reply"), "{over}");
}

#[test]
fn a_move_with_an_offer_is_one_message_that_tells_both() {
    let mut game = unachess();
    play(&mut game, "P>e3");
    game.push(LogEntry::new(time(), Action::OfferDraw, WHITE))
        .unwrap();
    let game = owed(game, NewMail::new("position", BLACK));
    let message = text(&compose_about(&game, &anna(), MailSubject::Move));
    let (above, _) = message.split_once("\n\noffer draw\n").unwrap();
    // The move and whose turn it is are what a list of mails shows.
    let (_, words) = above.split_once("\n\n").unwrap();
    assert!(
        words.contains("has played 1. P>e3 and offers a draw.\n\nIt is your move, Black"),
        "{message}"
    );
    assert!(message.contains("Subject: [demo] Unachess: 1. P>e3, draw offered\n"));
}

#[test]
fn a_referee_writes_in_his_own_name() {
    let mut game = unachess();
    play(&mut game, "P>e3");
    game.push(LogEntry::new(time(), Action::OfferDraw, WHITE))
        .unwrap();
    let referee: Player = "The Referee <ref@example.org>".parse().unwrap();
    let message = text(&compose_from(
        &owed(game.clone(), NewMail::new("position", BLACK)),
        &referee,
    ));
    assert!(
        message.contains("From: \"The Referee\" <ref@example.org>\n"),
        "{message}"
    );
    // It is not the referee who offers.
    assert!(!message.lines().any(|line| line == "offer draw"));
    let receipt = text(&compose_from(
        &owed(game.clone(), NewMail::new("receipt", WHITE)),
        &referee,
    ));
    assert!(receipt.contains("Received, thank you."), "{receipt}");
    let invitation = text(&compose_from(
        &owed(game, NewMail::new("invitation", BLACK)),
        &referee,
    ));
    assert!(
        invitation.contains("The Referee is the referee of a match of Unachess"),
        "{invitation}"
    );
    // The players' programs must know whose mail tells them the moves.
    assert!(invitation.contains("\nReferee: "), "{invitation}");
}

#[test]
fn shogi_players_are_called_as_in_shogi() {
    let mut game = Match::new(settings("shogi", &[]), time());
    let ply = *game.position().single_plies().first().unwrap();
    let move_text = game.position().text(&ply);
    play(&mut game, &move_text);
    let message = text(&compose(&owed(game, NewMail::new("position", BLACK))));
    assert!(message.contains("(Sente) has played"), "{message}");
    assert!(message.contains("It is your move, Gote."), "{message}");
    assert!(!message.contains("White's") && !message.contains("(White)"));
}

#[test]
fn an_older_position_can_be_shown() {
    let mut game = unachess();
    play(&mut game, "P>e3 n>g5 B>f4");
    let game = owed(
        game,
        NewMail::new("answer", BLACK)
            .showing(1)
            .saying("Here it is."),
    );
    let message = text(&compose(&game));
    assert!(
        message.contains("Below is the position after 1 half-move."),
        "{message}"
    );
    assert!(message.contains("1.  P>e3\n"), "{message}");
    assert!(!message.contains("n>g5"), "{message}");
    // Whose move it is and the count were those of two positions.
    let standing = "The match has gone on to 3\nhalf-moves since; there it is your move, Black,";
    assert!(message.contains(standing), "{message}");
    assert!(!message.contains("number"), "{message}");
    assert!(message.contains(", 1 half-move made, hash "), "{message}");
}

/// The invitation has no command any more, but templates of the user's own may have it.
#[test]
fn a_template_can_say_the_command_that_sets_the_match_up() {
    let mut settings = settings("unachess", &["pawns-1-4", "no-double-step"]);
    settings.players[1] = "Björn O'Neil $HOME `id` <ben@example.org>".parse().unwrap();
    settings.event = Some("Anna's cup; rm -rf *".to_owned());
    settings.time = Some("3d".parse().unwrap());
    let mut game = Match::new(settings, time());
    play(&mut game, "P>e3 n>g5");
    let game = owed(game, NewMail::new("invitation", BLACK));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("invitation.txt"), "{{ command }}\n").unwrap();
    let templates = text_alone(folder.path());
    let mail = compose::compose(&game, &game.owed()[0], &anna(), &templates, &ids()).unwrap();
    let message = text(&mail);
    let read = parsed(&message);
    let body = read.body_text(0).unwrap();
    let command = body.trim_end().strip_prefix("parapost new ").unwrap();
    let output = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!(
            "for word in {command}\ndo printf '%s\\n' \"$word\"; done"
        ))
        .output()
        .unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(
        words,
        [
            "--id",
            "demo",
            "--invited",
            "--game",
            "unachess",
            "--option",
            "no-double-step",
            "--option",
            "pawns-1-4",
            "--white",
            "Anna White <anna@example.org>, <anna@work.test>",
            "--black",
            "Björn O'Neil $HOME `id` <ben@example.org>",
            "--time",
            "3d",
            "--event",
            "Anna's cup; rm -rf *",
            "--moves",
            "1. P>e3 n>g5",
        ]
    );
}

#[test]
fn an_entry_of_a_mailbox_is_quoted_as_mboxrd_does() {
    let mut game = unachess();
    play(&mut game, "P>e3");
    // Quoted-printable hides the first; the second is quoted already.
    let game = owed(game, NewMail::new("position", BLACK).saying("From me\n"));
    let entry = String::from_utf8(compose(&game).mbox_entry()).unwrap();
    assert!(
        entry.starts_with("From anna@example.org Fri Nov 20 03:00:00 2026\nFrom: "),
        "{entry}"
    );
    assert!(entry.ends_with("\n\n"));
    assert!(entry.contains("\n> From me\n"));
    let starts = entry
        .lines()
        .filter(|line| line.starts_with("From "))
        .count();
    assert_eq!(starts, 1, "{entry}");
}

#[test]
fn a_kind_of_mail_that_is_not_known_is_refused() {
    let game = owed(unachess(), NewMail::new("limerick", BLACK));
    let templates = text_alone("/nowhere");
    let error = compose::compose(&game, &game.owed()[0], &anna(), &templates, &ids()).unwrap_err();
    assert!(error.to_string().contains("limerick"), "{error}");
}

#[test]
fn the_file_of_a_message_is_named_by_its_id_and_is_no_path() {
    let game = owed(unachess(), NewMail::new("invitation", BLACK));
    let name = compose(&game).file_name();
    assert!(name.starts_with("demo.2."), "{name}");
    assert!(
        name.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-')
    );
}
