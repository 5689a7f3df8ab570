//! Texts as people paste them: out of forums, web pages, mails, tables and
//! other programs. Each reads as the one list it holds, or is refused with the
//! place; no move of it goes missing unseen.

use parapost::notation::diagnostic::{Problem, Severity};
use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice, Judged};
use parapost::notation::reader::pasted;

/// What most of these texts hold.
const LIST: &str = "P>e3 n>g5 B>f4 n-e6";

/// One list in the forms that forums, web pages and tables give it.
pub(crate) const FORUMS: [&str; 27] = [
    "[b]1. P>e3[/b] n>g5\n[b]2. B>f4[/b] n-e6\n",
    "1. [b]P>e3[/b] [i]n>g5[/i] 2. [color=red]B>f4[/color] n-e6\n",
    "[pgn]1. P>e3 n>g5 2. B>f4 n-e6[/pgn]\n",
    "[list]\n[*]1. P>e3 n>g5\n[*]2. B>f4 n-e6\n[/list]\n",
    "[quote=\"Anna, post: 12\"]\n1. P>e3 n>g5\n2. B>f4[/quote]\n2... n-e6\n",
    "[spoiler=a game][b]1.[/b] P>e3 n>g5 [b]2.[/b] B>f4 n-e6[/spoiler]\n",
    "```text\n1. P>e3 n>g5\n2. B>f4 n-e6\n```\n",
    "1\\. P\\>e3 n\\>g5\n2\\. B\\>f4 n\\-e6\n",
    "**1.** `P>e3` *n>g5*\n**2.** `B>f4` __n-e6__\n",
    "~~1. P>e4~~ 1. P>e3 n>g5\n2. ~~R>a1~~ B>f4 n-e6\n",
    "1. [s]P>e4[/s] P>e3 n>g5 2. <del>R>a1</del> B>f4 n-e6\n",
    "• 1. P>e3 n>g5\n• 2. B>f4 n-e6\n",
    "\u{201c}1. P>e3 n>g5\u{201d}\n\u{2018}2. B>f4 n-e6\u{2019}\n",
    "→ 1. P>e3 n>g5\n→2. B>f4 n-e6\n",
    "1. P&gt;e3 n&#62;g5<br>2. B&#x3e;f4 n&ndash;e6<br/>\n",
    "<ol><li>P&gt;e3 n&gt;g5</li>\n<li>B&gt;f4 n-e6</li></ol>\n",
    "<tr><td>1.</td><td>P&gt;e3</td><td>n&gt;g5</td></tr>\n<tr><td>2.</td><td>B&gt;f4</td><td>n-e6</td></tr>\n",
    "１．Ｐ＞ｅ３　ｎ＞ｇ５\n２．Ｂ＞ｆ４　ｎ－ｅ６\n",
    "1.\u{a0}P\u{200b}>e3 n\u{ad}>g5\n2.\u{2003}♗>f4 n‑e6\n",
    "| # | White | Black |\n|---|---|---|\n| 1 | P>e3 | n>g5 |\n| 2 | B>f4 | n-e6 |\n",
    "+---+------+------+\n| 1 | P>e3 | n>g5 |\n| 2 | B>f4 | n-e6 |\n+---+------+------+\n",
    "1\tP>e3\tn>g5\n2\tB>f4\tn-e6\n",
    "1.\nP>e3\nn>g5\n2.\nB>f4\nn-e6\n",
    "1) P>e3, n>g5\n2) B>f4, n-e6.\n",
    "#1 P>e3 n>g5\n#2 B>f4 n-e6\n",
    "White: P>e3\nBlack: n>g5\nWhite: B>f4\nBlack: n-e6\n",
    "1. P>e3 0:12 n>g5 1:02:03\n2. B>f4 (0:59) n-e6 [3d]\n",
];

