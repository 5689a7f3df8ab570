//! Tests of deliveries over a transport that fails when told to.

use std::path::Path;

use super::*;
use crate::command::test_helpers::{self, RecordingTransport};
use crate::matches::action::Action;
use crate::matches::event::{Event, LogEntry};
use crate::matches::mail::{MailWish, NewMail};
use crate::rules::Color;
use crate::store::store::Sending;

/// Creates a session in which Anna has moved, which Ben is to be told, and Ben's letter
/// is to be answered.
fn session(folder: &Path, role: &str) -> Session {
    let name = if role == "referee" { "ref" } else { "anna" };
    test_helpers::session(folder, name, role, |game, ids| {
        let now = game.started();
        game.push(LogEntry::new(now, Action::play("P>e3"), Color::White))
            .unwrap();
        game.owe(now, NewMail::new("position", Color::Black), ids)
            .unwrap();
        let answer = NewMail::new("answer", Color::Black).saying("No.");
        let answer = answer.at_address("ben@work.test".parse().unwrap());
        game.owe(now, answer, ids).unwrap();
    })
}

fn attempts(session: &Session) -> Attempts {
    let id = "m".parse().unwrap();
    Attempts::open(session.store.sending(&id).unwrap()).unwrap()
}

/// Begins a delivery of the match.
fn run(session: &Session, which: Which) -> Run<'_> {
    Run {
        session,
        stored: session.store.read(&"m".parse().unwrap()).unwrap(),
        which,
        called_for: HashSet::new(),
        tried: HashSet::new(),
        reports: Vec::new(),
        counts: Counts::default(),
        delivered: Delivered::default(),
        recipients: None,
        is_told: false,
    }
}

/// Delivers once, and returns what was told and the outcome.
fn deliver_by(
    session: &Session,
    transport: &mut RecordingTransport,
    which: Which,
) -> (Vec<String>, Delivered, Match) {
    let mut run = run(session, which);
    run.deliver(&mut attempts(session), transport).unwrap();
    (run.reports, run.delivered, Match::clone(&run.stored.game))
}

fn refusal() -> SendError {
    SendError::Refused(Rejection {
        words: "550 no\r\n such\u{1b} user".to_owned(),
        error: Error::refused("refused"),
    })
}

fn deferral() -> SendError {
    SendError::Deferred(Error::later("not now"))
}

#[test]
fn a_mail_is_under_way_until_it_is_certain_that_it_was_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    let stored = session.store.read(&"m".parse().unwrap()).unwrap();
    let first = stored.game.owed()[0].clone();
    // Once it may have gone, it may have, whatever later attempts come to.
    for (failure, is_under_way) in [
        (SendError::SetUp(Error::refused("no")), false),
        (deferral(), false),
        (SendError::Unknown(Error::later("broken off")), true),
        (deferral(), true),
    ] {
        let expected = format!("parapost: {failure}");
        let ends_it = matches!(failure, SendError::SetUp(_));
        transport.failures.push_back(failure.clone());
        if !ends_it {
            transport.failures.push_back(deferral());
        }
        let (reports, delivered, _) = deliver_by(&session, &mut transport, Which::All);
        assert_eq!(reports[0], expected);
        assert!(delivered.sent.is_empty());
        let attempts = attempts(&session);
        assert_eq!(attempts.may_have_gone(&first.msg), is_under_way);
    }
    let (reports, delivered, game) = deliver_by(&session, &mut transport, Which::All);
    assert_eq!((reports.len(), delivered.sent.len()), (0, 2));
    assert_eq!(delivered.status, Status::Done);
    assert!(game.owed().is_empty());
    let [sent, _] = transport.sent.as_slice() else {
        panic!("{} messages were sent", transport.sent.len());
    };
    assert_eq!(sent.id(), &first.msg);
    assert_eq!(sent.envelope().to(), ["ben@example.org".parse().unwrap()]);
    assert!(!attempts(&session).may_have_gone(&first.msg));
}

/// A lock whose text cannot be written, as on a full disk.
struct Unwritable;

impl Sending for Unwritable {
    fn text(&mut self) -> Result<String, Error> {
        Ok(String::new())
    }

    fn set_text(&mut self, _text: &str) -> Result<(), Error> {
        Err(Error::later("the disk is full"))
    }
}

/// The mail would go, and nobody would know of it.
#[test]
fn no_mail_is_sent_whose_attempt_cannot_be_noted() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    let mut attempts = Attempts::open(Box::new(Unwritable)).unwrap();
    let error = run(&session, Which::All)
        .deliver(&mut attempts, &mut transport)
        .unwrap_err();
    assert!(error.is_transient(), "{error}");
    assert_eq!(transport.attempts, 0);
}

