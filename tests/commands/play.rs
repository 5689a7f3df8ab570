//! The commands that play: new, move, undo, resign, draw, note, list.

use parapost::matches::r#match::Match;

use crate::support::Sandbox;

const NOW: &str = "2026-11-20T03:00:00Z";

/// A folder with a configuration of Anna's and one of Ben's, and no match.
pub(crate) fn house() -> Sandbox {
    let me = |name: &str| {
        let address = name.to_lowercase();
        format!(
            "[mail]\nhtml = false\n[me]\nname = \"{name}\"\naddress = \"{address}@example.org\"\n"
        )
    };
    Sandbox::new()
        .dir("games")
        .file("anna.toml", me("Anna"))
        .file("ben.toml", me("Ben"))
        .file("eve.toml", me("Eve"))
        .file("ref.toml", me("Ref") + "role = \"referee\"\n")
        .env("PARAPOST_NOW", NOW)
}

/// A command line of that user's.
pub(crate) fn of<'a>(who: &'a str, words: &[&'a str]) -> Vec<String> {
    let mut line = vec!["--config".to_owned(), format!("{who}.toml")];
    line.extend(words.iter().map(|word| (*word).to_owned()));
    line
}

pub(crate) const DEMO: &[&str] = &[
    "new",
    "--game",
    "unachess",
    "--id",
    "demo",
    "--white",
    "Anna <anna@example.org>",
    "--black",
    "Ben <ben@example.org>",
];

/// The folder with the match `demo`, which Anna has White in.
pub(crate) fn demo() -> Sandbox {
    let house = house();
    house
        .parapost(of("anna", &[DEMO, &["--invited"]].concat()))
        .stdout("demo\n")
        .run();
    house
}

pub(crate) fn game(house: &Sandbox) -> Match {
    house.read("games/demo.txt").parse().unwrap()
}

/// The run is refused with that status, says that, and changes nothing.
#[track_caller]
pub(crate) fn refused(house: &Sandbox, line: Vec<String>, status: i32, why: &str) {
    let before = house.contents();
    house
        .parapost(line)
        .status(status)
        .stderr_contains(why)
        .run();
    let after = house.contents();
    // Locks and the secret hold nothing of a match.
    let told = |contents: Vec<(std::path::PathBuf, Vec<u8>)>| -> Vec<_> {
        let is_told = |path: &std::path::Path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name != "secret" && !name.contains(".lock")
        };
        contents
            .into_iter()
            .filter(|(path, _)| is_told(path))
            .collect()
    };
    assert_eq!(told(before), told(after));
}

#[test]
fn a_match_is_made_without_a_configuration() {
    let house = Sandbox::new().dir("games").env("PARAPOST_NOW", NOW);
    house.parapost(DEMO.iter().copied()).stdout("demo\n").run();
    let game = game(&house);
    assert_eq!(game.to_string(), house.read("games/demo.txt"));
    assert!(game.owed().is_empty(), "nobody is known who could invite");
    house
        .parapost(["list"])
        .stdout_contains("White to move")
        .run();
    let message = Sandbox::new()
        .dir("games")
        .parapost(DEMO.iter().copied().chain(["--print"]))
        .any_stdout()
        .any_stderr()
        .run();
    assert!(
        message
            .stdout
            .starts_with("From: Anna <anna@example.org>\n")
    );
    assert!(message.stdout.contains("Subject: [demo] Unachess: Anna - "));
}

#[test]
fn an_id_is_made_up_where_none_is_said() {
    let house = house();
    let line: Vec<&str> = DEMO
        .iter()
        .copied()
        .filter(|word| !["--id", "demo"].contains(word))
        .collect();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let made = house
            .parapost(of("anna", &[line.as_slice(), &["--invited"]].concat()))
            .any_stdout()
            .run();
        let id = made.stdout.trim_end().to_owned();
        assert!(id.parse::<parapost::match_id::Id>().is_ok(), "{id}");
        assert!(house.path(format!("games/{id}.txt")).exists());
        assert!(!ids.contains(&id));
        ids.push(id);
    }
}