/// The same with what PGN has besides moves.
pub(crate) const PGN: [&str; 4] = [
    "[Event \"A game\"]\n[White \"Anna\"]\n[Variant \"Unachess\"]\n\n1. P>e3 $1 n>g5 {1. P>e4} 2. B>f4 (2. B>f3 n-e4 (2... n-h7)) 2... n-e6 ; 3. K>e1\n1-0\n",
    "1. P>e3 {[%clk 0:10:00]} n>g5 {a comment of\n2. R>a1 n-h7\nthree lines} 2. B>f4 n-e6 *\n",
    // A variation that has rows and variations of its own.
    "1. P>e3\n(1. P>e4 n>g5 (1... n>f6\n2. N>c3)\n2. B>f4)\n1... n>g5 2. B>f4 n-e6\n",
    "1. P>e3 n>g5\n\n(1... n>f6\n2. N>c3 p>e7)\n\n2. B>f4 n-e6\n",
];

fn judged(text: &str) -> Vec<Judged> {
    judge::judge(&pasted(text), &GameChoice::Named(header::DEFAULT))
        .unwrap_or_else(|error| panic!("{text}\n{error:?}"))
}

/// The moves of each match of a text, which must be legal.
fn moves(text: &str) -> Vec<String> {
    let moves = |one: &Judged| {
        assert!(one.is_legal(), "{text}\n{:?}", one.problems);
        let steps = one.game.record().steps().iter();
        let moves: Vec<&str> = steps.map(|step| step.text.as_str()).collect();
        moves.join(" ")
    };
    judged(text).iter().map(moves).collect()
}

/// What is said of a text besides how its moves are read: how bad, where, what.
fn told(text: &str) -> Vec<(Severity, usize, usize, String)> {
    let is_about_form = |problem: &Problem| problem.message.contains("is read as");
    let judged = judged(text);
    let problems = judged.iter().flat_map(|one| &one.problems);
    problems
        .filter(|problem| !is_about_form(problem))
        .map(|problem| {
            let place = problem.place;
            let message = problem.message.clone();
            (problem.severity, place.line, place.column, message)
        })
        .collect()
}

#[test]
fn forums_and_web_pages_and_tables() {
    for text in FORUMS {
        assert_eq!(moves(text), [LIST], "{text}");
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(moves(&crlf), [LIST], "{crlf}");
    }
}

#[test]
fn what_pgn_has_besides_moves() {
    for text in PGN {
        assert_eq!(moves(text), [LIST], "{text}");
    }
    let two = "[Variant \"Chess\"]\n\n1. e4 e5 1/2-1/2\n\n[Variant \"Parachute chess\"]\n\n1. K>e1 k>e8 *\n";
    assert_eq!(moves(two), ["P-e4 p-e5", "K>e1 k>e8"]);
    let standard = "[Variant \"Standard\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4\n";
    assert_eq!(moves(standard), ["P-e4"]);
}