#[test]
fn a_mail_that_is_refused_for_good_holds_up_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    transport.failures.push_back(refusal());
    let (reports, delivered, game) = deliver_by(&session, &mut transport, Which::Due);
    assert_eq!(reports[0], "parapost: refused");
    assert_eq!(delivered.status, Status::Refused);
    assert_eq!(transport.sent.len(), 1);
    assert!(game.owed().is_empty());
    let [refused] = game.undelivered() else {
        panic!("{:?}", game.undelivered());
    };
    assert_eq!(refused.mail.kind.as_str(), "position");
    assert_eq!(refused.reason, "550 no such\u{1b} user");
    let line = game.log().last().unwrap().to_string();
    assert!(line.contains(" sent "), "{line}");
    // It is not tried again.
    let (_, delivered, _) = deliver_by(&session, &mut transport, Which::All);
    assert_eq!((delivered.status, transport.attempts), (Status::Done, 2));
}

#[test]
fn an_answer_goes_to_the_players_own_address_where_the_writers_fails() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    let nothing = SendError::Deferred(Error::later("greylisted"));
    transport.failures.extend([nothing, refusal()]);
    let (reports, delivered, game) = deliver_by(&session, &mut transport, Which::Due);
    assert!(
        reports[2].contains("it goes to ben@example.org instead"),
        "{reports:?}"
    );
    assert_eq!(delivered.status, Status::Later, "the other mail is owed");
    assert_eq!(delivered.sent.len(), 1);
    assert!(game.undelivered().is_empty());
    let sent = &transport.sent[0];
    assert_eq!(sent.envelope().to(), ["ben@example.org".parse().unwrap()]);
    assert_eq!(sent.id(), &delivered.sent[0]);
}

#[test]
fn trouble_with_the_set_up_leaves_all_mail_owed() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    for _ in 0..3 {
        let failure = SendError::SetUp(Error::refused("535 wrong password"));
        transport.failures.push_back(failure);
        let (_, delivered, game) = deliver_by(&session, &mut transport, Which::Due);
        assert_eq!((delivered.status, game.owed().len()), (Status::Refused, 2));
    }
    assert_eq!(transport.attempts, 3, "no other is tried, and none waits");
    assert!(
        deliver_by(&session, &mut transport, Which::Due)
            .2
            .owed()
            .is_empty()
    );
}

#[test]
fn a_mail_that_fails_again_and_again_waits_longer_and_longer() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    transport
        .failures
        .extend([deferral(), refusal(), refusal()]);
    deliver_by(&session, &mut transport, Which::Due);
    assert_eq!(transport.attempts, 3);
    for minutes in [0, 5, 10, 20] {
        session.now += chrono::TimeDelta::minutes(minutes);
        transport.failures.push_back(deferral());
        let before = transport.attempts;
        let (_, delivered, _) = deliver_by(&session, &mut transport, Which::Due);
        assert_eq!(transport.attempts, before + 1, "{minutes}");
        assert_eq!(delivered.status, Status::Later);
        assert_eq!(delivered.status_of_new, Status::Done);
        let (reports, delivered, _) = deliver_by(&session, &mut transport, Which::Due);
        assert_eq!(transport.attempts, before + 1, "it waits");
        assert_eq!(delivered.status, Status::Later);
        assert!(reports[0].contains("waits until"), "{reports:?}");
    }
    let (_, delivered, _) = deliver_by(&session, &mut transport, Which::All);
    assert_eq!(delivered.sent.len(), 1, "by name it is tried at once");
}

#[test]
fn a_referee_tells_the_other_player_once_that_a_move_did_not_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "referee");
    let mut transport = RecordingTransport::default();
    transport.failures.push_back(refusal());
    let (_, delivered, game) = deliver_by(&session, &mut transport, Which::Due);
    assert_eq!(delivered.status, Status::Refused);
    assert_eq!(game.undelivered().len(), 1);
    let notice = String::from_utf8(transport.sent[1].text()).unwrap();
    let notice = notice.replace('\n', " ");
    assert!(notice.contains(" To: Anna <anna@example.org> "), "{notice}");
    assert!(notice.contains("to Ben could not be delivered"), "{notice}");
    assert!(
        !notice.contains("such"),
        "the server's words are not carried"
    );
    // A note that fails too says nothing new.
    let mut game = game;
    let note = NewMail::new("note", Color::Black)
        .saying("K>a1")
        .automatic();
    game.owe(session.now, note, &session.ids).unwrap();
    let msg = game.owed()[0].msg.clone();
    let due = game
        .mail_failed(session.now, &msg, "smtp", "550", true)
        .unwrap();
    assert_eq!(due, None);
}

/// Nothing but the user mends it, so that `serve` must not try it each minute.
#[test]
fn a_mail_that_cannot_be_written_waits() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let templates = session.config.templates();
    std::fs::create_dir(&templates).unwrap();
    std::fs::write(templates.join("position.txt"), "{{ broken").unwrap();
    let mut transport = RecordingTransport::default();
    let (reports, delivered, game) = deliver_by(&session, &mut transport, Which::Due);
    assert!(reports[0].contains("position.txt"), "{reports:?}");
    assert_eq!(delivered.next_in, Some(UNWRITTEN));
    assert_eq!((delivered.sent.len(), game.owed().len()), (1, 1));
}