#[test]
fn a_match_is_not_made_twice_nor_out_of_nonsense() {
    let house = demo();
    let with = |change: &[&str]| of("anna", &[DEMO, change].concat());
    refused(&house, with(&[]), 1, "already");
    refused(
        &house,
        with(&["--option", "pawn-1-4"]),
        2,
        "did you mean 'pawns-1-4'?",
    );
    refused(&house, with(&["--time", "soon"]), 2, "1d to 3650d");
    refused(&house, with(&["--event", "two\nlines"]), 2, "one line");
    refused(&house, with(&["--moves", "P>e3 k>e9"]), 1, "e9");
    for (wrong, why) in [
        (["--id", "../x"], "no id"),
        (["--id", "X"], "no id"),
        (["--game", "unches"], "unachess"),
        (["--white", "Anna"], "no mail address"),
        (
            ["--white", "Anna\nBcc: x@y.test <anna@example.org>"],
            "does not belong",
        ),
    ] {
        let mut line: Vec<&str> = DEMO.to_vec();
        let at = line.iter().position(|word| *word == wrong[0]).unwrap();
        line[at + 1] = wrong[1];
        refused(&house, of("anna", &line), 2, why);
    }
    let excluded = [
        "--option",
        "promote-own-king",
        "--option",
        "promote-both-kings",
    ];
    let mut line = [DEMO, &excluded].concat();
    line[2] = "unashogi";
    refused(&house, of("anna", &line), 2, "exclude each other");
}

#[test]
fn a_running_match_is_taken_over() {
    let house = house();
    let moves = "1. P>e3 n>g5 2. B>f4 n-e6";
    house
        .parapost(of(
            "anna",
            &[DEMO, &["--invited", "--moves", moves]].concat(),
        ))
        .stdout("demo\n")
        .run();
    let game = game(&house);
    let played: Vec<String> = game
        .record()
        .steps()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(played, ["P>e3", "n>g5", "B>f4", "n-e6"]);
    let house = self::house();
    for (moves, why) in [
        ("P>e3 n>g5 B>g5", "g5 is not empty"),
        ("1. P>e3 3. n>g5", "is missing"),
        ("hello", "there is no move in it"),
    ] {
        let line = [DEMO, &["--invited", "--moves", moves]].concat();
        refused(&house, of("anna", &line), 1, why);
    }
}

#[test]
fn the_invitation_sets_the_match_up_on_the_other_side() {
    let house = house();
    let line = [DEMO, &["--time", "10d", "--option", "pawns-1-4", "--print"]].concat();
    let invitation = house
        .parapost(of("anna", &line))
        .any_stdout()
        .stderr("demo\n")
        .run()
        .stdout;
    let there = self::house();
    there
        .parapost(of("ben", &["receive", "--accept"]))
        .stdin(invitation)
        .stdout_contains("\tdemo\tinvitation\n")
        .any_stderr()
        .run();
    let (mine, theirs) = (game(&house), game(&there));
    assert_eq!(mine.hash(), theirs.hash());
    assert_eq!(theirs.settings().time, mine.settings().time);
    assert!(theirs.owed().is_empty(), "nobody is invited back");
}

#[test]
fn a_referee_invites_both() {
    let house = house();
    house
        .parapost(of("ref", DEMO))
        .stdout("demo\n")
        .any_stderr()
        .run();
    assert_eq!(game(&house).owed().len(), 2);
    // And somebody who has no part in it nobody.
    let house = self::house();
    house.parapost(of("eve", DEMO)).stdout("demo\n").run();
    assert!(game(&house).owed().is_empty());
}

#[test]
fn a_move_and_the_mail_it_calls_for_enter_the_file_together() {
    let house = demo();
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .stderr("demo: 1. P>e3 is played; the mail is owed: 'parapost send demo' sends it\n")
        .run();
    let game = game(&house);
    assert_eq!(game.record().steps().len(), 1);
    assert_eq!(game.owed().len(), 1);
    assert_eq!(game.owed()[0].kind.as_str(), "position");
}

#[test]
fn moves_are_read_in_every_notation_and_told_what_was_odd() {
    let house = demo();
    let play = |who: &str, text: &str, says: &str| {
        house
            .parapost(of(who, &["move", "demo", text]))
            .stderr_contains(says)
            .run();
    };
    play("anna", "1. p@e3", "1. P>e3 is played");
    play("ben", "1... N>g5", "1... n>g5 is played");
    play("anna", "B>f4 +", "warning: ");
    play("ben", "Ne6", "2... n-e6 is played");
    let played: Vec<String> = game(&house)
        .record()
        .steps()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(played, ["P>e3", "n>g5", "B>f4", "n-e6"]);
}

