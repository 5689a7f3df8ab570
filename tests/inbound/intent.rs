//! What a letter says: one short text for each rule of docs/format.md 4.
//!
//! `1. P>e3` has been played, so Black is to move, unless a case says more.

use std::fmt::Write;

use parapost::inbound::intent;
use parapost::mail::quoting::sent::Sent;
use parapost::matches::action::{Action, Intent};
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::notation::diagram::Diagram;
use parapost::notation::header;
use parapost::notation::reader::{self, classify};
use parapost::rules::{Color, Variant};

/// The match after those moves of Unachess.
fn game(moves: &str) -> Match {
    let settings = MatchSettings {
        id: "g7".parse().unwrap(),
        variant: Variant::find("unachess", &[]).unwrap(),
        players: ["Anna <anna@example.org>", "Ben <ben@example.test>"]
            .map(|player| player.parse().unwrap()),
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        list: None,
        counts_news: false,
        start: None,
    };
    let time = "2026-11-20T03:00:00Z".parse().unwrap();
    let mut game = Match::new(settings, time);
    for text in moves.split_whitespace() {
        let position = game.position();
        let ply = position.read(text).unwrap().ply;
        let event = LogEntry::new(time, Action::play(position.text(&ply)), position.turn());
        game.push(event).unwrap();
    }
    game
}

/// What the sender says with that body, in short.
fn said(game: &Match, sender: Color, body: &str) -> String {
    let mut lines = classify(body, &Sent::nothing());
    // With a foot or a diagram, what is quoted is our mail.
    let is_mail = body.contains(" made") || body.contains("- - -");
    for line in &mut lines {
        line.is_of_parent = is_mail && line.author.depth() > 0;
    }
    let text = reader::read_lines(lines, game.variant());
    let id_lines = header::id_lines(&text.lines);
    match intent::read(game, sender, &text, &id_lines, None, false, false) {
        Intent::Move(played) => {
            let text = game.position().text(&played.reading.ply);
            let offer = if played.offers_draw { " =" } else { "" };
            format!("move {text}{offer}")
        }
        Intent::Again(ply) => format!("again {ply}"),
        Intent::OutOfTurn(_) => "out of turn".to_owned(),
        Intent::Command(request) => format!("command {request}"),
        Intent::Mention { moves, .. } => format!("mention {}", moves.join(" ")),
        Intent::Ambiguous { forms, .. } => format!("ambiguous {}", forms.join(" ")),
        Intent::Refused(refusal) => format!("refused: {}", refusal.why),
        Intent::Words => "talk".to_owned(),
    }
}

/// Holds each body against what it must come to, which may be the beginning
/// of it.
#[track_caller]
fn table(played: &str, sender: Color, cases: &[(&str, &str)]) {
    let game = game(played);
    let mut faults = String::new();
    for (body, expected) in cases {
        let actual = said(&game, sender, body);
        if !actual.starts_with(expected) {
            let _ = writeln!(
                faults,
                "{body:?}\n  expected {expected}\n  came out {actual}"
            );
        }
    }
    assert!(faults.is_empty(), "after '{played}':\n{faults}");
}

#[test]
fn a_move_that_stands_alone_is_played() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("n>g5\n", "move n>g5"),
            ("  n>g5  \n", "move n>g5"),
            ("Hello Anna,\n\nn>g5\n\nGreetings\n", "move n>g5"),
            ("1... n>g5\n", "move n>g5"),
            ("1. ... n>g5\n", "move n>g5"),
            ("1...n>g5\n", "move n>g5"),
            ("1. n>g5\n", "move n>g5"),
            ("1) n>g5\n", "move n>g5"),
            ("N>g5\n", "move n>g5"),
            ("n@g5\n", "move n>g5"),
            ("n>g5!\n", "move n>g5"),
            ("n>g5.\n", "move n>g5"),
            ("*n>g5*\n", "move n>g5"),
            ("\"n>g5\"\n", "move n>g5"),
            ("‘n>g5’\n", "move n>g5"),
            ("1. P>e3 n>g5 *\n", "move n>g5"),
            ("n>g5\nn>g5\n1... n>g5\n", "move n>g5"),
            ("n>g5\n-- \nn>f6\n", "move n>g5"),
        ],
    );
}

