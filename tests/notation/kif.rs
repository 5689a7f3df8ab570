//! Lists in Japanese signs of matches played at random, from the start, a handicap or a board, in KIF
//! and KI2: each is read as the match that it was written of.

use std::fmt::Write;

use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS};
use fastrand::Rng;
use parapost::notation::diagram::Diagram;
use parapost::rules::game::Slide;
use parapost::rules::{Color, Ply, Position, Record, Role, Square, Variant};

use crate::support::parapost;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

const HANDICAPS: [(&str, &str); 5] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("十枚落ち", "4k4/9"),
];

/// The file from Sente's right and the rank from the top, from 0.
fn coordinates(square: Square) -> (usize, usize) {
    let [file, rank] = [square.file().index(), square.rank().index()].map(usize::from);
    (8 - file, 8 - rank)
}

fn name(role: Role) -> &'static str {
    match role {
        Role::King => "玉",
        Role::Rook => "飛",
        Role::Bishop => "角",
        Role::Gold => "金",
        Role::Silver => "銀",
        Role::Knight => "桂",
        Role::Lance => "香",
        Role::Pawn => "歩",
        Role::Dragon => "龍",
        Role::Horse => "馬",
        Role::PromotedSilver => "成銀",
        Role::PromotedKnight => "成桂",
        Role::PromotedLance => "成香",
        Role::Tokin => "と",
        Role::Queen => unreachable!("shogi has none"),
    }
}

/// The steps to the right and forward from one square to another, as the player sees them.
fn steps(color: Color, from: Square, to: Square) -> (i8, i8) {
    let [file, rank, to_file, to_rank] = [
        from.file().index(),
        from.rank().index(),
        to.file().index(),
        to.rank().index(),
    ]
    .map(|index| i8::try_from(index).unwrap());
    match color {
        Color::White => (to_file - file, to_rank - rank),
        Color::Black => (file - to_file, rank - to_rank),
    }
}

/// True if a piece reaches a square, pinned or not.
fn reaches(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let kind = position.variant().rules().kind(role).unwrap();
    let (right, forward) = steps(position.turn(), from, to);
    if kind.steps.contains(&(right, forward)) {
        return true;
    }
    let is_along = kind.slides.iter().any(|slide| match slide {
        Slide::Orthogonal => right == 0 || forward == 0,
        Slide::Diagonal => right.abs() == forward.abs(),
        Slide::Forward => right == 0 && forward > 0,
        _ => false,
    });
    let length = right.abs().max(forward.abs());
    let between = (1..length).map(|step| {
        let at = |from: u8, to: u8| {
            let [from, to] = [from, to].map(|index| i8::try_from(index).unwrap());
            u8::try_from(from + (to - from).signum() * step).unwrap()
        };
        let file = at(from.file().index(), to.file().index());
        let rank = at(from.rank().index(), to.rank().index());
        Square::new(file, rank).unwrap()
    });
    length > 0 && is_along && between.into_iter().all(|at| position.get(at).is_none())
}

/// The pieces of a role that reach a square.
fn rivals(position: &Position, role: Role, to: Square) -> Vec<Square> {
    let board = position.board();
    let own = board
        .pieces()
        .filter(|(_, piece)| *piece == role.of(position.turn()));
    own.map(|(from, _)| from)
        .filter(|from| reaches(position, role, *from, to))
        .collect()
}

/// The signs by which players tell a piece from its rivals; none if no signs do.
fn signs(position: &Position, role: Role, from: Square, to: Square) -> Option<String> {
    let rivals = rivals(position, role, to);
    if rivals.len() < 2 {
        return Some(String::new());
    }
    let step = |from: Square| steps(position.turn(), from, to);
    let (right, forward) = step(from);
    let motion = match forward.signum() {
        1 => '上',
        0 => '寄',
        _ => '引',
    };
    let alike: Vec<i8> = rivals
        .iter()
        .map(|rival| step(*rival))
        .filter(|step| step.1.signum() == forward.signum())
        .map(|step| step.0)
        .collect();
    if alike.len() == 1 {
        return Some(motion.to_string());
    }
    let is_runner = matches!(
        role,
        Role::Rook | Role::Bishop | Role::Dragon | Role::Horse | Role::Lance
    );
    if right == 0 && forward == 1 && !is_runner {
        return Some("直".to_owned());
    }
    // Who comes from the left goes to the right.
    let side = if alike.iter().all(|other| *other <= right) {
        '左'
    } else if alike.iter().all(|other| *other >= right) {
        '右'
    } else {
        return None;
    };
    let is_alone = alike.iter().filter(|other| **other == right).count() == 1;
    is_alone.then(|| format!("{side}{motion}"))
}

