//! Tests of a whole run over a source in memory, which records the settlements; and of random
//! batches, which come to the same side by side as one after the other: each file, each line,
//! each mail, the counts and the exit status.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::command::arguments::{Delivery, Input, Telling};
use crate::command::context::{Context, Counts, Status};
use crate::command::delivery::{Mailer, Outlet, Which, deliver};
use crate::command::receive::{Batch, Receive};
use crate::command::test_helpers::{self, QueueSource, with_context};
use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::mail::sources;
use crate::mail::sources::{MailSource as _, Settlement};
use crate::matches::event::Disposition;
use crate::matches::mail::NewMail;
use crate::matches::r#match::Match;
use crate::referee::handler::Handler;
use crate::referee::session::Session;
use crate::referee::side_by_side::EACH;
use crate::rules::notation::Voice;
use crate::rules::{Color, Record, Variant};
use crate::store::cache::Cache;
use crate::store::folder::Folder;

/// Creates a referee's session in a folder, with the match `m` of Anna and Ben.
fn session(folder: &Path) -> Session {
    test_helpers::session(folder, "ref", "referee", |_, _| {})
}

fn batch(session: &Session, is_dry_run: bool) -> Batch<'_> {
    Batch::new(session, is_dry_run, false)
}

/// Runs a batch over a source, and returns the lines of standard output.
fn run(batch: &mut Batch<'_>, source: &mut QueueSource) -> String {
    let read = |context: &mut Context<'_>| batch.read_all(source, context);
    let (read, [told, _], _) = with_context(&[], read);
    read.unwrap();
    told
}

fn message(from: &str, body: &str) -> String {
    let id = body.replace('>', "-");
    format!("From: {from}@example.org\nSubject: [m]\nMessage-ID: <{id}@{from}>\n\n{body}\n")
}

/// Creates a source, and the settlements it must be told.
fn source() -> (QueueSource, [(u64, Settlement); 4]) {
    let mut source = QueueSource::default();
    source.push(7, &message("anna", "P>e3"));
    source.push(8, &message("mallory", "P>e4"));
    source.push(9, &message("anna", "P>e4"));
    source.push(11, "no message");
    let told = [
        (7, Settlement::Handled),
        (8, Settlement::NotOurs),
        (9, Settlement::Handled),
        (11, Settlement::Handled),
    ];
    (source, told)
}

#[test]
fn a_source_is_told_what_became_of_each_message() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, false);
    let (mut source, told) = source();
    let lines = run(&mut batch, &mut source);
    let words: Vec<_> = lines.lines().map(|line| line.rsplit('\t').next()).collect();
    let expected = ["accepted", "stranger", "not-your-turn", "refused"];
    assert_eq!(words, expected.map(Some));
    assert_eq!(source.settled, told);
    assert_eq!(source.bytes_read(), source.bytes_expected());
}

#[test]
fn a_dry_run_settles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, true);
    let (mut source, _) = source();
    assert_eq!(run(&mut batch, &mut source).lines().count(), 4);
    assert_eq!(source.settled, []);
}

#[test]
fn a_deferred_message_is_brought_again() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, false);
    let file = folder.path().join("games/m.txt");
    // A damaged file defers the message, and the message comes again.
    fs::write(&file, "Format: nonsense\n").unwrap();
    let mut source = QueueSource::default();
    source.push(1, &message("anna", "P>e3"));
    let lines = run(&mut batch, &mut source);
    assert_eq!(lines.matches("\tdeferred\n").count(), 2, "{lines}");
    assert_eq!(source.settled, [(1, Settlement::Deferred); 2]);
    assert_eq!(batch.status, Status::Later);
}

fn letter(number: usize, body: &str) -> IncomingMessage {
    let letter = format!(
        "From: anna@example.org\nSubject: [m]\nMessage-ID: <{number}@anna.test>\n\n{body}\n"
    );
    incoming_message::read(letter.as_bytes()).unwrap()
}

