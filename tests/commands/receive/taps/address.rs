//! Taps from an address that nobody knows.

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::rules::Color;

use super::{ANNA, BEN, Desk, Draft, REFEREE};
use crate::matches::log::time;
use crate::store::memory::Fault;

const PHONE: &str = "anna2@mobile.test";

fn plain(body: &str) -> Draft {
    Draft {
        subject: "[demo]".to_owned(),
        body: body.to_owned(),
    }
}

#[test]
fn a_tap_from_an_unknown_address_asks_the_player() {
    for policy in ["address", "token"] {
        let desk = Desk::new(policy, "chess", "");
        let draft = desk.tap("P-e4");
        let heard = desk.hears_from(PHONE, &draft);
        heard.is("confirm");
        let question = {
            let mails = heard.mails();
            // The links' own mail, and the question.
            let [_, (to, question)] = mails.as_slice() else {
                panic!("{}", heard.stdout)
            };
            assert_eq!(to, "\"Anna White\" <anna@example.org>");
            question.clone()
        };
        assert!(
            !heard.stdout.contains(&format!("To: {PHONE}")),
            "{}",
            heard.stdout
        );
        let flat = question.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in [PHONE, "P-e4", &format!("add address {PHONE}")] {
            assert!(flat.contains(words), "{question}");
        }
        assert!(desk.moves().is_empty());
        // Once a half-move, whatever the move.
        let before = desk.game().to_string();
        let heard = desk.hears_from(PHONE, &draft);
        heard.is("confirm").says("has been asked");
        assert_eq!(desk.game().to_string(), before);

        // An answer without the command adds nothing, with the question quoted or not.
        let id = question
            .lines()
            .find_map(|line| line.strip_prefix("Message-ID: "));
        let cite = format!("In-Reply-To: {}\n", id.unwrap());
        let (_, text) = question.split_once("\n\n").unwrap();
        let quoted = text.replace('\n', "\n> ");
        for body in [
            format!("No, what is that?\n\n{text}"),
            format!("No.\n\n> {quoted}"),
        ] {
            desk.hears(&desk.letter(ANNA, &cite, &plain(&body)));
            desk.hears_from(PHONE, &draft).is("confirm");
        }
        // Nobody else can add it, and nothing else can be added.
        desk.hears(&desk.letter(PHONE, &cite, &plain(&format!("add address {PHONE}\n"))));
        desk.hears(&desk.letter(BEN, &cite, &plain(&format!("add address {PHONE}\n"))));
        let other = plain("add address other@mobile.test\n");
        desk.hears(&desk.letter(ANNA, &cite, &other)).is("refused");
        desk.hears_from(PHONE, &draft).is("confirm");

        let adds = plain(&format!("add address {PHONE}\n"));
        let heard = desk.hears(&desk.letter(ANNA, &cite, &adds));
        heard.is("command").says("You can play from");
        desk.hears(&desk.letter(ANNA, &cite, &adds)).is("refused");
        desk.hears_from(PHONE, &draft).is("accepted");
        assert_eq!(desk.moves(), ["P-e4"]);
        // The file says so, and is read back.
        let text = desk.game().to_string();
        assert!(
            text.contains(&format!(" address White added from={PHONE} msg="))
                || text.contains(&format!("from={PHONE}")),
            "{text}"
        );
        let again: parapost::matches::r#match::Match = text.parse().unwrap();
        assert_eq!(again.to_string(), text);
        assert!(again.side_of(&PHONE.parse().unwrap()).is_some());
    }
}

#[test]
fn nobody_is_asked_about_an_address_of_the_others() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    let before = desk.game().to_string();
    for from in [REFEREE, "ref+chess@example.org", "\"odd one\"@mobile.test"] {
        let heard = desk.hears_from(from, &draft);
        assert!(
            matches!(heard.word.as_str(), "stranger" | "ignored"),
            "{from}: {}",
            heard.word
        );
        assert_eq!(desk.game().to_string(), before, "{from}");
    }
    assert!(!desk.game().to_string().contains(" address "));
}

