//! Each point of the form by itself.

use super::*;
use crate::notation::reader::pasted;
use crate::rules::{Ply, games};

fn games(text: &str) -> Option<Vec<Judged>> {
    let shogi = Variant::new(games::find("shogi").unwrap(), &[]).unwrap();
    read(&pasted(text), &shogi)
}

fn game(text: &str) -> Judged {
    let mut games = games(text).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &Judged) -> Vec<&str> {
    let steps = game.game.record().steps();
    steps.iter().map(|step| step.text.as_str()).collect()
}

/// The errors, each with its line and its column.
fn faults(game: &Judged) -> Vec<(usize, usize, String)> {
    let told = |problem: &Problem| {
        (
            problem.place.line,
            problem.place.column,
            problem.message.clone(),
        )
    };
    game.problems.iter().map(told).collect()
}

fn assert_moves(text: &str, expected: &str) {
    let game = game(text);
    assert_eq!(faults(&game), [], "{text}");
    assert_eq!(moves(&game).join(" "), expected, "{text}");
}

/// A board with these rows, kings added, and this above and below it.
fn board(above: &str, rows: &[(usize, &str)], below: &str) -> String {
    let mut text =
        format!("{above}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (at, rank) in "一二三四五六七八九".chars().enumerate() {
        let row = rows.iter().find(|(row, _)| *row == at + 1);
        let row = row.map_or(" ・ ・ ・ ・ ・ ・ ・ ・ ・", |(_, row)| row);
        text.extend(["|", row, "|"]);
        text.extend([rank, '\n']);
    }
    text + "+---------------------------+\n" + below + "\n"
}

const KINGS: [(usize, &str); 2] = [
    (1, " ・ ・ ・ ・v玉 ・ ・ ・ ・"),
    (9, " ・ ・ ・ ・ 玉 ・ ・ ・ ・"),
];

#[test]
fn a_kif_is_read_with_its_names_times_and_comments() {
    let game = game(
        "#KIF version=2.0\n開始日時：2014/10/14\n棋戦：竜王戦\n手合割：平手　　\n先手：Anna\n後手：Ben　\n\
         手数----指手---------消費時間--\n*a ▲５五角\n   1 ７六歩(77)   ( 0:16/00:00:16)+\n&mark\n\
         \x20  2 ３四歩(33)\n3 22角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 投了\nまで5手で先手の勝ち\n",
    );
    assert_eq!(moves(&game), ["P-c4", "p-g6", "Bxh8=+B", "sxh8", "B>e5"]);
    assert_eq!(
        game.heading.players,
        [Some("Anna".into()), Some("Ben".into())]
    );
    assert_eq!(game.heading.event.as_deref(), Some("竜王戦"));
    assert_eq!(game.heading.date.as_deref(), Some("2014/10/14"));
    assert_eq!(game.stated, [Some(Color::White)]);
    let first = &game.game.turns[0].entry;
    assert_eq!(first.text, "７六歩(77)");
    assert_eq!((first.place.line, first.place.column), (9, 6));
}

