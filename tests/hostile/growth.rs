//! Inputs of every kind for every command, each in several lengths. `cost.rs` counts their costs. Nobody can foresee
//! every input whose cost grows faster than its length, so most inputs are made out of units.

use std::fmt::Write as _;
use std::sync::Arc;

use fastrand::Rng;
use parapost::mail::lmtp::{DeliveryStatus, NextStep, Protocol};
use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::{MailKind, NewMail};
use parapost::matches::r#match::Match;
use parapost::notation::move_list::MoveList;
use parapost::rules::Color;
use parapost::store::store::Store;

use super::CONFIG;
use super::hearing::{game, hear};
use super::shapes::{SHAPES, Shape};
use crate::fuzz_harness::imap;
use crate::matches::log::{ids, time};
use crate::store::memory::Memory;
use crate::support::{Sandbox, in_process};

/// The work for an input of one length.
pub(super) type Job = Box<dyn Fn()>;

/// A kind of input for a command.
pub(super) struct Kind {
    pub(super) name: String,
    /// The lengths, in KiB. The first input also builds everything that is built once.
    pub(super) lengths: [usize; 3],
    make: Box<dyn Fn(usize) -> Job>,
}

impl Kind {
    fn new(
        name: impl Into<String>,
        lengths: [usize; 3],
        make: impl Fn(usize) -> Job + 'static,
    ) -> Kind {
        Kind {
            name: name.into(),
            lengths,
            make: Box::new(make),
        }
    }

    /// Makes its inputs. This is not counted.
    pub(super) fn jobs(&self) -> [Job; 3] {
        self.lengths.map(|kib| (self.make)(kib << 10))
    }
}

/// Returns the kinds that were once too costly, and one in `one_of` of the others.
pub(super) fn kinds(one_of: usize) -> Vec<Kind> {
    let mut kinds = once_too_dear();
    let others = shapes().into_iter().chain(states()).chain(sessions());
    let others = others.chain(texts(one_of));
    kinds.extend(others.step_by(one_of));
    kinds
}

/// The messages of `shapes.rs`. Counting instructions makes a run some fifty times as long.
fn shapes() -> Vec<Kind> {
    let kind = |&(name, shape): &(&'static str, Shape)| {
        Kind::new(name, [1, 2, 8], move |bytes| letter(game(), shape(bytes)))
    };
    SHAPES.iter().map(kind).collect()
}

/// A letter that is heard in a match.
fn letter(game: Match, message: Vec<u8>) -> Job {
    Box::new(move || assert_ne!(hear(&game, &message), "no message"))
}

const FROM: &str = "From: ben@example.test\nSubject: Re: [one]\n\n";

const STRANGER: &str = "From: eve@example.test\nMessage-ID: <1@eve.test>\nIn-Reply-To: <2@eve.test>\nSubject: hello\n\n";

/// The commands that read a text. `analyse` reads it as `legal` does.
const READERS: [&[&str]; 4] = [
    &["check", "-"],
    &["show", "-"],
    &["legal", "-"],
    &["verify", "one", "-"],
];

/// A run of the program, in process, over that match.
fn run(game: &Match, words: &'static [&'static str], stdin: String) -> Job {
    let house = Sandbox::new().file("config.toml", CONFIG).dir("games");
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    store.create(game).expect("no such match");
    Box::new(move || {
        let (config, games) = (house.path("config.toml"), house.path("games"));
        let run = in_process::run(&store, &config, &games, words, &stdin);
        // All is well, or the input is refused.
        assert!(run.status <= 1, "{words:?}: {} {}", run.status, run.stderr);
    })
}

