//! Claimed addresses: Anna says that Carl's address is hers.

use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::store::Store as _;

use super::taps::{ANNA, BEN, Desk, Draft, Heard};
use super::{header, letter, receive, session};
use crate::matches::log::{ids, settings, time};
use crate::support::Sandbox;

const CARL: &str = "carl@c.test";
const DORA: &str = "dora@d.test";

fn plain(subject: &str, body: &str) -> Draft {
    Draft {
        subject: subject.to_owned(),
        body: body.to_owned(),
    }
}

/// A desk on which Anna has sent the code of her mail in `demo` from Carl's address, and has added
/// that address.
struct Claimed {
    desk: Desk,
    /// The mail to Anna that asked about the address.
    asked: String,
    /// The mails that adding the address caused.
    mails: Vec<(String, String)>,
    /// A mail to Carl in his own match with Dora, `carls`.
    to_carl: String,
}

impl Claimed {
    fn new(policy: &str) -> Claimed {
        let desk = Desk::new(policy, "chess", "");
        let mut carls = settings("chess", &[]);
        carls.id = "carls".parse().unwrap();
        carls.players = [CARL, DORA].map(|address| format!("<{address}>").parse().unwrap());
        let mut carls = Match::new(carls, time());
        let mail = NewMail::new("position", Color::White);
        let to_carl = carls.owe(time(), mail, &ids()).unwrap();
        carls.sent(time(), &to_carl, "smtp").unwrap();
        desk.store.create(&carls).unwrap();
        let draft = desk.tap("P-e4");
        let heard = desk.hears_from(CARL, &draft);
        heard.is("confirm");
        let (_, question) = heard.mails().pop().unwrap();
        let asked = header(&question, "Message-ID:").to_owned();
        let cite = format!("In-Reply-To: {asked}\n");
        let adds = plain("[demo]", &format!("add address {CARL}\n"));
        let heard = desk.hears(&desk.letter(ANNA, &cite, &adds));
        heard.is("command");
        Claimed {
            mails: heard.mails(),
            to_carl: to_carl.to_string(),
            desk,
            asked,
        }
    }

    fn hears(&self, from: &str, cites: &str, draft: &Draft) -> Heard {
        let fields = match cites {
            "" => String::new(),
            id => format!("In-Reply-To: {id}\n"),
        };
        self.desk.hears(&self.desk.letter(from, &fields, draft))
    }

    /// A letter of Carl's that names no match. Under `token` it cites a mail, as it must.
    fn carl_writes(&self, policy: &str, body: &str) -> Heard {
        let cites = if policy == "token" {
            &*self.to_carl
        } else {
            ""
        };
        self.hears(CARL, cites, &plain("hello", body))
    }

    /// The question at Carl's address.
    fn question(&self) -> &str {
        let mut mails = self.mails.iter();
        let found = mails.find(|(to, _)| to.contains(CARL));
        &found.unwrap_or_else(|| panic!("{:?}", self.mails)).1
    }

    fn carls(&self) -> Match {
        let stored = self.desk.store.read(&"carls".parse().unwrap()).unwrap();
        Match::clone(&stored.game)
    }
}

#[track_caller]
fn nothing_to_carl(heard: &Heard) {
    let mails = heard.mails();
    assert!(!mails.iter().any(|(to, _)| to.contains(CARL)), "{mails:?}");
}

#[test]
fn a_claimed_address_gets_one_mail_which_asks() {
    for policy in ["address", "token"] {
        let claimed = Claimed::new(policy);
        let to = |address: &str| {
            let mails = claimed.mails.iter();
            mails.filter(|(to, _)| to.contains(address)).count()
        };
        assert_eq!((to(CARL), to(ANNA)), (1, 1), "{:?}", claimed.mails);
        let question = claimed.question();
        // It says nothing about the match, and does not even have the name that its player has
        // chosen.
        let (head, body) = question.split_once("\n\n").unwrap();
        for word in ["References:", "In-Reply-To:", "[demo]", "Anna White"] {
            assert!(!question.contains(word), "{word}\n{question}");
        }
        assert!(head.contains(&format!("\nTo: {CARL}\n")), "{head}");
        let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(body.contains("the word \"yes\" alone"), "{body}");
        // Went wrong: nineteen mails a day went there.
        for _ in 0..6 {
            let answer = claimed.hears(CARL, &claimed.asked, &plain("[demo]", "help\n"));
            nothing_to_carl(&answer);
            let told = &answer.stdout;
            assert!(told.contains(&format!("<{ANNA}>")), "{told}");
        }
        // No later mail to Anna has the id of the question.
        let id = header(question, "Message-ID:");
        let answer = claimed.hears(ANNA, &claimed.asked, &plain("[demo]", "help\n"));
        let told = &answer.stdout;
        assert!(told.contains("References:") || told.contains("In-Reply-To:"));
        assert!(!told.contains(id), "{told}");
    }
}

