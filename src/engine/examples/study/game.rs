//! A game of the program against itself, by its set, its nodes and its number.

use parapost_engine::{Engine, Limits, Score, leads};
use parapost_rules::{Claim, Color, Ply, Record, Role};

use super::sets::{Choice, STRONG, Set, VARIED};

/// Half-moves after which a game is given up as a draw.
const LONGEST: usize = 500;
/// Mebibytes of the table of positions: enough for the strongest search, and near the processor.
const MEMORY: usize = 4;
/// The half-moves of a game that are kept.
const KEPT: usize = 4;

/// What is kept of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Game {
    pub(crate) set: String,
    pub(crate) nodes: u64,
    /// Its number in the set, which is its seed.
    pub(crate) number: u64,
    /// The winner; none in a draw.
    pub(crate) winner: Option<Color>,
    /// A word for the end.
    pub(crate) ending: String,
    pub(crate) half_moves: usize,
    /// Who had the lead, one after the other.
    pub(crate) leads: Vec<Color>,
    /// The first half-moves.
    pub(crate) opening: Vec<String>,
    /// A hash of all half-moves: two games of one are the same game.
    pub(crate) hash: String,
}

impl Game {
    /// Returns true if it is one of those that a set is to have.
    pub(crate) fn is_of(&self, set: &Set) -> bool {
        let is_within = |&(nodes, games)| self.nodes == nodes && self.number < games;
        self.set == set.name && set.sizes.iter().any(is_within)
    }
}

/// Plays a game. The same set, nodes and number give the same game on every machine.
pub(crate) fn play(set: &Set, nodes: u64, number: u64) -> (Game, Record) {
    let variant = set.variant();
    let mut engine = Engine::new(&variant);
    engine.set_memory(MEMORY);
    let mut record = Record::new(variant.start());
    // Other games than those by which the search before has chosen a reply.
    let series = if nodes > STRONG { nodes << 32 } else { 0 };
    // For White, behind each half-move; none where the search was none to judge by.
    let mut values: Vec<Option<i32>> = Vec::new();
    let (winner, ending) = loop {
        let made = record.steps().len();
        if let Some(outcome) = record.outcome() {
            break (outcome.winner, outcome.status());
        }
        match record.claim() {
            Some(Claim::Threefold) => break (None, "draw-threefold"),
            Some(Claim::FiftyMoves) => break (None, "draw-50"),
            None if made >= LONGEST => break (None, "given-up"),
            None => {}
        }
        let choice = set.opening.get(made).copied().unwrap_or(Choice::Any);
        let seed = mixed(hash(&set.name) ^ series ^ number, made as u64 + 1);
        let is_varied = made < set.opening.len() + VARIED;
        let limits = Limits {
            seed: if is_varied { seed } else { 0 },
            variety: if is_varied { set.variety } else { 0 },
            only: allowed(&record, choice, seed),
            ..Limits::nodes(nodes)
        };
        let ply = if let [ply] = limits.only.as_slice() {
            values.push(None);
            *ply
        } else {
            let thought = engine.think(&record, &limits);
            let is_judgement = nodes == STRONG && !is_varied;
            values.push(is_judgement.then(|| for_white(&record, thought.score)));
            thought
                .ply
                .expect("a game that goes on has a legal half-move")
        };
        record.play(&ply).expect("the engine plays what is legal");
    };
    // What was thought of a position is the value behind the half-move before.
    let mut values: Vec<Option<i32>> = values.into_iter().skip(1).collect();
    values.push(Some(match winner {
        Some(Color::White) => Score::WON,
        Some(Color::Black) => -Score::WON,
        None => 0,
    }));
    let leads = leads(values.len(), |at| {
        *values[at].get_or_insert_with(|| {
            let before = record.until(at + 1);
            let thought = engine.think(&before, &Limits::nodes(STRONG));
            for_white(&before, thought.score)
        })
    });
    let texts: Vec<&str> = record
        .steps()
        .iter()
        .map(|step| step.text.as_str())
        .collect();
    let game = Game {
        set: set.name.clone(),
        nodes,
        number,
        winner,
        ending: ending.to_owned(),
        half_moves: texts.len(),
        leads,
        opening: texts
            .iter()
            .take(KEPT)
            .map(|&text| text.to_owned())
            .collect(),
        hash: format!("{:016x}", hash(&texts.join(" "))),
    };
    (game, record)
}

fn for_white(record: &Record, score: Score) -> i32 {
    match record.position().turn() {
        Color::White => score.bounded(),
        Color::Black => -score.bounded(),
    }
}

/// The half-moves that a choice allows; none of them named if that is all.
fn allowed(record: &Record, choice: Choice, seed: u64) -> Vec<Ply> {
    let position = record.position();
    let mut plies = position.single_plies();
    match choice {
        Choice::Any => plies.clear(),
        Choice::Written(text) => plies.retain(|ply| position.text(ply) == text),
        Choice::Drop(role) => plies.retain(|ply| drops(ply, role)),
        Choice::NotQueen => plies.retain(|ply| !drops(ply, Role::Queen)),
        Choice::ByChance => {
            plies.retain(|ply| !drops(ply, Role::Queen));
            let at = usize::try_from(seed % plies.len().max(1) as u64).unwrap_or(0);
            plies = plies.get(at).copied().into_iter().collect();
        }
    }
    assert!(
        choice == Choice::Any || !plies.is_empty(),
        "{choice:?} allows nothing"
    );
    plies
}

/// Returns true if a half-move drops this piece.
pub(crate) fn drops(ply: &Ply, piece: Role) -> bool {
    matches!(ply, Ply::Drop { role, .. } if *role == piece)
}

/// A number above zero that looks random, by a game and a half-move.
fn mixed(game: u64, made: u64) -> u64 {
    let mut mixed = (game ^ made.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 31)).max(1)
}

/// The hash of Fowler, Noll and Vo (FNV-1a).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
