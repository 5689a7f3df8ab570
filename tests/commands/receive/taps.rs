//! Answers that our links have begun: what is played, and what is asked about.

mod address;
mod damage;
mod secrecy;

use std::cell::Cell;
use std::fs;
use std::sync::Arc;

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::outbound::taps::Taps;
use parapost::rules::Color;
use parapost::store::store::Store;

use super::mails;
use crate::matches::log::{ids, settings, time};
use crate::outbound::taps::decode;
use crate::store::memory::Memory;
use crate::support::in_process;

pub(super) const ANNA: &str = "anna@example.org";
pub(super) const BEN: &str = "ben@example.org";
pub(super) const REFEREE: &str = "ref@example.org";

/// A referee's program over a store in memory.
pub(super) struct Desk {
    folder: tempfile::TempDir,
    pub(super) store: Arc<Memory>,
    pub(super) count: Cell<usize>,
}

/// What came of a letter.
pub(super) struct Heard {
    pub(super) word: String,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// The subject and the body of an answer.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) subject: String,
    pub(super) body: String,
}

impl Desk {
    /// A desk with this policy, and a match after these moves.
    pub(super) fn new(policy: &str, game: &str, moves: &str) -> Desk {
        let mut begun = Match::new(settings(game, &[]), time());
        for text in moves.split_whitespace() {
            let side = begun.position().turn();
            let played = LogEntry::new(time(), Action::play(text), side);
            begun.push(played).unwrap();
        }
        Desk::of(policy, &begun)
    }

    pub(super) fn of(policy: &str, game: &Match) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "[me]\nname = \"Ref\"\naddress = \"{REFEREE}\"\nrole = \"referee\"\n\
             [mail]\nhtml = false\n\
             [policy]\nidentity = \"{policy}\"\ntrusted = [\"mx.test\"]\n"
        );
        fs::write(folder.path().join("ref.toml"), config).unwrap();
        let store = Arc::new(Memory::default());
        store.create(game).unwrap();
        let count = Cell::new(0);
        Desk {
            folder,
            store,
            count,
        }
    }

    pub(super) fn run(&self, words: &[&str], stdin: &str) -> (String, String) {
        let path = |name: &str| self.folder.path().join(name);
        let (config, games) = (path("ref.toml"), path("games"));
        let store = Arc::clone(&self.store) as Arc<dyn Store>;
        let run = in_process::run(&store, &config, &games, words, stdin);
        (run.stdout, run.stderr)
    }

    /// Hears a message as it is, and prints the answers.
    pub(super) fn hears(&self, message: &str) -> Heard {
        let (stdout, stderr) = self.run(&["receive", "--print"], message);
        let first = stdout.lines().next().unwrap_or_default();
        Heard {
            word: first.rsplit('\t').next().unwrap_or_default().to_owned(),
            stdout,
            stderr,
        }
    }

    /// Hears an answer from an address, as a mail program without `In-Reply-To` sends it.
    pub(super) fn hears_from(&self, from: &str, draft: &Draft) -> Heard {
        self.hears(&self.letter(from, "", draft))
    }

    pub(super) fn letter(&self, from: &str, fields: &str, draft: &Draft) -> String {
        self.count.set(self.count.get() + 1);
        let (n, Draft { subject, body }) = (self.count.get(), draft);
        format!(
            "From: <{from}>\nTo: {REFEREE}\nSubject: {subject}\nMessage-ID: <tap.{n}@phone.test>\n\
             {fields}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
        )
    }

    pub(super) fn game(&self) -> Match {
        let stored = self.store.read(&"demo".parse().unwrap()).unwrap();
        Match::clone(&stored.game)
    }

    /// Owes a mail with the position to the side to move, and returns its links.
    pub(super) fn taps(&self) -> Taps {
        let stored = self.store.read(&"demo".parse().unwrap()).unwrap();
        let mut game = Match::clone(&stored.game);
        let turn = game.turn().expect("a match that goes on");
        let mail = NewMail::new("position", turn);
        game.owe(time(), mail, &ids()).unwrap();
        let mail = game.owed().last().unwrap().clone();
        let taps = Taps::of(&game, &mail, &REFEREE.parse().unwrap(), &ids());
        self.store
            .change(&Arc::new(game), &stored.revision)
            .unwrap();
        taps
    }

    /// The answer that a link of a new mail begins.
    pub(super) fn tap(&self, text: &str) -> Draft {
        let drafts = drafts(&self.taps());
        let found = drafts.into_iter().find(|draft| draft.text() == text);
        found.unwrap_or_else(|| panic!("no link {text}"))
    }

    pub(super) fn moves(&self) -> Vec<String> {
        let game = self.game();
        let steps = game.record().steps().iter();
        steps.map(|step| step.text.clone()).collect()
    }
}