#[test]
fn it_is_asked_once_over_all_matches() {
    let claimed = Claimed::new("address");
    // Ben claims it, too, in another match with Dora.
    let mut other = settings("chess", &[]);
    other.id = "other".parse().unwrap();
    other.players = [BEN, DORA].map(|address| format!("<{address}>").parse().unwrap());
    let mut other = Match::new(other, time());
    let added = format!("2026-11-20T04:00:00Z address White asked from={CARL}");
    other.push(added.parse::<LogEntry>().unwrap()).unwrap();
    claimed.desk.store.create(&other).unwrap();
    let adds = plain("[other]", &format!("add address {CARL}\n"));
    let heard = claimed.hears(BEN, "", &adds);
    heard.is("command");
    nothing_to_carl(&heard);
}

#[test]
fn a_letter_without_a_match_is_not_about_the_one_with_the_claim() {
    for policy in ["address", "token"] {
        let claimed = Claimed::new(policy);
        let heard = claimed.carl_writes(policy, "P-d4\n\nHello Dora!\n");
        heard.is("accepted").says("carls");
        assert!(!claimed.desk.game().to_string().contains("Hello"));
        assert_eq!(claimed.carls().record().steps().len(), 1);
        // Further ones are not about it either, when it is nobody's turn.
        let heard = claimed.carl_writes(policy, "Are you there?\n");
        heard.is("note").says("carls");
    }
}

#[test]
fn its_message_id_makes_no_other_letter_a_duplicate() {
    for from in [ANNA, CARL] {
        for policy in ["address", "token"] {
            let claimed = Claimed::new(policy);
            let own = claimed.desk.letter(CARL, "", &plain("hello", "P-d4\n"));
            let id = own.split_once("Message-ID: ").unwrap().1;
            let id = &id.lines().next().unwrap().to_owned();
            let taken = claimed
                .desk
                .letter(from, "", &plain("[demo]", "note hello\n"));
            let count = claimed.desk.count.get();
            let taken = taken.replace(&format!("<tap.{count}@phone.test>"), id);
            let cited = |letter: &str, cites: &str| {
                letter.replacen(
                    "MIME-Version",
                    &format!("In-Reply-To: {cites}\nMIME-Version"),
                    1,
                )
            };
            claimed
                .desk
                .hears(&cited(&taken, &claimed.asked))
                .is("command");
            let own = if policy == "token" {
                cited(&own, &claimed.to_carl)
            } else {
                own
            };
            claimed.desk.hears(&own).is("accepted").says("carls");
            // A letter that answers her personal letter with that id does not count in her match.
            if policy == "address" {
                let heard = claimed.hears(CARL, id, &plain("Re: hello", "resign\n"));
                assert!(!heard.stdout.contains("demo"), "{}", heard.stdout);
                assert!(claimed.desk.game().turn().is_some());
            }
        }
    }
}

#[test]
fn its_letters_use_up_nobodys_answers() {
    for policy in ["address", "token"] {
        let claimed = Claimed::new(policy);
        for number in 0..22 {
            let draft = plain("[demo]", &format!("note number {number}\n"));
            claimed.hears(CARL, &claimed.asked, &draft);
        }
        // Letters from any of her addresses use up Anna's answers.
        let heard = claimed.hears(ANNA, &claimed.asked, &plain("[demo]", "help\n"));
        assert!(heard.mails().is_empty(), "{policy}: {}", heard.stdout);
        let draft = plain("[carls]", "note hello Dora\n");
        let heard = claimed.hears(CARL, &claimed.to_carl, &draft);
        heard.is("command");
        let mails = heard.mails();
        assert!(
            mails.iter().any(|(to, _)| to.contains(DORA)),
            "{policy}: {mails:?}"
        );
    }
}

