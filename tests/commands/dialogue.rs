//! `parapost play`: a match against the program, typed at a prompt or sent by a pipe.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::notation::move_list;
use parapost::rules::{Color, Record, Variant, games};
use unicode_width::UnicodeWidthStr as _;

use super::play::{DEMO, house, of, refused};
use crate::support::terminal::{Screen, in_turns};
use crate::support::{Sandbox, Test};

const NOW: &str = "2026-11-20T03:00:00Z";

/// A folder in which nobody has said who they are.
fn home() -> Sandbox {
    Sandbox::new()
        .env("PARAPOST_GAMES", "games")
        .env("PARAPOST_NOW", NOW)
}

fn play<'a>(home: &Sandbox, words: &[&'a str], lines: &str) -> Test {
    let line: Vec<&'a str> = ["play"].iter().chain(words).copied().collect();
    home.parapost(line).stdin(lines)
}

fn read(home: &Sandbox, id: &str) -> Match {
    home.read(format!("games/{id}.txt")).parse().unwrap()
}

fn moves(game: &Match) -> Vec<String> {
    let steps = game.record().steps().iter();
    steps.map(|step| step.text.clone()).collect()
}

/// A match against the program at this level, with these moves behind it; the person has White.
fn begun(home: &Sandbox, game: &str, level: u8, moves: &str) {
    let program = format!("parapost level {level} (program) <level-{level}@program.invalid>");
    let settings = MatchSettings {
        id: "b1".parse().unwrap(),
        variant: Variant::find(game, &[]).unwrap(),
        players: ["You <w@opponent.invalid>", &program].map(|who| who.parse().unwrap()),
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        counts_news: false,
        start: None,
        list: None,
    };
    let time = NOW.parse().unwrap();
    let mut begun = Match::new(settings, time);
    for text in moves.split_whitespace() {
        let side = begun.position().turn();
        begun
            .push(LogEntry::new(time, Action::play(text), side))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    home.write("games/b1.txt", begun.to_string());
}

/// What can be read of a terminal: lines as they were typed and written, without the movements
/// of the cursor.
fn shown(screen: &Screen) -> String {
    let mut text = String::new();
    let mut rest = screen.sent.as_str();
    while let Some((before, behind)) = rest.split_once('\u{1b}') {
        text += before;
        let end = behind.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &behind[end + 1..]);
    }
    text + rest
}

/// A legal move that somebody may make who knows no more than the rules.
fn any_move(record: &Record, random: &mut fastrand::Rng) -> String {
    let position = record.position();
    let ply = random.choice(position.single_plies());
    let ply = ply.or_else(|| position.legal_plies().next());
    position.text(&ply.expect("the game goes on"))
}

#[test]
fn every_game_is_played_in_a_match_that_every_other_command_knows() {
    for (game, seed) in games::ALL.iter().zip(1..) {
        let home = home();
        let mut random = fastrand::Rng::with_seed(seed);
        let side = ["white", "black"][random.usize(..2)];
        let level = random.usize(1..=5).to_string();
        play(
            &home,
            &[game.id, "--id", "m", "--as", side, "--level", &level],
            "quit\n",
        )
        .any_stdout()
        .run();
        let (mut script, mut record) = (
            String::new(),
            Record::new(Variant::find(game.id, &[]).unwrap().start()),
        );
        if side == "black" {
            record = read(&home, "m").record().clone();
        }
        for _ in 0..4 {
            if record.outcome().is_some() {
                break;
            }
            let line = any_move(&record, &mut random) + "\n";
            script += &line;
            let words: &[&str] = if home.path("games/m.txt").exists() {
                &["m"]
            } else {
                &[game.id, "--id", "m", "--level", &level]
            };
            let said = play(&home, words, &line).any_stdout().run().stdout;
            let now = read(&home, "m");
            let played = now.record().steps().len() - record.steps().len();
            assert!(now.ending().is_some() || played == 2, "{}: {said}", game.id);
            record = now.record().clone();
        }
        let game = read(&home, "m");
        assert!(game.owed().is_empty() && !home.path("games/outbox").exists());
        home.parapost(["verify", "m"])
            .any_stdout()
            .any_stderr()
            .run();
        home.parapost(["show", "m"]).any_stdout().run();
        let post = home
            .parapost(["show", "--as", "post", "m"])
            .any_stdout()
            .run();
        home.parapost(["check", "-"])
            .stdin(post.stdout)
            .any_stdout()
            .any_stderr()
            .run();
        home.parapost(["list", "--all"])
            .stdout_contains(&format!("parapost level {level} (program)"))
            .run();

        // Whoever plays the same at once gets the same answers.
        let name = game.variant().game().id;
        let again = self::home();
        play(
            &again,
            &[name, "--id", "m", "--as", side, "--level", &level],
            &script,
        )
        .any_stdout()
        .run();
        assert_eq!(moves(&read(&again, "m")), moves(&game), "{name}");
    }
}