/// A move, after one to the square `last`; none if KI2 has no signs for it.
fn written(position: &Position, ply: &Ply, last: Option<Square>, is_ki2: bool) -> Option<String> {
    let square = |to: Square| {
        let (file, rank) = coordinates(to);
        match last {
            Some(last) if last == to => "同　".to_owned(),
            _ => format!("{}{}", FILES[file], RANKS[rank]),
        }
    };
    match *ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let role = position.get(from)?.role;
            let mut text = square(to) + name(role);
            if is_ki2 {
                text += &signs(position, role, from, to)?;
                let can_promote = position.single_plies().iter().any(|other| matches!(other, Ply::Move { from: start, to: end, promotion: Some(_) } if (*start, *end) == (from, to)));
                text += match (promotion, can_promote) {
                    (Some(_), _) => "成",
                    (None, true) => "不成",
                    (None, false) => "",
                };
            } else {
                let (file, rank) = coordinates(from);
                let becomes = if promotion.is_some() { "成" } else { "" };
                let _ = write!(text, "{becomes}({}{})", file + 1, rank + 1);
            }
            Some(text)
        }
        Ply::Drop { role, to } => {
            let is_said = !is_ki2 || !rivals(position, role, to).is_empty();
            Some(square(to) + name(role) + if is_said { "打" } else { "" })
        }
        _ => None,
    }
}

/// The board with the pieces in hand, as Japanese programs draw it.
fn drawn(position: &Position) -> String {
    const NUMERALS: [&str; 19] = [
        "", "", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三",
        "十四", "十五", "十六", "十七", "十八",
    ];
    let hand = |color: Color| {
        let slots = position.variant().rules().slots();
        let held = slots.map(|(role, _)| (role, position.reserve(color).count(role)));
        let held = held.filter(|(_, count)| *count > 0);
        let told: Vec<String> = held
            .map(|(role, count)| format!("{}{}", name(role), NUMERALS[usize::from(count)]))
            .collect();
        if told.is_empty() {
            "なし".to_owned()
        } else {
            told.join("　")
        }
    };
    let mut text = format!(
        "後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n",
        hand(Color::Black)
    );
    for rank in (0..9).rev() {
        text.push('|');
        for file in 0..9 {
            let piece = position.get(Square::new(file, rank).unwrap());
            let one = |role: Role| match role {
                Role::PromotedSilver => "全",
                Role::PromotedKnight => "圭",
                Role::PromotedLance => "杏",
                role => name(role),
            };
            let (mark, sign) = match piece {
                None => (' ', "・"),
                Some(piece) if piece.color == Color::White => (' ', one(piece.role)),
                Some(piece) => ('v', one(piece.role)),
            };
            text.push(mark);
            text += sign;
        }
        let _ = writeln!(text, "|{}", RANKS[usize::from(8 - rank)]);
    }
    text += "+---------------------------+\n";
    let _ = writeln!(text, "先手の持駒：{}", hand(Color::White));
    if position.turn() == Color::Black {
        text += "後手番\n";
    }
    text
}

/// Plays on at random, and writes each move; stops where one cannot be written.
fn play(record: &mut Record, plies: usize, is_ki2: bool, rng: &mut Rng) -> Vec<String> {
    let mut told = Vec::new();
    let mut last = None;
    while told.len() < plies && record.outcome().is_none() {
        let position = record.position();
        let all = position.single_plies();
        let telling: Vec<Ply> = all
            .iter()
            .filter(|ply| position.text(ply).contains(['x', '=']))
            .copied()
            .collect();
        let ply = match rng.choice(&telling) {
            Some(ply) if rng.u8(..3) == 0 => *ply,
            _ => *rng.choice(&all).unwrap(),
        };
        let Some(text) = written(position, &ply, last, is_ki2) else {
            break;
        };
        told.push(text);
        last = ply.target();
        record.play(&ply).unwrap();
    }
    told
}