impl Draft {
    fn text(&self) -> &str {
        self.body.lines().next().unwrap()
    }

    fn code(&self) -> &str {
        let (_, code) = self.body.rsplit_once(',').unwrap();
        &code[..16]
    }

    fn with_body(&self, change: impl Fn(&str) -> String) -> Draft {
        Draft {
            subject: self.subject.clone(),
            body: change(&self.body),
        }
    }
}

impl Heard {
    /// The answers printed, as their recipient and their text.
    pub(super) fn mails(&self) -> Vec<(String, String)> {
        let mails = mails(&self.stdout).into_iter();
        mails
            .map(|mail| (super::header(&mail, "To:").to_owned(), mail))
            .collect()
    }

    #[track_caller]
    pub(super) fn is(&self, word: &str) -> &Heard {
        assert_eq!(self.word, word, "{}\n{}", self.stderr, self.stdout);
        self
    }

    #[track_caller]
    pub(super) fn says(&self, words: &str) {
        let all = format!("{}\n{}", self.stderr, self.stdout);
        let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            all.contains(words),
            "{words}\n{}\n{}",
            self.stderr,
            self.stdout
        );
    }
}

fn drafts(taps: &Taps) -> Vec<Draft> {
    // Where a mail has no room for a board, a link begins the move.
    let begun = taps.boards.iter().map(|board| board.begin.href.as_str());
    let drafts = taps.targets().chain(begun).map(|target| {
        let [_, subject, body] = decode(target);
        Draft { subject, body }
    });
    drafts.collect()
}

#[test]
fn the_answer_is_shown_where_it_is_asked_for() {
    let desk = Desk::new("token", "chess", "P-e4");
    let (shown, told) = desk.run(&["show", "demo", "--answer"], "");
    assert!(
        shown.is_empty() && told.contains("has links"),
        "{shown}{told}"
    );
    let draft = desk.tap("p-e5");
    let (shown, told) = desk.run(&["show", "demo", "--answer"], "");
    let code = draft.code();
    let body = format!("MOVE\nGame demo, 1 half-move made.\nAnswer code: {code}");
    assert_eq!(shown, format!("Subject: [demo] MOVE\n\n{body}\n"));
    assert_eq!(draft.subject, "[demo]");
    assert_eq!(draft.body, format!("p-e5\r\nAnswer code:demo,1,{code}"));
    assert_eq!(told, "");
    desk.hears_from(BEN, &draft).is("accepted");
    let (shown, _) = desk.run(&["show", "demo", "--answer"], "");
    assert!(!shown.contains(draft.code()), "{shown}");
    for words in [
        &["show", "--answer"][..],
        &["show", "demo", "--answer", "--flip"],
    ] {
        let (shown, told) = desk.run(words, "");
        assert!(shown.is_empty() && !told.is_empty(), "{words:?}");
    }
}

/// The page of the last mail writes what its links write; a page for everybody has no code.
#[test]
fn the_page_to_answer_on_is_shown_where_it_is_asked_for() {
    let desk = Desk::new("token", "chess", "P-e4");
    let words = ["show", "demo", "--answer", "--as", "html"];
    let (page, told) = desk.run(&words, "");
    assert!(page.is_empty() && told.contains("has links"), "{told}");
    let draft = desk.tap("p-e5");
    let (page, told) = desk.run(&words, "");
    assert_eq!(told, "");
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let mail = &data["answer"]["by"]["mail"];
    let lines = mail["lines"].as_array().unwrap().iter();
    let lines: Vec<&str> = lines.map(|line| line.as_str().unwrap()).collect();
    let code = format!("Answer code: {}", draft.code());
    assert_eq!(lines, ["Game demo, 1 half-move made.", &code]);
    assert_eq!(mail["subject"].as_str(), Some("[demo] "));
    let (page, _) = desk.run(&["show", "demo", "--as", "html"], "");
    assert!(!page.contains(draft.code()) && !page.contains("example."));
}

/// Regression: without `In-Reply-To` nobody could play under `token`.
#[test]
fn a_tap_is_played_under_each_policy_whatever_it_cites() {
    for policy in ["address", "token"] {
        for fields in ["", "In-Reply-To: <garbage@x>\n", "References: garbage\n"] {
            let desk = Desk::new(policy, "chess", "");
            let draft = desk.tap("P-e4");
            let heard = desk.hears(&desk.letter(ANNA, fields, &draft));
            heard.is("accepted");
            assert_eq!(heard.mails().len(), 3, "{}", heard.stdout);
            assert_eq!(desk.moves(), ["P-e4"]);
        }
    }
}

