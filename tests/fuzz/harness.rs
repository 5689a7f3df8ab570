//! What must hold whatever the input, one function a reader: run under `cargo fuzz` by `tests/fuzz/targets`, and in the
//! tests on stored and mutated seeds by `tests/fuzzing.rs`. By hand, without a nightly compiler, in `tests/fuzz`:
//! `cargo fuzz run -s none --fuzz-dir . play corpus seeds/play`. A function returns, or panics because something does not
//! hold.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each target includes this file and uses one function"
)]

pub mod stranger;

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use parapost::config::Config;
use parapost::inbound::incoming_message;
use parapost::mail::imap::connection::Connection;
use parapost::mail::limits;
use parapost::mail::quoting::line;
use parapost::mail::wire::Stream;
use parapost::matches::r#match::Match;
use parapost::notation::diagnostic;
use parapost::notation::diagram::{Diagram, DiagramStyle, Script};
use parapost::notation::judge::{self, GameChoice};
use parapost::notation::move_list::MoveList;
use parapost::notation::reader::{self, pasted};
use parapost::rules::game::Captured;
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Ply, Position, Record, Setup, Variant, games};
use parapost::store::repair::DamagedFile;

/// Takes any input, and panics if something does not hold.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: &[(&str, Target)] = &[
    ("play", play),
    ("moves", moves),
    ("fen", fen),
    ("text", text),
    ("diagram", diagram),
    ("letter", letter),
    ("html", html),
    ("state", state),
    ("config", config),
    ("imap", imap),
];

/// The longest game played.
const PLIES: usize = 160;

/// The variant a byte names, and the rest.
fn variant(data: &[u8]) -> (Variant, &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let game = games::ALL[usize::from(*first) % games::ALL.len()];
    let bits = usize::from(*first) / games::ALL.len();
    let options: Vec<&str> = game
        .options
        .iter()
        .enumerate()
        .filter(|(i, _)| bits >> i & 1 == 1)
        .map(|(_, option)| option.name)
        .collect();
    let variant = Variant::new(game, &options).or_else(|_| Variant::new(game, &[]));
    (variant.expect("a game without options"), rest)
}

/// Plays the moves that pairs of bytes choose.
fn course(variant: &Variant, choices: &[u8], mut each: impl FnMut(&Record)) -> Record {
    let mut record = Record::new(variant.start());
    each(&record);
    for choice in choices.chunks_exact(2).take(PLIES) {
        let plies = record.position().single_plies();
        if plies.is_empty() || record.outcome().is_some() {
            break;
        }
        let ply = plies[usize::from(u16::from_le_bytes([choice[0], choice[1]])) % plies.len()];
        record.play(&ply).expect("a legal ply");
        each(&record);
    }
    record
}

/// Random play in every game: nothing is lost or won from nowhere, what is kept up move by move is what a fresh look
/// sees, and writer and reader agree.
pub fn play(data: &[u8]) {
    let (variant, choices) = variant(data);
    let pieces = material(&variant.start());
    let mut captured = 0;
    let mut before: Option<Position> = None;
    let record = course(&variant, choices, |record| {
        let position = record.position();
        if let (Some(before), Some(step)) = (&before, record.steps().last()) {
            captured +=
                u32::from(step.text.contains('x') && variant.rules().captured == Captured::Leaves);
            read_back(before, &step.ply, &step.to_string());
        }
        assert_eq!(material(position) + captured, pieces, "{}", position.fen());
        fresh_look(position);
        before = Some(position.clone());
    });
    let list = MoveList::of(&record).to_string();
    let again = judge::record(&list, &variant).unwrap_or_else(|error| panic!("{error}\n{list}"));
    assert_eq!(again.steps(), record.steps(), "{list}");
    drawn(record.position());
}

fn material(position: &Position) -> u32 {
    let standing = u32::try_from(position.board().pieces().count()).expect("at most 81");
    standing
        + Color::ALL
            .iter()
            .map(|&color| position.reserve(color).total())
            .sum::<u32>()
}

/// A position made anew from what can be written down stands, is written the same, and allows the same.
fn fresh_look(position: &Position) {
    let variant = position.variant();
    let fen = position.fen();
    let setup = Setup::from_fen(variant, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let again =
        Position::from_setup(variant, &setup).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.fen(), fen);
    assert_eq!(again.mark(), position.mark(), "{fen}");
    assert_eq!(again.single_plies(), position.single_plies(), "{fen}");
    assert_eq!(again, *position, "{fen}");
}

fn read_back(position: &Position, ply: &Ply, text: &str) {
    let reading = position
        .read(text)
        .unwrap_or_else(|error| panic!("{}: {text}: {error}", position.fen()));
    assert_eq!(reading.ply, *ply, "{}: {text}", position.fen());
    assert!(
        reading.warnings.is_empty(),
        "{}: {text}: {:?}",
        position.fen(),
        reading.warnings
    );
}

/// A diagram that is written is read as the same.
fn drawn(position: &Position) {
    read_again(&Diagram::of(position));
}

/// A diagram is read as the same whatever its look.
fn read_again(diagram: &Diagram) {
    let variant = diagram.variant();
    let written = diagram.to_string();
    for script in [Script::Letters, Script::beyond_ascii(variant.rules())] {
        for choice in 0..8 {
            let text = diagram.draw(DiagramStyle {
                script,
                has_edges: choice & 1 > 0,
                is_flipped: choice & 2 > 0,
                has_marks: choice & 4 > 0,
                ..DiagramStyle::default()
            });
            let again = reader::read(&text, variant);
            let is_same = again.parts.iter().any(|part| match &part.kind {
                reader::PartKind::Diagram(again) => again.diagram.to_string() == written,
                _ => false,
            });
            assert!(is_same, "{text}\n{written}");
        }
    }
}