#[test]
fn whoever_has_nothing_but_the_program_plays_at_once() {
    let home = Sandbox::new();
    let said = play(&home, &[], "P>e3\n").any_stdout().run().stdout;
    assert!(said.contains(": Unachess. You play White against parapost level 1 (program)."));
    assert!(said.contains("\n1. P>e3\n1... ") && said.contains("is kept: 'parapost play "));
    let id = said.split_once(':').unwrap().0;
    home.parapost(["list"])
        .stdout_contains("White to move (you)")
        .run();
    play(&home, &[id], "moves\n")
        .stdout_contains("\n1.  P>e3 ")
        .run();
}

#[test]
fn a_match_begins_in_any_position() {
    let mut random = fastrand::Rng::with_seed(51);
    for (at, game) in games::ALL.iter().enumerate() {
        let mut record = Record::new(Variant::new(game, &[]).unwrap().start());
        for _ in 0..21 + at {
            let text = any_move(&record, &mut random);
            record.play_text(&text).unwrap();
        }
        let (fen, text) = (record.position().fen(), any_move(&record, &mut random));
        let home = home();
        let words = [game.id, "--from", &fen, "--id", "begun"];
        let told = play(&home, &words, &format!("{text}\nquit\n")).any_stdout();
        let told = told.run().stdout;
        let number = move_list::number_of_position(record.position());
        assert!(told.contains(&format!("{number} {text}")), "{fen}: {told}");
        let kept = read(&home, "begun");
        assert_eq!(kept.record().start(), record.position());
        assert_eq!(moves(&kept)[0], text);
        assert_eq!(kept.record().start().turn(), record.position().turn());
        // The file is a text as any other, and the match goes on by its id.
        let checked = home.parapost(["check", "games/begun.txt"]).any_stdout();
        let checked = checked.any_stderr().run().stderr;
        let count = format!(
            "games/begun.txt: {}, {} half-move",
            game.name,
            moves(&kept).len()
        );
        assert!(checked.starts_with(&count), "{fen}\n{checked}");
        play(&home, &["begun"], "quit\n").any_stdout().run();
    }
}

#[test]
fn a_match_goes_on_from_a_list_and_from_nothing_else() {
    let home = home().file("opening.pgn", "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n");
    let told = play(
        &home,
        &["--from", "opening.pgn", "--id", "b1"],
        "Nc6\nquit\n",
    );
    let told = told.any_stdout().any_stderr().run().stdout;
    assert!(told.contains("You play Black"), "{told}");
    assert!(told.contains("The last move was 2. N-f3."), "{told}");
    assert_eq!(
        moves(&read(&home, "b1"))[..4],
        ["P-e4", "p-e5", "N-f3", "n-c6"]
    );
    for (from, why) in [
        (
            "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
            "the row '9' does not have 8 squares",
        ),
        ("4k3/8/8/8/8/8/4P3/4K3", "add --turn white or --turn black"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "this game is over"),
        ("no.pgn", "there is no file of this name"),
    ] {
        let run = play(&home, &["chess", "--from", from], "quit\n").status(1);
        let said = run.any_stderr().run().stderr;
        assert!(said.contains("--from: ") && said.contains(why), "{said}");
    }
    let run = play(&home, &["--turn", "black"], "").status(2);
    let said = run.any_stderr().run().stderr;
    assert!(
        said.contains("--turn tells who is to move in the position of --from"),
        "{said}"
    );
    let whole = [
        "--from",
        "4k3/8/8/8/8/8/4P3/4K3",
        "--turn",
        "black",
        "--as",
        "white",
        "--id",
        "b2",
    ];
    play(&home, &whole, "quit\n").any_stdout().run();
}

