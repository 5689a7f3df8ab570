//! `parapost check` of what other programs write: PGN, other games, formats of shogi.

use crate::commands::check::json;
use crate::support::parapost;

/// The standard tags of PGN.
const TAGS: &str = "[Event \"Casual\"]\n[Site \"?\"]\n[Date \"2026.11.20\"]\n[Round \"1\"]\n[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"*\"]\n";

/// It was read as a list of Unachess.
#[test]
fn pgn_with_its_seven_tags_and_no_variant_is_chess() {
    let list = "\n1. e4 e5 2. Nf3 Nc6 *\n";
    for (text, games) in [
        (format!("{TAGS}{list}"), vec!["chess"]),
        (
            format!(
                "> {}\n",
                format!("{TAGS}{list}").trim().replace('\n', "\n> ")
            ),
            vec!["chess"],
        ),
        (
            format!("{TAGS}{list}\n{TAGS}\n1. d4 d5 *\n"),
            vec!["chess", "chess"],
        ),
        (
            format!("Game: Unachess\n1. P>e3 n>g5\n\n[Variant \"chess\"]\n{TAGS}{list}"),
            vec!["unachess", "chess"],
        ),
        // PGN of two games, the first of which names its own.
        (
            format!("[Variant \"Unachess\"]\n{TAGS}\n1. P>e3 n>g5 *\n\n{TAGS}{list}"),
            vec!["unachess", "chess"],
        ),
    ] {
        let report = json(&text, 0);
        let matches = report["matches"].as_array().unwrap();
        let read: Vec<&str> = matches
            .iter()
            .map(|one| one["game"].as_str().unwrap())
            .collect();
        assert_eq!(read, games, "{text}");
    }
    for text in [
        // A tag is missing, or the game is named above.
        format!("{}\n1. P>e3 n>g5 *\n", TAGS.replace("[Round \"1\"]\n", "")),
        format!("Game: Unachess\n\n{TAGS}\n1. P>e3 n>g5 *\n"),
        format!("{TAGS}[Variant \"Unachess\"]\n\n1. P>e3 n>g5 *\n"),
    ] {
        assert_eq!(json(&text, 0)["matches"][0]["game"], "unachess", "{text}");
    }
    let elsewhere =
        "[Variant \"From Position\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4\n";
    parapost(["check"])
        .stdin(elsewhere)
        .any_stdout()
        .stderr("-: Chess, 1 half-move, Black to move\n")
        .run();
}

/// A PGN of 84 moves drew 168 warnings.
#[test]
fn foreign_notation_is_remarked_on_once() {
    let report = json(
        &format!("{TAGS}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. B-c6 *\n"),
        0,
    );
    let problems = report["matches"][0]["problems"].as_array().unwrap();
    let told: Vec<(&str, i64)> = problems
        .iter()
        .map(|problem| {
            let column = problem["column"].as_i64().unwrap();
            (problem["message"].as_str().unwrap(), column)
        })
        .collect();
    assert_eq!(
        told,
        // SAN is the notation of PGN, but this move was no capture, as it was written.
        [("'B-c6' is read as 'Bxc6'", 34)]
    );
    let report = json("1. P*e3 n@g5\n", 0);
    let message = &report["matches"][0]["problems"][0]["message"];
    assert_eq!(
        message,
        "'P*e3' is read as 'P>e3'; 1 more move is in another notation, too"
    );
}

/// Crazyhouse was taken for Parachute chess misspelt.
#[test]
fn another_game_is_not_one_of_the_games() {
    for name in [
        "Crazyhouse",
        "Chess960",
        "Antichess",
        "King of the Hill",
        "Minishogi",
    ] {
        parapost(["check"])
            .stdin(format!("[Variant \"{name}\"]\n\n1. e4 e5\n"))
            .status(1)
            .stderr_contains(&format!(
                "-:1:11: error: unknown game '{name}': it is not one of the games unachess, "
            ))
            .run();
    }
    parapost(["check"])
        .stdin("[Variant \"Unaches\"]\n\n1. P>e3\n")
        .status(1)
        .stderr_contains("did you mean 'unachess'?")
        .run();
}