#[test]
fn what_is_no_move_is_named_once() {
    demo()
        .parapost(of("anna", &["move", "demo", "hello"]))
        .status(1)
        .stderr("parapost: 'hello' is not a move; a move is written like P>e3 (drop), N-f3 (move) or Bxe2 (capture)\n")
        .run();
}

#[test]
fn what_cannot_be_played_says_why_and_changes_nothing() {
    let house = demo();
    let play = |who: &str, text: &str| of(who, &["move", "demo", text]);
    refused(&house, play("ben", "n>g5"), 1, "it is White's turn");
    refused(
        &house,
        play("anna", "P>e5"),
        1,
        "ranks 2, 3 or 4, not on e5\nlegal moves of the pawn near that: P>d4, P>e4, P>f4, P>c3, P>c4, P>d3, P>e3, P>f3, and 16 others\n'parapost legal demo' lists the legal moves\n",
    );
    refused(&house, play("anna", "2. P>e3"), 1, "the next move is 1.");
    refused(&house, play("anna", "N"), 1, "write the move in quotes");
    refused(&house, play("anna", "nonsense"), 1, "nonsense");
    refused(
        &house,
        play("eve", "P>e3"),
        1,
        "you (eve@example.org) do not play in the match demo",
    );
    refused(&house, play("ref", "P>e3"), 1, "do not play");
    refused(
        &house,
        of("anna", &["move", "nosuch", "P>e3"]),
        1,
        "there is no match nosuch",
    );
    refused(&house, of("anna", &["move", "../demo", "P>e3"]), 2, "no id");
    let unknown = vec!["move".to_owned(), "demo".to_owned(), "P>e3".to_owned()];
    refused(&house, unknown, 1, "[me]\nname = ");
    refused(
        &house,
        of("nobody", &["move", "demo", "P>e3"]),
        1,
        "nobody.toml",
    );
}

#[test]
fn a_damaged_file_is_refused_with_its_line_and_left_alone() {
    let house = demo();
    let text = house.read("games/demo.txt");
    let house = house.file("games/demo.txt", text.replace("rrbbnnqk", "rrbbnnq-"));
    for words in [
        &["move", "demo", "P>e3"][..],
        &["undo", "demo"],
        &["send", "demo"],
        &["resign", "demo"],
        &["draw", "offer", "demo"],
        &["note", "demo", "x"],
        &["list"],
    ] {
        refused(&house, of("anna", words), 1, "games/demo.txt:15: ");
    }
    let other = text.replace("Rules: unachess", "Rules: draughts");
    let house = house.file("games/demo.txt", other);
    refused(
        &house,
        of("anna", &["move", "demo", "P>e3"]),
        1,
        "unknown game 'draughts'",
    );
}

#[test]
fn a_move_is_taken_back_while_its_mail_is_here() {
    let house = demo();
    refused(
        &house,
        of("anna", &["undo", "demo"]),
        1,
        "nothing has been played",
    );
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .any_stderr()
        .run();
    refused(
        &house,
        of("ben", &["undo", "demo"]),
        1,
        "the last move was White's",
    );
    house
        .parapost(of("anna", &["undo", "demo"]))
        .stderr("demo: P>e3 is taken back\n")
        .run();
    assert!(game(&house).owed().is_empty());
    house
        .parapost(of("anna", &["move", "demo", "P>e4", "--print"]))
        .stdout_contains("has played 1. P>e4.")
        .run();
    refused(&house, of("anna", &["undo", "demo"]), 1, "has gone");
}

#[test]
fn a_draw_is_offered_answered_and_claimed() {
    let house = demo();
    let draw = |who: &str, action: &str| of(who, &["draw", action, "demo"]);
    refused(
        &house,
        draw("anna", "accept"),
        1,
        "no offer of a draw by Black stands",
    );
    refused(
        &house,
        draw("anna", "claim"),
        1,
        "has not occurred three times",
    );
    refused(&house, draw("anna", "beg"), 2, "offer");
    house
        .parapost(of("anna", &["draw", "offer", "demo", "--print"]))
        .stdout_contains("Anna (White) offers a draw.\n\nAnna (White) is to move")
        .stdout_contains("\n\noffer draw\n\n")
        .run();
    refused(&house, draw("anna", "offer"), 1, "offered already");
    house
        .parapost(draw("ben", "decline"))
        .stderr_contains("declined")
        .run();
    house.parapost(draw("ben", "offer")).any_stderr().run();
    house.parapost(draw("anna", "accept")).any_stderr().run();
    assert!(
        house
            .read("games/demo.txt")
            .contains("\nResult: 1/2-1/2 (agreement)\n")
    );
    refused(&house, draw("ben", "offer"), 1, "the game is over");
    refused(
        &house,
        of("anna", &["resign", "demo"]),
        1,
        "the game is over",
    );
    refused(
        &house,
        of("anna", &["move", "demo", "P>e3"]),
        1,
        "the game is over",
    );
}