#[test]
fn the_right_number_and_a_move_may_have_a_comment_behind() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("1... n>g5, your move\n", "move n>g5"),
            ("1... n>g5 - your move\n", "move n>g5"),
            ("1... n>g5 -- your move\n", "move n>g5"),
            ("1... n>g5 – your move\n", "move n>g5"),
            ("1... n>g5 (I like knights)\n", "move n>g5"),
            ("1... n>g5. What now?\n", "move n>g5"),
            ("1... n>g5 Your move.\n", "move n>g5"),
            ("1... n>g5; n>f6 was the other\n", "mention n>g5 n>f6"),
            ("1... n>g5 or n>f6\n", "mention n>g5 n>f6"),
            ("1... n>g5 and then we'll see\n", "mention n>g5"),
            ("1... n>g5 I think\n", "mention n>g5"),
            ("1... n>e3 and then we'll see\n", "refused"),
        ],
    );
}

#[test]
fn a_move_in_prose_is_shown_and_asked_for() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("I'll play n>g5 – your move\n", "mention n>g5"),
            ("n>g5 would be silly\n", "mention n>g5"),
            ("n>g5, of course\n", "mention n>g5"),
            ("Zug: n>g5 — viele Grüße\n", "mention n>g5"),
            ("see attached, n>g5", "mention n>g5"),
            ("if P>e3 then n>g5\n", "mention n>g5"),
            ("I thought of n>f6 but prefer\nn>g5\n", "mention n>f6 n>g5"),
            (
                "After a long evening with this position I have made up my mind for\nn>g5\n",
                "mention n>g5",
            ),
            (
                "After a long evening with this position this is what I will play:\nn>g5\n",
                "mention n>g5",
            ),
            ("Your P>e3 was a surprise.\n", "talk"),
            ("Nice pawn on e4, no?\n", "talk"),
            ("n>g5\n\nI thought of n>f6 too.\n", "move n>g5"),
            ("n>g5\n\nIf B>f4 then n-e6.\n", "move n>g5"),
        ],
    );
}

/// Went wrong: if a mail program had wrapped a sentence before its last word, that word could
/// resign.
#[test]
fn a_line_end_that_a_mail_program_may_have_set_ends_nothing() {
    let long = "I do not think that a player with both rooks and the move should ever";
    let note = "note I would rather lose it on the board than do what some others do and";
    let wrapped = |order: &str| {
        [
            long,
            note,
            "P-e4, and now I do not know what to do; it would be too early to",
        ]
        .map(|above| format!("{above}\n{order}\n"))
    };
    let asked = "refused: This line may be part of a longer sentence";
    let mut cases: Vec<(String, &str)> = Vec::new();
    for order in [
        "resign.",
        "I resign",
        "accept draw.",
        "claim draw",
        "mail off",
        "rematch",
    ] {
        cases.extend(wrapped(order).map(|body| (body, asked)));
        // In the middle of a paragraph, and with a long word below.
        cases.push((
            format!("{long}\n{order}\nas long as there is hope.\n"),
            asked,
        ));
        let link = "https://example.org/".repeat(4);
        cases.push((format!("{order}\n{link}\nis what I read there\n"), asked));
    }
    for above in [
        // It begins like the line that a phone adds.
        "Sent from my phone while I sit in the train and wonder whether I should",
        // Marks without width count if a program counts characters.
        "e\u{301}e\u{301}e\u{301} e\u{301}e\u{301} e\u{301}e\u{301}e\u{301}e\u{301} e\u{301}e\u{301}e\u{301} e\u{301}e\u{301}e\u{301} e\u{301}e\u{301} e\u{301}e\u{301}e\u{301}e\u{301} e\u{301}e\u{301}",
        "The last mail that I got from you has the hash 79680bc9d84487ee",
        "    My position is lost, I think, and in a few more moves I shall have",
        "\tMy position is lost, I think, and in a few more moves I shall have to",
    ] {
        cases.push((format!("{above}\nresign.\n"), asked));
    }
    for (order, found) in [
        ("n>g5", "mention n>g5"),
        ("1... n>g5", "mention n>g5"),
        ("1... n>g5, as I said", "mention n>g5"),
        ("1... n>g5 Your move.", "mention n>g5"),
    ] {
        cases.push((format!("{long}\n{order}\n"), found));
    }
    // The first word fits on the line above, so the writer ended that line.
    let short = &long[..52];
    for (order, found) in [
        ("resign", "command resign"),
        ("n>g5", "move n>g5"),
        ("1... n>g5", "move n>g5"),
    ] {
        cases.push((format!("{short}\n{order}\n"), found));
        cases.push((format!("{long}\n\n{order}\nCheers\n"), found));
        cases.push((format!("Hello\n{order}\nCheers\n"), found));
        cases.push((format!("> {long}\n{order}\n"), found));
    }
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(body, found)| (&**body, *found))
        .collect();
    table("P>e3", Color::Black, &cases);
}