/// Inputs whose cost once grew faster than their length, each in the reported length or one that is long enough to show
/// it.
fn once_too_dear() -> Vec<Kind> {
    let variations = |bytes| run(&game(), READERS[0], repeated("1. e4 (1. d4 ", bytes));
    let signed = |bytes| {
        let text = repeated("-----BEGIN PGP SIGNED MESSAGE-----\n", bytes);
        letter(game(), (FROM.to_owned() + &text).into_bytes())
    };
    let feet = |bytes| {
        let game = long_game(bytes / 512);
        let mut message = STRANGER.to_owned();
        let mut at = 0;
        while message.len() < bytes {
            let made = at % game.record().steps().len();
            let _ = writeln!(message, "Game one, {made} half-moves made, hash {at:016x}.");
            at += 1;
        }
        run(&game, &["receive", "--print"], message)
    };
    vec![
        Kind::new("check: variations on one line", [1, 3, 6], variations),
        Kind::new("signed texts that do not end", [4, 32, 64], signed),
        Kind::new("tags that do not end", [4, 16, 32], |bytes| {
            letter(
                game(),
                (FROM.to_owned() + &repeated("[a ", bytes)).into_bytes(),
            )
        }),
        Kind::new(
            "receive: a stranger's feet of a long match",
            [4, 24, 48],
            feet,
        ),
        Kind::new("list: sent mails", [8, 128, 256], |bytes| {
            run(&match_with(bytes, Mails::Sent), &["list"], String::new())
        }),
    ]
}

/// A match of so many half-moves.
fn long_game(plies: usize) -> Match {
    let mut game = game();
    let mut rng = Rng::with_seed(1);
    while game.record().steps().len() < plies {
        let position = game.position();
        let all = position.single_plies();
        // Avoids mates, and captures if there is another move, so that the match goes on.
        let texts = all.iter().map(|ply| position.text(ply));
        let texts: Vec<String> = texts.filter(|text| !text.contains('#')).collect();
        let quiet = texts.iter().filter(|text| !text.contains('x'));
        let mut quiet: Vec<&String> = quiet.collect();
        if quiet.is_empty() {
            quiet.extend(&texts);
        }
        let Some(text) = rng.choice(quiet) else { break };
        let side = position.turn();
        if game
            .push(LogEntry::new(time(), Action::play(text), side))
            .is_err()
        {
            break;
        }
    }
    game
}

/// The state of the mails of a match.
#[derive(Clone, Copy, Debug)]
enum Mails {
    Owed,
    Sent,
    Filed,
    Refused,
    Dropped,
}

/// A match whose file has about so many bytes of mails.
fn match_with(bytes: usize, mails: Mails) -> Match {
    let mut game = game();
    let (mut made, ids) = (Vec::new(), ids());
    for _ in 0..bytes / 300 {
        let mail = NewMail::new(MailKind::Note, Color::Black).saying("hello");
        made.push(game.owe(time(), mail, &ids).expect("a mail"));
    }
    for msg in made {
        let done = match mails {
            Mails::Owed => Ok(()),
            Mails::Sent => game.sent(time(), &msg, "smtp"),
            Mails::Filed => game.sent(time(), &msg, "folder"),
            Mails::Refused => game
                .mail_failed(time(), &msg, "smtp", "no", false)
                .map(drop),
            Mails::Dropped => game.drop_mail(time(), &msg),
        };
        done.expect("a step of the mail");
    }
    game
}

/// Matches with many mails, and the commands that read them.
fn states() -> Vec<Kind> {
    const PLAYER: &str =
        "From: ben@example.test\nMessage-ID: <1@ben.test>\nSubject: Re: [one]\n\nn>g5\n";
    const ASKED: [(&[&str], &str); 4] = [
        (&["list"], ""),
        (&["receive", "--print"], STRANGER),
        (&["receive"], PLAYER),
        (&["verify", "one"], ""),
    ];
    let all = [
        Mails::Owed,
        Mails::Sent,
        Mails::Filed,
        Mails::Refused,
        Mails::Dropped,
    ];
    let kind = |mails: Mails, (words, stdin): (&'static [&'static str], &'static str)| {
        let name = format!("{words:?} {stdin:.12} {mails:?}");
        Kind::new(name, [8, 64, 128], move |bytes| {
            run(&match_with(bytes, mails), words, stdin.to_owned())
        })
    };
    // Mixes them, so that a part of them has some of each.
    let places =
        (0..all.len() * ASKED.len()).map(|at| (all[at % all.len()], ASKED[at % ASKED.len()]));
    places.map(|(mails, asked)| kind(mails, asked)).collect()
}