#[test]
fn options_of_a_game_are_rules_of_the_match() {
    let home = home();
    let words = &["unachess", "--option", "pawns-1-4", "--id", "m"];
    play(&home, words, "P>e5\nP>e4\n")
        .status(1)
        .stdout_contains("m: Unachess, pawns-1-4. You play White")
        .stderr_contains("parapost: line 1: 'P>e5': ")
        .run();
    assert_eq!(moves(&read(&home, "m"))[0], "P>e4");
    play(&home, &["unachess", "--option", "pawns-1-5"], "")
        .status(2)
        .stderr_contains("did you mean 'pawns-1-4'?")
        .run();
}

#[test]
fn a_line_that_is_no_move_and_no_word_is_explained_and_changes_nothing() {
    let home = home();
    let lines =
        "P>e3\nP>e9\nxyzzy\n5. N>d4\nboard big\nlgal\n\u{1b}[31mN>d4\n1. e4\n\u{feff}\nO-O\n=\n\n";
    let output = play(&home, &["--id", "m"], lines)
        .status(1)
        .any_stdout()
        .any_stderr()
        .run();
    let game = read(&home, "m");
    assert_eq!(game.record().steps().len(), 2, "{}", output.stderr);
    for line in [
        "parapost: line 2: 'P>e9': there is no square e9 in Unachess; they are named a1 to h8\n",
        "parapost: line 3: ",
        "parapost: line 4: '5. N>d4': the next move is 2.\n",
        "parapost: line 5: the board has no form 'big': diagram, coords and unicode are its forms\n",
        "parapost: line 6: 'lgal' is no move and no word here; did you mean 'legal'?\n",
        "parapost: line 7: ",
        "parapost: line 10: ",
    ] {
        assert!(output.stderr.contains(line), "{line}: {}", output.stderr);
    }
    assert!(!output.stderr.contains('\u{1b}'));
    // Nor is anything kept of a match without a move.
    for lines in [
        &b"N>z1\n"[..],
        b"\xff\xfe\n",
        b"\0\n",
        b"undo\n",
        b"resign\n",
        b"draw\n",
    ] {
        let home = self::home();
        home.parapost(["play"])
            .stdin(lines)
            .status(1)
            .stdout_contains("No move was made, so nothing is kept.")
            .stderr_contains("parapost: line 1: ")
            .run();
        assert!(!home.path("games").exists());
    }
    let long = format!("P>e3\n{}\n", "x".repeat(5_000));
    let home = self::home();
    play(&home, &["--id", "m"], &long)
        .status(1)
        .any_stdout()
        .stderr_contains("this line is too long to be a move or a word")
        .run();
    assert_eq!(read(&home, "m").record().steps().len(), 2);
}

#[test]
fn a_move_is_read_in_every_form_and_told_in_the_canonical_one() {
    let home = home();
    begun(&home, "chess", 2, "P-e4 p-e5");
    play(&home, &["b1"], "2. Nf3!\n")
        .stdout_contains("\n2. N-f3\n2... ")
        .run();
    let home = self::home();
    play(&home, &["--id", "m", "--as", "black"], "drop king e8\n")
        .stdout_contains("\n1... k>e8")
        .stderr("warning: 'drop king e8' is read as 'k>e8'\n")
        .run();
}

#[test]
fn both_moves_are_taken_back() {
    let home = home();
    let said = play(&home, &["--id", "m"], "P>e3\nK>a1\nundo\nmoves\n")
        .any_stdout()
        .run();
    let game = read(&home, "m");
    assert_eq!(game.record().steps().len(), 2);
    assert!(
        said.stdout.contains("\n2. K>a1 and 2... ") && said.stdout.contains(" are taken back.\n")
    );
    // The other move is another one, and the file tells how it came.
    play(&home, &["m"], "N>h1\n").any_stdout().run();
    assert_eq!(moves(&read(&home, "m"))[2], "N>h1");
    assert!(
        home.read("games/m.txt")
            .contains(" takeback Black accept move=K>a1 ")
    );
    home.parapost(["verify", "m"])
        .any_stdout()
        .any_stderr()
        .run();
    // What the program has played first is not the person's to take back.
    let home = self::home();
    play(&home, &["--id", "m", "--as", "black"], "undo\n")
        .status(1)
        .any_stdout()
        .stderr("parapost: line 1: you have made no move that could be taken back\n")
        .run();
    assert_eq!(read(&home, "m").record().steps().len(), 1);
}