#[test]
fn yes_from_there_confirms_it_at_any_time() {
    for policy in ["address", "token"] {
        let claimed = Claimed::new(policy);
        let id = header(claimed.question(), "Message-ID:").to_owned();
        claimed
            .hears(ANNA, &claimed.asked, &plain("[demo]", "P-e4\n"))
            .is("accepted");
        // A yes from elsewhere or to another mail does not count.
        for (from, cites) in [(ANNA, &id), (BEN, &id), (CARL, &claimed.asked)] {
            claimed.hears(from, cites, &plain("Re: Is this your address?", "yes\n"));
        }
        // A question in return confirms nothing, and nobody gets its words.
        let heard = claimed.hears(CARL, &id, &plain("Re: Is this", "Who are you, and why?\n"));
        heard.is("refused");
        nothing_to_carl(&heard);
        let game = claimed.desk.game().to_string();
        assert!(!game.contains("address White proven"), "{game}");
        assert!(!game.contains("Who are you"), "{game}");
        let heard = claimed.hears(CARL, &id, &plain("Re: Is this your address?", "Yes.\n"));
        heard.is("command");
        assert!(heard.mails().iter().any(|(to, _)| to.contains(CARL)));
        let game = claimed.desk.game().to_string();
        assert!(game.contains(" address White proven "), "{game}");
        let again: Match = game.parse().unwrap();
        assert_eq!(again.to_string(), game);
        // Now the answers go there, and a letter that names no match may be about either.
        let heard = claimed.hears(CARL, &id, &plain("[demo]", "help\n"));
        assert!(
            heard.mails().iter().any(|(to, _)| to.contains(CARL)),
            "{}",
            heard.stdout
        );
        let heard = claimed.hears(CARL, "", &plain("hello", "Nice!\n"));
        assert!(
            heard.stdout.contains("\tcarls\t") || policy == "token",
            "{}",
            heard.stdout
        );
    }
}

/// Ben's folder with a match against Carl, and an invitation of Anna's with Carl's address.
fn invited(players: &str) -> (Sandbox, String) {
    let ben = session("ben", "player");
    let words = ["new", "--game", "unachess", "--id", "c", "--invited"];
    let players_of_c = [
        "--white",
        "Carl <carl@c.test>",
        "--black",
        "Ben <ben@example.org>",
    ];
    ben.parapost(words.iter().chain(&players_of_c))
        .any_stdout()
        .any_stderr()
        .run();
    let anna = session("anna", "player");
    let words = [
        "new", "--game", "unachess", "--id", "m", "--print", "--white", players,
    ];
    let black = ["--black", "Ben <ben@example.org>"];
    let sent = anna
        .parapost(words.iter().chain(&black))
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    // It comes from the address that Eve has.
    let from = format!("From: {}\n", header(&sent, "From:"));
    let sent = sent.replace(&from, "From: Eve <anna@example.org>\n");
    let accepts = ben.parapost(["receive", "--accept"]).stdin(sent.as_str());
    accepts.stdout_contains("\tinvitation\n").any_stderr().run();
    (ben, sent)
}

#[test]
fn the_other_addresses_of_an_invitation_are_claims() {
    for players in [
        "Eve <anna@example.org>, <carl@c.test>",
        "Eve <carl@c.test>, <anna@example.org>",
    ] {
        let (ben, _) = invited(players);
        // A letter that names no match is about Carl's own.
        let bare = letter("carl@c.test", "hello", "P>e3\n");
        receive(&ben, &[], &bare, "c", "accepted").run();
        // Our mail goes to the sender of the invitation.
        let first = letter("anna@example.org", "[m]", "P>e4\n");
        receive(&ben, &[], &first, "m", "accepted").run();
        let words = ["move", "m", "n>g5", "--print"];
        let sent = ben.parapost(words).any_stdout().any_stderr().run().stdout;
        assert!(header(&sent, "To:").contains("anna@example.org"), "{sent}");
        // An answer to it proves only that address.
        let cite = format!("\nIn-Reply-To: {}\n\n", header(&sent, "Message-ID:"));
        let second = letter("anna@example.org", "[m]", "N>f3\n").replacen("\n\n", &cite, 1);
        receive(&ben, &[], &second, "m", "accepted").run();
        let game = ben.read("games/m.txt");
        assert!(
            game.contains(" address White proven from=anna@example.org"),
            "{game}"
        );
        assert!(!game.contains("proven from=carl"), "{game}");
        // A forged letter that cites the same mail does not prove the other one.
        let forged = letter("carl@c.test", "[m]", "help\n").replacen("\n\n", &cite, 1);
        let output = receive(&ben, &["--print"], &forged, "m", "command").run();
        assert!(
            !output.stdout.contains("\nTo: \"Eve\" <carl@c.test>"),
            "{}",
            output.stdout
        );
        assert!(!ben.read("games/m.txt").contains("proven from=carl"));
    }
}