#[test]
fn a_fault_stands_in_the_line_of_its_writer() {
    let told = faults(&game("   1 ７六歩(77)\n\n   2 ６八歩打\n   3 ２六歩(27)\n"));
    let [(3, 6, message)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(message.contains("pawn"), "{message}");
    for (text, message) in [
        (
            "1 ７六歩(77)\n3 ２六歩(27)\n",
            "this is move 3, where the list needs move 2",
        ),
        (
            "2 ３四歩(33)\n",
            "this is move 2, where the list needs move 1",
        ),
        (
            "1 同　歩(77)\n",
            "同 is the square of the move before, and there is none",
        ),
        (
            "▲７六歩 ▲２六歩\n",
            "this is a move of Sente, and it is Gote's turn",
        ),
        (
            "手合割：百枚落ち\n1 ７六歩(77)\n",
            "there is no handicap '百枚落ち': draw the board above the moves",
        ),
    ] {
        assert_eq!(faults(&game(text))[0].2, message, "{text}");
    }
}

#[test]
fn a_handicap_begins_with_gote() {
    for (name, first) in [
        ("香落ち", "lnsgkgsn1/1r5b1"),
        ("右香落ち", "1nsgkgsnl/1r5b1"),
        ("飛香落ち", "lnsgkgsn1/7b1"),
        ("十枚落ち", "4k4/9"),
    ] {
        let game = game(&format!(
            "手合割：{name}\n   1 ５二玉(51)\n   2 ７六歩(77)\n"
        ));
        let start = game.game.record().start();
        assert!(start.fen().starts_with(first), "{}", start.fen());
        assert_eq!(moves(&game), ["k-e8", "P-c4"]);
    }
    assert_moves("手合割：二枚落ち\n△６二銀 ▲７六歩", "s-d8 P-c4");
}

#[test]
fn a_match_begins_from_the_board_above_it() {
    let told = "後手番\n先手：A\n手数----指手--\n   1 ５二金打\n   2 ５八歩打\n";
    let above = "手合割：その他\n後手の持駒：金";
    let drawn = game(&board(above, &KINGS, &format!("先手の持駒：歩二\n{told}")));
    assert_eq!(faults(&drawn), []);
    let start = drawn.game.record().start();
    assert_eq!(start.fen(), "4k4/9/9/9/9/9/9/9/4K4[PPg] b - - 0 1");
    // What is drawn lacks the other's king, and what it drew is said where it is none.
    let problem = board(
        "上手の持駒：銀四　桂四",
        &[
            (1, " ・ ・ ・ ・v玉 ・ ・ ・ ・"),
            (3, " ・ ・ ・ ・ 歩 ・ ・ ・ ・"),
        ],
        "下手の持駒：金\n下手番",
    );
    assert_moves(&(problem + "1 ５二金打\n2 詰み\n"), "G>e8");
    let undrawn = game("手合割：その他\n1 ５二金打\n");
    assert!(faults(&undrawn)[0].2.contains("draw its board"));
}

#[test]
fn the_count_above_a_board_tells_who_moves_and_where_the_last_move_went() {
    let text = board(
        "後手の持駒：なし",
        &KINGS,
        "先手の持駒：歩\n手数＝7  ▲５九玉  まで",
    );
    assert_moves(&format!("{text}8 ５二玉(51)\n"), "k-e8");
    let text = board(
        "後手の持駒：なし",
        &KINGS,
        "先手の持駒：歩\n手数＝8  △５二歩  まで",
    );
    assert_moves(&format!("{text}▲５八玉 △５二玉\n"), "K-e2 k-e8");
}

#[test]
fn a_board_between_moves_must_show_their_position() {
    let list = "1 ５八玉(59)\n";
    let (kings, hands) = (KINGS, "先手の持駒：歩");
    let start = board("後手の持駒：なし", &kings, hands);
    assert_moves(&format!("{start}{list}2 ５二玉(51)\n"), "K-e2 k-e8");
    let told = faults(&game(&format!("{start}{list}{start}2 ５二玉(51)\n")));
    assert!(
        told[0].2.starts_with("this board does not show"),
        "{told:?}"
    );
    assert!(told[0].0 > 14, "{told:?}");
}

#[test]
fn other_lines_of_play_are_passed_over() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n\n変化：2手\n2 ８四歩(83)\n3 中断\n変化：1手\n1 ２六歩(27)\n";
    assert_moves(text, "P-c4 p-g6");
    assert_eq!(game(text).stated, [Some(Color::Black)]);
    let two = games(&format!(
        "手合割：平手\n{text}\n手合割：平手\n1 ５六歩(57)\n"
    ))
    .unwrap();
    assert_eq!((two.len(), moves(&two[1])), (2, vec!["P-e4"]));
}

#[test]
fn words_at_the_end_are_results() {
    const SENTE: Option<Color> = Some(Color::White);
    const GOTE: Option<Color> = Some(Color::Black);
    for (end, results) in [
        ("2 投了", &[SENTE][..]),
        ("2 詰み", &[SENTE]),
        ("2 切れ負け", &[SENTE]),
        ("2 反則勝ち", &[GOTE]),
        ("2 入玉勝ち", &[GOTE]),
        ("2 千日手", &[None]),
        ("2 持将棋", &[None]),
        ("2 中断", &[]),
        ("投了", &[SENTE]),
        ("まで1手で先手の勝ち", &[SENTE]),
        ("まで1手で上手の勝ち", &[GOTE]),
        ("まで1手で時間切れにより後手の勝ち", &[GOTE]),
        ("まで1手で後手の反則負け", &[SENTE]),
        ("まで1手で千日手", &[None]),
        ("まで1手で中断", &[]),
        ("まで61手詰", &[]),
        ("2 投了\nまで1手で後手の勝ち", &[SENTE, GOTE]),
    ] {
        assert_eq!(
            game(&format!("1 ７六歩(77)\n{end}\n")).stated,
            results,
            "{end}"
        );
    }
}

#[test]
fn ki2_is_read_in_any_lines() {
    for text in [
        "先手：A\n▲７六歩 △３四歩\n▲２二角成　△同　銀 ▲５五角\nまで5手で中断\n",
        "☗７六歩☖３四歩☗２二角成☖同銀☗５五角打",
        "> ▲76歩 △34歩\n> *a comment ▲11歩\n> ▲2二角成 △同銀\n> ▲5五角\n",
        "Hello,\n\n▲７六歩 △３四歩 ▲２二角成 △同銀 ▲５五角\n\nRegards\n",
        "1.▲７六歩 2.△３四歩 3.▲２二角成 4.△同銀 5.▲５五角",
    ] {
        assert_moves(text, "P-c4 p-g6 Bxh8=+B sxh8 B>e5");
    }
}