#[test]
fn words_tell_what_they_are_asked_for() {
    let home = home();
    let lines = "legal\nhint\nhelp\nsave\nP>e3\nsave\nboard unicode\nrules\n";
    let said = play(&home, &["--id", "m"], lines).any_stdout().run().stdout;
    for part in [
        "\nP> a2-h4\n",
        " would be good",
        "  undo    takes your last move back",
        "The match is kept from its first move on.\n",
        "Each move is kept at once, in games/m.txt. ",
        "♙",
        "Unachess (unachess)\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let home = self::home();
    play(&home, &["kingchess", "--id", "k"], "legal\n")
        .stdout_contains("Several pieces can be placed in one turn, with commas between them.\n")
        .run();
}

#[test]
fn a_match_ends_by_the_rules_and_what_comes_next_is_told() {
    let home = home();
    begun(&home, "chess", 3, "P-e4 p-f6 P-d4 p-g5");
    play(&home, &["b1"], "Qh5\nlegal\n")
        .stdout_contains("\n3. Q-h5 #\n")
        .stdout_contains("\nWhite wins by checkmate: 1-0. You have won.\n")
        .stdout_contains("\n  parapost play chess --level 4 --as black\n")
        .stdout_contains("\n  parapost show b1 --as post\n")
        .run();
    assert!(read(&home, "b1").ending().is_some());
    // It is over, and stays so.
    let before = home.read("games/b1.txt");
    play(&home, &["b1"], "undo\n")
        .stdout_contains("The last move was 3. Q-h5 #.")
        .run();
    assert_eq!(home.read("games/b1.txt"), before);
    home.parapost(["list", "--all"])
        .stdout_contains("1-0 (checkmate)")
        .run();
}

#[test]
fn the_program_resigns_what_is_lost() {
    let home = home();
    // A queen and two rooks behind, and mated in two whatever Black does.
    begun(&home, "chess", 5, LOST);
    play(&home, &["b1"], "Kxe1\n")
        .stdout_contains("\nBlack resigns, White wins: 1-0. You have won.\n")
        .run();
}

/// The moves of a game of chess that Black has lost.
const LOST: &str = "\
    N-c3 n-c6 N-f3 p-d5 P-d4 n-f6 B-f4 n-e4 N-b5 n-d6 P-a4 p-a6 Nxd6 pcxd6 P-e3 b-e6 P-h4 p-h5 \
    N-g5 q-b6 B-e2 q-b4 K-f1 p-g6 P-b3 b-h6 Nxe6 pxe6 Bxh5 bxf4 Bxg6 k-d8 Pxf4 nxd4 R-h3 r-c8 \
    P-c4 q-c5 R-c1 r-h6 P-h5 p-e5 Q-d2 r-h8 Pxe5 pxe5 B-f7 pxc4 Rxc4 q-b6 P-g4 rxc4 Bxc4 q-d6 \
    P-f3 p-b5 Pxb5 nxb5 Q-a5 n-c7 P-g5 r-e8 P-g6 p-e6 B-e2 r-e7 P-h6 q-d5 Qxd5 pxd5 P-h7 n-e8 \
    P-h8=Q r-g7 R-h5 r-e7 Bxa6 p-d4 Rxe5 k-d7 R-d5 k-c6 Qxd4 r-e1";

#[test]
fn a_person_resigns_claims_a_draw_and_offers_one() {
    let home = home();
    play(&home, &["--id", "m"], "P>e3\nresign\n")
        .stdout_contains("\nWhite resigns, Black wins: 0-1. You have lost.\n")
        .run();
    let shuffle = "N-f3 n-f6 N-g1 n-g8 ".repeat(2);
    begun(&home, "chess", 1, &shuffle);
    play(&home, &["b1"], "draw\n")
        .stdout_contains("The game is drawn by claim of the third occurrence: 1/2-1/2.\n")
        .run();
    begun(&home, "chess", 1, "P-e4 p-e5");
    play(&home, &["b1"], "draw\ndraw\n")
        .status(1)
        .stdout_contains("\nparapost declines: it is too early to give up playing.\n")
        .stderr_contains("parapost: line 2: ")
        .run();
    // Whoever stands much better may have a draw.
    begun(&home, "chess", 1, "P-e4 p-e5 N-f3 q-g5 Nxg5 p-a6");
    play(&home, &["b1"], "draw\n")
        .stdout_contains("The game is drawn by agreement: 1/2-1/2.\n")
        .run();
}

#[test]
fn a_killed_dialogue_has_lost_nothing_and_goes_on() {
    let home = home();
    let mut child = home
        .parapost(["play", "--id", "m"])
        .command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    typed.write_all(b"P>e3\n").unwrap();
    let is_answer = |line: &String| line.starts_with("1... ");
    let answer = lines
        .by_ref()
        .map_while(Result::ok)
        .find(is_answer)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let game = read(&home, "m");
    let text = moves(&game)[1].clone();
    assert!(answer.starts_with(&format!("1... {text}")), "{answer}");
    play(&home, &["m"], "K>a1\n")
        .stdout_contains(&format!("The last move was 1... {text}"))
        .stdout_contains("\n2. K>a1\n2... ")
        .run();
    assert_eq!(read(&home, "m").record().steps().len(), 4);
    // It was killed before it had answered: it answers when it goes on.
    begun(&home, "chess", 1, "P-e4");
    play(&home, &["b1"], "")
        .stdout_contains("The last move was 1. P-e4.\n1... ")
        .run();
}

#[test]
fn two_at_one_match_do_not_play_over_each_other() {
    let home = home();
    play(&home, &["--id", "m"], "P>e3\n").any_stdout().run();
    let mut first = home
        .parapost(["play", "m"])
        .command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = first.stdin.take().unwrap();
    // It has read the match when it shows it.
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    assert!(lines.next().is_some_and(|line| line.is_ok()));
    play(&home, &["m"], "K>a1\n").any_stdout().run();
    let after = home.read("games/m.txt");
    typed.write_all(b"N>h1\n").unwrap();
    drop(typed);
    let output = first.wait_with_output().unwrap();
    let why = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        why.contains("m: somebody has gone on with this match meanwhile"),
        "{why}"
    );
    assert_eq!(home.read("games/m.txt"), after);
}

