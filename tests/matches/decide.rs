//! What a message comes to, without a file or a mail: every intent, whatever
//! stands in the match.

use parapost::mail::message_id::MessageId;
use parapost::matches::action::{Action, Intent, Played, Refusal, Request};
use parapost::matches::decide::{self, decide};
use parapost::matches::decision::{
    Decision, Explanation, Quota, Received, is_free, is_kept_beyond_bounds,
};
use parapost::matches::event::{Disposition, Event, LogEntry};
use parapost::matches::mail::{MailKind, MailStep, MailWish};
use parapost::matches::mail_id::MailIds;
use parapost::matches::r#match::Match;
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Role};

use crate::matches::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

const BOTH: Quota = Quota {
    answers: 20,
    notes: true,
};

fn event(event: impl Into<Event>, who: Color) -> LogEntry {
    LogEntry::new(time(), event, who)
}

fn begun() -> Match {
    Match::new(settings("chess", &[]), time())
}

fn after(events: impl IntoIterator<Item = LogEntry>) -> Match {
    let mut game = begun();
    for event in events {
        game.push(event).unwrap();
    }
    game
}

fn e4() -> LogEntry {
    event(Action::play("P-e4"), WHITE)
}

/// The matches that a message of White's may meet.
fn situations() -> Vec<(&'static str, Match)> {
    let mut alone = settings("chess", &[]);
    alone.players[1] = alone.players[0].clone();
    vec![
        ("turn", begun()),
        ("not-turn", after([e4()])),
        ("over", after([event(Action::Resign, BLACK)])),
        ("offered", after([event(Action::OfferDraw, BLACK)])),
        ("offering", after([event(Action::OfferDraw, WHITE)])),
        (
            "takeback",
            after([e4(), event(Action::ProposeTakeback, BLACK)]),
        ),
        ("alone", Match::new(alone, time())),
    ]
}

/// Every kind of intent, with a name.
fn intents() -> Vec<(&'static str, Intent)> {
    let reading = |offers_draw| {
        let reading = begun().position().read_with("e4", Voice::Alone).unwrap();
        Intent::Move(Played {
            line: "1. e4".to_owned(),
            reading,
            offers_draw,
        })
    };
    let command = Intent::Command;
    vec![
        ("move", reading(false)),
        ("move, draw", reading(true)),
        ("again", Intent::Again(0)),
        ("out of turn", Intent::OutOfTurn("e4".to_owned())),
        ("resign", command(Request::Act(Action::Resign))),
        ("offer", command(Request::Act(Action::OfferDraw))),
        ("accept", command(Request::Act(Action::AcceptDraw))),
        ("decline", command(Request::Act(Action::DeclineDraw))),
        ("claim", command(Request::Act(Action::ClaimDraw))),
        ("propose", command(Request::Act(Action::ProposeTakeback))),
        ("agree", command(Request::Act(Action::AcceptTakeback))),
        ("disagree", command(Request::Act(Action::DeclineTakeback))),
        ("decline alone", command(Request::Decline)),
        ("no match", command(Request::Act(Action::DeclineInvitation))),
        ("withdraw", command(Request::Act(Action::Withdraw))),
        ("resign match", command(Request::ResignMatch)),
        ("rematch", command(Request::Rematch)),
        ("note", command(Request::Note)),
        ("show", command(Request::Show(None))),
        ("show 9", command(Request::Show(Some(9)))),
        ("mail off", command(Request::Mail(MailWish::Off))),
        ("help", command(Request::Help)),
        ("rules", command(Request::Rules)),
        ("legal", command(Request::Legal)),
        (
            "mention",
            Intent::Mention {
                line: "I thought of e4.".to_owned(),
                moves: vec!["e4".to_owned()],
                is_own: true,
            },
        ),
        (
            "ambiguous",
            Intent::Ambiguous {
                line: "N2".to_owned(),
                forms: vec!["Nf3".to_owned(), "Nh3".to_owned()],
            },
        ),
        (
            "refused",
            Intent::Refused(Refusal {
                asks: None,
                is_of_missing_mail: false,
                lines: vec!["Ne5".to_owned()],
                why: "No knight can go to e5.".to_owned(),
                role: Some(Role::Knight),
            }),
        ),
        ("talk", Intent::Words),
    ]
}

