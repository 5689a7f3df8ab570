//! The state file: what is written reads back, what was changed by hand is
//! refused with its line.

mod damage;

use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::games;

use crate::matches::log::{ids, settings, time};
use crate::support::chained;

/// A match of random legal moves, until it ends or is long enough.
fn random(game: &str, options: &[&str], seed: u64) -> Match {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Match::new(settings(game, options), time());
    for _ in 0..random.usize(1..120) {
        let plies = game.position().single_plies();
        let Some(turn) = game.turn() else {
            break;
        };
        let Some(ply) = random.choice(&plies) else {
            break;
        };
        let text = game.position().text(ply);
        game.push(LogEntry::new(time(), Action::play(text), turn))
            .unwrap();
        let mail = NewMail::new("position", !turn);
        let msg = game.owe(time(), mail, &ids()).unwrap();
        if random.bool() {
            game.sent(time(), &msg, "print").unwrap();
        } else if random.u8(..8) == 0 {
            game.push(LogEntry::new(time(), Event::Undo, turn)).unwrap();
        }
    }
    game
}

#[test]
fn a_random_game_reads_back_to_the_same_position() {
    let mut longest = 0;
    for game in games::ALL {
        for seed in 0..6 {
            let option: Vec<&str> = game.options.iter().map(|o| o.name).take(1).collect();
            let options = if seed % 2 == 0 { &[][..] } else { &option };
            let played = random(game.id, options, seed);
            let text = played.to_string();
            let read: Match = text
                .parse()
                .unwrap_or_else(|error| panic!("{} {seed}: {error}\n{text}", game.id));
            assert_eq!(read.to_string(), text);
            assert_eq!(read.position().fen(), played.position().fen());
            assert_eq!(read.log(), played.log());
            assert_eq!(read.owed(), played.owed());
            assert_eq!(read.ending(), played.ending());
            assert_eq!(read.hash(), played.hash());
            longest = longest.max(read.record().steps().len());
        }
    }
    assert!(
        longest > 60,
        "the games are too short to mean much: {longest}"
    );
}

fn example() -> String {
    let mut game = Match::new(
        MatchSettings {
            event: Some("Autumn cup".to_owned()),
            time: Some("10d".parse().unwrap()),
            until: None,
            news: None,
            list: None,
            counts_news: false,
            start: None,
            ..settings("unachess", &["no-double-step", "pawns-1-4"])
        },
        time(),
    );
    for text in ["P>e3", "n>g5", "B>f4", "n-e6"] {
        let turn = game.position().turn();
        game.push(LogEntry::new(time(), Action::play(text), turn))
            .unwrap();
    }
    let note = Event::note("a \"note\"\nof two lines");
    let white = parapost::rules::Color::White;
    game.push(LogEntry::new(time(), note, white)).unwrap();
    game.owe(
        time(),
        NewMail::new("position", parapost::rules::Color::White),
        &ids(),
    )
    .unwrap();
    game.to_string()
}

/// Reads a state file, or says why not; a match has far too much to be shown
/// when a test fails.
fn read(text: &str) -> Result<Match, String> {
    text.parse::<Match>().map_err(|error| error.to_string())
}

/// Why a text is no state file, and on which line.
fn refused(text: &str) -> (usize, String) {
    match text.parse::<Match>() {
        Ok(_) => panic!("this was taken:\n{text}"),
        Err(error) => (error.line, error.to_string()),
    }
}