#[test]
fn between_people_no_program_plays_hints_or_analyses() {
    let house = house();
    house
        .parapost(of("anna", &[DEMO, &["--invited"]].concat()))
        .stdout("demo\n")
        .run();
    let line = of("anna", &["play", "demo"]);
    refused(
        &house,
        line.clone(),
        1,
        "demo: this is a match between people, who play it themselves",
    );
    house
        .parapost(line)
        .stdin("hint\n")
        .status(1)
        .stderr_contains("neither plays nor hints nor analyses")
        .run();
    house
        .parapost(of("anna", &["resign", "demo", "--yes"]))
        .any_stderr()
        .run();
    let line = of("anna", &["play", "demo"]);
    refused(
        &house,
        line,
        1,
        "demo: this was a match between people, and is over",
    );
}

#[test]
fn nothing_of_such_a_match_is_mailed_nor_read_from_mail() {
    let house = house();
    let begin = of("anna", &["play", "--id", "m"]);
    house.parapost(begin).stdin("P>e3\n").any_stdout().run();
    let game = read(&house, "m");
    assert_eq!(
        game.player(Color::White).to_string(),
        "Anna <anna@example.org>"
    );
    for words in [
        &["move", "m", "N>d4"][..],
        &["resign", "m", "--yes"],
        &["draw", "offer", "m"],
        &["takeback", "propose", "m"],
        &["undo", "m"],
        &["say", "m", "Hello!"],
        &["decline", "m"],
        &["withdraw", "m"],
        &["new", "--rematch", "m"],
    ] {
        refused(
            &house,
            of("anna", words),
            1,
            "m: your opponent is a program",
        );
    }
    house.parapost(of("anna", &["send"])).any_stderr().run();
    house
        .parapost(of("anna", &["note", "m", "try f4"]))
        .any_stderr()
        .run();
    let before = house.read("games/m.txt");
    for from in [
        "anna@example.org",
        "level-1@program.invalid",
        "ben@example.org",
    ] {
        let letter = format!(
            "From: {from}\nTo: anna@example.org\nSubject: Re: [m] Unachess: Anna - parapost\n\
             Message-ID: <1@example.org>\nDate: Fri, 20 Nov 2026 02:00:00 +0000\n\n2. N>d4\n\n\
             > Game m, 2 half-moves made, hash {}.\n",
            game.hash()
        );
        house
            .parapost(of("anna", &["receive", "-"]))
            .stdin(letter)
            .any_stdout()
            .any_stderr()
            .either();
        assert_eq!(house.read("games/m.txt"), before, "{from}");
    }
    assert!(!house.path("games/outbox").exists());
    let line = ["new", "--game", "chess", "X <level-1@program.invalid>"];
    refused(
        &house,
        of("anna", &line),
        2,
        "'parapost play' begins a match against it",
    );
}