/// Another process had the lock, and has sent the mail of the match that was read before.
#[test]
fn a_match_is_read_once_more_under_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let before = session.store.read(&"m".parse().unwrap()).unwrap();
    let mut transport = RecordingTransport::default();
    deliver_by(&session, &mut transport, Which::All);
    assert_eq!(transport.sent.len(), 2);
    let (delivered, [printed, _], _) = test_helpers::with_context(b"", |context| {
        let mut mailer = Mailer::new(&session, Outlet::Print(PrintForm::Auto));
        deliver(context, &mut mailer, before, Which::All).unwrap()
    });
    assert_eq!((printed.as_str(), delivered.sent), ("", Vec::new()));
}

#[test]
fn a_player_who_wants_no_mail_is_not_told_of_a_move_that_did_not_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path(), "referee");
    session.now += chrono::TimeDelta::minutes(1);
    let stored = session.store.read(&"m".parse().unwrap()).unwrap();
    let wish = LogEntry::new(session.now, Event::Wish(Some(MailWish::Off)), Color::White);
    update(&*session.store, stored, |game| game.push(wish.clone())).unwrap();
    let mut transport = RecordingTransport::default();
    transport.failures.extend([refusal(), refusal()]);
    let (_, _, game) = deliver_by(&session, &mut transport, Which::Due);
    assert_eq!(game.undelivered().len(), 1);
    let to: Vec<_> = transport
        .sent
        .iter()
        .map(|mail| mail.envelope().to())
        .collect();
    assert_eq!(
        to,
        [["ben@example.org".parse().unwrap()]],
        "the answer goes to Ben"
    );
    assert!(game.owed().is_empty());
}

#[test]
fn of_each_move_that_does_not_arrive_the_other_player_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "referee");
    let mut game = Match::clone(&session.store.read(&"m".parse().unwrap()).unwrap().game);
    let now = session.now;
    let refused = |game: &mut Match| {
        let msg = game.owed().last().unwrap().msg.clone();
        let due = game.mail_failed(now, &msg, "smtp", "550", true).unwrap();
        due.map(|due| due.mail.to)
    };
    let owe = |game: &mut Match| {
        let mail = NewMail::new("position", Color::Black);
        game.owe(now, mail, &session.ids).unwrap();
    };
    let receipt = NewMail::new("receipt", Color::Black);
    game.owe(now, receipt, &session.ids).unwrap();
    assert_eq!(refused(&mut game), None, "it tells Black nothing");
    owe(&mut game);
    assert_eq!(refused(&mut game), Some(Color::White));
    owe(&mut game);
    assert_eq!(refused(&mut game), None, "White knows of this move");
    for (side, text) in [(Color::Black, "n>g5"), (Color::White, "B>f4")] {
        game.push(LogEntry::new(now, Action::play(text), side))
            .unwrap();
    }
    owe(&mut game);
    assert_eq!(refused(&mut game), Some(Color::White));
}

/// Else the notes would grow with each mail that was ever tried in vain.
#[test]
fn what_is_noted_of_a_mail_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut transport = RecordingTransport::default();
    transport.failures.extend([deferral(), deferral()]);
    let (_, _, game) = deliver_by(&session, &mut transport, Which::Due);
    let [position, answer] = [0, 1].map(|at| game.owed()[at].msg.clone());
    assert!(attempts(&session).has_failed(&position));
    let stored = session.store.read(game.id()).unwrap();
    let dropped = |game: &mut Match| game.drop_mail(session.now, &position);
    update(&*session.store, stored, dropped).unwrap();
    transport.failures.push_back(deferral());
    deliver_by(&session, &mut transport, Which::All);
    assert!(!attempts(&session).has_failed(&position));
    assert!(attempts(&session).has_failed(&answer));
}

/// Whoever sends a mail elsewhere has given up the player's own address.
#[test]
fn a_mail_that_a_person_has_sent_elsewhere_does_not_come_back_to_the_own_address() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), "player");
    let mut game = Match::clone(&session.store.read(&"m".parse().unwrap()).unwrap().game);
    let (now, msg) = (session.now, game.owed()[0].msg.clone());
    let refuse = |game: &mut Match| game.mail_failed(now, &msg, "smtp", "550", false);
    refuse(&mut game).unwrap();
    let elsewhere = "ben@elsewhere.test".parse().unwrap();
    game.requeue(now, &msg, Some(elsewhere)).unwrap();
    assert_eq!(game.owed().len(), 2);
    refuse(&mut game).unwrap();
    assert_eq!((game.owed().len(), game.undelivered().len()), (1, 1));
}
