//! What an order does that answers an older mail, or none: the table of docs/format.md,
//! section 4.

use std::collections::BTreeMap;

use parapost::matches::action::Action;
use parapost::matches::event::{ADDRESS, AddressStep, Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;
use parapost::store::store::Store;

use super::header;
use super::taps::{ANNA, BEN, Desk, Draft, Heard};
use crate::matches::log::{ids, settings, time};

const FORMAT: &str = include_str!("../../../docs/format.md");

/// Where the table begins in the docs.
const HEAD: &str = "| the letter answers |";

/// The fields of a signed letter that was just written.
fn signed(policy: &str) -> String {
    if policy != "dkim" {
        return String::new();
    }
    let date = chrono::Utc::now().to_rfc2822();
    format!(
        "Authentication-Results: mx.test; dkim=pass header.d=example.org\n\
         DKIM-Signature: v=1; d=example.org; h=From:To:Date:Subject:In-Reply-To:References; b=x\n\
         Date: {date}\n"
    )
}

const PHONE: &str = "anna.phone@mobile.test";

/// What stands in the match when Anna's letter comes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Nothing,
    Offer,
    Proposal,
}

/// An order of Anna's: its line, the column of the table, what the log says of it.
struct Order {
    line: &'static str,
    column: usize,
    standing: Standing,
    logged: &'static str,
}

const fn order(
    line: &'static str,
    column: usize,
    standing: Standing,
    logged: &'static str,
) -> Order {
    Order {
        line,
        column,
        standing,
        logged,
    }
}

/// The move with the number that is right at last, as the program asks for it.
const NUMBERED: &str = "5. P-e4";

const ORDERS: [Order; 12] = [
    order("P-e4", 1, Standing::Nothing, " move White P-e4"),
    order(NUMBERED, 2, Standing::Nothing, " move White P-e4"),
    order("accept draw", 3, Standing::Offer, " accept White"),
    order(
        "accept takeback",
        3,
        Standing::Proposal,
        " takeback White accept",
    ),
    order(
        "propose takeback",
        4,
        Standing::Nothing,
        " takeback White propose",
    ),
    order("offer draw", 4, Standing::Nothing, " offer White"),
    order("claim draw", 4, Standing::Nothing, " claim White"),
    order("decline draw", 5, Standing::Offer, " decline White"),
    order(
        "decline takeback",
        5,
        Standing::Proposal,
        " takeback White decline",
    ),
    order("resign", 5, Standing::Nothing, " resign White"),
    order("mail off", 5, Standing::Nothing, " mail White off"),
    order(
        "add address anna.phone@mobile.test",
        5,
        Standing::Nothing,
        " address White added",
    ),
];

/// A mail to Anna, or a letter of hers.
#[derive(Clone)]
struct Mail {
    text: String,
}

impl Mail {
    fn id(&self) -> &str {
        header(&self.text, "Message-ID:")
    }

    fn body(&self) -> &str {
        self.text.split_once("\n\n").unwrap().1
    }

    fn quoted(&self) -> String {
        format!("> {}\n", self.body().trim_end().replace('\n', "\n> "))
    }

    /// What a link of the mail would have begun.
    fn form(&self, line: &str) -> String {
        let (_, foot) = self.body().rsplit_once("Game demo, ").unwrap();
        let (made, _) = foot.split_once(',').unwrap();
        let made = made.trim_end_matches(" made");
        let code = ids().answer_code(&self.id().parse().unwrap());
        format!("{line}\r\n\r\nGame demo, {made} made.\r\nAnswer code: {code}\r\n")
    }
}

/// A match with its mails to Anna, who is to make the fifth move.
struct Past {
    game: Match,
    /// Another match of the same players, and its mail to Anna.
    other: (Match, String),
    now: Mail,
    /// The mail that Anna's last move answered, with an offer or a proposal that lapsed.
    older: Mail,
    /// A mail with as many half-moves as now, of which the last was taken back.
    back: Mail,
    /// A mail with more half-moves, of which the last ones were taken back.
    beyond: Mail,
    /// A mail that another copy of the match has sent, with as many half-moves as now.
    missing: Mail,
    /// Anna's letter with her last move.
    own: String,
}