#[test]
fn wrong_usage_is_told() {
    let home = home();
    for (words, status, why) in [
        (&["unchess"][..], 1, "did you mean the game 'unachess'?"),
        (&["Nobody's"], 2, "no game has this name"),
        (
            &["chess", "--level", "6"],
            2,
            "a level is a number from 1 to 5",
        ),
        (&["chess", "--option", "x"], 2, "has no option"),
        (&["k7f3qd", "--level", "2"], 1, "there is no match k7f3qd"),
    ] {
        refused(
            &home,
            ["play"]
                .iter()
                .chain(words)
                .map(|word| (*word).to_owned())
                .collect(),
            status,
            why,
        );
    }
    play(&home, &["--id", "m"], "P>e3\n").any_stdout().run();
    // Nobody has said who they are, and need not.
    for words in [
        &["move", "m", "e5"][..],
        &["resign", "m", "--yes"],
        &["undo", "m"],
    ] {
        let line = words.iter().map(|word| (*word).to_owned()).collect();
        refused(&home, line, 1, "'parapost play m' goes on");
    }
    refused(
        &home,
        ["play", "m", "--level", "2"]
            .map(ToOwned::to_owned)
            .to_vec(),
        2,
        "--level, --as, --option, --id, --from and --turn are for a new match",
    );
    let line = ["play", "--id", "m"].map(ToOwned::to_owned).to_vec();
    refused(
        &home,
        line,
        1,
        "there is a match m already: 'parapost play m' goes on with it",
    );
}

/// Plays at a terminal that can move its cursor.
fn at_prompt(home: &Sandbox, columns: u16, words: &[&str], turns: &[(&str, &str)]) -> Screen {
    let line: Vec<&str> = ["play", "--id", "m"].iter().chain(words).copied().collect();
    let test = home.parapost(line).env("TERM", "xterm");
    in_turns(&test, columns, turns)
}

#[test]
fn a_line_is_edited_and_completed_at_a_terminal() {
    let home = home();
    let turns = [
        // The word of a move is completed where only one is left, and a letter wiped out.
        ("1. ", "K>a1x\u{7f}\r"),
        ("2. ", "hel\t\r"),
        // Its line is drawn again with the prompt before it, so that this waits for what it says.
        ("goes on another time", ""),
        // An earlier line comes back, and its end is written anew.
        ("2. ", "\u{1b}[A\u{1b}[A\u{7f}\u{7f}\u{7f}\u{7f}Q>h8\r"),
        ("3. ", "quit\r"),
    ];
    let screen = at_prompt(&home, 60, &[], &turns);
    let text = shown(&screen);
    assert_eq!(screen.status, 0, "{text}");
    let own: Vec<String> = moves(&read(&home, "m")).into_iter().step_by(2).collect();
    assert_eq!(own, ["K>a1", "Q>h8"], "{text}");
    assert!(text.contains("Tab\ncompletes it"), "{text}");
    assert!(
        text.contains("m is kept: 'parapost play m' goes on."),
        "{text}"
    );
    assert!(text.contains("The aim is checkmate"), "{text}");
}