/// The referee's folder with Anna's running match, in which she claims Carl's address, and a
/// finished match of Carl and Ben.
fn claimed_at_a_referees() -> Sandbox {
    let house = session("ref", "referee");
    super::begin(&house, "m", "P>e3");
    let words = ["new", "--game", "unachess", "--id", "c", "--invited"];
    let players = [
        "--white",
        "Carl Huber <carl@c.test>",
        "--black",
        "Ben <ben@example.org>",
    ];
    house
        .parapost(words.iter().chain(&players))
        .any_stdout()
        .any_stderr()
        .run();
    let game: Match = house.read("games/m.txt").parse().unwrap();
    let mut game = game;
    let time = "2026-11-20T04:00:00Z";
    for line in [
        format!("{time} address White asked from={CARL}"),
        format!("{time} address White added from={CARL} msg=<1@example.org>"),
    ] {
        game.push(line.parse::<LogEntry>().unwrap()).unwrap();
    }
    house.write("games/m.txt", game.to_string());
    let said = letter(CARL, "[m]", "note I am Carl Huber\n");
    receive(&house, &[], &said, "m", "command").run();
    let ends = letter(CARL, "[c]", "P>e3\n");
    receive(&house, &[], &ends, "c", "accepted").run();
    let ends = letter(CARL, "[c]", "resign\n");
    receive(&house, &[], &ends, "c", "command").run();
    house
}

#[test]
fn nobody_is_kept_from_being_forgotten_by_a_claim() {
    let house = claimed_at_a_referees();
    house
        .parapost(["forget", CARL, "--yes"])
        .stderr("Player 1 in others' words in 1 match\nPlayer 1 in 1 match\n")
        .run();
    for id in ["m", "c"] {
        let text = house.read(format!("games/{id}.txt"));
        assert!(!text.contains("c.test"), "{text}");
    }
    let text = house.read("games/m.txt");
    // Anna is not Carl, so her match goes on.
    assert!(text.contains("Anna <anna@example.org>"), "{text}");
    let game: Match = text.parse().unwrap();
    assert!(
        game.turn().is_some()
            && game.owed().iter().all(|mail| mail.address.is_none()
                || mail
                    .address
                    .as_ref()
                    .is_some_and(|to| to.domain() == "example.org")),
        "{text}"
    );
    receive(&house, &[], &super::ben("n>g5\n"), "m", "accepted").run();
}

#[test]
fn nobody_is_forgotten_with_an_address_that_is_only_claimed() {
    let house = claimed_at_a_referees();
    let ends = letter(ANNA, "[m]", "resign\n");
    receive(&house, &[], &ends, "m", "command").run();
    house.parapost(["forget", ANNA, "--yes"]).any_stderr().run();
    let text = house.read("games/c.txt");
    assert!(text.contains("Carl Huber <carl@c.test>"), "{text}");
}

#[test]
fn an_export_has_the_claim_and_nothing_of_its_player() {
    let house = claimed_at_a_referees();
    let line = ["export", "--person", CARL, "out"];
    house.parapost(line).any_stderr().run();
    let claim = house.read("out/m.txt");
    assert!(claim.contains(CARL), "{claim}");
    for word in ["anna@", "Anna", "I am Carl", "P>e3"] {
        assert!(!claim.contains(word), "{word}\n{claim}");
    }
    let own = house.read("out/c.txt");
    assert!(
        own.contains("Carl Huber <carl@c.test>") && own.contains("P>e3"),
        "{own}"
    );
    // Anna's export has nothing of Carl's match either.
    house
        .parapost(["export", "--person", ANNA, "hers"])
        .any_stderr()
        .run();
    assert!(!house.path("hers/c.txt").exists());
}

/// In a match of an earlier version, all addresses of a player who has moved there count.
#[test]
fn an_address_that_has_moved_before_counts() {
    let house = session("ref", "referee");
    super::begin(&house, "m", "");
    let mut game: Match = house.read("games/m.txt").parse().unwrap();
    let time = "2026-11-20T04:00:00Z";
    for line in [
        format!("{time} address White asked from={CARL}"),
        format!("{time} address White added from={CARL} msg=<1@example.org>"),
        format!("{time} move White P>e3 msg=<2@c.test>"),
        format!("{time} move Black n>g5 msg=<3@example.org>"),
    ] {
        game.push(line.parse::<LogEntry>().unwrap()).unwrap();
    }
    house.write("games/m.txt", game.to_string());
    let bare = letter(CARL, "hello", "N>f3\n");
    let output = receive(&house, &["--print"], &bare, "m", "accepted").run();
    assert!(
        output.stdout.contains(&format!("<{CARL}>")),
        "{}",
        output.stdout
    );
}

#[test]
fn a_player_of_one_claimed_address_is_still_found_where_nobody_else_has_it() {
    let (ben, _) = invited("Eve <anna@example.org>, <eve@e.test>");
    let bare = letter("eve@e.test", "hello", "P>e3\n");
    receive(&ben, &[], &bare, "m", "accepted").run();
}
