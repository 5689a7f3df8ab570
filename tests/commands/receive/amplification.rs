//! The mails that letters cause: with every kind of letter after every other, each player gets
//! at most what docs/limits.md says.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use parapost::mail::message_id::MessageId;
use parapost::matches::action::Action;
use parapost::matches::decision::{REPEATED, Usage, is_free, is_kept_beyond_bounds};
use parapost::matches::event::{LogEntry, Who};
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;
use parapost::store::store::Store;

use crate::matches::log::{ids, settings, time};
use crate::store::memory::Memory;
use crate::support::in_process;

const REFEREE: &str = "ref@example.org";
const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
const STRANGER: &str = "else@phone.test";

/// `policy.answers` of the tests.
const ANSWERS: usize = 2;

/// A kind of letter: its name, its sender, its subject and its text. `ID` in a text stands for
/// the last mail to Ben, `CODE` for the answer code of it, and `#` for a new number. One
/// without `#` is the same letter under another Message-ID.
const KINDS: [(&str, &str, &str, &str); 42] = [
    ("move", BEN, "[demo]", "n>g5\n"),
    ("move and words", BEN, "[demo]", "n>g5\n\nGood luck #!\n"),
    ("move and mail off", BEN, "[demo]", "n>g5\nmail off\n"),
    ("move and offer", BEN, "[demo]", "n>g5 (=)\n"),
    ("Anna's move", ANNA, "[demo]", "P>d3\n"),
    ("Anna's last move", ANNA, "my move", "P>e3\n"),
    ("Anna's help", ANNA, "[demo]", "help\n\n> #\n"),
    ("Anna's offer", ANNA, "[demo]", "offer draw\n\n> #\n"),
    ("Anna's mail off", ANNA, "[demo]", "mail off\n\n> #\n"),
    ("a move that names no match", BEN, "my move", "n>g5\n"),
    (
        "an old move that names no match",
        BEN,
        "my move #",
        "n>f6\n",
    ),
    ("an old move", BEN, "[demo]", "n>f6\n\n> #\n"),
    ("illegal move", BEN, "[demo]", "n>z9\n\n> #\n"),
    (
        "move in prose",
        BEN,
        "[demo]",
        "I would take n>g5 here, #.\n",
    ),
    ("ambiguous", BEN, "[demo]", "g5\n\n> #\n"),
    ("two moves", BEN, "[demo]", "n>g5\nresign\n\n> #\n"),
    ("talk", BEN, "[demo]", "Nice weather, # degrees.\n"),
    (
        "talk about no match",
        BEN,
        "hello #",
        "Nice weather here.\n",
    ),
    ("nothing", BEN, "[demo]", "\n"),
    ("note", BEN, "[demo]", "note hello #\n"),
    ("empty note", BEN, "[demo]", "note\n\n> #\n"),
    ("help", BEN, "[demo]", "help\n\n> #\n"),
    ("show", BEN, "[demo]", "show\n\n> #\n"),
    ("show 1", BEN, "[demo]", "show 1\n\n> #\n"),
    ("rules", BEN, "[demo]", "rules\n\n> #\n"),
    ("legal", BEN, "[demo]", "legal\n\n> #\n"),
    ("offer", BEN, "[demo]", "offer draw\n\n> #\n"),
    ("accept", BEN, "[demo]", "accept draw\n\n> #\n"),
    ("decline", BEN, "[demo]", "decline draw\n\n> #\n"),
    ("claim", BEN, "[demo]", "claim draw\n\n> #\n"),
    ("propose", BEN, "[demo]", "propose takeback\n\n> #\n"),
    ("agree", BEN, "[demo]", "accept takeback\n\n> #\n"),
    ("disagree", BEN, "[demo]", "decline takeback\n\n> #\n"),
    ("mail off", BEN, "[demo]", "mail off\n\n> #\n"),
    (
        "mail off and words",
        BEN,
        "[demo]",
        "mail off\n\nFarewell #!\n",
    ),
    ("mail on", BEN, "[demo]", "mail on\n\n> #\n"),
    ("mail html off", BEN, "[demo]", "mail html off\n\n> #\n"),
    ("unsubscribe", BEN, "[demo] unsubscribe", "\n"),
    (
        "add address",
        BEN,
        "[demo]",
        "add address else@phone.test\n",
    ),
    (
        "a stranger's tap",
        STRANGER,
        "Re: [demo] P>e3",
        "n>g5\n\nCODE\n",
    ),
    ("a stranger's move", STRANGER, "[demo]", "n>g5\n"),
    ("bounce", "", "", ""),
];

/// A referee's program over two matches in memory, in one of which Ben is to move.
struct Desk {
    folder: tempfile::TempDir,
    games: Vec<Match>,
    /// The last mail to Ben.
    mail: MessageId,
    /// The answer that its links begin.
    answer: String,
}

