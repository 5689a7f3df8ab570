//! A course of play: positions, turns, repetition, ends.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::game::Draws;
use crate::illegal::{IllegalMove, IllegalMoveKind};
use crate::movetext::MoveText;
use crate::outcome::{Claim, Mark, Outcome, Reason};
use crate::piece::Color;
use crate::ply::Ply;
use crate::position::Position;
use crate::reading::{ReadError, Reading, Voice};
use crate::state::RepetitionKey;

/// A course of play: the position it began with and every turn since.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Ply, Record, Role, Square, Variant};
///
/// let mut record = Record::new(Variant::find("unachess", &[])?.start());
/// record.play(&Ply::Drop { role: Role::King, to: Square::G1 })?;
/// assert_eq!(record.steps()[0].text, "K>g1");
/// assert_eq!(record.status(), "ongoing");
/// assert_eq!(record.until(0), Record::new(record.start().clone()));
/// assert!(record.undo().is_some() && record.steps().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The position before the first turn and after each.
    positions: Vec<Position>,
    /// The repetition key of each position.
    repetition_keys: Vec<RepetitionKey>,
    /// The end that the game has at each position, if it has one: worked out once, for
    /// whoever follows a record asks at every turn.
    ends: Vec<Option<Outcome>>,
    steps: Vec<Step>,
}

/// A turn that was played.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Mark, Record, Step, Variant};
///
/// let mut record = Record::new(Variant::find("unachess", &[])?.start());
/// for text in ["K>e1", "k>e8", "R>e4"] {
///     record.play_text(text)?;
/// }
/// let last: &Step = &record.steps()[2];
/// assert_eq!((last.text.as_str(), last.mark), ("R>e4", Mark::Check));
/// assert_eq!(last.to_string(), "R>e4 +");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The ply.
    pub ply: Ply,
    /// Its canonical form without the mark.
    pub text: String,
    /// Its mark.
    pub mark: Mark,
}

impl fmt::Display for Step {
    /// The canonical form with a space and the mark, if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mark {
            Mark::None => f.write_str(&self.text),
            mark => write!(f, "{} {mark}", self.text),
        }
    }
}

impl PartialEq for Record {
    /// The same start and the same turns; the positions follow from them.
    fn eq(&self, other: &Record) -> bool {
        self.start() == other.start() && self.steps == other.steps
    }
}

impl Eq for Record {}

impl Hash for Record {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.start().hash(state);
        self.steps.hash(state);
    }
}

impl Record {
    /// A record with nothing played yet.
    #[must_use]
    pub fn new(start: Position) -> Record {
        let mut record = Record {
            repetition_keys: vec![start.repetition_key()],
            positions: vec![start],
            ends: Vec::new(),
            steps: Vec::new(),
        };
        record.ends.push(record.end());
        record
    }