#[test]
fn sixty_columns_are_enough_in_every_game() {
    for game in games::ALL {
        let home = home();
        let words = [
            "legal",
            "help",
            "rules",
            "hint",
            "board coords",
            "board diagram",
            "moves",
            "quit",
        ];
        let lines = words.map(|word| format!("{word}\n"));
        let prompt = if game.id == "kingchess" {
            "\n1... "
        } else {
            "1... "
        };
        let mut turns = vec![];
        turns.extend(lines.iter().map(|line| (prompt, line.as_str())));
        let line = [
            "play", game.id, "--id", "m", "--as", "black", "--board", "unicode",
        ];
        let screen = in_turns(&home.parapost(line).env("TERM", "dumb"), 60, &turns);
        assert_eq!(screen.status, 0);
        // A notice of rights stays on its line.
        let text = screen.text();
        let long = text
            .lines()
            .filter(|line| line.width() > 60 && !line.contains("reserved by"));
        assert_eq!(long.collect::<Vec<_>>(), [""; 0], "{}", game.id);
        assert!(!screen.is_painted() && text.contains("is kept"), "{text}");
    }
}

/// Returns the lines that a person at a terminal is told before a match.
fn told_before(home: &Sandbox, words: &[&str]) -> String {
    let line: Vec<&str> = ["play"].iter().chain(words).copied().collect();
    let run = home.parapost(line).env("TERM", "dumb");
    let text = in_turns(&run, 100, &[(". ", "quit\r"), ("is kept", "")]).text();
    let (before, _) = text.split_once(" You play ").unwrap();
    before.to_owned()
}

#[test]
fn a_new_match_names_the_last_one_that_is_not_finished() {
    let home = home();
    let at = |now: &str, words: &[&str], lines: &str| {
        play(&home, words, lines).now(now).any_stdout().run();
    };
    let is_told = |words: &[&str]| told_before(&home, words).contains("unfinished");
    assert!(!is_told(&[]) && !home.path("games").exists());
    // That of the latest move is the last one, whatever its name and level.
    at("2026-11-20T03:00:00Z", &["--id", "z"], "P>e3\n");
    at(
        "2026-11-20T04:00:00Z",
        &["chess", "--id", "b", "--level", "2"],
        "e4\n",
    );
    at("2026-11-20T05:00:00Z", &["--id", "over"], "P>e3\nresign\n");
    let two = "2 unfinished matches: 'parapost play b' goes on with the last one.\nm: Shogi.";
    assert_eq!(told_before(&home, &["shogi", "--id", "m"]), two);
    assert!(!is_told(&["z"]));
    at("2026-11-20T06:00:00Z", &["b"], "resign\n");
    // One between people does not count, and a damaged one keeps nobody from playing.
    home.write("games/damaged.txt", "Game: Unachess\n");
    home.parapost(DEMO.iter().copied()).any_stdout().run();
    let one = "1 unfinished match: 'parapost play z' goes on with it.\nm: Unachess.";
    assert_eq!(told_before(&home, &["--id", "m"]), one);
    // A program that reads what is written is told nothing of it.
    let said = play(&home, &[], "quit\n").any_stdout().run().stdout;
    assert!(!said.contains("unfinished"), "{said}");
    // So many are not read for it.
    let game = home.read("games/z.txt");
    for at in 0..256 {
        let id = format!("z{at}");
        home.write(
            format!("games/{id}.txt"),
            game.replace("Id: z\n", &format!("Id: {id}\n")),
        );
    }
    let told = told_before(&home, &[]);
    assert!(told.starts_with("There may be unfinished matches: 'parapost list' lists them.\n"));
}

