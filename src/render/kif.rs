//! A match of shogi in KIF, for other programs: who plays, and a move to a line.

use std::fmt::Write as _;

use crate::printable::one_line;
use crate::render::view::{Score, View};
use crate::rules::{Ply, Position, Reason, Record, Role, Square};

/// The files as the squares of KIF name them, from Sente's right.
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The ranks, from the top.
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Writes a match of shogi.
pub(super) fn write(view: &View<'_>, record: &Record) -> String {
    let mut text = "手合割：平手\n".to_owned();
    for (side, name) in ["先手", "後手"].into_iter().zip(&view.details.players) {
        let _ = writeln!(text, "{side}：{}", one_line(name));
    }
    text.push_str("手数----指手---------消費時間--\n");
    let mut last = None;
    for (ply, step) in record.steps().iter().enumerate() {
        let Some(position) = record.at(ply) else {
            break;
        };
        let _ = writeln!(text, "{:>4} {}", ply + 1, line(position, &step.ply, last));
        last = step.ply.target();
    }
    if let Some(end) = end(view, record) {
        let _ = writeln!(text, "{:>4} {end}", record.steps().len() + 1);
    }
    text
}

/// Writes a move, after one to the square `last`.
fn line(position: &Position, ply: &Ply, last: Option<Square>) -> String {
    let square = |to: Square| {
        if Some(to) == last {
            return "同　".to_owned();
        }
        let (file, rank) = coordinates(to);
        format!("{}{}", FILES[file], RANKS[rank])
    };
    match *ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let role = position.get(from).map_or(Role::Pawn, |piece| piece.role);
            let (file, rank) = coordinates(from);
            let becomes = if promotion.is_some() { "成" } else { "" };
            format!(
                "{}{}{becomes}({}{})",
                square(to),
                name(role),
                file + 1,
                rank + 1
            )
        }
        Ply::Drop { role, to } => format!("{}{}打", square(to), name(role)),
        // Shogi has no others.
        _ => position.text(ply),
    }
}

/// Returns the file from Sente's right and the rank from the top, from 0.
fn coordinates(square: Square) -> (usize, usize) {
    let [file, rank] = [square.file().index(), square.rank().index()].map(usize::from);
    (8 - file, 8 - rank)
}

fn name(role: Role) -> &'static str {
    match (role.letter(), role.is_promoted()) {
        ('K', _) => "玉",
        ('R', false) => "飛",
        ('R', true) => "龍",
        ('B', false) => "角",
        ('B', true) => "馬",
        ('G', _) => "金",
        ('S', false) => "銀",
        ('S', true) => "成銀",
        ('N', false) => "桂",
        ('N', true) => "成桂",
        ('L', false) => "香",
        ('L', true) => "成香",
        (_, false) => "歩",
        (_, true) => "と",
    }
}

/// Returns how the match ended, if it is over.
fn end(view: &View<'_>, record: &Record) -> Option<&'static str> {
    let reason = record.outcome().map(|outcome| outcome.reason);
    Some(match (view.score?, reason) {
        (Score::Won(_), Some(Reason::Checkmate)) => "詰み",
        (Score::Won(_), Some(_)) => "反則負け",
        (Score::Won(winner), None) if winner != record.position().turn() => "投了",
        (Score::Drawn, Some(_)) => "千日手",
        (Score::Won(_) | Score::Drawn, None) => "中断",
    })
}
