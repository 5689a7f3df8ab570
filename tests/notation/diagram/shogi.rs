//! Turned boards, and diagrams as players of shogi draw them.

use parapost::rules::Position;

use super::{POST, assert_refused, assert_shows, found, position, post};

/// The start of shogi as Japanese programs write it.
const JAPANESE: &str = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三
| ・ ・ ・ ・ ・ ・v歩 ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 王 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
";

fn japanese() -> Position {
    position(
        "shogi",
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2",
    )
}

/// The lines of a board turned by half.
fn turned(board: &[&str]) -> Vec<String> {
    board
        .iter()
        .rev()
        .map(|row| row.split(' ').rev().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn edges_and_headings_tell_which_way_a_board_is_turned() {
    let position = post();
    let board: Vec<&str> = POST.lines().take(8).map(|line| &line[..15]).collect();
    let flipped = turned(&board);
    let rows = |edit: &dyn Fn(usize, &str) -> String| -> String {
        let rows = flipped.iter().enumerate();
        rows.map(|(at, row)| edit(at, row) + "\n").collect()
    };
    let plain = rows(&|_, row| row.to_owned());
    let ranked = rows(&|at, row| format!("{} {row}", at + 1));
    let closed = rows(&|at, row| format!("{row}   {}", at + 1));
    for text in [
        format!("{plain}h g f e d c b a\n"),
        format!("H G F E D C B A\n{plain}"),
        format!("  hgfedcba\n\n{ranked}"),
        format!("{ranked}  h g f e d c b a\n"),
        format!("h g f e d c b a\n{closed}h g f e d c b a\n"),
        format!("Seen from Black's side:\n\n{plain}"),
        format!("(Black's point of view)\n+---------------+\n{ranked}+---------------+\n"),
        rows(&|at, row| format!("| {} | {} |", at + 1, row.replace(' ', " | ")))
            + "|   | h | g | f | e | d | c | b | a |\n",
        format!(
            "+-----------------+\n{}+-----------------+\n   h g f e d c b a\n",
            rows(&|at, row| format!("{}| {row} |", at + 1))
        ),
    ] {
        assert_shows(&text, &position, false);
    }
    // Nothing at the edges, and White's side by name.
    for text in [
        "",
        "seen from White's side:\n",
        "Black's side looks lost:\n",
    ] {
        let text = format!("{text}{}\n", board.join("\n"));
        assert_shows(&text, &position, false);
    }
    for (text, why) in [
        (ranked.clone(), "the edges do not tell from which side"),
        (closed, "the edges do not tell from which side"),
        (
            format!("{ranked}  a b c d e f g h\n"),
            "what stands at the edges of this board contradicts",
        ),
        (
            format!("Seen from White's side:\n{plain}h g f e d c b a\n"),
            "what stands at the edges of this board contradicts",
        ),
        (
            rows(&|at, row| format!("{} {row}", [1, 2, 3, 4, 5, 6, 8, 7][at])),
            "what stands at the edges of this board contradicts",
        ),
    ] {
        let found = found("unachess", &text);
        let [Err(message)] = found.as_slice() else {
            panic!("{text}\nis read as {found:?}");
        };
        assert!(message.contains(why), "{text}\n{message}");
    }
    // A second board is not turned by what stands below the first.
    let two = format!("{plain}h g f e d c b a\n\n{}\n", board.join("\n"));
    let found = found("unachess", &two);
    assert_eq!(found.len(), 2);
    assert!(
        found
            .iter()
            .all(|one| one.as_ref().is_ok_and(|one| one.shows(&position)))
    );
}

/// Numbers of ranks are digits of full width as well.
#[test]
fn wide_digits_at_the_edge_number_the_ranks() {
    const WIDE: &str = "１２３４５６７８９";
    let wide = |value: usize| WIDE.chars().nth(value - 1).expect("a digit");
    let position = post();
    let board: Vec<&str> = POST.lines().take(8).map(|line| &line[..15]).collect();
    let flipped = turned(&board);
    let numbered = |rows: &[String], number: &dyn Fn(usize) -> usize| -> String {
        let rows = rows.iter().enumerate();
        let rows = rows.map(|(at, row)| format!("{} {row}\n", wide(number(at))));
        rows.collect::<Vec<_>>().concat()
    };
    let upright: Vec<String> = board.iter().map(|row| (*row).to_owned()).collect();
    assert_shows(&numbered(&upright, &|at| 8 - at), &position, false);
    let turned = numbered(&flipped, &|at| at + 1);
    assert_shows(&format!("{turned}  h g f e d c b a\n"), &position, false);
    let contradicts = |game: &str, text: &str| {
        let found = found(game, text);
        let [Err(message)] = found.as_slice() else {
            panic!("{text}\nis read as {found:?}");
        };
        let why = "what stands at the edges of this board contradicts";
        assert!(message.contains(why), "{text}\n{message}");
    };
    contradicts("unachess", &format!("{turned}  a b c d e f g h\n"));
    contradicts(
        "unachess",
        &numbered(&upright, &|at| [8, 7, 6, 5, 4, 3, 1, 2][at]),
    );
    // In shogi they count from the top, as the numerals do.
    let ranked = |number: &dyn Fn(usize) -> usize| {
        "一二三四五六七八九"
            .chars()
            .enumerate()
            .fold(JAPANESE.to_owned(), |text, (at, numeral)| {
                text.replace(&format!("|{numeral}"), &format!("|{}", wide(number(at))))
            })
    };
    assert_shows(&ranked(&|at| at + 1), &japanese(), true);
    contradicts("shogi", &ranked(&|at| 9 - at));
}

#[test]
fn shogi_boards_as_players_of_shogi_draw_them() {
    let position = japanese();
    assert_shows(JAPANESE, &position, true);
    for (from, to) in [
        (" ・", " □"),
        (" ・", " 　"),
        ("王", "玉"),
        ("v", "ｖ"),
        ("|", "│"),
        ("|", " "),
    ] {
        assert_shows(&JAPANESE.replace(from, to), &position, true);
    }
    let rows: Vec<String> = JAPANESE
        .lines()
        .skip(3)
        .take(9)
        .map(|row| {
            let row: Vec<char> = row.chars().skip(1).take(18).collect();
            let squares = row
                .chunks(2)
                .map(|square| square.iter().collect::<String>());
            squares
                .map(|square| square.trim().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let board: Vec<&str> = rows.iter().map(String::as_str).collect();
    let labelled = |board: &[&str], label: &dyn Fn(usize) -> String| -> String {
        let rows = board.iter().enumerate();
        rows.map(|(at, row)| format!("{row}   {}", label(at)) + "\n")
            .collect()
    };
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap()).to_string();
    let numeral = |at: usize| "一二三四五六七八九".chars().nth(at).unwrap().to_string();
    // Hodges, Japanese, and this program's own way, from both sides.
    for text in [
        labelled(&board, &letter),
        labelled(&board, &numeral),
        labelled(&board, &|at| (9 - at).to_string()),
        format!("9 8 7 6 5 4 3 2 1\n{}", labelled(&board, &letter)),
        format!(
            "9 8 7 6 5 4 3 2 1\n{}",
            labelled(&board, &|at| (at + 1).to_string())
        ),
        format!(
            "a b c d e f g h i\n{}",
            labelled(&board, &|at| (9 - at).to_string())
        ),
    ] {
        assert_shows(&text, &position, false);
    }
    let flipped = turned(&board);
    let flipped: Vec<&str> = flipped.iter().map(String::as_str).collect();
    for text in [
        labelled(&flipped, &|at| letter(8 - at)),
        labelled(&flipped, &|at| numeral(8 - at)),
        format!(
            "1 2 3 4 5 6 7 8 9\n{}",
            labelled(&flipped, &|at| letter(8 - at))
        ),
        format!(
            "i h g f e d c b a\n{}",
            labelled(&flipped, &|at| (at + 1).to_string())
        ),
        format!("Seen by Gote:\n{}", flipped.join("\n")),
    ] {
        assert_shows(&text, &position, false);
    }
    // From Gote's side in the Japanese way, or counted from the left: both
    // have these numbers.
    for text in [
        format!(
            "1 2 3 4 5 6 7 8 9\n{}",
            labelled(&flipped, &|at| (9 - at).to_string())
        ),
        format!("1 2 3 4 5 6 7 8 9\n{}", flipped.join("\n")),
        labelled(&flipped, &|at| (at + 1).to_string()),
    ] {
        let found = found("shogi", &text);
        assert!(
            matches!(found.as_slice(), [Err(why)] if why.contains("from which side")),
            "{text}{found:?}"
        );
    }
}

#[test]
fn marks_and_reserves_of_shogi() {
    let position = position("shogi", "4k4/9/4+r4/9/4+P4/9/9/9/4K4[GGSrb] w - - 0 1");
    let board = "\
・ ・ ・ ・ v玉 ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ v竜 ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ と ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ 玉 ・ ・ ・ ・
";
    for below in [
        "Gote's pieces in reserve: 飛角\nSente's pieces in reserve: 金 金 銀\n",
        "Gote's pieces in reserve: v飛v角\nSente's pieces in reserve: 金金銀\n",
        "Gote's pieces in reserve: rb\nSente's pieces in reserve: GG・S\n",
        "Gote's pieces in reserve: vrvb\nSente's pieces in reserve: GGS\n",
    ] {
        assert_shows(&format!("{board}{below}"), &position, true);
    }
    let wrong = "Gote's pieces in reserve: 飛角\nSente's pieces in reserve: v金\n";
    assert_refused(
        "shogi",
        &format!("{board}{wrong}"),
        "11:28: Sente's pieces are written",
    );
    // A mark on a capital contradicts itself.
    let marked = POST.replace(" n ", " vn ");
    assert_shows(&marked, &post(), true);
    assert_refused("unachess", &marked.replace("vn", "vN"), "3:1: ");
}