/// What servers and clients say in one session.
fn sessions() -> Vec<Kind> {
    let numbers = |n: usize| (3..n).fold(String::new(), |all, number| all + &format!(" {number}"));
    let search = move |bytes: usize| imap_session(&format!("* SEARCH{}", numbers(bytes / 5)), "");
    let heads = move |bytes: usize| {
        let count = bytes / 80;
        let head = |uid| {
            format!(
                "* {uid} FETCH (UID {uid} BODY[HEADER.FIELDS (FROM)]<0> {{14}}\r\nFrom: a@b.test)\r\n"
            )
        };
        let said: String = (3..count).map(head).collect();
        imap_session(&format!("* SEARCH{}", numbers(count)), &said)
    };
    let flags = |bytes: usize| {
        imap_session(
            "* SEARCH 3",
            &repeated("* 3 FETCH (FLAGS (\\Seen))\r\n", bytes),
        )
    };
    let quoted = |bytes: usize| {
        let text = repeated("\\\"", bytes.min(60 << 10));
        imap_session("* SEARCH 3", &format!("* 3 FETCH (UID 3 X \"{text}\")\r\n"))
    };
    let blanks = |bytes: usize| imap_session("* SEARCH 3", &repeated("* OK x\r\n", bytes));
    let mbox = |bytes: usize| {
        let one = "From a@b.test Fri Nov 20 03:00:00 2026\nFrom: a@b.test\n\nhello\n\n";
        run(
            &game(),
            &["receive", "--mbox", "--dry-run"],
            repeated(one, bytes),
        )
    };
    let mut kinds = vec![
        Kind::new("imap: numbers", [1, 32, 64], search),
        Kind::new("imap: heads", [1, 32, 64], heads),
        Kind::new("imap: flags", [1, 32, 64], flags),
        Kind::new("imap: a quoted text", [1, 16, 32], quoted),
        Kind::new("imap: remarks", [1, 32, 64], blanks),
        Kind::new("receive: a mailbox of short letters", [1, 8, 16], mbox),
    ];
    let units = [
        ("NOOP\r\n", ""),
        ("a", ""),
        ("RSET\r\nMAIL FROM:<a@b.test>\r\n", ""),
        ("DATA\r\n", "hello\r\n"),
        ("DATA\r\n", ".\n"),
        ("DATA\r\n", "..\r\n"),
        ("DATA\r\n", "a"),
        ("DATA\r\n", "\r"),
    ];
    kinds.extend(units.map(|(head, unit)| {
        Kind::new(
            format!("lmtp: {head:?} {unit:?}"),
            [1, 32, 64],
            move |bytes| lmtp(head, unit, bytes),
        )
    }));
    kinds
}

/// A session in which a server gives these answers to the search and to the request for headers.
fn imap_session(found: &str, heads: &str) -> Job {
    let done = |number: usize| format!("A{number} OK done\r\n");
    let mut said = "* OK [CAPABILITY IMAP4rev1] ready\r\n* CAPABILITY IMAP4rev1\r\n".to_owned();
    said +=
        &(done(1) + "* 3 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 9] x\r\n" + &done(2));
    said = said + found + &format!("\r\n{}{heads}", done(3));
    // The client may ask for more chunks of numbers.
    said.extend((4..40).map(done));
    Box::new(move || imap(said.as_bytes()))
}

/// A session of LMTP: a repeated command, or a message made of a unit.
fn lmtp(head: &'static str, unit: &'static str, bytes: usize) -> Job {
    let mut said = "LHLO b.test\r\n".to_owned();
    if unit.is_empty() {
        said += &repeated(head, bytes);
    } else {
        said += "MAIL FROM:<a@b.test>\r\nRCPT TO:<a@b.test>\r\n";
        said += head;
        said += &repeated(unit, bytes);
        said += "\r\n.\r\nQUIT\r\n";
    }
    Box::new(move || {
        let mut replies = Vec::new();
        let mut session = Protocol::new("b.test", &mut replies);
        // In pieces, as a network delivers them.
        for mut piece in said.as_bytes().chunks(1400) {
            loop {
                match session.feed(&mut piece, &|_| true, &mut replies) {
                    NextStep::More | NextStep::End => break,
                    NextStep::Large => session.make_room(true),
                    NextStep::Message(_) => session.settle(DeliveryStatus::Done, &mut replies),
                }
            }
        }
    })
}