impl Past {
    fn of(standing: Standing) -> Past {
        let desk = Desk::of("address", &begun("demo", "N-f3 n-f6 N-g1 n-g8 N-f3"));
        let offers = |text: &str| match standing {
            Standing::Offer => format!("{text}\noffer draw\n"),
            _ => format!("{text}\n"),
        };
        let proposes = |mail: Mail| match standing {
            Standing::Proposal => says(&desk, BEN, None, "propose takeback\n"),
            _ => mail,
        };
        let older = proposes(says(&desk, BEN, None, &offers("n-f6")));
        says(&desk, ANNA, Some(&older), "N-g1\n");
        let own = format!("<tap.{}@phone.test>", desk.count.get());
        let copy = Desk::of("address", &desk.game());
        copy.count.set(50);
        let missing = says(&copy, BEN, None, "p-a6\n");
        let back = says(&desk, BEN, None, "p-e5\n");
        let beyond = says(&desk, ANNA, Some(&back), "P-a3\n");
        says(&desk, ANNA, Some(&beyond), "propose takeback\n");
        says(&desk, BEN, None, "accept takeback\n");
        let proposal = says(&desk, BEN, None, "propose takeback\n");
        says(&desk, ANNA, Some(&proposal), "accept takeback\n");
        let now = proposes(says(&desk, BEN, None, &offers("n-g8")));
        let mut game = desk.game();
        let asked = LogEntry::new(
            time(),
            Event::Address(Some(AddressStep::Asked)),
            Color::White,
        );
        game.push(asked.key(ADDRESS, Some(PHONE))).unwrap();
        let mut other = begun("other", "");
        let mail = NewMail::new("position", Color::White);
        let mail = other.owe(time(), mail, &ids()).unwrap();
        Past {
            game,
            other: (other, mail.to_string()),
            now,
            older,
            back,
            beyond,
            missing,
            own,
        }
    }

    /// The fields and the bodies of letters that answer what the row of the table says:
    /// the order alone, and above a quotation of what is answered.
    fn answering(&self, row: &str, line: &str) -> Vec<(String, String)> {
        let (now, older, back) = (&self.now, &self.older, &self.back);
        let alone = format!("{line}\n");
        let above = |quoted: &str| format!("{line}\n\n{quoted}");
        let to = |parent: &str, others: &str, quoted: &str| {
            let fields = format!("In-Reply-To: {parent}\nReferences: {others} {parent}\n");
            let quoting = above(&format!("On Friday, you wrote:\n{quoted}"));
            vec![(fields.clone(), alone.clone()), (fields, quoting)]
        };
        let to_mail = |mail: &Mail| to(mail.id(), "", &mail.quoted());
        let to_ben = |cited: &Mail| {
            let quoted = "> Shall we meet on Friday?\n>\n> Ben\n";
            to("<private@ben.test>", cited.id(), quoted)
        };
        let to_nothing = |body: String| vec![(String::new(), body)];
        match row {
            "the mail with the position now" => to_mail(now),
            "an older mail" => to_mail(older),
            "a mail with as many half-moves, taken back since" => to_mail(back),
            "a mail with more half-moves, taken back since" => to_mail(&self.beyond),
            "a mail of ours that is missing from the log" => to_mail(&self.missing),
            "the player's own letter with the last move" => to(&self.own, older.id(), "> N-g1\n"),
            "another person's letter, and in `References` the position now" => to_ben(now),
            "another person's letter, and in `References` an older mail" => to_ben(older),
            "a mail of another match, and the subject names this one" => {
                to(&self.other.1, "", "> A note of the other match.\n")
            }
            "nothing" => to_nothing(alone),
            "nothing, and quotes the position now" => to_nothing(above(&now.quoted())),
            "nothing, and quotes an older mail" => to_nothing(above(&older.quoted())),
            "nothing, and quotes one that was taken back" => to_nothing(above(&back.quoted())),
            "nothing, and has the code of the position now" => to_nothing(now.form(line)),
            "nothing, and has the code of an older mail" => to_nothing(older.form(line)),
            "nothing, and has the code of one that was taken back" => to_nothing(back.form(line)),
            "nothing, and has the code of one that is missing from the log" => {
                to_nothing(self.missing.form(line))
            }
            _ => panic!("no such row: {row}"),
        }
    }