#[test]
fn a_draw_by_repetition_is_claimed() {
    let house = house();
    let mut line = [DEMO, &["--invited", "--moves"]].concat();
    line[2] = "chess";
    line.push("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8");
    house.parapost(of("anna", &line)).stdout("demo\n").run();
    refused(
        &house,
        of("ben", &["draw", "claim", "demo"]),
        1,
        "it is White's turn",
    );
    house
        .parapost(of("anna", &["draw", "claim", "demo", "--print"]))
        .stdout_contains("\nSubject: [demo] Chess: Anna - ")
        .stdout_contains("\nclaim draw\n")
        .run();
}

#[test]
fn a_move_can_offer_a_draw() {
    let house = house();
    let mut line = [DEMO, &["--invited"]].concat();
    line[2] = "chess";
    house.parapost(of("anna", &line)).stdout("demo\n").run();
    house
        .parapost(of("anna", &["move", "demo", "P-e4 (=)", "--print"]))
        .stdout_contains("has played 1. P-e4 and offers a draw.")
        .run();
    house
        .parapost(of("ben", &["draw", "accept", "demo"]))
        .any_stderr()
        .run();
}

#[test]
fn either_player_resigns_at_any_time() {
    let house = demo();
    house
        .parapost(of("ben", &["resign", "demo", "--print"]))
        .stdout_contains("Ben (Black) resigns.\n\nThe match is over")
        .stdout_contains("\n\nresign\n\n")
        .run();
    assert!(
        house
            .read("games/demo.txt")
            .contains("\nResult: 1-0 (resignation)\n")
    );
    refused(&house, of("eve", &["resign", "demo"]), 1, "do not play");
}

#[test]
fn a_note_stays_in_the_file_on_one_line() {
    let house = demo();
    let note = "2026-11-20T03:00:00Z resign White\n\"quoted\" \u{1b}[2J";
    house
        .parapost(of("anna", &["note", "demo", note]))
        .stderr("demo: noted for yourself; it is mailed to nobody ('parapost say demo' writes to the opponent)\n")
        .run();
    let game = game(&house);
    assert_eq!(game.log().last().unwrap().argument(), Some(note));
    assert!(game.ending().is_none() && game.owed().is_empty());
    refused(&house, of("anna", &["note", "demo", "  "]), 2, "empty");
    refused(&house, of("anna", &["note", "demo"]), 2, "TEXT");
}

#[test]
fn the_list_says_whose_turn_it_is() {
    let house = house();
    house.parapost(of("anna", &["list"])).run();
    let line = [DEMO, &["--invited", "--time", "2d"]].concat();
    house.parapost(of("anna", &line)).stdout("demo\n").run();
    house
        .parapost(of("anna", &["list"]))
        .stdout("demo  unachess  Anna - Ben  0 half-moves, White to move (you) by 2026-11-22T03:00:00Z\n")
        .run();
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .any_stderr()
        .run();
    let later = house.clone().env("PARAPOST_NOW", "2026-11-23T00:00:00Z");
    later
        .parapost(of("anna", &["list"]))
        .stdout("demo  unachess  Anna - Ben  1 half-move, Black to move overdue since 2026-11-22T03:00:00Z, a mail owed\n")
        .run();
    let json = later
        .parapost(of("anna", &["list", "--json"]))
        .any_stdout()
        .run();
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let entry = &json["matches"][0];
    assert_eq!(entry["id"], "demo");
    assert_eq!(entry["turn"], "black");
    assert_eq!(entry["yours"], false);
    assert_eq!(entry["overdue"], true);
    assert_eq!(entry["owed"], 1);
    assert_eq!(entry["result"], serde_json::Value::Null);
    later
        .parapost(["list"])
        .stdout_contains("Black to move")
        .run();
}