#[test]
fn a_list_that_adds_one_move_is_played() {
    table(
        "P>e3 n>g5",
        Color::White,
        &[
            ("1.  P>e3    n>g5\n2.  B>f4\n", "move B>f4"),
            (
                "White       Black\n\n1.  P>e3    n>g5\n2.  B>f4\n",
                "move B>f4",
            ),
            ("1. P>e3 n>g5 2. B>f4\n", "move B>f4"),
            ("2. B>f4\n", "move B>f4"),
            ("> 1.  P>e3    n>g5\n> 2.  B>f4\n", "mention B>f4"),
            ("> 1.  P>e3    n>g5\n2.  B>f4\n", "move B>f4"),
            ("> 1.  P>e3    n>g5\n\n2. B>f4\n", "move B>f4"),
            ("> 1.  P>e3    n>g5\n", "talk"),
            ("1.  P>e3    n>g5\n", "talk"),
            ("> > 1.  P>e3    n>g5\n> > 2.  B>f4\n", "mention B>f4"),
            (
                "1. P>e3 n>g5 2. B>f4 n-e6\n",
                "refused: Your list goes on to 2... n-e6, but the record here ends with 1... n>g5: only one move, 2., can be made now.",
            ),
            (
                "> 1. P>e3 n>g5\n> 2. B>f4 n-e6\n3. K>e1\n",
                "refused: Your message answers a mail that is missing from the record here",
            ),
            (
                "1. P>e3 n>f6 2. B>f4\n",
                "refused: The record has another move there: 1... n>g5.",
            ),
            ("> 1. P>e4 n>f6\nthat is how it went last time\n", "talk"),
        ],
    );
    table(
        "P>e3",
        Color::Black,
        &[
            ("> 1.  P>e3    n>g5\n", "mention n>g5"),
            ("| 1.  P>e3    n>g5\n", "mention n>g5"),
            ("> 1.  P>e3    n>g5  what now?\n", "mention n>g5"),
            ("> 1.  P>e3    I take n>g5\n", "talk"),
            ("> n>g5\n", "talk"),
            ("> I'd play n>g5 there\n", "talk"),
            ("> 1.  P>e3\n\nn>g5\n", "move n>g5"),
        ],
    );
}

/// Went wrong: a second player's move that a program had set on a line apart
/// from its row was read as a move of the sender's beside the one meant.
#[test]
fn a_list_goes_on_on_lines_apart() {
    table(
        "P>e3 n>g5 B>f4 n-e6",
        Color::White,
        &[
            (
                "> 1.  P>e3\n> n>g5\n> 2.  B>f4    n-e6\n> 3. K>e1\n",
                "mention K>e1",
            ),
            (
                "1.  P>e3\n            n>g5\n2.  B>f4 n-e6\n3. K>e1\n",
                "move K>e1",
            ),
            (
                "1.  P>e3\n\n\nn>g5\n\n2.  B>f4\n\nn-e6\n\n3. K>e1\n",
                "move K>e1",
            ),
            ("1.  P>e3\nn>g5\n2.  B>f4\nn-e6\nK>e1\n", "move K>e1"),
            (
                "1.  P>e3\nn>f6\n2.  B>f4 n-e6\n3. K>e1\n",
                "refused: These are two",
            ),
            ("> 1.  P>e3\n> n>g5\n> 2.  B>f4\n> n-e6\n", "talk"),
        ],
    );
    table(
        "P>e3 n>g5 B>f4",
        Color::Black,
        &[
            ("> 1.  P>e3\n> n>g5\n> 2.  B>f4\n> n-e6\n", "mention n-e6"),
            (
                "> 1.  P>e3\n>\n> n>g5\n>\n> 2.  B>f4\n>\n> n-e6\n",
                "mention n-e6",
            ),
            ("> 1.  P>e3    n>g5\n> 2.  B>f4\n> n-e6 k>e8\n", "talk"),
            // Farther below than the rows are from each other.
            ("> 1.  P>e3    n>g5\n> 2.  B>f4\n>\n> n-e6\n", "talk"),
            (
                "> 1.  P>e3    n>g5\n> 2.  B>f4\n> I'd play\n> n-e6\n",
                "talk",
            ),
            ("> 1.  P>e3    n>g5\n> > n-e6\n", "talk"),
            ("> n-e6\n> 1.  P>e3    n>g5\n> 2.  B>f4\n", "talk"),
        ],
    );
}