/// Any text as a move, somewhere in a game: if it is read, it is a legal move and its canonical form means the same.
pub fn moves(data: &[u8]) {
    let (variant, rest) = variant(data);
    let (choices, text) = rest.split_at(
        rest.len()
            .min(usize::from(rest.first().copied().unwrap_or(0) % 32) * 2),
    );
    let record = course(&variant, choices, |_| ());
    let position = record.position();
    let text = String::from_utf8_lossy(text);
    for voice in [Voice::List, Voice::Alone] {
        match position.read_with(&text, voice) {
            Ok(reading) => {
                assert!(
                    position.is_legal(&reading.ply),
                    "{}: {text}",
                    position.fen()
                );
                read_back(position, &reading.ply, &position.text(&reading.ply));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Any text as a FEN: if it can stand, it is written back and can be played from.
pub fn fen(data: &[u8]) {
    let (variant, text) = variant(data);
    let Ok(setup) = Setup::from_fen(&variant, &String::from_utf8_lossy(text)) else {
        return;
    };
    let Ok(position) = Position::from_setup(&variant, &setup) else {
        return;
    };
    fresh_look(&position);
    drawn(&position);
    let plies = position.single_plies();
    if !variant.rules().placement {
        assert_eq!(position.perft(1), plies.len() as u64, "{}", position.fen());
    }
    for ply in plies.iter().take(40) {
        read_back(&position, ply, &position.text(ply));
    }
}

/// Any text as one that tells games: what is found legal is written in a form that is found legal and says the same.
pub fn text(data: &[u8]) {
    let (variant, text) = variant(data);
    let text = line::decode(text);
    let lines = pasted(&text);
    let judged =
        judge::judge(&lines, &GameChoice::Given(variant.clone())).expect("the variant is given");
    for one in judged {
        for problem in &one.problems {
            assert!(
                problem.place.line >= 1 && problem.place.line <= lines.len(),
                "{problem:?}"
            );
            let mut shown = diagnostic::rendered([problem], "-", &lines, None);
            assert!(shown.all(|shown| !shown.contains('\u{1b}')), "{problem:?}");
        }
        if one.is_legal() {
            let record = one.game.record();
            let again = judge::record(&MoveList::of(record).to_string(), &variant);
            assert_eq!(
                again.expect("a canonical list is legal").steps(),
                record.steps()
            );
        }
    }
    let _ = judge::judge(
        &lines,
        &GameChoice::Named(games::find("unachess").expect("a known game")),
    );
}

/// Any text as a diagram: if it is read, it is written in a form that is read the same.
pub fn diagram(data: &[u8]) {
    let (variant, text) = variant(data);
    let text = line::decode(text);
    for part in reader::read(&text, &variant).parts {
        if let reader::PartKind::Diagram(drawn) = part.kind
            && drawn.diagram.reserves().is_some()
        {
            read_again(&drawn.diagram);
        }
    }
}

/// Any bytes as a message, from the first to the mail that goes out because of it.
pub fn letter(data: &[u8]) {
    if let Ok(letter) = incoming_message::read(data) {
        stranger::hear(&letter);
    }
}

/// Any bytes as the HTML that a message holds, which has no other text.
pub fn html(data: &[u8]) {
    let head =
        b"From: ben@example.test\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n";
    let letter = incoming_message::read(&[head, data].concat()).expect("it has a head");
    assert!(letter.unread.is_none() || letter.text.is_empty());
    stranger::hear(&letter);
}

/// Any text as a state file: if it is read, it is written in a form that is read the same; what is rebuilt of it can be
/// read.
pub fn state(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let id = "demo".parse().expect("an id");
    let time = "2026-11-20T03:00:00Z".parse().expect("a time");
    if let Ok(rebuilt) = DamagedFile::new(&id, &text).rebuild(None, &[], time) {
        let written = rebuilt.game.to_string();
        let read = Match::read(written.as_bytes(), &id);
        read.unwrap_or_else(|error| panic!("{error}\n{written}"));
    }
    let Ok(game) = Match::from_str(&text) else {
        return;
    };
    let written = game.to_string();
    let again = Match::from_str(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_string(), written);
}

/// Any text as a configuration: it is read or refused.
pub fn config(data: &[u8]) {
    if let Err(error) = Config::parse(&String::from_utf8_lossy(data), PathBuf::from("config.toml"))
    {
        assert!(!error.to_string().is_empty());
    }
}

/// An IMAP server that says the same whatever it hears.
struct ImapServer<'d>(&'d [u8]);

impl Read for ImapServer<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for ImapServer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for ImapServer<'_> {
    fn set_deadline(&mut self, _: Instant) {}

    fn is_encrypted(&self) -> bool {
        false
    }
}

/// Any bytes as what an IMAP server says: every command ends, and no message is given that was not asked for.
pub fn imap(data: &[u8]) {
    let Ok((mut server, _)) = Connection::greeted(ImapServer(data)) else {
        return;
    };
    let _ = server.read_capabilities();
    let _ = server.select("INBOX", false);
    let uids = server.above(2).unwrap_or_default();
    assert!(uids.iter().all(|uid| *uid > 2) && uids.is_sorted());
    let mut heads = Vec::new();
    let _ = server.heads(&uids, |head| heads.push(head));
    for head in &heads {
        assert!(uids.binary_search(&head.uid).is_ok() && head.fields.len() <= limits::HEADER);
    }
    let _ = server.containing(&uids, &["half-moves made"]);
    if let Some(head) = heads.first() {
        let message = server.message(head.uid).ok().flatten();
        assert!(message.is_none_or(|message| message.len() <= data.len()));
    }
    let _ = server.move_to(3, "Done");
    let _ = server.idle(Duration::ZERO);
    server.leave();
}