    fn desk(&self, policy: &str) -> Desk {
        let desk = Desk::of(policy, &self.game);
        desk.store.create(&self.other.0).unwrap();
        desk.count.set(100);
        desk
    }
}

fn begun(id: &str, moves: &str) -> Match {
    let players = ["Anna <anna@example.org>", "Ben <ben@example.org>"];
    let settings = MatchSettings {
        id: id.parse().unwrap(),
        players: players.map(|player| player.parse().unwrap()),
        ..settings("chess", &[])
    };
    let mut game = Match::new(settings, time());
    for text in moves.split_whitespace() {
        let side = game.position().turn();
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap();
    }
    game
}

fn about(body: &str) -> Draft {
    Draft {
        subject: "Re: [demo]".to_owned(),
        body: body.to_owned(),
    }
}

fn citing(mail: &Mail) -> String {
    format!("In-Reply-To: {0}\nReferences: {0}\n", mail.id())
}

/// The last mail to Anna that a letter caused. Each of these is understood.
fn says(desk: &Desk, from: &str, parent: Option<&Mail>, body: &str) -> Mail {
    let fields = parent.map(citing).unwrap_or_default();
    let heard = desk.hears(&desk.letter(from, &fields, &about(body)));
    assert!(
        ["accepted", "command"].contains(&heard.word.as_str()),
        "{body}{}",
        heard.stdout
    );
    last_to(ANNA, &heard).expect("a mail to Anna")
}

/// The last mail of these to an address.
fn last_to(address: &str, heard: &Heard) -> Option<Mail> {
    let mails = heard.mails().into_iter().rev();
    let mut texts = mails.filter(|(to, _)| to.contains(address));
    texts.next().map(|(_, text)| Mail { text })
}

/// What the table says: by row and column, the outcome, and that under `token`.
fn table() -> Vec<Vec<&'static str>> {
    let (_, table) = FORMAT.split_once(HEAD).expect("the table");
    let rows = table.lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = |line: &'static str| line.trim_matches('|').split(" | ").map(str::trim).collect();
    rows.map(cells).collect()
}

/// The outcome that the table has for an order under a policy.
fn expected<'a>(row: &[&'a str], order: &Order, policy: &str) -> &'a str {
    let is_move = order.column <= 2;
    match (policy, row[6]) {
        ("token", "stranger") => "stranger",
        ("token", "a move alike") if !is_move => "stranger",
        ("token", "alike" | "a move alike") | ("address" | "dkim", _) => row[order.column],
        (policy, cell) => panic!("{policy}, {cell}"),
    }
}