#[test]
fn moves_in_prose_are_no_ki2() {
    for text in [
        "I like ▲７六歩 best.\n",
        "▲７六歩 is best.\n",
        "▲７六歩 △３四歩\nNow it is hard.\n▲２六歩\n",
        "▲７六歩 △３四歩\n\nOr ▲２六歩 instead?\n",
        "1. P-7f P-3d\n",
        "手合割：平手\n1. P-7f P-3d\n",
        "",
        "投了\n",
    ] {
        assert!(games(text).is_none_or(|games| games.is_empty()), "{text}");
    }
}

#[test]
fn signs_tell_pieces_of_a_kind_apart() {
    let golds = [
        (1, " ・ ・ ・ ・v玉 ・ ・ ・ ・"),
        (6, " ・ ・ 金 ・ ・ ・ ・ ・ ・"),
        (7, " ・ ・ ・ ・ ・ ・ ・ ・ ・"),
        (8, " ・ ・ 金 金 金 ・ ・ ・ 玉"),
    ];
    for (told, from) in [
        ("▲７七金直", "c2"),
        ("▲７七金引", "c4"),
        ("▲７七金右", "d2"),
        ("▲６七金左", "c2"),
        ("▲６七金直", "d2"),
        ("▲６七金右", "e2"),
    ] {
        let text = board("後手の持駒：なし", &golds, "先手の持駒：なし");
        let game = game(&format!("{text}{told}\n"));
        let steps = game.game.record().steps();
        let origin = steps.first().map(|step| match step.ply {
            Ply::Move { from, .. } => from.to_string(),
            _ => String::new(),
        });
        assert_eq!(origin.as_deref(), Some(from), "{told}: {:?}", faults(&game));
    }
    for (told, message) in [
        ("▲６七金", "this can be read as 金(78) or 金(68) or 金(58)"),
        ("▲６七金引", "no 金 goes there as '引' says"),
    ] {
        let text = board("後手の持駒：なし", &golds, "先手の持駒：なし");
        let found = faults(&game(&format!("{text}{told}\n")));
        assert!(found[0].2.starts_with(message), "{told}: {found:?}");
    }
}

#[test]
fn a_pinned_piece_is_none_that_is_meant() {
    let pinned = [
        (1, " ・ ・ ・ ・v香 ・ ・ ・v玉"),
        (8, " ・ ・ ・ ・ 金 ・ ・ ・ ・"),
        (9, " ・ ・ ・ ・ 玉 ・ ・ ・ ・"),
    ];
    let text = board("後手の持駒：なし", &pinned, "先手の持駒：金");
    let found = faults(&game(&format!("{text}▲４八金\n")));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_moves(&format!("{text}▲４八金打\n"), "G>f2");
}

#[test]
fn lists_are_decoded() {
    let text = "手合割：平手\r\n   1 ７六歩(77)\r\n";
    for encoding in [
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_JP,
        encoding_rs::ISO_2022_JP,
    ] {
        for text in [
            text,
            "> 1 ７六歩(77)\n> 2 ３四歩(33)\n",
            "先手の持駒：歩二\n",
        ] {
            let bytes = encoding.encode(text).0;
            assert_eq!(decode(&bytes).as_deref(), Some(text), "{}", encoding.name());
        }
    }
    for text in ["caf\u{e9}", "Gr\u{fc}\u{df}e, 1. K>e1"] {
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        assert_eq!(decode(&bytes), None);
        assert_eq!(decode(text.as_bytes()), None);
    }
}

#[test]
fn no_text_brings_it_down() {
    let mut rng = fastrand::Rng::with_seed(7);
    let text = board("後手の持駒：金二", &KINGS, "先手の持駒：歩十八")
        + "手数＝3 ▲５八玉 まで\n手合割：香落ち\n   4 ５二金打\n▲５八玉右上成 △同金(52)\n変化：2手\nまで3手で先手の勝ち\n";
    let chars: Vec<char> = text.chars().collect();
    for _ in 0..3_000 {
        let mut mutant = chars.clone();
        for _ in 0..rng.usize(1..12) {
            let (at, other) = (rng.usize(..mutant.len()), rng.usize(..chars.len()));
            match rng.u8(..3) {
                0 => mutant[at] = chars[other],
                1 => drop(mutant.remove(at)),
                _ => mutant.insert(at, chars[other]),
            }
        }
        let mutant: String = mutant.into_iter().collect();
        let _ = games(&mutant);
        let mut bytes = encoding_rs::SHIFT_JIS.encode(&mutant).0.into_owned();
        let at = rng.usize(..bytes.len());
        bytes[at] = rng.u8(..);
        let _ = decode(&bytes);
    }
}

#[test]
fn a_numbered_line_without_a_move_is_a_fault() {
    let game = game("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六虎(27)\n");
    assert_eq!(
        faults(&game),
        [(4, 4, "no move can be read in this line".to_owned())]
    );
}

#[test]
fn an_end_stands_behind_the_last_move_of_ki2() {
    let ended = game("▲７六歩 △３四歩 ▲２六歩\n△８四歩 投了\n");
    assert_eq!(
        (faults(&ended), ended.stated),
        (vec![], vec![Some(Color::Black)])
    );
}