/// A match from somewhere, and its text.
fn list(rng: &mut Rng) -> (Record, String) {
    let variant = Variant::find("shogi", &[]).unwrap();
    let mut text = String::from("# a comment\n開始日時：2014/10/14\n");
    let is_ki2 = rng.bool();
    let start = match rng.u8(..3) {
        0 => {
            text += "手合割：平手　　\n";
            variant.start()
        }
        1 => {
            let (name, rows) = rng.choice(HANDICAPS).unwrap();
            let _ = writeln!(text, "手合割：{name}");
            let fen = format!("{rows}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b");
            Position::from_fen(&variant, &fen).unwrap()
        }
        _ => {
            let before = crate::playing::game(&variant, rng.usize(..150), rng);
            let position = before.position().clone();
            if position.outcome().is_some() {
                return list(rng);
            }
            text += &drawn(&position);
            // It counts its moves anew.
            let fen = position.fen();
            Position::from_fen(&variant, &fen).unwrap()
        }
    };
    text += "先手：Anna\n後手：ベン\n";
    let mut record = Record::new(start);
    let first = record.position().turn();
    let told = play(&mut record, rng.usize(1..120), is_ki2, rng);
    let plies = told.len();
    for (at, told) in told.into_iter().enumerate() {
        if is_ki2 {
            let is_first = at.is_multiple_of(2) == (first == Color::White);
            text.push(if is_first { '▲' } else { '△' });
            text += &told;
            text.push(*rng.choice(&['\n', '　', ' ']).unwrap());
        } else {
            let _ = writeln!(text, "{:>4} {told}   ( 0:01/00:00:01)", at + 1);
            if rng.u8(..20) == 0 {
                text += "*▲７六歩 would be better\n";
            }
        }
    }
    let _ = writeln!(text, "\nまで{plies}手で中断");
    if !is_ki2 && plies > 3 && rng.bool() {
        text += "\n変化：2手\n   2 ３四歩(33)\n   3 投了\n";
    }
    (record, text)
}

#[test]
fn lists_of_random_matches_are_read_as_they_were_played() {
    let mut rng = Rng::with_seed(1994);
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    let mut files = Vec::new();
    for at in 0..300 {
        let (record, text) = list(&mut rng);
        if record.steps().is_empty() {
            continue;
        }
        let text = if rng.u8(..6) == 0 {
            text.lines().flat_map(|line| ["> ", line, "\n"]).collect()
        } else {
            text
        };
        let bytes = match rng.u8(..4) {
            0 => SHIFT_JIS.encode(&text).0.into_owned(),
            1 => EUC_JP.encode(&text).0.into_owned(),
            2 => ISO_2022_JP.encode(&text).0.into_owned(),
            _ => text.clone().into_bytes(),
        };
        let file = folder.path().join(format!("{at}.kif"));
        std::fs::write(&file, bytes).unwrap();
        files.push(file);
        expected.push((record, text));
    }
    let mut arguments = vec!["check".into(), "--json".into()];
    arguments.extend(files.iter().map(|file| file.as_os_str().to_owned()));
    let output = parapost(arguments).any_stdout().run().stdout;
    assert_eq!(output.lines().count(), expected.len());
    for (line, (record, text)) in output.lines().zip(&expected) {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        let [found] = report["matches"].as_array().unwrap().as_slice() else {
            panic!("{text}\n{line}");
        };
        let canonical = found["moves"].as_array().unwrap().iter();
        let canonical: Vec<&str> = canonical
            .map(|one| one["canonical"].as_str().unwrap())
            .collect();
        let played: Vec<String> = record.steps().iter().map(ToString::to_string).collect();
        assert_eq!(canonical, played, "{text}\n{}", found["problems"]);
        let diagram = Diagram::of(record.position()).to_string();
        assert_eq!(found["diagram"], diagram, "{text}");
        assert_eq!(found["problems"].as_array().unwrap().len(), 0, "{text}");
    }
}