    /// The position it began with.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.steps.len()]
    }

    /// The position after that many half-moves; none if there were fewer.
    #[must_use]
    pub fn at(&self, plies: usize) -> Option<&Position> {
        self.positions.get(plies)
    }

    /// The turns played.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The record as it was after that many half-moves; a copy if there were
    /// no more.
    #[must_use]
    pub fn until(&self, plies: usize) -> Record {
        let mut then = self.clone();
        while then.steps.len() > plies {
            then.undo();
        }
        then
    }

    /// Plays a turn.
    ///
    /// # Errors
    ///
    /// If it is not legal or the game is over. The record is then as before.
    pub fn play(&mut self, ply: &Ply) -> Result<&Step, IllegalMove> {
        self.going_on()?;
        self.play_on(ply)
    }

    /// Plays a turn, also where a count or too little material has ended the game: servers and
    /// players of chess go on there. The end stays what it was.
    ///
    /// # Errors
    ///
    /// If it is not legal. The record is then as before.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Position, Record, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let mut record = Record::new(Position::from_fen(&chess, "8/8/4k3/8/8/3NK3/8/8 w")?);
    /// let ply = record.position().read("Ke4")?.ply;
    /// assert!(record.play(&ply).is_err());
    /// record.play_on(&ply)?;
    /// assert_eq!((record.status(), record.steps().len()), ("draw-dead", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_on(&mut self, ply: &Ply) -> Result<&Step, IllegalMove> {
        let before = self.position();
        let after = before.play(ply)?;
        let text = before.text(ply);
        Ok(self.add(*ply, text, after))
    }

    /// Reads a turn as [`Position::read`] does, and plays it.
    ///
    /// # Errors
    ///
    /// If the text is no move, not legal, or could be several; or if the game is
    /// over. The record is then as before.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Record, Variant};
    ///
    /// let mut record = Record::new(Variant::find("kingchess", &[])?.start());
    /// assert_eq!(record.play_text("Kb1,Bb2,pp: b3,c2")?.text, "K>b1,B>b2,P>b3,P>c2");
    /// let error = record.play_text("k-e8").unwrap_err();
    /// let why = "Black's first turn must place the king, alone or with other pieces; \
    ///            to drop one write k>e8";
    /// assert_eq!(error.to_string(), why);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_text(&mut self, text: &str) -> Result<&Step, ReadError> {
        self.going_on().map_err(ReadError::Illegal)?;
        let ply = self.position().read(text)?.ply;
        self.play(&ply).map_err(ReadError::Illegal)
    }

    /// Finds the one legal ply that a text can mean as the next turn.
    ///
    /// # Errors
    ///
    /// If the game is over, or as [`Position::interpret`].
    pub fn interpret(&self, text: &MoveText, voice: Voice) -> Result<Reading, ReadError> {
        self.going_on().map_err(ReadError::Illegal)?;
        self.position().interpret(text, voice)
    }

    /// Returns an error if the game is over.
    fn going_on(&self) -> Result<(), IllegalMove> {
        self.outcome().map_or(Ok(()), |outcome| {
            let why = IllegalMoveKind::GameOver(outcome.reason);
            Err(self.position().illegal(vec![why]))
        })
    }

    /// Plays the turn whose canonical form, without its mark, is exactly this text.
    /// That is much faster than to read the text and to play what it means. Returns none,
    /// and leaves the record as it is, if there is no such turn; [`Position::read`] tells
    /// why.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Record, Variant};
    ///
    /// let mut record = Record::new(Variant::find("chess", &[])?.start());
    /// assert!(record.play_canonical("N-f3").is_some());
    /// assert!(record.play_canonical("Nf6").is_none());
    /// assert_eq!(record.steps().len(), 1);
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    pub fn play_canonical(&mut self, text: &str) -> Option<&Step> {
        if self.outcome().is_some() {
            return None;
        }
        let (ply, after) = self.position().play_canonical(text)?;
        Some(self.add(ply, String::from(text), after))
    }

    /// Plays a turn as [`Record::play_canonical`] does that may have its mark behind a
    /// blank, if it is the right one. Comment signs such as `!?` count for nothing. The
    /// general reader has no warning about such a text.
    ///
    /// Returns none and leaves the record as it was if there is no such turn, or anything
    /// else is written: a wrong mark, one that touches the move, an offer.
    ///
    /// ```
    /// use parapost_rules::{Record, Variant};
    ///
    /// let mut record = Record::new(Variant::find("unachess", &[])?.start());
    /// assert!(record.play_marked(&"K>h1 !?".parse()?).is_some());
    /// for wrong in ["n>f2 #", "n>f2!+", "n>f2 !+ (=)"] {
    ///     assert!(record.play_marked(&wrong.parse()?).is_none());
    /// }
    /// assert!(record.play_marked(&"n>f2 !+".parse()?).is_some());
    /// assert_eq!(record.steps().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_marked(&mut self, text: &MoveText) -> Option<&Step> {
        if text.says_more() {
            return None;
        }
        let step = self.play_canonical(&text.core)?;
        if text.mark.is_some_and(|mark| mark != step.mark) {
            self.undo();
            return None;
        }
        self.steps.last()
    }

    /// Adds a legal turn, and the position after it.
    fn add(&mut self, ply: Ply, text: String, after: Position) -> &Step {
        let mark = after.mark();
        self.repetition_keys.push(after.repetition_key());
        self.positions.push(after);
        let at = self.steps.len();
        self.steps.push(Step { ply, text, mark });
        self.ends.push(self.ends[at].or_else(|| self.end()));
        &self.steps[at]
    }

    /// Takes the last turn back; none if nothing was played.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.steps.pop()?;
        self.positions.pop();
        self.repetition_keys.pop();
        self.ends.pop();
        Some(step)
    }

    /// The end that the rules give, repetition and counts included: the first one, if more turns
    /// were [played on](Record::play_on).
    ///
    /// Of several ends at once, checkmate and stalemate come before a dead
    /// position, that before repetition, that before the count of moves.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.ends[self.steps.len()]
    }

    /// The end that the rules had given after that many half-moves; none if there were fewer.
    #[must_use]
    pub fn outcome_at(&self, plies: usize) -> Option<Outcome> {
        self.ends.get(plies).copied().flatten()
    }

    /// The end that the current position is.
    fn end(&self) -> Option<Outcome> {
        let position = self.position();
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        let draw = |reason| Some(Outcome::draw(reason));
        match position.variant().rules().draws {
            Draws::Chess => {
                if self.occurrences().count() >= 5 {
                    draw(Reason::Fivefold)
                } else if position.halfmoves() >= 150 {
                    draw(Reason::SeventyFive)
                } else {
                    None
                }
            }
            Draws::Shogi => {
                let first = self.occurrences().nth(3).and(self.occurrences().next())?;
                let mut checking = Color::ALL
                    .into_iter()
                    .filter(|&color| self.always_checked(color, first));
                match (checking.next(), checking.next()) {
                    (Some(loser), None) => Some(Outcome {
                        winner: Some(!loser),
                        reason: Reason::Perpetual,
                    }),
                    _ => draw(Reason::Fourfold),
                }
            }
        }
    }

    /// Returns true if each of the player's turns since a position gave real check.
    fn always_checked(&self, color: Color, since: usize) -> bool {
        self.positions[since + 1..]
            .iter()
            .filter(|after| after.turn() != color)
            .all(Position::is_check)
    }

    /// The half-moves after which the current position stood, from the first.
    /// Only every second position has the same player to move.
    fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let plies = self.steps.len();
        let now = &self.repetition_keys[plies];
        let same_turn = (plies % 2..=plies).step_by(2);
        same_turn.filter(move |&at| self.repetition_keys[at] == *now)
    }

    /// The draw that the player to move may claim; none if the game is over or
    /// has no claims. Repetition comes before the count of moves.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        let position = self.position();
        if position.variant().rules().draws != Draws::Chess || self.outcome().is_some() {
            None
        } else if self.occurrences().count() >= 3 {
            Some(Claim::Threefold)
        } else if position.halfmoves() >= 100 {
            Some(Claim::FiftyMoves)
        } else {
            None
        }
    }

    /// `ongoing`, or the word of the [`Outcome`].
    #[must_use]
    pub fn status(&self) -> &'static str {
        self.outcome().map_or("ongoing", Outcome::status)
    }
}