/// Somebody puts the file right between two letters: the second one was played, and the
/// first one came too late.
#[test]
fn a_letter_waits_for_one_of_a_match_that_could_not_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let session = test_helpers::session(folder.path(), "ref", "referee", |_, _| {});
    let path = folder.path().join("games/m.txt");
    let handler = || {
        let cache = Arc::new(Cache::new(&*session.store, false));
        Handler::over(&session, cache, false)
    };
    let letters = [letter(1, "1. P>e3"), letter(2, "1. P>e4")];
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, "Format: nonsense\n").unwrap();
    let mut run = handler();
    run.handle(&letters[0], false).err().unwrap();
    fs::write(&path, &whole).unwrap();
    let error = run.handle(&letters[1], false).err().unwrap();
    assert!(error.is_transient(), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    let mut next = handler();
    let words = letters.map(|letter| next.handle(&letter, false).unwrap().word);
    let expected = [Disposition::Accepted, Disposition::Refused];
    assert_eq!(words, expected);
}

/// The matches, all of the same players.
const MATCHES: usize = 5;

/// The random batches for each kind of source.
const BATCHES: u64 = 25;

/// Writes letters into a folder, and returns what they are to be received from.
type WriteLetters = fn(&Path, &[String]) -> PathBuf;

/// The end of a run.
#[derive(PartialEq, Debug)]
struct End {
    told: String,
    said: String,
    status: Status,
    counts: Counts,
    /// The files of the matches and the mails.
    files: BTreeMap<PathBuf, String>,
}

/// The state from which the runs of a test begin.
struct Beginning {
    folder: tempfile::TempDir,
    session: Session,
    /// The mail that each match owes Anna.
    mails: Vec<String>,
    /// An invitation to the user.
    invitation: String,
}