#[test]
fn a_mark_is_explained_when_it_is_first_shown_and_by_help() {
    const VIRTUAL: &str =
        "'!+' is virtual check, by a side whose own king is still in reserve: it binds nobody.\n";
    const CHECK: &str = "'+' is check, which has to be answered.\n";
    for (game, before, typed, mark, says, other) in [
        ("unachess", "P>e3 k>e8", "R@e6", "R>e6 !+", VIRTUAL, CHECK),
        ("chess", "P-e4 p-d5", "Bb5", "B-b5 +", CHECK, VIRTUAL),
    ] {
        let home = home();
        begun(&home, game, 1, before);
        let run = home.parapost(["play", "b1"]).env("TERM", "dumb");
        let turns = [("2. ", typed), ("3. ", "moves"), ("3. ", "quit")];
        let turns = turns.map(|(prompt, line)| (prompt, format!("{line}\r")));
        let turns = turns.each_ref().map(|(prompt, line)| (*prompt, &**line));
        let text = in_turns(&run, 100, &turns).text();
        assert!(text.contains(&format!("\n2. {mark}\n{says}")), "{text}");
        // The list shows it again.
        assert_eq!(text.matches(mark).count(), 2, "{text}");
        assert_eq!(text.matches(says).count(), 1, "{text}");
        assert!(!text.contains(other), "{text}");
        // What a program reads is the moves alone.
        begun(&home, game, 1, before);
        let said = play(&home, &["b1"], &format!("{typed}\n"));
        let said = said.any_stdout().any_stderr().run().stdout;
        assert!(said.contains(mark) && !said.contains(says), "{said}");
    }
    let home = home();
    for (game, has) in [("unachess", true), ("shogi", false), ("chess", false)] {
        let said = play(&home, &[game], "help\n").any_stdout().run().stdout;
        let (_, signs) = said.split_once("The signs in a move:\n").unwrap();
        assert!(signs.contains("\n  x   captures\n") || signs.contains("\n  x  captures\n"));
        assert!(signs.contains("check, which has to be answered\n"));
        assert_eq!(signs.contains("  !+  virtual check, "), has, "{game}");
        assert_eq!(signs.contains("  >"), game != "chess", "{game}");
    }
}

#[test]
fn colours_are_for_who_wants_them() {
    for (colors, is_painted) in [("always", true), ("never", false)] {
        let home = home();
        let line = ["--color", colors, "play", "chess", "--id", "m"];
        let said = home.parapost(line).stdin("e4\n").any_stdout().run().stdout;
        assert_eq!(said.contains('\u{1b}'), is_painted, "{said}");
    }
}

#[test]
fn control_c_and_control_d_end_it_well() {
    for key in ["\u{3}", "\u{4}"] {
        let home = home();
        let screen = at_prompt(
            &home,
            80,
            &["--level", "5"],
            &[("1. ", "K>e1\r"), ("2. ", key)],
        );
        assert_eq!(screen.status, 0, "{}", shown(&screen));
        assert!(shown(&screen).contains("m is kept: 'parapost play m' goes on."));
        assert_eq!(moves(&read(&home, "m"))[0], "K>e1");
    }
}

#[test]
fn whoever_resigns_at_a_terminal_is_asked() {
    let home = home();
    let turns = [
        ("1. ", "K>e1\r"),
        ("2. ", "resign\r"),
        ("[y/n] ", "n\r"),
        ("2. ", "resign\r"),
        ("[y/n] ", "y\r"),
    ];
    let screen = at_prompt(&home, 80, &[], &turns);
    let text = shown(&screen);
    assert!(
        text.contains("Nobody has resigned.") && text.contains("You have lost."),
        "{text}"
    );
    assert_eq!(screen.status, 0);
}

#[test]
fn whoever_ends_a_game_by_draw_at_a_terminal_is_asked() {
    let home = home();
    let turns = [
        ("1. ", "K>e1\r"),
        ("2. ", "draw\r"),
        ("Offer a draw? [y/n] ", "n\r"),
        ("2. ", "draw\r"),
        ("[y/n] ", "y\r"),
        ("2. ", "quit\r"),
    ];
    let text = shown(&at_prompt(&home, 80, &[], &turns));
    assert!(
        text.contains("Nobody has offered a draw.") && text.contains("too early to give up"),
        "{text}"
    );
}

/// The key is not typed into the next line.
#[test]
fn any_key_stops_the_thinking_about_a_hint() {
    let home = home();
    let turns = [
        ("1. ", "hint\r"),
        ("any key stops it", "x"),
        ("would be good", ""),
        ("1. ", "\u{15}quit\r"),
    ];
    let text = shown(&at_prompt(&home, 80, &[], &turns));
    assert!(!text.contains("1. x"), "{text}");
    // Pasted lines stop nothing.
    let pasted = [("1. ", "hint\rquit\r")];
    let text = shown(&at_prompt(&home, 80, &[], &pasted));
    assert!(text.contains("would be good"), "{text}");
}