/// Anna has the codes of her own mails, and can write any address into `From`. Her mails must not
/// tell her whether it is Ben's.
#[test]
fn a_right_guess_at_the_other_players_address_gets_what_a_wrong_one_gets() {
    for policy in ["address", "token"] {
        let heard = |guess: &str| {
            let desk = Desk::new(policy, "chess", "");
            let draft = desk.tap("P-e4");
            let mut told = vec![desk.hears_from(guess, &draft)];
            let mails = told[0].mails();
            let (_, question) = mails.iter().find(|(to, _)| to.contains(ANNA)).expect(guess);
            let id = question
                .lines()
                .find_map(|line| line.strip_prefix("Message-ID: "));
            let cite = format!("In-Reply-To: {}\n", id.unwrap());
            let adds = plain(&format!("add address {guess}\n"));
            told.extend([&adds, &adds].map(|adds| desk.hears(&desk.letter(ANNA, &cite, adds))));
            assert!(desk.moves().is_empty(), "{guess}");
            let game = desk.game();
            let guessed = guess.parse().unwrap();
            assert_eq!(
                game.speaks_for(Color::White, &guessed),
                guess == WRONG,
                "{guess}"
            );
            let to_anna = told.iter().flat_map(super::Heard::mails);
            let to_anna = to_anna.filter(|(to, _)| to.contains(ANNA));
            let bodies = to_anna.map(|(_, mail)| {
                let (_, body) = mail.split_once("\n\n").unwrap();
                body.replace(guess, "GUESS")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            bodies.collect::<Vec<_>>()
        };
        let right = heard(BEN);
        // A wrong one of the same length, as lines are wrapped.
        assert_eq!(BEN.len(), WRONG.len());
        assert!(right.len() >= 3, "{right:?}");
        assert_eq!(right, heard(WRONG), "{policy}");
    }
}

/// An address as long as Ben's.
const WRONG: &str = "bea@example.org";

#[test]
fn a_wrong_or_outdated_code_asks_nobody() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    let code = draft.code().to_owned();
    let wrong = draft.with_body(|body| body.replace(&code, "aaaabbbbccccdddd"));
    desk.hears_from(PHONE, &wrong).is("stranger");
    desk.hears_from(ANNA, &draft).is("accepted");
    let heard = desk.hears_from(PHONE, &draft);
    heard.is("stranger");
    assert!(heard.mails().is_empty(), "{}", heard.stdout);
    assert!(!desk.game().to_string().contains(" address "));
}

#[test]
fn questions_about_addresses_are_few() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    for n in 0..12 {
        desk.hears_from(&format!("phone{n}@mobile.test"), &draft)
            .is("confirm");
    }
    let text = desk.game().to_string();
    assert_eq!(text.matches(" address White asked ").count(), 5, "{text}");
    // No bound touches the player's own move.
    desk.hears_from(ANNA, &draft).is("accepted");
}

#[test]
fn the_words_of_an_unknown_address_go_nowhere() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    let loud = draft
        .with_body(|body| format!("Buy pills!\n{body}\nhttps://pills.test\nadd address {PHONE}\n"));
    let heard = desk.hears_from(PHONE, &loud);
    heard.is("confirm");
    for text in [&heard.stdout, &heard.stderr, &desk.game().to_string()] {
        assert!(!text.to_lowercase().contains("pills"), "{text}");
    }
}

#[test]
fn an_unknown_address_without_a_signature_asks_nobody_under_dkim() {
    let desk = Desk::new("dkim", "chess", "");
    let draft = desk.tap("P-e4");
    desk.hears_from(PHONE, &draft).is("stranger");
    let fields = "Authentication-Results: mx.test; dkim=pass header.d=mobile.test\n";
    let letter = desk.letter(PHONE, "", &draft);
    desk.hears(&format!("{fields}{letter}")).is("confirm");
}

/// Another process plays the move between the first look at the code and the question.
#[test]
fn a_code_that_is_used_up_meanwhile_asks_nobody() {
    let desk = Desk::new("address", "chess", "");
    let draft = desk.tap("P-e4");
    let played = LogEntry::new(time(), Action::play("P-d4"), Color::White);
    let faults = &desk.store.faults;
    faults.lock().unwrap().push_back(Fault::Faster(played));
    let heard = desk.hears_from(PHONE, &draft);
    heard.is("stranger");
    assert!(heard.mails().is_empty(), "{}", heard.stdout);
    assert!(faults.lock().unwrap().is_empty());
    assert_eq!(desk.moves(), ["P-d4"]);
    assert!(!desk.game().to_string().contains(" address "));
}