#[test]
fn a_tap_plays_once() {
    for (policy, again) in [("address", "duplicate"), ("token", "stranger")] {
        let desk = Desk::new(policy, "chess", "");
        let draft = desk.tap("P-e4");
        let first = desk.letter(ANNA, "", &draft);
        desk.hears(&first).is("accepted");
        // The same message is known again, another one is not.
        desk.hears(&first).is("duplicate");
        desk.hears_from(ANNA, &draft).is(again);
        assert_eq!(desk.moves(), ["P-e4"]);
    }
}

#[test]
fn a_wrong_code_is_none() {
    for (policy, word) in [("address", "accepted"), ("token", "stranger")] {
        let desk = Desk::new(policy, "chess", "");
        let draft = desk.tap("P-e4");
        let code = draft.code().to_owned();
        let wrong = draft.with_body(|body| body.replace(&code, "aaaabbbbccccdddd"));
        let before = desk.game().to_string();
        let heard = desk.hears_from(ANNA, &wrong);
        heard.is(word);
        if word == "stranger" {
            assert_eq!(desk.game().to_string(), before);
            assert!(heard.mails().is_empty());
        }
    }
}

#[test]
fn the_code_of_the_other_side_or_of_another_match_is_none() {
    let desk = Desk::new("token", "chess", "");
    let white = desk.tap("P-e4");
    desk.hears_from(ANNA, &white).is("accepted");
    let black = desk.tap("p-e5");
    let code = |draft: &Draft, code: &str| {
        let own = draft.code().to_owned();
        draft.with_body(|body| body.replace(&own, code))
    };
    desk.hears_from(BEN, &code(&black, white.code()))
        .is("stranger");
    let other = code(&black, black.code()).with_body(|body| body.replace("demo,", "other,"));
    desk.hears_from(BEN, &other).is("stranger");
    // White cannot use Black's code: the program asks Black, as about any other address.
    desk.hears_from(ANNA, &black).is("confirm");
    assert_eq!(desk.moves(), ["P-e4"]);
    desk.hears_from(BEN, &black).is("accepted");
}

#[test]
fn a_tap_on_an_earlier_mail_is_told_that_the_match_has_gone_on() {
    let desk = Desk::new("address", "chess", "");
    let old = desk.tap("P-d4");
    desk.hears_from(ANNA, &desk.tap("P-e4")).is("accepted");
    desk.hears_from(ANNA, &old).is("not-your-turn");
    desk.hears_from(BEN, &desk.tap("p-e5")).is("accepted");
    let heard = desk.hears_from(ANNA, &old);
    heard.is("refused").says("older position");
    assert_eq!(desk.moves(), ["P-e4", "p-e5"]);
    // The number of half-moves alone tells nothing after a take-back.
    let fresh = desk.tap("N-f3");
    take_back(&desk, Color::Black);
    desk.hears_from(BEN, &desk.tap("p-d5")).is("accepted");
    desk.hears_from(ANNA, &fresh)
        .is("refused")
        .says("taken back");
    assert_eq!(desk.moves(), ["P-e4", "p-d5"]);
}

/// Takes the last move back by agreement.
fn take_back(desk: &Desk, by: Color) {
    let plain = |body: &str| Draft {
        subject: "[demo]".to_owned(),
        body: body.to_owned(),
    };
    let (one, other) = match by {
        Color::White => (ANNA, BEN),
        Color::Black => (BEN, ANNA),
    };
    desk.hears_from(one, &plain("propose takeback\n"))
        .is("command");
    desk.hears_from(other, &plain("accept takeback\n"))
        .is("command");
}

#[test]
fn a_code_ends_with_a_takeback() {
    for (policy, word) in [("address", "accepted"), ("token", "stranger")] {
        let desk = Desk::new("address", "chess", "");
        let old = desk.tap("P-e4");
        desk.hears_from(ANNA, &old).is("accepted");
        take_back(&desk, Color::White);
        let desk = Desk::of(policy, &desk.game());
        desk.count.set(100);
        desk.hears_from(ANNA, &old).is(word);
    }
}

#[test]
fn a_link_for_more_half_moves_than_there_are_plays_nothing() {
    let desk = Desk::new("address", "chess", "P-e4");
    let draft = desk.tap("p-e5");
    for made in [0, 2, 3] {
        let other = draft.with_body(|body| body.replace(",1,", &format!(",{made},")));
        desk.hears_from(BEN, &other).is("refused");
    }
    assert_eq!(desk.moves(), ["P-e4"]);
}