/// One was "not a move", the other had "no square".
#[test]
fn a_square_beyond_the_board_is_named_as_such() {
    for (text, square) in [
        ("1. K>z9\n", "z9"),
        ("1. K>e1 k>d9\n", "d9"),
        ("1. K-z9\n", "z9"),
    ] {
        parapost(["check"])
            .stdin(text)
            .status(1)
            .stderr_contains(&format!("error: there is no square {square}"))
            .run();
    }
}

#[test]
fn formats_of_shogi_are_named() {
    for (text, place, name) in [
        ("I like this:\n▲７六歩 is best\n", "2:1", "KIF"),
        (
            "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n-3334FU\n",
            "6:1",
            "CSA",
        ),
    ] {
        for words in [["check", "--game", "shogi"], ["show", "--game", "shogi"]] {
            parapost(words)
                .stdin(text)
                .status(1)
                .stderr_contains(&format!("-:{place}: "))
                .stderr_contains(&format!(" {name}, which "))
                .run();
        }
    }
    for text in [
        "7g7f 3c3d 2g2f 8c8d\n",
        "7g7f\n3c3d\n2g2f\n8c8d\n",
        "1. 7g7f 3c3d\n2. 2g2f 8c8d\n",
    ] {
        parapost(["check", "--game", "shogi"])
            .stdin(text)
            .stdout_contains("1.  P-c4    p-g6\n2.  P-h4    p-b6\n")
            .stderr_contains("'7g7f' is read as 'P-c4'; 3 more moves are in another notation, too")
            .run();
    }
}

/// The hands of a Japanese board were lost, without a word.
#[test]
fn a_japanese_board_shows_its_hands() {
    let rows: String = "一二三四五六七八九"
        .chars()
        .map(|rank| match rank {
            '一' => "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n".to_owned(),
            rank => format!("| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n"),
        })
        .collect();
    let board = |above: &str, below: &str| {
        format!("{above}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n{rows}{below}\n")
    };
    for (above, below) in [
        ("後手の持駒：角　金二", "先手の持駒：飛　歩十一　"),
        ("△持駒 角 金2", "▲持駒 飛 歩11"),
    ] {
        for line in ["", "Look:\n\n"] {
            parapost(["show", "--game", "shogi"])
                .stdin(format!("{line}{}", board(above, below)))
                .stdout_contains("-bgg------")
                .stdout_contains("R---------")
                .stdout_contains("PPPPPPPPPPP")
                .stderr_contains("no game can reach this position: Sente has no king")
                .run();
        }
    }
    for (above, below, why) in [
        (
            "後手の持駒：なし",
            "",
            "shows Gote's reserve and not Sente's",
        ),
        (
            "後手の持駒：なし",
            "先手の持駒：牛",
            "'牛' is no piece in hand",
        ),
        (
            "後手の持駒：なし",
            "先手の持駒：歩九九",
            "too many pieces '歩'",
        ),
    ] {
        parapost(["show", "--game", "shogi"])
            .stdin(board(above, below))
            .status(1)
            .stderr_contains(why)
            .run();
    }
}

/// The tags of a list were lost: who had played, where and when.
#[test]
fn the_tags_of_a_list_are_written_again() {
    let text = "[Event \"Cup \\\"B\\\"\"]\n[Date \"2011.09.26\"]\n[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n";
    let written = parapost(["show", "--game", "chess", "--as", "pgn"]).stdin(text);
    let written = written.any_stdout().run().stdout;
    for tag in text.lines().take(5) {
        assert!(written.contains(tag), "{tag}\n{written}");
    }
    assert!(written.ends_with("1. e4 e5 0-1\n"), "{written}");
    let kif =
        "開始日時：2014/10/14\n手合割：平手\n先手：Anna\n後手：Ben\n   1 ７六歩(77)\n   2 投了\n";
    let written = parapost(["show", "--as", "kif"]).stdin(kif);
    let written = written.any_stdout().run().stdout;
    for line in ["開始日時：2014/10/14", "先手：Anna", "後手：Ben", "投了"] {
        assert!(written.contains(line), "{line}\n{written}");
    }
}

#[test]
fn crazyhouse_is_named_and_not_read() {
    for text in [
        "[Variant \"Crazyhouse\"]\n\n1. e4 *\n",
        "1. e4 d5 2. exd5 Qxd5 3. @e4 N@f6\n",
    ] {
        let told = parapost(["check"]).stdin(text).status(1).any_stderr();
        let told = told.run().stderr;
        assert!(told.contains("Crazyhouse"), "{text}\n{told}");
    }
}
