//! What the script of a page knows: positions and moves, and how they are told.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::render::in_words;
use crate::render::legal::is_legal;
use crate::render::page::answer::Answer;
use crate::render::svg::marks::{self, Use};
use crate::render::view::{Details, Note, Score, View};
use crate::rules::{Board, Color, Mark, Position, Record, Reserve};

/// The data of a page.
#[derive(Serialize)]
pub(super) struct Data<'v> {
    width: u8,
    #[serde(rename = "isShogi")]
    is_shogi: bool,
    #[serde(rename = "isFlipped")]
    is_flipped: bool,
    /// The two players in the words of the game.
    sides: [&'static str; 2],
    /// Their names, which may be empty.
    players: &'v [String; 2],
    /// The names of the pieces by their letters in capitals.
    roles: BTreeMap<String, &'static str>,
    /// The letters of the reserve in the order in which it is shown.
    slots: Vec<String>,
    /// The first position and the one after each half-move, or a diagram alone.
    positions: Vec<Shown>,
    /// How the match ended, in a sentence; none if it goes on.
    ending: Option<String>,
    /// The score of each player; none if the match goes on.
    scores: Option<[&'static str; 2]>,
    /// What there is to answer with.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer<'v>>,
}

/// A position.
#[derive(Serialize)]
struct Shown {
    /// The FEN; of a diagram alone its board and its reserves.
    fen: String,
    /// The pieces in words.
    words: String,
    /// The half-move that led here, with its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What this half-move did on squares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<(String, Use)>,
    /// The square of a king that is aimed at, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    king: Option<(String, &'static str)>,
    /// What was written here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Words>,
}

/// What somebody wrote.
#[derive(Serialize)]
struct Words {
    by: String,
    text: String,
}

impl<'v> Data<'v> {
    pub(super) fn of(view: &'v View<'_>, is_flipped: bool, is_shogi: bool) -> Data<'v> {
        let variant = view.diagram.variant();
        let rules = variant.rules();
        let names = rules.kinds.iter().map(|kind| {
            let piece = kind.role.of(Color::White);
            (piece.to_string(), kind.role.name())
        });
        let slots = rules.slots();
        let outcome = view.record.and_then(Record::outcome);
        let by_rules = outcome.map(|outcome| match outcome.winner {
            Some(winner) => format!("{} wins by {}.", variant.player(winner), outcome.reason),
            None => format!("The game is drawn: {}.", outcome.reason),
        });
        let answering = view.details.answering.as_ref();
        let answer = view
            .record
            .zip(answering)
            .map(|(record, answering)| Answer::new(record.position(), answering));
        Data {
            width: rules.width,
            is_shogi,
            is_flipped,
            sides: Color::ALL.map(|color| variant.player(color)),
            players: &view.details.players,
            roles: names.collect(),
            slots: slots
                .map(|(role, _)| role.of(Color::White).to_string())
                .collect(),
            positions: match view.record {
                Some(record) => positions(record, &view.details),
                None => vec![drawn(view)],
            },
            ending: view.details.ending.clone().or(by_rules),
            scores: view.score.map(scores),
            answer,
        }
    }
}

fn scores(score: Score) -> [&'static str; 2] {
    Color::ALL.map(|color| match score {
        Score::Drawn => "½",
        Score::Won(winner) if winner == color => "1",
        Score::Won(_) => "0",
    })
}

/// Tells every position of a record, with what was written there.
fn positions(record: &Record, details: &Details) -> Vec<Shown> {
    let mut before = record.start();
    let mut positions = vec![Shown::of(before, before.mark())];
    for (plies, step) in record.steps().iter().enumerate() {
        let after = record.at(plies + 1).unwrap_or(record.position());
        let used = marks::used(before, &step.ply, after).into_iter();
        positions.push(Shown {
            text: Some(step.to_string()),
            squares: used
                .map(|(square, used)| (square.to_string(), used))
                .collect(),
            ..Shown::of(after, step.mark)
        });
        before = after;
    }
    for note in &details.notes {
        if let Some(shown) = positions.get_mut(note.plies) {
            shown.notes.push(Words::of(note, record, details));
        }
    }
    positions
}

impl Words {
    /// Names who wrote, and leaves out what would steer a reader's screen.
    fn of(note: &Note, record: &Record, details: &Details) -> Words {
        let by = match note.by {
            None => "Referee",
            Some(color) => match details.players[color.index()].as_str() {
                "" => record.position().variant().player(color),
                name => name,
            },
        };
        let is_shown = |c: &char| is_legal(*c);
        Words {
            by: by.to_owned(),
            text: note.text.trim().chars().filter(is_shown).collect(),
        }
    }
}

/// Says the last position in words. No line of a page can be taken for a move.
pub(super) fn words(view: &View<'_>) -> String {
    let diagram = &view.diagram;
    let words = in_words::pieces(diagram.variant(), diagram.board(), diagram.reserves());
    words.replace('\u{a0}', " ")
}

/// Tells a diagram that no match belongs to.
fn drawn(view: &View<'_>) -> Shown {
    let diagram = &view.diagram;
    let held = diagram.reserves().map(|reserves| {
        let letters = Color::ALL.into_iter().flat_map(|color| {
            let slots = diagram.variant().rules().slots();
            slots.flat_map(move |(role, _)| {
                let letter = role.of(color).letter();
                let count = reserves[color.index()].count(role);
                std::iter::repeat_n(letter, usize::from(count))
            })
        });
        format!("[{}]", letters.collect::<String>())
    });
    Shown {
        fen: format!("{}{}", diagram.board().fen(), held.unwrap_or_default()),
        words: words(view),
        text: None,
        squares: Vec::new(),
        king: None,
        notes: Vec::new(),
    }
}

impl Shown {
    /// Tells a position, which the turn before it gave this mark.
    fn of(position: &Position, mark: Mark) -> Shown {
        let how = match mark {
            Mark::None => None,
            Mark::Virtual => Some("virtual"),
            _ => Some("check"),
        };
        let king = position.king(position.turn()).zip(how);
        let reserves: [Reserve; 2] = Color::ALL.map(|color| position.reserve(color));
        let board: Board = position.board();
        let words = in_words::pieces(position.variant(), &board, Some(reserves));
        Shown {
            fen: position.fen(),
            // No line of a page can be taken for a move.
            words: words.replace('\u{a0}', " "),
            text: None,
            squares: Vec::new(),
            king: king.map(|(square, how)| (square.to_string(), how)),
            notes: Vec::new(),
        }
    }
}