#[test]
fn two_moves_are_refused() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("n>g5\nn>f6\n", "refused: These are two different moves."),
            (
                "1... n>g5\n1... n>f6\n",
                "refused: These are two different moves.",
            ),
            (
                "> 1. P>e3 n>g5\n\nn>f6\n",
                "refused: These are two different moves.",
            ),
            ("n>g5\nn>e3\n", "refused: These are two different moves."),
            ("n>g5 n>f6\n", "refused: These are two different moves."),
        ],
    );
}

#[test]
fn a_number_that_is_not_the_next_one_is_refused() {
    table(
        "P>e3",
        Color::Black,
        &[
            (
                "2... n>g5\n",
                "refused: That is not the number of the next move, which is 1...",
            ),
            ("2. n>g5\n", "refused: That is not the number"),
            ("0. n>g5\n", "mention"),
            ("1999. n>g5\n", "refused: That is not the number"),
        ],
    );
    table(
        "P>e3 n>g5",
        Color::White,
        &[
            (
                "1. B>f4\n",
                "refused: That is not the number of the next move, which is 2.",
            ),
            ("2... B>f4\n", "refused: That is not the number"),
        ],
    );
}

#[test]
fn an_answer_to_an_older_position_is_not_played() {
    table(
        "P>e3 n>g5 B>f4",
        Color::Black,
        &[
            (
                "n-e6\n\n> Game g7, 1 half-move made.\n",
                "refused: Your message answers an older position, after 1 half-move; by now there are 3. If you mean the position now, put the number before the move: 2... n-e6.",
            ),
            ("2... n-e6\n\n> Game g7, 1 half-move made.\n", "move n-e6"),
            (
                "n-e6\n\n> Game g7, 3 half-moves made.\n> > Game g7, 1 half-move made.\n",
                "move n-e6",
            ),
            (
                "n-e6\n\n> Game g7, 5 half-moves made.\n",
                "refused: Your message answers a position after 5 half-moves, but only 3 are known here.",
            ),
            ("n>g5\n\n> Game g7, 1 half-move made.\n", "again 1"),
            ("1... n>g5\n", "again 1"),
            ("1. n>g5\n", "again 1"),
            (
                "> 1.  P>e3\n\nn-e6\n",
                "refused: Your message answers an older position",
            ),
            (
                "> 1.  P>e3    n>g5\n> Game g7, 1 half-move made.\n",
                "again 1",
            ),
            (
                "> 1.  P>e3    n>g5\n> 2.  B>f4   n-e6\n> Game g7, 3 half-moves made.\n",
                "move n-e6",
            ),
            (
                "> 1.  P>e3    n>g5\n> 2.  B>f4   n-e6\n> Game g7, 4 half-moves made.\n",
                "talk",
            ),
            (
                "1.  P>e3    n>g5\n2.  B>f4   n-e6\n\nGame g7, 4 half-moves made.\n",
                "move n-e6",
            ),
        ],
    );
}