#[test]
fn a_code_plays_a_move_and_does_nothing_else() {
    for body in [
        "resign\n",
        "offer draw\n",
        "accept draw\n",
        "propose takeback\n",
        "note hello\n",
        "help\n",
        "add address ben@work.test\n",
        "hello\n",
    ] {
        let desk = Desk::new("token", "chess", "P-e4");
        let draft = desk.tap("p-e5");
        let before = desk.game().to_string();
        let other = draft.with_body(|form| form.replace("p-e5\r\n", body));
        let heard = desk.hears_from(BEN, &other);
        // Where a form has no move, its writer is asked for it.
        assert!(
            matches!(heard.word.as_str(), "stranger" | "refused"),
            "{body}: {}",
            heard.word
        );
        if heard.word == "stranger" {
            assert_eq!(desk.game().to_string(), before, "{body}");
        }
        assert_eq!(desk.moves(), ["P-e4"]);
        let log = desk.game().to_string();
        assert!(
            !log.contains("hello") && !log.contains(" offer Black"),
            "{log}"
        );
        // With a move, nothing else is done either.
        let both = draft.with_body(|form| format!("{form}\n{body}"));
        let heard = desk.hears_from(BEN, &both);
        assert!(
            matches!(heard.word.as_str(), "accepted" | "refused"),
            "{body}: {}",
            heard.word
        );
        let log = desk.game().to_string();
        assert!(
            !log.contains("hello") && !log.contains(" offer Black"),
            "{log}"
        );
        assert!(desk.game().ending().is_none() && desk.game().offer().is_none());
    }
}

#[test]
fn a_code_replaces_no_signature() {
    let desk = Desk::new("dkim", "chess", "");
    let draft = desk.tap("P-e4");
    desk.hears_from(ANNA, &draft).is("stranger");
    let fields = "Authentication-Results: mx.test; dkim=pass header.d=example.org\n";
    let signed = desk.letter(ANNA, "", &draft);
    desk.hears(&format!("{fields}{signed}")).is("accepted");
}

#[test]
fn an_unfinished_drop_is_asked_about() {
    for policy in ["address", "token"] {
        let desk = Desk::new(policy, "unachess", "");
        let draft = desk.tap("P>");
        let heard = desk.hears_from(ANNA, &draft);
        heard.is("refused").says("The square is missing");
        heard.says("P>a2, P>a3");
        for finished in ["P>e3", "P> e3", "p>e3"] {
            let whole = draft.with_body(|body| body.replacen("P>", finished, 1));
            let desk = Desk::of(policy, &desk.game());
            desk.count.set(100);
            desk.hears_from(ANNA, &whole).is("accepted");
            assert_eq!(desk.moves(), ["P>e3"]);
        }
        assert!(desk.moves().is_empty());
    }
}

#[test]
fn a_subject_with_another_move_is_asked_about() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    for subject in [
        "[demo] P-d4",
        "Re: [demo] N-f3",
        "%5Bdemo%5D%20P%2Dd4",
        "[demo] P>",
    ] {
        let other = Draft {
            subject: subject.to_owned(),
            ..draft.clone()
        };
        desk.hears_from(ANNA, &other)
            .is("refused")
            .says("The subject of your message says");
    }
    for subject in [
        "[demo] e4",
        "Re: [demo] P-e4",
        "my move",
        "[demo] Chess: 1. P-e4",
    ] {
        let desk = Desk::of("address", &desk.game());
        desk.count.set(100);
        let other = Draft {
            subject: subject.to_owned(),
            ..draft.clone()
        };
        desk.hears_from(ANNA, &other).is("accepted");
    }
}

/// Regression: a promotion whose `+` was lost on the way could be taken for a declined
/// one.
#[test]
fn a_piece_behind_a_parted_sign_is_two_readings() {
    for (text, word) in [
        ("Bxg7= B", "ambiguous"),
        ("Bxg7 = B", "ambiguous"),
        ("Bxg7 =B", "ambiguous"),
        ("Bxg7 =+B", "ambiguous"),
        ("2. Bxg7= B", "ambiguous"),
        ("Bxg7=B", "refused"),
        ("Bxg7=+B", "accepted"),
        ("Bxg7=", "accepted"),
    ] {
        let desk = Desk::new("address", "shogi", "P-c4 p-d6");
        let draft = Draft {
            subject: "[demo]".to_owned(),
            body: format!("{text}\n"),
        };
        let heard = desk.hears_from(ANNA, &draft);
        heard.is(word);
        if word == "ambiguous" {
            heard.says("Bxg7");
            heard.says("Bxg7=+B");
        }
    }
}