/// Hears one letter of the table, and tells what is wrong with what it does.
fn fault(
    past: &Past,
    policy: &str,
    row: &[&str],
    order: &Order,
    (fields, body): &(String, String),
) -> Option<String> {
    let desk = past.desk(policy);
    let hear = |fields: &str, draft: &Draft| {
        let signed = signed(policy);
        desk.hears(&format!("{signed}{}", desk.letter(ANNA, fields, draft)))
    };
    let lines = |game: &Match| {
        game.log()
            .iter()
            .map(LogEntry::to_string)
            .collect::<Vec<_>>()
    };
    let before = lines(&desk.game());
    let heard = hear(fields, &about(body));
    let since = lines(&desk.game()).split_off(before.len());
    let is_done = since.iter().any(|line| line.contains(order.logged));
    let effect = since.iter().filter(|line| {
        let mail = [" refused White ", " owed White ", " sent White "];
        !mail.iter().any(|event| line.contains(event))
    });
    let is_idle = effect.count() == 0;
    let answer = last_to(ANNA, &heard);
    let outcome = match heard.word.as_str() {
        "accepted" | "command" if is_done => "done",
        "refused" if is_idle && answer.is_some() => "asked",
        "unknown-match" if is_idle && answer.is_some() => "which",
        "stranger" if since.is_empty() && answer.is_none() => "stranger",
        other => other,
    };
    let wanted = expected(row, order, policy);
    if outcome != wanted {
        return Some(format!(
            "{outcome}, not {wanted}; {}{since:#?}",
            heard.stderr
        ));
    }
    if !matches!(outcome, "asked" | "which") {
        return None;
    }
    let answer = answer?;
    let flat = answer
        .body()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let line = if order.column <= 2 {
        NUMBERED
    } else {
        order.line
    };
    let foot = past.now.body().trim_end().rsplit('\n').next().unwrap();
    let names = |words: &str| flat.contains(words).then_some(());
    if outcome == "which" {
        if names("[demo]").is_none() {
            return Some(format!("the question names no match:\n{flat}"));
        }
    } else if names(line).and(names(foot)).is_none() {
        return Some(format!("the answer lacks '{line}' or '{foot}':\n{flat}"));
    }
    // The state as it is now is what each way of answering finds.
    let (asked, other) = (desk.game(), past.other.0.id());
    let other = desk.store.read(other).unwrap().game;
    let sender = "From: <ref@example.org>\nSent: Friday, 20 November 2026 05:00\nTo: <anna@example.org>\nSubject: [demo]\n";
    for (way, body) in [
        ("above marks", format!("{line}\n\n{}", answer.quoted())),
        ("below marks", format!("{}\n{line}\n", answer.quoted())),
        (
            "above a header block",
            format!("{line}\n\n{sender}\n{}", answer.body()),
        ),
    ] {
        let next = Desk::of(policy, &asked);
        next.store.create(&other).unwrap();
        next.count.set(200);
        let signed = signed(policy);
        let letter = next.letter(ANNA, &citing(&answer), &about(&body));
        let heard = next.hears(&format!("{signed}{letter}"));
        let since = lines(&next.game()).split_off(lines(&asked).len());
        if !since.iter().any(|line| line.contains(order.logged)) {
            return Some(format!(
                "asked again {way}: {} {}{body}",
                heard.word, heard.stderr
            ));
        }
    }
    None
}