fn id(text: &str) -> MessageId {
    text.parse().unwrap()
}

fn decided(game: &Match, intent: &Intent, words: &str, is_referee: bool, quota: Quota) -> Decision {
    let id = id("<1@anna.test>");
    let received = Received {
        id: &id,
        side: WHITE,
        address: None,
        words,
        unread: None,
        is_referee,
        quota,
    };
    decide(game, intent, &received, time())
}

/// The match with what the decision calls for.
fn applied(game: &Match, decision: &Decision) -> Match {
    let mut game = game.clone();
    for event in &decision.events {
        game.push(event.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", event.line()));
    }
    let ids: MailIds = ids();
    for due in &decision.mails {
        let mut mail = due.mail.clone();
        if let Some(explanation) = &due.explanation {
            mail = mail.saying(explanation.template());
        }
        game.owe(time(), mail, &ids).unwrap();
    }
    game
}

/// The decision on a line: its word, its events, its mails by recipient.
fn told(game: &Match, decision: &Decision) -> String {
    let events: Vec<String> = decision
        .events
        .iter()
        .map(|event| {
            let argument = event.argument().unwrap_or_default();
            format!("{} {argument}", event.event.kind())
                .trim_end()
                .to_owned()
        })
        .collect();
    let applied = applied(game, decision);
    let mails: Vec<String> = applied
        .owed()
        .iter()
        .map(|owed| {
            let to = if owed.to == WHITE { "W" } else { "B" };
            format!("{}>{to}", owed.kind)
        })
        .collect();
    format!(
        "{}: {} | {}",
        decision.disposition,
        events.join(", "),
        mails.join(", ")
    )
}

#[test]
#[ignore = "takes long"]
fn every_intent_in_every_situation_can_be_carried_out() {
    for (situation, game) in situations() {
        for (name, intent) in intents() {
            for words in ["", "hello"] {
                for is_referee in [false, true] {
                    for (answers, notes) in
                        [(20, true), (1, true), (0, true), (20, false), (1, false)]
                    {
                        let quota = Quota { answers, notes };
                        let answers = answers > 0;
                        let decision = decided(&game, &intent, words, is_referee, quota);
                        let after = applied(&game, &decision);
                        let context = format!("{name}, {situation}, referee: {is_referee}");
                        // What it says of the log can be written and read.
                        let read: Match = after.to_string().parse().expect(&context);
                        assert_eq!(read.log(), after.log(), "{context}");
                        let answers_are = ["answer", "rules", "legal", "question"];
                        let explains = |kind: &str| answers_are.contains(&kind);
                        let answered = after.owed().iter().any(|owed| explains(owed.kind.as_str()));
                        let is_off = name.contains("mail off");
                        assert!(answers || !answered || is_off, "{context}: over the quota");
                        // A bound stops nothing that is free and no words, and drops all else.
                        if !answers && !decision.events.is_empty() {
                            let first = &decision.events[0];
                            let is_said = matches!(first.event, Event::Note(Some(_)));
                            let goes_on = is_free(first) || is_kept_beyond_bounds(first) || is_said;
                            assert!(goes_on, "{context}");
                        } else if !answers && decision.disposition.is_answered() {
                            assert!(decision.reason.contains("enough answers"), "{context}");
                        }
                        for owed in after.owed() {
                            assert!(owed.automatic, "{context}: {}", owed.kind);
                            assert!(
                                is_referee || owed.to == WHITE,
                                "{context}: a player's program writes to the sender alone"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_message_that_is_known_changes_nothing() {
    for (situation, mut game) in situations() {
        let known = event(Event::Note(None), WHITE).key("msg", Some("<1@anna.test>"));
        game.push(known).unwrap();
        for (name, intent) in intents() {
            let decision = decided(&game, &intent, "hello", true, BOTH);
            assert_eq!(
                told(&game, &decision),
                "duplicate:  | ",
                "{name}, {situation}"
            );
        }
    }
}

/// The log has this word for a message of another kind, too.
#[test]
fn a_note_that_says_question_is_known_when_it_comes_again() {
    let note = decided(&begun(), &Intent::Words, "question", true, BOTH);
    let game = applied(&begun(), &note);
    let again = decided(&game, &Intent::Words, "question", true, BOTH);
    assert_eq!(again.disposition, Disposition::Duplicate);
}

/// By the referee, who tells both; a line an intent, in the order of
/// [`situations`].
#[test]
fn a_referee_decides_like_this() {
    let done = |event: &str| format!("command: {event} | position>B, receipt>W");
    let no = |word: &str| format!("{word}: refused {word} | answer>W");
    let refused = || no("refused");
    let over = || no("over");
    let moved = "accepted: move P-e4 | position>B, receipt>W".to_owned();
    let with_offer = "accepted: move P-e4, offer | position>B, receipt>W".to_owned();
    let all = |text: String| vec![text; 7];
    // turn, not-turn, over, offered, offering, takeback, alone
    let but_over = |text: String| {
        let mut row = all(text);
        row[2] = over();
        row
    };
    let expected = |name: &str| match name {
        "move" => {
            let mut row = but_over(moved.clone());
            row[1] = refused();
            row[5] = refused();
            row
        }
        "move, draw" => {
            let mut row = but_over(with_offer.clone());
            row[1] = refused();
            row[4] = moved.clone();
            row[5] = refused();
            row
        }
        "again" => all("duplicate:  | ".to_owned()),
        "out of turn" => but_over(no("not-your-turn")),
        "resign" | "resign match" => but_over(done("resign")),
        "offer" => {
            let mut row = but_over(done("offer"));
            row[3] = refused();
            row[4] = refused();
            row
        }
        "accept" | "decline" => {
            let mut row = but_over(refused());
            row[3] = done(name);
            row
        }
        "propose" => {
            let mut row = but_over(refused());
            row[1] = done("takeback propose");
            row
        }
        "agree" => {
            let mut row = but_over(refused());
            row[5] = done("takeback accept");
            row
        }
        "disagree" => {
            let mut row = but_over(refused());
            row[5] = done("takeback decline");
            row
        }
        "mail off" => {
            let mut row = all("command: mail off | answer>B, answer>W".to_owned());
            row[2] = "command: mail off | answer>W".to_owned();
            row
        }
        "note" => all("command: note hello | note>B, answer>W".to_owned()),
        "show" | "help" => all(format!("command: asked {name} | answer>W")),
        "rules" | "legal" => all(format!("command: asked {name} | {name}>W")),
        "mention" => but_over(no("confirm")),
        "ambiguous" => but_over(no("ambiguous")),
        "claim" | "refused" | "withdraw" | "no match" => but_over(refused()),
        "talk" => {
            // At their turn, players are told that they sent no move.
            let mut row = all("note: note hello | note>B, answer>W".to_owned());
            row[1] = "note: note hello | note>B".to_owned();
            row[2] = row[1].clone();
            row[5] = row[1].clone();
            row
        }
        // Which of both is asked, where an offer or a proposal stands.
        "decline alone" => {
            let mut row = but_over(refused());
            row[3] = no("ambiguous");
            row[5] = no("ambiguous");
            row
        }
        // There is no such half-move; and in none of these have both moved and is it over.
        "show 9" | "rematch" => all(refused()),
        _ => unreachable!("{name}"),
    };
    for (name, intent) in intents() {
        // Words go with what is done; here they would hide the rest.
        let words = if matches!(name, "note" | "talk") {
            "hello"
        } else {
            ""
        };
        let row: Vec<String> = situations()
            .iter()
            .map(|(_, game)| told(game, &decided(game, &intent, words, true, BOTH)))
            .collect();
        assert_eq!(row, expected(name), "{name}");
    }
}

#[test]
fn a_player_tells_nobody_but_acknowledges_commands() {
    for (name, expected) in [
        ("move", "accepted: move P-e4, note hello | "),
        ("resign", "command: resign, note hello | receipt>W"),
        ("note", "command: note hello | answer>W"),
        ("talk", "note: note hello | answer>W"),
        ("mention", "confirm: refused confirm | answer>W"),
    ] {
        let intents = intents();
        let (_, intent) = intents.iter().find(|(other, _)| *other == name).unwrap();
        let game = begun();
        let decision = decided(&game, intent, "hello", false, BOTH);
        assert_eq!(told(&game, &decision), expected, "{name}");
    }
}

/// Talk went on to the opponent, and its writer, whose turn it was, heard nothing.
#[test]
fn talk_at_one_s_turn_is_answered_at_length_once_a_half_move() {
    let talk = |game: &Match, number: usize, side| {
        let id = id(&format!("<{number}@mail.test>"));
        let received = Received {
            id: &id,
            side,
            address: None,
            words: "hello",
            unread: None,
            is_referee: true,
            quota: BOTH,
        };
        let decision = decide(game, &Intent::Words, &received, time());
        let answers = decision
            .mails
            .iter()
            .filter(|due| due.explanation.is_some());
        let is_again: Vec<bool> = answers.map(|due| due.is_again).collect();
        (is_again, applied(game, &decision))
    };
    let (answers, game) = talk(&begun(), 1, WHITE);
    assert_eq!(answers, [false]);
    let line = game.log()[1].line();
    assert!(
        line.contains(" note White hello msg=<1@mail.test> told=no-move"),
        "{line}"
    );
    let (answers, game) = talk(&game, 2, WHITE);
    assert_eq!(answers, [true]);
    // It is not the other player's turn.
    let (answers, mut game) = talk(&game, 3, BLACK);
    assert_eq!(answers, Vec::<bool>::new());
    // The next half-move is another, and so is the one after.
    game.push(e4()).unwrap();
    let (answers, game) = talk(&game, 4, BLACK);
    assert_eq!(answers, [false]);
    let (answers, mut game) = talk(&game, 5, BLACK);
    assert_eq!(answers, [true]);
    game.push(event(Action::play("p-e5"), BLACK)).unwrap();
    let (answers, game) = talk(&game, 6, WHITE);
    assert_eq!(answers, [false]);
    let (answers, _) = talk(&game, 7, WHITE);
    assert_eq!(answers, [true]);
    // A program asks for nothing: two of them would go on for ever.
    let id = id("<demo.2.0123456789abcdef0123@anna.test>");
    let received = Received {
        id: &id,
        side: WHITE,
        address: None,
        words: "hello",
        unread: None,
        is_referee: true,
        quota: BOTH,
    };
    let decision = decide(&begun(), &Intent::Words, &received, time());
    assert_eq!(told(&begun(), &decision), "note: note hello | note>B");
}

#[test]
fn a_message_without_words_is_refused_at_its_turn_and_ignored_else() {
    let [turn, other] = [begun(), after([e4()])]
        .map(|game| told(&game, &decided(&game, &Intent::Words, "", true, BOTH)));
    assert_eq!(turn, "refused: refused refused | answer>W");
    assert_eq!(other, "ignored:  | ");
    // The other player's program asks for nothing, and gets no receipt.
    let id = id("<demo.2.0123456789abcdef0123@anna.test>");
    let received = Received {
        id: &id,
        side: WHITE,
        address: None,
        words: "",
        unread: None,
        is_referee: false,
        quota: BOTH,
    };
    let game = begun();
    let decision = decide(&game, &Intent::Words, &received, time());
    assert_eq!(told(&game, &decision), "note: note | ");
    let resigns = Intent::Command(Request::Act(Action::Resign));
    let decision = decide(&game, &resigns, &received, time());
    assert_eq!(told(&game, &decision), "command: resign | ");
    let unread = Received {
        unread: Some("it is too long"),
        ..received
    };
    let decision = decide(&game, &Intent::Words, &unread, time());
    assert!(
        decision
            .reason
            .starts_with("Your message has not been read: it is too long."),
        "{}",
        decision.reason
    );
}

#[test]
fn the_reason_is_told_by_values_for_a_template() {
    let game = begun();
    let intents = intents();
    let explained = |name: &str| {
        let (_, intent) = intents.iter().find(|(other, _)| *other == name).unwrap();
        let decision = decided(&game, intent, "", true, BOTH);
        let [due] = decision.mails.as_slice() else {
            panic!("{decision:?}");
        };
        let explanation: Explanation = due.explanation.clone().unwrap();
        let template = explanation.template();
        (
            template,
            serde_json::to_string(&explanation).unwrap(),
            decision.reason,
        )
    };
    assert_eq!(
        explained("refused"),
        (
            "refused",
            r#"{"lines":["Ne5"],"why":"No knight can go to e5.","piece":"knight","moves":["N-c3","N-f3","N-h3","N-a3"],"yes":false}"#
                .to_owned(),
            "'Ne5': No knight can go to e5.".to_owned()
        )
    );
    assert_eq!(
        explained("ambiguous"),
        (
            "ambiguous",
            r#"{"line":"N2","number":"1.","forms":["Nf3","Nh3"],"yes":false}"#.to_owned(),
            "'N2': it can be read in several ways: Nf3, Nh3".to_owned()
        )
    );
    assert_eq!(explained("help").0, "help");
}

#[test]
fn the_question_which_match_is_decided_like_the_rest() {
    let game = begun();
    let (id, address) = (id("<1@anna.test>"), "anna@example.org".parse().unwrap());
    let received = |answers| Received {
        id: &id,
        side: WHITE,
        address: Some(&address),
        words: "",
        unread: None,
        is_referee: true,
        quota: Quota {
            answers,
            notes: false,
        },
    };
    let asked = decide::which_match(&game, &received(20), [&game], "Why.", time());
    assert_eq!(
        told(&game, &asked),
        "unknown-match: refused question | question>W"
    );
    let Some(Explanation::WhichMatch(_)) = asked.mails[0].explanation else {
        panic!("{asked:?}");
    };
    // It names all matches of the player, and goes to no address that a letter invents.
    let to = |from: &str| {
        let from = from.parse().unwrap();
        let received = Received {
            address: Some(&from),
            ..received(20)
        };
        let asked = decide::which_match(&game, &received, [&game], "Why.", time());
        let asked = applied(&game, &asked);
        asked.owed()[0].address.as_ref().unwrap().to_string()
    };
    assert_eq!(to("anna@work.test"), "anna@work.test");
    assert_eq!(to("anna+eve@work.test"), "anna@example.org");
    let quiet = decide::which_match(&game, &received(0), [&game], "Why.", time());
    assert_eq!(told(&game, &quiet), "unknown-match:  | ");
    assert!(quiet.reason.contains("enough answers"), "{}", quiet.reason);
}

/// 32 MiB of an opponent's letters made each further letter dear.
#[test]
fn letters_that_are_no_moves_fill_a_part_of_the_file_only() {
    let mut game = begun();
    for number in 0..9 {
        let refused = event(Event::Refused(Some(Disposition::Refused)), WHITE)
            .key("msg", Some(format!("<letter.{number}@anna.test>")));
        let owed = event(Event::Mail(MailStep::Owed, Some(MailKind::Answer)), WHITE)
            .key("msg", Some(format!("<answer.{number}@anna.test>")))
            .key("auto", Some("yes"))
            .key("text", Some("x".repeat(1 << 20)));
        game.push(refused).unwrap();
        game.push(owed).unwrap();
    }
    for (name, intent) in intents() {
        let decision = decided(&game, &intent, "", true, BOTH);
        let is_free = matches!(
            name,
            "move" | "move, draw" | "resign" | "resign match" | "mail off"
        );
        assert_eq!(!decision.events.is_empty(), is_free, "{name}");
        assert_eq!(!decision.mails.is_empty(), is_free, "{name}");
        let is_full = decision.reason.contains("filled their part");
        assert_eq!(is_full, !is_free && name != "again", "{name}");
    }
    // The other side has a part of its own.
    let id = id("<1@ben.test>");
    let received = Received {
        id: &id,
        side: BLACK,
        address: None,
        words: "",
        unread: None,
        is_referee: true,
        quota: BOTH,
    };
    let offer = Intent::Command(Request::Act(Action::OfferDraw));
    let decision = decide(&game, &offer, &received, time());
    assert_eq!(decision.events.len(), 1, "{decision:?}");
}