impl Desk {
    fn new(is_alone: bool) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "[me]\nname = \"Ref\"\naddress = \"{REFEREE}\"\nrole = \"referee\"\n\
             [mail]\nhtml = false\n[policy]\nidentity = \"address\"\nanswers = {ANSWERS}\n"
        );
        fs::write(folder.path().join("ref.toml"), config).unwrap();
        let mut game = Match::new(settings("unachess", &[]), time());
        for (side, text) in [
            (Color::White, "P>a3"),
            (Color::Black, "n>f6"),
            (Color::White, "P>e3"),
        ] {
            let id = format!("<set.{text}@mail.test>");
            let event = LogEntry::new(time(), Action::play(text), side);
            game.push(event.key("msg", Some(id))).unwrap();
        }
        let mail = NewMail::new("position", Color::Black);
        let mail = game.owe(time(), mail, &ids()).unwrap();
        game.sent(time(), &mail, "print").unwrap();
        let other = MatchSettings {
            id: "other".parse().unwrap(),
            ..settings("unachess", &[])
        };
        let mut games = vec![game];
        if !is_alone {
            games.push(Match::new(other, time()));
        }
        let mut desk = Desk {
            folder,
            games,
            mail,
            answer: String::new(),
        };
        let (_, answer) = desk.run(&desk.store(), &["show", "demo", "--answer"], "");
        desk.answer = answer;
        desk
    }

    fn store(&self) -> Arc<Memory> {
        let store = Arc::new(Memory::default());
        for game in &self.games {
            store.create(game).unwrap();
        }
        store
    }

    fn run(&self, store: &Arc<Memory>, words: &[&str], stdin: &str) -> (String, String) {
        let path = |name: &str| self.folder.path().join(name);
        let store = Arc::clone(store) as Arc<dyn Store>;
        let run = in_process::run(&store, &path("ref.toml"), &path("games"), words, stdin);
        (run.stderr, run.stdout)
    }

    /// Writes a letter of a kind, with its number.
    fn letter(&self, kind: usize, number: usize) -> String {
        let (name, from, subject, body) = KINDS[kind];
        if name == "bounce" {
            return self.bounce(number);
        }
        let tap = self.answer.split_once("\n\n").map_or("", |(_, body)| body);
        let tap = tap.replace("MOVE", "n>g5");
        let body = body
            .replace('#', &number.to_string())
            .replace("n>g5\n\nCODE\n", &tap);
        let subject = subject.replace('#', &number.to_string());
        format!(
            "From: <{from}>\nTo: {REFEREE}\nSubject: {subject}\nMessage-ID: <l.{number}@mail.test>\n\
             MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
        )
    }

    /// Writes a delivery report about the last mail to Ben.
    fn bounce(&self, number: usize) -> String {
        format!(
            "Return-Path: <>\nFrom: <mailer-daemon@mail.test>\nTo: {REFEREE}\nSubject: failed\n\
             Message-ID: <b.{number}@mail.test>\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\n\
             Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\nIt failed.\n\
             --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mail.test\n\n\
             Final-Recipient: rfc822; {BEN}\nAction: failed\nStatus: 5.1.1\n\n\
             --b\nContent-Type: message/rfc822\n\nFrom: {REFEREE}\nTo: {BEN}\nSubject: [demo]\n\
             Message-ID: {}\n\nx\n\n--b--\n",
            self.mail
        )
    }

    /// Sends letters of these kinds, and holds what follows to the bounds.
    fn must_hold(&self, kinds: &[usize]) -> Caused {
        let store = self.store();
        let mut mbox = String::new();
        for (number, kind) in kinds.iter().enumerate() {
            let letter = self.letter(*kind, number);
            let _ = writeln!(mbox, "From a@b.test Fri Nov 20 03:00:00 2026\n{letter}");
        }
        let (stderr, stdout) = self.run(&store, &["receive", "--mbox", "-"], &mbox);
        let names: Vec<&str> = kinds.iter().map(|kind| KINDS[*kind].0).collect();
        let caused = Caused::of(&store, self.games.len());
        for side in Color::ALL {
            let (own, other) = (caused.by(side), caused.by(!side));
            assert!(
                own.counted <= ANSWERS + own.offs,
                "{names:?}: {own:?} of {side:?} count\n{stderr}"
            );
            let most = own.counted + 2 * own.free + 2 * other.counted + 2 * other.free;
            let got = caused.mails[side.index()];
            assert!(
                got <= most,
                "{names:?}: {got} mails to {side:?}, not {most}\n{stderr}\n{stdout}"
            );
        }
        caused
    }
}

/// What the letters of a side came to.
#[derive(Clone, Copy, Default, Debug)]
struct Letters {
    /// Those that count.
    counted: usize,
    /// Those that do not.
    free: usize,
    /// Those that switch mail off, which count, but which no bound stops.
    offs: usize,
}

