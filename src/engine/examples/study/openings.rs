//! A search for the queen's best squares, if the king follows, and for Black's best replies.

use std::fmt::Write as _;

use parapost_engine::{Engine, Limits, Thought};
use parapost_rules::{Ply, Position, Record, Role, Variant};

use super::game::drops;
use super::sets::QUEENS;

/// Positions looked at for each square of the queen and each reply.
const LOOKED_AT: u64 = 500_000;
/// Positions looked at to find the next best reply.
const LOOKED_AT_FIRST: u64 = 100_000;
/// Replies that are looked at with the king to follow: for each square of the queen, and for those of
/// the post.
const FEW_REPLIES: usize = 6;
const REPLIES: usize = 12;

/// White's queen on a square, Black's best reply, the king's best square after it, and what that is
/// worth to White, in hundredths of a pawn.
pub(crate) struct Line {
    pub(crate) queen: String,
    pub(crate) reply: String,
    pub(crate) king: String,
    pub(crate) value: i32,
}

/// The head of both tables.
const HEAD: &str = "queen,reply,king,value\n";

/// Lines as CSV.
pub(crate) fn csv(lines: &[Line]) -> String {
    let mut text = HEAD.to_owned();
    for line in lines {
        let _ = writeln!(
            text,
            "{},{},{},{}",
            line.queen, line.reply, line.king, line.value
        );
    }
    text
}

/// The lines of CSV; none if it is none of these tables.
pub(crate) fn read(text: &str) -> Option<Vec<Line>> {
    let line = |line: &str| {
        let [queen, reply, king, value] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
        Some(Line {
            queen: queen.to_owned(),
            reply: reply.to_owned(),
            king: king.to_owned(),
            value: value.parse().ok()?,
        })
    };
    text.strip_prefix(HEAD)?.lines().map(line).collect()
}

/// For each square of the queen the best reply to it, the best square first.
pub(crate) fn queens() -> Vec<Line> {
    let start = variant().start();
    let queens = all_drops(&start, Role::Queen);
    let replied = queens
        .iter()
        .map(|queen| replies(&start.text(queen), FEW_REPLIES));
    let mut lines: Vec<Line> = replied
        .filter_map(|lines| lines.into_iter().next())
        .collect();
    lines.sort_by_key(|line| -line.value);
    lines
}

/// The replies to each of the two openings of the post, the best for Black first.
pub(crate) fn best_replies() -> Vec<Line> {
    QUEENS[..2]
        .iter()
        .flat_map(|queen| replies(queen, REPLIES))
        .collect()
}

/// The best replies to the queen on a square, of so many that look good, with the king to follow.
fn replies(queen: &str, count: usize) -> Vec<Line> {
    let mut record = Record::new(variant().start());
    record
        .play_text(queen)
        .expect("a queen can be dropped anywhere");
    let mut left = record.position().single_plies();
    let mut lines = Vec::new();
    for _ in 0..count {
        let Some(reply) = think(&record, left.clone(), LOOKED_AT_FIRST).ply else {
            break;
        };
        left.retain(|ply| *ply != reply);
        let mut replied = record.clone();
        let text = record.position().text(&reply);
        replied.play(&reply).expect("a legal half-move");
        let kings = all_drops(replied.position(), Role::King);
        let thought = think(&replied, kings, LOOKED_AT);
        let king = thought.ply.map(|ply| replied.position().text(&ply));
        lines.push(Line {
            queen: queen.to_owned(),
            reply: text,
            king: king.unwrap_or_default(),
            value: thought.score.bounded(),
        });
    }
    lines.sort_by_key(|line| line.value);
    lines
}

fn variant() -> Variant {
    Variant::find("unachess", &[]).expect("there is Unachess")
}

fn all_drops(position: &Position, role: Role) -> Vec<Ply> {
    let mut plies = position.single_plies();
    plies.retain(|ply| drops(ply, role));
    plies
}

fn think(record: &Record, only: Vec<Ply>, nodes: u64) -> Thought {
    let limits = Limits {
        only,
        ..Limits::nodes(nodes)
    };
    Engine::new(record.position().variant()).think(record, &limits)
}