/// The first line (from 1) that begins so.
fn line(text: &str, start: &str) -> usize {
    1 + text
        .lines()
        .position(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no line {start}"))
}

#[test]
fn the_file_looks_as_it_always_has() {
    let text = example();
    let head: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        head,
        [
            "Format: 1",
            "Id: demo",
            "Game: Unachess",
            "Rules: unachess",
            "Options: no-double-step, pawns-1-4",
            "White: Anna White <anna@example.org>, <anna@work.test>",
            "Black: Björn <ben@example.org>",
            "Event: Autumn cup",
            "Started: 2026-11-20T03:00:00Z",
            "Time: 10d",
            "Result: *",
            "Chain: 586bc710fb69c1db",
        ]
    );
    let log: Vec<&str> = text.lines().skip_while(|line| *line != "Log").collect();
    assert_eq!(
        log,
        [
            "Log",
            "2026-11-20T03:00:00Z new - unachess options=no-double-step,pawns-1-4 white=\"Anna White <anna@example.org>, <anna@work.test>\" black=\"Björn <ben@example.org>\" event=\"Autumn cup\" time=10d chain=ac7a48018dc269e1",
            "2026-11-20T03:00:00Z move White P>e3 chain=d164181ddf28bb53",
            "2026-11-20T03:00:00Z move Black n>g5 chain=36fb99990661573b",
            "2026-11-20T03:00:00Z move White B>f4 chain=52108bdc6b5d9f70",
            "2026-11-20T03:00:00Z move Black n-e6 chain=f22dc595d6aaa147",
            "2026-11-20T03:00:00Z note White \"a \\\"note\\\"\\nof two lines\" chain=24155f901be425a8",
            "2026-11-20T03:00:00Z owed White position msg=<demo.7.7adc0af3ad155dcab783@example.org> chain=586bc710fb69c1db",
        ]
    );
}

#[test]
fn unknown_headers_and_keys_are_kept() {
    let text = example()
        .replace(
            "Result: *\n",
            "Result: *\nArbiter: Eve <eve@example.org>\nX-Board: wood\n",
        )
        .replace(
            "move White P>e3\n",
            "move White P>e3 weather=\"rain, wind\" msg=<a@b.test>\n",
        )
        .replace(
            "Black n-e6\n",
            "Black n-e6\n2026-11-20T03:00:00Z adjourn Referee lunch until=two\n",
        );
    let text = chained(&text);
    assert_eq!(read(&text).unwrap().to_string(), text);
}

#[test]
fn only_a_match_at_the_terminal_begins_in_another_position() {
    let fen = "k7/8/8/8/8/8/8/7K[RBNQPPrbnqpp] w - - 0 5";
    let text = example().replacen("White:", &format!("FEN: {fen}\nWhite:"), 1);
    let (_, error) = refused(&text);
    assert!(
        error.ends_with("only a match at the terminal begins in another position"),
        "{error}"
    );
}

#[test]
fn headers_may_stand_in_any_order_and_lines_end_in_any_way() {
    let text = example();
    let turned = text.replace("Id: demo\nGame: Unachess\n", "Game: Unachess\nId: demo\n");
    assert_ne!(turned, text);
    for other in [
        turned,
        text.replace('\n', "\r\n"),
        text.replace("\nLog\n", "\nLog:\n"),
        text.replace('\n', " \t\n"),
        format!("\u{feff}{text}"),
        format!("{text}\n\n"),
    ] {
        assert_eq!(read(&other).unwrap().to_string(), text);
    }
}

/// A file as the format describes it, written by hand: without a chain, and with mail that went out by other means.
#[test]
fn a_file_without_any_chain_is_read_and_chained_when_written() {
    let text = "\
Format: 1
Id: g7
Rules: unachess
White: Anna White <white@example.test>
Black: Bj\u{f6}rn Black <black@example.test>
Started: 2026-11-20T02:59:00Z
Result: *

- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - - - - -       rrbbnnqk
- - - - - - - -       pppppppp
- - - - - - - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRBBNNQK
                      PPPPPPP-

White       Black

1.  P>e3

Log
2026-11-20T02:59:00Z new - unachess white=\"Anna White <white@example.test>\" black=\"Bj\u{f6}rn Black <black@example.test>\"
2026-11-20T03:00:00Z move White P>e3
2026-11-20T03:00:00Z sent Black position msg=<g7.m1@mail.example.test>
";
    let game = read(text).unwrap();
    assert_eq!(game.record().steps().len(), 1);
    let written = game.to_string();
    assert!(written.contains("\nChain: "), "{written}");
    assert_eq!(read(&written).unwrap().to_string(), written);
}