fn repeated(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes.div_ceil(unit.len()))
}

/// The units of texts: at least one for each thing that a reader recognizes.
const UNITS: [&str; 38] = [
    "1. P>e3 n>g5 ",
    "1. e4 (1. d4 ",
    "e4 ",
    "1. ",
    "1... e5 ",
    "P>",
    "K>b1,",
    "{a ",
    "} ",
    "; a ",
    "( ",
    "[Event \"a\"] ",
    "$1 ",
    "> ",
    "a ",
    "- - - - - - - - ",
    "+---+---+---+---+---+---+---+---+ ",
    "|   |   |   |   |   |   |   |   | ",
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP SIGNATURE-----",
    "Game one, 1 half-moves made, hash 0123456789abcdef. ",
    "Rules: chess ",
    "Options: a ",
    "White       Black ",
    "On Friday, Anna wrote: ",
    "From: a ",
    "-- ",
    "[quote]",
    "[/quote] ",
    "<b>",
    "&gt;",
    "~~a",
    "é ",
    "Result: 1-0 ",
    "AB> ",
    "2026-11-20T03:00:00Z move White P>e3 ",
    "parapost new --white ",
];

/// A text of about so many bytes, of one unit or two.
#[derive(Clone, Copy, Debug)]
enum Form {
    OneLine,
    Lines,
    /// With an empty line between two units.
    Apart,
    /// Each line one level deeper in quotation.
    Deeper,
    /// The second unit after all of the first, so that each of the first may search for its end.
    Behind,
    /// The two units in turn.
    ByTurns,
}

impl Form {
    fn text(self, [one, other]: [&str; 2], bytes: usize) -> String {
        let line = |unit: &str| format!("{}\n", unit.trim_end());
        match self {
            Form::OneLine => repeated(one, bytes),
            Form::Lines => repeated(&line(one), bytes),
            Form::Apart => repeated(&(line(one) + "\n"), bytes),
            Form::Deeper => {
                let mut text = String::new();
                let mut depth = 0;
                while text.len() < bytes {
                    text += &(">".repeat(depth % 200) + " " + &line(one));
                    depth += 1;
                }
                text
            }
            Form::Behind => repeated(&line(one), bytes / 2) + &repeated(&line(other), bytes / 2),
            Form::ByTurns => repeated(&(line(one) + &line(other)), bytes),
        }
    }
}

/// Texts of each unit in each form. The seed draws the second unit of pairs.
fn texts(one_of: usize) -> Vec<Kind> {
    let lengths = if one_of == 1 { [2, 32, 64] } else { [1, 8, 16] };
    let seed = std::env::var("PARAPOST_TEST_SEED").ok();
    let mut rng = Rng::with_seed(seed.and_then(|seed| seed.parse().ok()).unwrap_or(1));
    let mut made: Vec<(Form, [&'static str; 2])> = Vec::new();
    for unit in UNITS {
        for form in [Form::OneLine, Form::Lines, Form::Apart, Form::Deeper] {
            made.push((form, [unit; 2]));
        }
        for form in [Form::Behind, Form::ByTurns] {
            let other = UNITS[rng.usize(..UNITS.len())];
            made.push((form, [unit, other]));
        }
    }
    // Shuffled, so that a part has some of each.
    rng.shuffle(&mut made);
    if one_of > 1 {
        made.truncate(40 * one_of);
    }
    let readers = READERS.len() + 1;
    let kind = |(at, (form, units)): (usize, (Form, [&'static str; 2]))| {
        let reader = READERS.get(at / one_of % readers).copied();
        let name = format!(
            "{} {form:?} {units:?}",
            reader.map_or("letter", |words| words[0])
        );
        Kind::new(name, lengths, move |bytes| {
            let text = form.text(units, bytes);
            match reader {
                Some(words) => run(&game(), words, text),
                None => letter(game(), (FROM.to_owned() + &text).into_bytes()),
            }
        })
    };
    made.into_iter().enumerate().map(kind).collect()
}

#[test]
fn the_long_game_is_one() {
    let list = MoveList::of(long_game(192).record()).to_string();
    assert!(list.lines().count() > 90, "{list}");
}