/// What letters have caused in all matches.
#[derive(Default)]
struct Caused {
    mails: [usize; 2],
    letters: [Letters; 2],
    /// The letters that are remembered as ones that only repeated a move.
    repeated: usize,
}

impl Caused {
    fn of(store: &Arc<Memory>, games: usize) -> Caused {
        let mut caused = Caused::default();
        for id in ["demo", "other"].iter().take(games) {
            let game = store.read(&id.parse().unwrap()).unwrap().game;
            let now = game.log().last().unwrap().time;
            for side in Color::ALL {
                let letters = &mut caused.letters[side.index()];
                letters.counted += Usage::of(&game, Who::Player(side), now).letters;
            }
            for event in game.log().iter().filter(|event| event.time != time()) {
                let is_repeated = event.event == REPEATED;
                caused.repeated += usize::from(is_repeated);
                let Who::Player(side) = event.who else {
                    continue;
                };
                caused.mails[side.index()] += usize::from(event.is_owed());
                let letters = &mut caused.letters[side.index()];
                letters.offs += usize::from(is_kept_beyond_bounds(event));
                let is_letter = event.get("msg").is_some() && !event.is_of_outgoing_mail();
                letters.free += usize::from(is_letter && is_free(event) && !is_repeated);
            }
        }
        caused
    }

    fn by(&self, side: Color) -> Letters {
        self.letters[side.index()]
    }
}

/// Every kind of letter after every other. `PARAPOST_AMPLIFICATION` is the number of letters of
/// each pair, 3 if it is not set: one more than are answered.
#[test]
#[ignore = "takes long"]
fn no_two_kinds_of_letters_cause_more_mails_than_the_limits_say() {
    let letters = std::env::var("PARAPOST_AMPLIFICATION");
    let letters: usize = letters.map_or(3, |letters| letters.parse().unwrap());
    let desks = [Desk::new(true), Desk::new(false)];
    let pairs = KINDS.len() * KINDS.len();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= pairs {
                        break;
                    }
                    let kinds = [pair / KINDS.len(), pair % KINDS.len()];
                    let sent: Vec<usize> = (0..letters).map(|number| kinds[number % 2]).collect();
                    desks[(kinds[0] + kinds[1]) % 2].must_hold(&sent);
                }
            });
        }
    });
}

/// A repeated move brought the mail back, and the opponent was told each time.
#[test]
#[ignore = "takes long"]
fn a_repeated_move_brings_no_mail_back() {
    let desk = Desk::new(true);
    let kind = |name: &str| KINDS.iter().position(|(other, ..)| *other == name).unwrap();
    let after_a_move = |kinds: [&str; 2]| {
        let sent = [kind("move")].into_iter();
        let sent = sent.chain(kinds.map(kind).into_iter().cycle().take(60));
        desk.must_hold(&sent.collect::<Vec<_>>())
    };
    let caused = after_a_move(["mail off", "a move that names no match"]);
    assert_eq!(caused.repeated, 30);
    assert_eq!(caused.by(Color::Black).offs, 1);
    // Letters beyond the bound bring nothing back, either.
    for name in ["mail on", "help", "talk"] {
        let caused = after_a_move(["mail off", name]);
        assert!(caused.by(Color::Black).offs <= ANSWERS, "{name}");
    }
}

/// The mails owed to a side, as the text of the log has them.
fn mails(store: &Arc<Memory>, side: &str) -> usize {
    let text = store.text(&"demo".parse().unwrap()).unwrap().unwrap();
    let text = String::from_utf8(text).unwrap();
    let (_, log) = text.split_once("\nLog\n").unwrap();
    let owed = format!(" owed {side} ");
    log.lines().filter(|line| line.contains(&owed)).count()
}

/// The bound as a number, without the program's own account of what counts: thirty letters of
/// a kind cause as many mails as are answered in a day, and one that is free.
#[test]
#[ignore = "takes long"]
fn thirty_letters_of_a_kind_cause_a_handful_of_mails() {
    let desk = Desk::new(true);
    let sides = ["White", "Black"];
    for (kind, (name, ..)) in KINDS.iter().enumerate() {
        let store = desk.store();
        let before = sides.map(|side| mails(&store, side));
        let mut mbox = String::new();
        for number in 0..30 {
            let letter = desk.letter(kind, number);
            let _ = writeln!(mbox, "From a@b.test Fri Nov 20 03:00:00 2026\n{letter}");
        }
        desk.run(&store, &["receive", "--mbox", "-"], &mbox);
        for (side, before) in sides.into_iter().zip(before) {
            let caused = mails(&store, side) - before;
            assert!(caused <= ANSWERS + 1, "{name}: {caused} mails to {side}");
        }
    }
}