/// A header in bold was read over, and the list as one of Unachess: the drop that gives check passed.
#[test]
fn a_game_is_named_in_any_dress() {
    for header in [
        "Game: Parachute chess",
        "**Game:** Parachute chess",
        "*Game*: _Parachute chess_",
        "[b]Game:[/b] Parachute chess",
        "[b]Game: Parachute chess[/b]",
        "<p><b>Game:</b> Parachute&nbsp;chess<br>",
        "- Game: parachute",
        "Game：\u{201c}Parachute chess\u{201d}",
        "> ## Rules: parachute",
        "[Variant \"Parachute chess\"]",
        "[Game \"parachute\"]",
    ] {
        let text = format!("{header}\n\n1. K>e1 k>e8\n2. N>d6\n");
        let told = told(&text);
        let [(Severity::Error, 4, 4, message)] = told.as_slice() else {
            panic!("{header}: {told:?}");
        };
        assert!(message.contains("may not attack"), "{header}: {message}");
    }
    for (header, column) in [
        ("[Variant \"Crazyhouse\"]", 11),
        ("> **Game:** Crazyhouse!", 13),
        ("<b>Game:</b> Crazyhouse", 14),
    ] {
        let text = format!("{header}\n\n1. e4 e5\n");
        let error = judge::judge(&pasted(&text), &GameChoice::Named(header::DEFAULT));
        let error = error.expect_err(header);
        assert_eq!(
            (error.place.line, error.place.column),
            (1, column),
            "{header}"
        );
        assert!(
            error.to_string().contains("unknown game 'Crazyhouse"),
            "{error:?}"
        );
    }
    let other = "Game: Chess\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 e5\n";
    let told = told(other);
    let [(Severity::Error, 4, 7, message)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(message, "Black has no pawn on the board");
}

/// A row whose number a word follows was passed over, and the list came out shorter than it was written, and legal.
#[test]
fn a_number_of_the_list_without_a_move_is_told() {
    let gap = "this is the number of White's move 3, but no move follows it";
    let list = "1. P>e3 n>g5\n2. B>f4 n-e6\n";
    for row in [
        "3. frob K>e3",
        "3. Cf3 Cc6",
        "3. castles n-c5",
        "3 Cf3 Cc6",
        "3) drop N>f3",
        "| 3. | frob | n-c5 |",
    ] {
        let told = told(&format!("{list}{row}\n4. N>c3 n>f6\n"));
        let errors: Vec<_> = told
            .iter()
            .filter(|told| told.0 == Severity::Error)
            .collect();
        let [(_, 3, _, message)] = errors.as_slice() else {
            panic!("{row}: {told:?}");
        };
        assert_eq!(message, gap, "{row}");
    }
    for row in [
        "3. frob",
        "3. What would you play here?",
        "3. maybe N>f3, or 3. Q>d4?",
    ] {
        let text = format!("{list}{row}\n");
        assert_eq!(moves(&text), [LIST], "{row}");
        assert_eq!(
            told(&text),
            [(Severity::Warning, 3, 1, gap.to_owned())],
            "{row}"
        );
    }
    let empty = told("1. P>e3 n>g5\n2. 3. N>f3\n");
    let [(Severity::Error, 2, 4, message)] = empty.as_slice() else {
        panic!("{empty:?}");
    };
    assert_eq!(message, "White's move 2 is missing before this one");
    // Remarks have numbers of their own, and an empty row is to be filled in.
    for rest in [
        "\nSome remarks:\n1. N>f3 was better for White.\n2. Black is fine.\n3. I like K>e3 now.\n",
        "\n1) Nice game.\n2) I play Black.\n3) frob K>e3\n",
        "5. frob K>e3\n",
        "3.\n",
        "3. ...\n",
        "3. (thinking)\n",
        "3. ?\n",
        "3. 1-0\n",
    ] {
        let text = format!("{list}{rest}");
        assert_eq!(moves(&text), [LIST], "{rest}");
        let mut told = told(&text).into_iter();
        assert!(
            told.all(|told| !told.3.contains("this is the number")),
            "{rest}"
        );
    }
    // Talk before a list is none of it.
    let talk = "Three things:\n\n1. My page has the rules.\n2. frob K>e3\n\n";
    assert_eq!(moves(&format!("{talk}{list}")), [LIST]);
}

#[test]
fn what_is_not_read_is_refused() {
    for (text, line, column) in [
        ("1. P>e3 n>g5\n2. B>f4/n-e6\n", 2, 4),
        ("Rules: chess\n\n1. P-K4 P-K4\n2. N-KB3 N-QB3\n", 3, 4),
        ("Rules: chess\n\n1. e4 e5\n2. Sf3 Sc6\n", 4, 4),
        ("Rules: chess\n\n1. e4e5 2. Nf3Nc6\n", 3, 4),
        ("Rules: shogi\n\n1. P-7f\n2. P-3d\n", 4, 1),
    ] {
        let first = told(text)
            .into_iter()
            .find(|told| told.0 == Severity::Error);
        let (_, at, from, _) = first.expect(text);
        assert_eq!((at, from), (line, column), "{text}");
    }
    for text in [
        "Rules: shogi\n\nposition startpos moves 7g7f 3c3d\n",
        "Rules: shogi\n\n+7776FU\n-3334FU\n",
        "Rules: shogi\n\n   1 ７六歩(77)\n   2 ３四歩(33)\n",
        "1,P>e3,n>g5\n2,B>f4,n-e6\n",
        "pawn to e3, knight to g5\n",
    ] {
        assert!(judged(text).is_empty(), "{text}");
    }
}