fn temporary() -> tempfile::TempDir {
    // Nothing here is about the disk.
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

fn beginning() -> Beginning {
    let folder = temporary();
    let mut session = test_helpers::session(folder.path(), "ref", "referee", |_, _| {});
    session.now = "2026-11-20T03:00:00Z".parse().unwrap();
    session.config.policy.answers = 4;
    let mut settings = session
        .store
        .read(&id("m"))
        .unwrap()
        .game
        .settings()
        .clone();
    fs::remove_file(folder.path().join("games/m.txt")).unwrap();
    let mut mails = Vec::new();
    for number in 0..MATCHES {
        settings.id = id(&format!("m{number}"));
        let mut game = Match::new(settings.clone(), session.now);
        let mail = NewMail::new("invitation", Color::White);
        let mail = game.owe(session.now, mail, &session.ids).unwrap();
        mails.push(mail.to_string());
        session.store.create(&game).unwrap();
    }
    Beginning {
        invitation: invitation(),
        folder,
        session: session.for_a_run(),
        mails,
    }
}

fn id(text: &str) -> crate::match_id::Id {
    text.parse().unwrap()
}

/// Carl's invitation of the referee to a match of their own.
fn invitation() -> String {
    let folder = temporary();
    let carl = test_helpers::session(folder.path(), "carl", "player", |_, _| {});
    let mut settings = carl.store.read(&id("m")).unwrap().game.settings().clone();
    settings.id = id("own");
    settings.players =
        ["Carl <carl@example.org>", "Ref <ref@example.org>"].map(|who| who.parse().unwrap());
    let mut game = Match::new(settings, carl.now);
    let mail = NewMail::new("invitation", Color::Black);
    game.owe(carl.now, mail, &carl.ids).unwrap();
    carl.store.create(&game).unwrap();
    let stored = carl.store.read(&id("own")).unwrap();
    let mut mailer = Mailer::new(&carl, Outlet::Configured);
    let (sent, ..) = with_context(&[], |context| {
        deliver(context, &mut mailer, stored, Which::All)
    });
    sent.unwrap();
    let mail = fs::read_dir(&carl.outbox).unwrap().next().unwrap();
    fs::read_to_string(mail.unwrap().path())
        .unwrap()
        .replace('\r', "")
}

impl Beginning {
    /// Runs `receive` from here on over letters, in an input or one after the other.
    fn run(&self, letters: &[String], send: bool, input: Option<WriteLetters>) -> End {
        let folder = temporary();
        fs::create_dir(folder.path().join("games")).unwrap();
        for file in fs::read_dir(self.folder.path().join("games")).unwrap() {
            let file = file.unwrap();
            if file.file_type().unwrap().is_file() {
                fs::copy(
                    file.path(),
                    folder.path().join("games").join(file.file_name()),
                )
                .unwrap();
            }
        }
        let session = Session {
            store: Arc::new(Folder::new(folder.path().join("games"), Duration::ZERO)),
            outbox: folder.path().join("outbox"),
            ..self.session.clone()
        };
        let delivery = Delivery { send, print: None };
        let args = Receive {
            delivery,
            dry_run: false,
            accept: true,
            telling: Telling::default(),
            deliver: false,
            mbox: input.is_none(),
            inputs: Vec::new(),
        };
        // Standard input is not read ahead.
        let place = match input {
            Some(input) => {
                let path = input(folder.path(), letters);
                let source = sources::files::open(&path, None).unwrap();
                assert!(source.can_be_read_ahead(), "one after the other");
                Input::File(path)
            }
            None => Input::Stdin,
        };
        let mbox = mbox_of(letters);
        let (status, [told, said], counts) = with_context(mbox.as_bytes(), |context| {
            let mut batch = Batch::new(&session, false, false);
            batch.read(&place, &args, context).unwrap();
            batch.finish(delivery, context)
        });
        let mut files = BTreeMap::new();
        for part in ["games", "outbox"] {
            for file in fs::read_dir(folder.path().join(part)).into_iter().flatten() {
                let path = file.unwrap().path();
                let is_kept = ["txt", "eml"]
                    .iter()
                    .any(|end| path.extension().is_some_and(|found| found == *end));
                if is_kept {
                    let name = path.strip_prefix(folder.path()).unwrap().to_owned();
                    files.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
        // Messages name the folder. The id of what is no message is that of its bytes, to which an
        // mbox adds an empty line.
        let here = folder.path().display().to_string();
        let lines = told
            .lines()
            .map(|line| match line.split_once("@derived.invalid") {
                Some((_, line)) => line,
                None => line,
            });
        End {
            told: lines.collect::<Vec<_>>().join("\n"),
            said: said.replace(&here, ""),
            status,
            counts,
            files,
        }
    }
}

fn mbox_of(letters: &[String]) -> String {
    let entry =
        |letter: &String| format!("From x@example.org Fri Nov 20 03:00:00 2026\n{letter}\n");
    letters.iter().map(entry).collect()
}

fn mbox(folder: &Path, letters: &[String]) -> PathBuf {
    let path = folder.join("letters.mbox");
    fs::write(&path, mbox_of(letters)).unwrap();
    path
}

fn maildir(folder: &Path, letters: &[String]) -> PathBuf {
    let path = folder.join("mail");
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(path.join(part)).unwrap();
    }
    for (number, letter) in letters.iter().enumerate() {
        fs::write(path.join(format!("new/{}.x.host", 1000 + number)), letter).unwrap();
    }
    path
}

fn mh(folder: &Path, letters: &[String]) -> PathBuf {
    let path = folder.join("mail");
    fs::create_dir(&path).unwrap();
    for (number, letter) in letters.iter().enumerate() {
        fs::write(path.join((number + 1).to_string()), letter).unwrap();
    }
    path
}

fn eml(folder: &Path, letters: &[String]) -> PathBuf {
    let path = folder.join("mail");
    fs::create_dir(&path).unwrap();
    for (number, letter) in letters.iter().enumerate() {
        fs::write(path.join(format!("{:03}.eml", number + 1)), letter).unwrap();
    }
    path
}

/// Writes random letters.
struct Writer<'b> {
    beginning: &'b Beginning,
    random: fastrand::Rng,
    records: Vec<Record>,
    letters: Vec<String>,
}

impl Writer<'_> {
    fn letter(&mut self, from: &str, subject: &str, fields: &str, body: &str) {
        let number = self.letters.len();
        self.letters.push(format!(
            "From: {from}@example.org\nSubject: {subject}\nMessage-ID: <{number}@{from}.test>\n{fields}\n{body}\n"
        ));
    }

    /// The right move of a match, in a letter that names it.
    fn right(&mut self) {
        let game = self.random.usize(..MATCHES);
        let record = &mut self.records[game];
        let from = ["anna", "ben"][usize::from(record.position().turn() == Color::Black)];
        let plies: Vec<_> = record.position().legal_plies().collect();
        let texts = plies.iter().map(|ply| (ply, record.position().text(ply)));
        let mut texts: Vec<_> = texts
            .filter(|(_, text)| record.position().read_with(text, Voice::Alone).is_ok())
            .collect();
        self.random.shuffle(&mut texts);
        let Some((ply, text)) = texts.pop() else {
            return;
        };
        record.play(ply).unwrap();
        let words = self
            .random
            .choice(["", "\nGood luck!\n", "\nSee abcd0123ef.\n", "\nmail off\n"])
            .unwrap();
        let body = format!("{text}\n{words}");
        if self.random.u8(..6) == 0 && from == "anna" {
            let cites = format!("In-Reply-To: {}\n", self.beginning.mails[game]);
            self.letter(from, "a move", &cites, &body);
        } else {
            self.letter(from, &format!("Re: [m{game}]"), "", &body);
        }
    }

    /// Anything else.
    fn other(&mut self) {
        let game = self.random.usize(..MATCHES);
        let from = self.random.choice(["anna", "ben"]).unwrap();
        let named = format!("Re: [m{game}]");
        match self.random.u8(..12) {
            0 => self.letter(from, "no match", "", "P>e3\n"),
            1 => self.letter("mallory", &named, "", "P>e3\n"),
            2 => self.letter("mallory", "hello", "", "Hello.\n"),
            3 => self.letters.push("no message\n".to_owned()),
            4 => self.letters.push(self.beginning.invitation.clone()),
            5 => {
                let mail = &self.beginning.mails[game];
                let report = format!(
                    "Return-Path: <>\nFrom: MAILER-DAEMON@a.test\nMessage-ID: <{}@a.test>\nContent-Type: multipart/report;\n report-type=delivery-status; boundary=x\n\n\
                     --x\n\nIt has failed.\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a.test\n\n\
                     Final-Recipient: rfc822; anna@example.org\nAction: failed\nStatus: 5.1.1\n\n\
                     --x\nContent-Type: text/rfc822-headers\n\nSubject: x\nMessage-ID: {mail}\n\n--x--\n",
                    self.letters.len()
                );
                self.letters.push(report);
            }
            6 => {
                // The invitation begins the last.
                let second = self.random.choice(["m1", "own"]).unwrap();
                self.letter(from, &format!("Re: [m0] [{second}]"), "", "P>e3\n");
            }
            7 => {
                let again = self.random.choice(&self.letters).cloned();
                self.letters.extend(again);
            }
            8 if self.random.u8(..4) == 0 => self.letter(from, &named, "", "resign\n"),
            9 => self.letter(from, &named, "X-Loop: ref@example.org\n", "P>e3\n"),
            10 => self.letter(from, &named, "Auto-Submitted: auto-replied\n", "P>e3\n"),
            _ => {
                let body = self.random.choice([
                    "P>e9\n",
                    "p>a1\n",
                    "help\n",
                    "show\n",
                    "offer draw\n",
                    "accept draw\n",
                    "propose takeback\n",
                    "accept takeback\n",
                    "note hello\n",
                    "Nice weather, 0123abcd4567.\n",
                    "mail off\n\nNo more, please.\n",
                    "mail on\n",
                ]);
                let body = body.unwrap().to_owned();
                self.letter(from, &named, "", &body);
            }
        }
    }
}

/// Writes a batch. Some have long runs of moves, others hardly any.
fn random_batch(beginning: &Beginning, seed: u64) -> Vec<String> {
    let variant = Variant::find("unachess", &[]).unwrap();
    let mut writer = Writer {
        beginning,
        random: fastrand::Rng::with_seed(seed),
        records: vec![Record::new(variant.start()); MATCHES],
        letters: Vec::new(),
    };
    let others = writer.random.u8(..4) * 3;
    let count = writer.random.usize(16..28);
    // Fewer are handled one after the other.
    assert!(count >= 2 * EACH);
    while writer.letters.len() < count {
        if writer.random.u8(..10) < others {
            writer.other();
        } else {
            writer.right();
        }
    }
    writer.letters
}

fn compare(seeds: std::ops::Range<u64>, input: WriteLetters) {
    let beginning = beginning();
    let mut words = BTreeMap::new();
    for seed in seeds {
        let letters = random_batch(&beginning, seed);
        // To send is most of the work.
        let send = seed % 4 == 0;
        let one_by_one = beginning.run(&letters, send, None);
        let side_by_side = beginning.run(&letters, send, Some(input));
        assert_eq!(side_by_side, one_by_one, "batch {seed}: {letters:#?}");
        for line in one_by_one.told.lines() {
            *words
                .entry(line.rsplit('\t').next().unwrap().to_owned())
                .or_insert(0) += 1;
        }
    }
    // The batches are about more than moves.
    assert!(
        words.contains_key("accepted") && words.len() >= 6,
        "{words:?}"
    );
}

#[test]
#[ignore = "takes long"]
fn a_random_mbox_comes_to_the_same() {
    compare(0..BATCHES, mbox);
}

#[test]
#[ignore = "takes long"]
fn a_random_maildir_comes_to_the_same() {
    compare(BATCHES..2 * BATCHES, maildir);
}

#[test]
#[ignore = "takes long"]
fn a_random_mh_folder_comes_to_the_same() {
    compare(2 * BATCHES..3 * BATCHES, mh);
}

#[test]
#[ignore = "takes long"]
fn a_random_folder_of_eml_files_comes_to_the_same() {
    compare(3 * BATCHES..4 * BATCHES, eml);
}

/// A Message-ID of another program may begin like the name of a match.
#[test]
fn a_letter_is_about_one_match_unless_its_words_may_name_another() {
    let beginning = beginning();
    let cache = Arc::new(Cache::new(&*beginning.session.store, false));
    let handler = Handler::over(&beginning.session, cache, false);
    let mail = &beginning.mails[1];
    for (subject, fields, body, about) in [
        ("Re: [m0]", String::new(), "P>e3", Some("m0")),
        (
            "Re: [m0]",
            "References: <1.2@a.test> <m7.3@a.test>\n".to_owned(),
            "P>e3",
            // Whoever wrote the message that it answers may have chosen the subject.
            None,
        ),
        (
            "a move",
            format!("In-Reply-To: {mail}\n"),
            "P>e3",
            Some("m1"),
        ),
        ("Re: [m0] [m1]", String::new(), "P>e3", None),
        ("Re: [m0] [own]", String::new(), "P>e3", None),
        (
            "Re: [m0]",
            String::new(),
            "P>e3\n\nGame own, 2 half-moves made.",
            None,
        ),
        ("Re: [own]", format!("In-Reply-To: {mail}\n"), "P>e3", None),
        ("a move", String::new(), "P>e3", None),
    ] {
        let letter = format!(
            "From: anna@example.org\nSubject: {subject}\nMessage-ID: <20261120.7@anna.test>\n{fields}\n{body}\n"
        );
        let message = incoming_message::read(letter.as_bytes()).unwrap();
        let found = handler.only_match(&message);
        assert_eq!(found, about.map(id), "{letter}");
    }
}