fn holds(policy: &str) {
    let table = table();
    assert_eq!(table.len(), 17, "the rows of the table");
    let standings = [Standing::Nothing, Standing::Offer, Standing::Proposal];
    let pasts: BTreeMap<Standing, Past> = standings
        .map(|standing| (standing, Past::of(standing)))
        .into();
    let mut faults = Vec::new();
    for row in &table {
        for order in &ORDERS {
            let past = &pasts[&order.standing];
            for letter in past.answering(row[0], order.line) {
                if let Some(fault) = fault(past, policy, row, order, &letter) {
                    let what = format!("{policy}, '{}', {}", order.line, row[0]);
                    faults.push(format!("\n{what}: {fault}\n{}\n", letter.1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.concat());
}

#[test]
#[ignore = "takes long"]
fn the_table_of_what_a_letter_answers_holds_under_address() {
    holds("address");
}

#[test]
#[ignore = "takes long"]
fn the_table_of_what_a_letter_answers_holds_under_token() {
    holds("token");
}

#[test]
#[ignore = "takes long"]
fn the_table_of_what_a_letter_answers_holds_under_dkim() {
    holds("dkim");
}

/// Went wrong: "accept draw" in answer to the mail with an offer that had lapsed accepted
/// the offer that stood.
#[test]
fn an_acceptance_of_an_offer_that_lapsed_accepts_no_later_one() {
    let past = Past::of(Standing::Offer);
    for policy in ["address", "token"] {
        for quoted in [String::new(), past.older.quoted()] {
            let desk = past.desk(policy);
            let body = format!("accept draw\n\n{quoted}");
            let heard = desk.hears(&desk.letter(ANNA, &citing(&past.older), &about(&body)));
            heard.is("refused").says("earlier mail of ours");
            assert!(desk.game().ending().is_none() && desk.game().offer().is_some());
        }
    }
}

/// Went wrong: where the other player had answered at once, the correction of a move was
/// played as the next one.
#[test]
fn a_correction_of_a_move_that_was_answered_is_no_second_move() {
    for policy in ["address", "token"] {
        let desk = Desk::of("address", &begun("demo", ""));
        let first = says(&desk, ANNA, None, "show\n");
        let desk = Desk::of(policy, &desk.game());
        desk.count.set(100);
        let reply = says(&desk, ANNA, Some(&first), "P-e4\n");
        let to_ben = desk.game().mails_to(Color::Black).last().unwrap().msg;
        let cites = format!("In-Reply-To: {to_ben}\n");
        desk.hears(&desk.letter(BEN, &cites, &about("p-e5\n")))
            .is("accepted");
        for (parent, body) in [
            (&first, "I meant:\n\nP-d4\n"),
            (&first, "P-d4\n"),
            (&reply, "P-d4\n"),
        ] {
            let heard = desk.hears(&desk.letter(ANNA, &citing(parent), &about(body)));
            heard.is("refused").says("2. P-d4");
            assert_eq!(desk.moves(), ["P-e4", "p-e5"]);
        }
        let heard = desk.hears(&desk.letter(ANNA, &citing(&first), &about("P-e4\n")));
        heard.is("duplicate");
    }
}

/// Went wrong: a subject that the other player had written switched the mail off.
#[test]
fn the_subject_of_another_persons_letter_is_no_wish() {
    let past = Past::of(Standing::Nothing);
    let bens = "<private@ben.test>";
    for fields in [
        format!("In-Reply-To: {bens}\n"),
        format!(
            "In-Reply-To: {bens}\nReferences: {} {bens}\n",
            past.now.id()
        ),
        format!("References: {} {bens}\n", past.now.id()),
    ] {
        for body in ["Yes, Friday is fine!\n", ""] {
            let desk = past.desk("address");
            let draft = Draft {
                subject: "[demo] unsubscribe".to_owned(),
                body: body.to_owned(),
            };
            desk.hears(&desk.letter(ANNA, &fields, &draft));
            assert!(desk.game().takes_mail(Color::White), "{fields}{body}");
        }
    }
}

/// Went wrong: the line below an answer that a link has begun was taken for the foot of a
/// program that had taken the move back already, so that an old code accepted anything.
#[test]
fn an_old_code_accepts_no_later_proposal() {
    let desk = Desk::of("address", &begun("demo", "P-e4"));
    let heard = desk.hears(&desk.letter(BEN, "", &about("show\n")));
    let old = last_to(BEN, &heard).expect("a mail to Ben");
    desk.hears(&desk.letter(BEN, "", &about("p-e5\n")))
        .is("accepted");
    says(&desk, ANNA, None, "propose takeback\n");
    let draft = about(&old.form("accept takeback"));
    let heard = desk.hears(&desk.letter(BEN, "", &draft));
    heard.is("refused").says("the proposal that stands now");
    assert_eq!(desk.moves(), ["P-e4", "p-e5"]);
}

/// Went wrong: a program had taken back one move, and its letter, which came late, accepted
/// that another was taken back, since both left as many.
#[test]
fn a_late_acceptance_of_a_program_accepts_no_later_proposal() {
    let desk = Desk::of("address", &begun("demo", "P-e4"));
    let without = desk.game().hash();
    let accepts = format!("accept takeback\n\nGame demo, 1 half-move made, hash {without}.\n");
    let mut proposed = Vec::new();
    for ply in ["p-e5\n", "p-c5\n"] {
        desk.hears(&desk.letter(BEN, "", &about(ply)))
            .is("accepted");
        let propose = about("propose takeback\n");
        let heard = desk.hears(&desk.letter(ANNA, "", &propose));
        proposed.push(last_to(BEN, &heard).expect("a mail to Ben"));
        if proposed.len() == 1 {
            let accept = about("accept takeback\n");
            desk.hears(&desk.letter(BEN, "", &accept)).is("command");
            assert_eq!(desk.moves(), ["P-e4"]);
        }
    }
    let heard = desk.hears(&desk.letter(BEN, &citing(&proposed[0]), &about(&accepts)));
    heard.is("refused").says("the proposal that stands now");
    assert_eq!(desk.moves(), ["P-e4", "p-c5"]);
    desk.hears(&desk.letter(BEN, &citing(&proposed[1]), &about(&accepts)))
        .is("command");
    assert_eq!(desk.moves(), ["P-e4"]);
}

/// The file is a backup, and the move that it lacks was made again in another way. Went wrong: Ben's
/// answer to the first move was played.
#[test]
fn an_answer_to_a_mail_that_is_missing_plays_nothing_and_the_user_is_told() {
    let backup = begun("demo", "N-f3 n-f6");
    let lost = Desk::of("address", &backup);
    let heard = lost.hears(&lost.letter(ANNA, "", &about("N-c3\n")));
    let lost = last_to(BEN, &heard).expect("a mail to Ben");
    let quoting = |line: &str| format!("{line}\n\nOn Friday, you wrote:\n{}", lost.quoted());
    for (fields, body) in [
        (citing(&lost), "n-g8\n".to_owned()),
        (citing(&lost), "2... n-g8\n".to_owned()),
        (citing(&lost), quoting("2... n-g8")),
        (citing(&lost), "I think n-g8 is good.\n".to_owned()),
    ] {
        let desk = Desk::of("address", &backup);
        desk.hears(&desk.letter(ANNA, "", &about("N-g1\n")))
            .is("accepted");
        let heard = desk.hears(&desk.letter(BEN, &fields, &about(&body)));
        heard
            .is("refused")
            .says("a mail that this file has never sent");
        assert_eq!(desk.moves(), ["N-f3", "n-f6", "N-g1"], "{body}");
        let (listed, _) = desk.run(&["list"], "");
        assert!(listed.contains("is this file a backup?"), "{listed}");
        // Both readings are shown, and a yes does not choose one.
        let question = last_to(BEN, &heard).expect("an answer to Ben");
        let words: Vec<&str> = question.body().split_whitespace().collect();
        let parts = words
            .join(" ")
            .contains("part at 2. N-g1, where yours has 2. N-c3.");
        assert_eq!(parts, body.contains('>'), "{}", question.body());
        desk.hears(&desk.letter(BEN, &citing(&question), &about("yes\n")));
        assert_eq!(desk.moves(), ["N-f3", "n-f6", "N-g1"], "{body}");
        desk.hears(&desk.letter(BEN, &citing(&question), &about("2... n-g8\n")))
            .is("accepted");
        let (listed, _) = desk.run(&["list"], "");
        assert!(!listed.contains("backup"), "{listed}");
    }
    // In the position before the lost move, it is nobody's fault that it is not Ben's turn.
    let desk = Desk::of("address", &backup);
    let heard = desk.hears(&desk.letter(BEN, &citing(&lost), &about("n-g8\n")));
    heard
        .is("refused")
        .says("a mail that this file has never sent");
    // Went wrong: he was asked for a move of White's.
    let question = last_to(BEN, &heard).expect("an answer to Ben");
    assert!(
        !question.body().contains("If you mean"),
        "{}",
        question.body()
    );
}

/// Went wrong: the question repeated an attribution with a move in it, in a language that nobody here
/// knows, and when the same letter answered the question, the words below were the writer's.
#[test]
fn a_quotation_below_an_attribution_that_a_question_repeats_is_nobodys() {
    let desk = Desk::of("address", &begun("demo", "N-f3"));
    let name = "o".repeat(68);
    let body = format!("\n1... n-f6 {name}-k idatzi zuen (2026-11-20 03:00):\n\nresign\n");
    let first = desk.hears(&desk.letter(ANNA, "", &about("draw?\n")));
    let ours = last_to(BEN, &first).expect("a mail to Ben");
    let heard = desk.hears(&desk.letter(BEN, &citing(&ours), &about(&body)));
    let question = last_to(BEN, &heard).expect("a question");
    for again in 0..2 {
        let heard = desk.hears(&desk.letter(BEN, &citing(&question), &about(&body)));
        assert!(desk.game().ending().is_none(), "{again}: {}", heard.stderr);
    }
}

/// The writer's program gives an id of its own to the mail that it answers. Went wrong: a move was
/// played in a later position than that of the quoted mail, if this was none of the last three.
#[test]
fn a_quotation_of_an_older_mail_is_asked_about_however_old_it_is() {
    let desk = Desk::of("address", &begun("demo", "N-f3 n-f6"));
    let mut mails = Vec::new();
    for (from, text) in [
        (ANNA, "N-c3"),
        (BEN, "n-c6"),
        (ANNA, "N-b1"),
        (BEN, "n-b8"),
        (ANNA, "P-e3"),
    ] {
        let heard = desk.hears(&desk.letter(from, "", &about(&format!("{text}\n"))));
        mails.extend(last_to(BEN, &heard));
    }
    for _ in 0..3 {
        let heard = desk.hears(&desk.letter(BEN, "", &about("show\n")));
        mails.extend(last_to(BEN, &heard));
    }
    let unknown = "In-Reply-To: <unknown@relay.test>\n";
    let made = desk.moves();
    let on = "On Fri, 20 Nov 2026 at 05:00,";
    let shapes = |old: &str| {
        let (_, foot) = old.split_once("\n> Game demo,").expect("a foot");
        let foot = format!("> Game demo,{foot}");
        [
            format!("On Friday, you wrote:\n{old}"),
            format!("{on} Ref <ref@example.org> wrote:\n\n{old}"),
            format!("{on} Ref <ref@example.org>\nwrote:\n\n{old}"),
            format!("Le ven. 20 nov. 2026 à 05:00, Ref <ref@example.org>\na écrit :\n\n{old}"),
            format!("-- \nBen\n\n{on} Ref <ref@example.org> wrote:\n{old}"),
            format!("{on} Ref <ref@example.org> wrote:\n{old}\n-- \nBen\n"),
            format!(
                "-----Original Message-----\nFrom: Ref <ref@example.org>\nSubject: hello\n\n{old}"
            ),
            format!("{on} Ref <ref@example.org> wrote:\n> [EXTERNAL]\n{old}"),
            format!(
                "{on} Ref <ref@example.org> wrote:\n{old}\n> ____________\n> A list of games\n"
            ),
            format!("{on} Ref <ref@example.org> wrote:\n{foot}"),
            foot.clone(),
            old.to_owned(),
        ]
    };
    for shape in mails[..2].iter().flat_map(|old| shapes(&old.quoted())) {
        let body = format!("n-g8\n\n{shape}");
        desk.hears(&desk.letter(BEN, unknown, &about(&body)))
            .is("refused")
            .says("answers an older position");
        assert_eq!(desk.moves(), made, "{body}");
    }
    // Not so where Ben, to whom somebody else has written, quotes that message with our mail in it.
    let old = mails[0].quoted();
    let body = format!("n-g8\n\nOn Friday, Eve <eve@example.net> wrote:\n{old}");
    desk.hears(&desk.letter(BEN, unknown, &about(&body)))
        .is("accepted");
    desk.hears(&desk.letter(ANNA, "", &about("P-d3\n")))
        .is("accepted");
    let nested = old.replace("> ", "> > ");
    let body = format!("n-f6\n\nOn Friday, she wrote:\n> Look at this:\n>\n{nested}");
    desk.hears(&desk.letter(BEN, unknown, &about(&body)))
        .is("accepted");
    let heard = desk.hears(&desk.letter(ANNA, "", &about("P-a3\n")));
    let last = last_to(BEN, &heard).expect("a mail to Ben").quoted();
    let body = format!("p-a6\n\nOn Friday, you wrote:\n{last}");
    desk.hears(&desk.letter(BEN, unknown, &about(&body)))
        .is("accepted");
}

/// The same for a mail whose move was taken back.
#[test]
fn a_quotation_of_a_mail_that_was_taken_back_is_asked_about_however_old_it_is() {
    let desk = Desk::of("address", &begun("demo", "N-f3 n-f6"));
    let say = |from: &str, text: &str| desk.hears(&desk.letter(from, "", &about(text)));
    let old = last_to(BEN, &say(ANNA, "N-c3\n")).expect("a mail to Ben");
    say(ANNA, "propose takeback\n");
    say(BEN, "accept takeback\n");
    say(ANNA, "P-e3\n").is("accepted");
    for _ in 0..3 {
        say(BEN, "show\n");
    }
    let made = desk.moves();
    let body = format!("n-g8\n\nOn Friday, you wrote:\n{}", old.quoted());
    let letter = desk.letter(BEN, "In-Reply-To: <unknown@relay.test>\n", &about(&body));
    desk.hears(&letter).is("refused");
    assert_eq!(desk.moves(), made);
}

/// A letter without fields quotes a mail of the other copy, with more half-moves or as many.
#[test]
fn a_quoted_foot_of_a_mail_that_is_missing_plays_nothing_and_the_user_is_told() {
    let backup = begun("demo", "N-f3 n-f6");
    for moves in [&["N-c3"][..], &["N-c3", "n-g8", "N-b1"]] {
        let lost = Desk::of("address", &backup);
        let mut mail = None;
        for (at, text) in moves.iter().enumerate() {
            let from = if at % 2 == 0 { ANNA } else { BEN };
            let heard = lost.hears(&lost.letter(from, "", &about(&format!("{text}\n"))));
            mail = last_to(BEN, &heard).or(mail);
        }
        let quoted = mail.expect("a mail to Ben").quoted();
        let desk = Desk::of("address", &backup);
        desk.hears(&desk.letter(ANNA, "", &about("N-g1\n")))
            .is("accepted");
        let body = format!("2... n-g8\n\nOn Friday, you wrote:\n{quoted}");
        let heard = desk.hears(&desk.letter(BEN, "", &about(&body)));
        heard
            .is("refused")
            .says("a mail that this file has never sent");
        assert_eq!(desk.moves(), ["N-f3", "n-f6", "N-g1"], "{body}");
    }
}

/// A letter without fields has a list of the other copy without its foot. A list of this copy, and one
/// from before a take-back, say nothing.
#[test]
fn a_quoted_list_of_a_mail_that_is_missing_plays_nothing_and_the_user_is_told() {
    let backup = begun("demo", "N-f3 n-f6");
    for (list, outcome) in [
        ("> 1. N-f3 n-f6\n> 2. N-c3\n", "refused"),
        ("> 2. N-c3\n", "refused"),
        ("> 1. N-f3 n-f6\n> 2. N-g1\n", "accepted"),
        ("> 1. N-f3 n-f6\n", "accepted"),
        // Ben typed his move into the list.
        ("> 1. N-f3 n-f6\n> 2. N-g1 n-g8\n", "accepted"),
    ] {
        let desk = Desk::of("address", &backup);
        desk.hears(&desk.letter(ANNA, "", &about("N-g1\n")))
            .is("accepted");
        let body = format!("2... n-g8\n\nOn Friday, Anna wrote:\n{list}");
        let heard = desk.hears(&desk.letter(BEN, "", &about(&body)));
        heard.is(outcome);
        let (listed, _) = desk.run(&["list"], "");
        assert_eq!(
            listed.contains("is this file a backup?"),
            outcome == "refused",
            "{listed}"
        );
    }
}

/// Another machine made the mail with a secret of its own, so that its id proves nothing. Went wrong: the
/// mails in `References` said which position was meant.
#[test]
fn a_quoted_mail_of_another_machine_with_another_secret_plays_nothing() {
    let backup = begun("demo", "N-f3 n-f6");
    let lost = Desk::of("address", &backup);
    let heard = lost.hears(&lost.letter(ANNA, "", &about("N-c3\n")));
    let quoted = last_to(BEN, &heard).expect("a mail to Ben").quoted();
    for id in [
        "<demo.13.20979f4838857be62b3a@example.org>",
        "<other@elsewhere.test>",
    ] {
        for (line, with_mark) in [("n-g8", true), ("2... n-g8", true), ("2... n-g8", false)] {
            let desk = Desk::of("address", &backup);
            let heard = desk.hears(&desk.letter(ANNA, "", &about("N-g1\n")));
            let known = last_to(BEN, &heard).expect("a mail to Ben");
            let fields = format!("In-Reply-To: {id}\nReferences: {} {id}\n", known.id());
            let text = if with_mark {
                quoted.clone()
            } else {
                quoted.replace("> ", "")
            };
            let body = format!("{line}\n\nOn Friday, you wrote:\n{text}");
            let heard = desk.hears(&desk.letter(BEN, &fields, &about(&body)));
            assert_eq!(
                desk.moves(),
                ["N-f3", "n-f6", "N-g1"],
                "{}\n{body}",
                heard.stdout
            );
            // Whoever quotes the present mail means the present position.
            let body = format!("{line}\n\nOn Friday, you wrote:\n{}", known.quoted());
            let heard = desk.hears(&desk.letter(BEN, &fields, &about(&body)));
            heard.is("accepted");
        }
    }
}