#[test]
fn the_last_move_said_again_is_known() {
    table(
        "P>e3 n>g5",
        Color::Black,
        &[
            ("n>g5\n", "again 1"),
            ("1... n>g5\n", "again 1"),
            ("n>f6\n", "out of turn"),
            ("1... n>f6\n", "refused: That is not the number"),
            (
                "1.  P>e3    n>g5\n\nGame g7, 2 half-moves made.\n",
                "again 1",
            ),
            (
                "> 1.  P>e3    n>g5\n\n> Game g7, 1 half-move made.\n",
                "again 1",
            ),
            (
                "> 1.  P>e3    n>g5\n\n> Game g7, 2 half-moves made.\nthanks\n",
                "talk",
            ),
            ("I'd love n>f6 next\n", "talk"),
        ],
    );
}

#[test]
fn commands_stand_alone_on_their_line() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("resign\n", "command resign"),
            ("Well played.\n\nI resign.\n", "command resign"),
            ("resign\nresign\n", "command resign"),
            ("> resign\n", "talk"),
            ("-- \nresign\n", "talk"),
            ("should I resign?\n", "talk"),
            ("show 1\n", "command show 1"),
            ("offer draw\nhelp\n", "command offer draw"),
            ("resign\nhelp\n", "command resign"),
            ("resign\noffer draw\n", "refused: These two"),
            ("offer draw\n\nI looked at n>g5 too\n", "command offer draw"),
        ],
    );
}

#[test]
fn a_move_may_come_with_an_offer_and_with_nothing_else() {
    table(
        "P>e3",
        Color::Black,
        &[
            ("n>g5\noffer draw\n", "move n>g5 ="),
            ("n>g5 (=)\n", "move n>g5 ="),
            ("n>g5 =\n", "move n>g5 ="),
            ("n>g5\ndecline draw\n", "move n>g5"),
            (
                "n>g5\nresign\n",
                "refused: A move can't be played together with 'resign'.",
            ),
            ("n>g5\nclaim draw\n", "refused: A move can't"),
            ("n>g5\naccept draw\n", "refused: A move can't"),
            ("n>g5\nhelp\n", "move n>g5"),
        ],
    );
}

#[test]
fn a_small_b_that_can_be_two_pieces_is_shown() {
    // Black's bishop on d8 and pawn on b7 can both take on c6... and only in a
    // lone move is the small letter in doubt.
    let played = "K>e1 k>h8 N>c6 b>d7 P>a2 p>b7 P>h2 p>h7 P>a3";
    assert_eq!(game(played).position().turn(), Color::Black);
    table(
        played,
        Color::Black,
        &[
            ("bxc6\n", "ambiguous Bxc6 pbxc6"),
            ("Bxc6\n", "move bxc6"),
            ("pbxc6\n", "move pxc6"),
        ],
    );
}

#[test]
fn what_is_illegal_says_why() {
    table(
        "P>e3",
        Color::Black,
        &[
            (
                "p>e8\n",
                "refused: Black's pawns are placed on ranks 5, 6 or 7, not on e8.",
            ),
            ("n>e3\n", "refused: "),
            ("qxe3\n", "refused: "),
            ("n-g5\n", "refused: "),
            ("n> g5\n", "refused: 'n> g5' has a blank beside the '>'"),
            ("N > g5\n", "refused: 'N > g5' has a blank beside the '>'"),
            ("n>g9\n", "refused: "),
            ("n>gg\n", "refused: 'n>gg' is not a move"),
        ],
    );
}

#[test]
fn a_list_of_the_senders_own_begins_with_the_next_move_if_it_has_no_number() {
    table(
        "P>e3",
        Color::Black,
        &[(
            "n>g5 2. N>e4\n",
            "refused: Your list goes on to 2. N>e4, but the record here ends with 1. P>e3",
        )],
    );
}

#[test]
fn only_diagrams_of_the_senders_own_are_held_against_the_move() {
    let other = Diagram::of(game("K>a1 k>a8").position()).to_string();
    let quoted: String = other.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    let shown = Diagram::of(game("P>e3 n>g5").position()).to_string();
    table(
        "P>e3",
        Color::Black,
        &[
            (&format!("n>g5\n\n{shown}"), "move n>g5"),
            (
                &format!("n>g5\n\n{other}"),
                "refused: Your diagram is not the position after 1... n>g5",
            ),
            (&format!("{quoted}\nn>g5\n"), "move n>g5"),
        ],
    );
}
