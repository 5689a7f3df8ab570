//! The program as a player of a match: at the terminal, where nothing is mailed, or by mail, as the
//! partner of one person. What it does at its turn is the same in both.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chrono::{DateTime, Utc};

use crate::Error;
use crate::engine::{Engine, Level, Limits, Pick, Stance};
use crate::limits::PARTNER_PATIENCE;
use crate::matches::action::Action;
use crate::matches::event::{Event, LogEntry};
use crate::matches::r#match::Match;
use crate::rules::Color;

/// The positions that are looked at for the answer to the offer of a draw.
pub(crate) const ADVICE: u64 = 100_000;

/// The half-moves for which the program does not offer a draw again.
const PATIENCE: usize = 20;

/// What the program does at a turn.
pub(crate) struct ProgramTurn {
    /// Its actions, in their order. Those behind one that ends the match are void.
    pub(crate) actions: Vec<Action>,
    /// The thought behind its move, if it makes one.
    pub(crate) pick: Option<Pick>,
}

impl ProgramTurn {
    fn of(action: Action) -> ProgramTurn {
        ProgramTurn {
            actions: vec![action],
            pick: None,
        }
    }
}

/// What a match calls for from the partner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartnerCall {
    /// It is its turn, or it has to answer an offer or a proposal.
    Turn,
    /// The person has not answered for so long that it gives the match up.
    GiveUp,
    /// The invitation has lapsed, which is to be noted.
    Lapse,
}

impl Match {
    /// Returns the side that the program plays, and its level, in a match against it, at the terminal or by mail.
    pub(crate) fn program(&self) -> Option<(Color, Level)> {
        let mut sides = Color::ALL.into_iter();
        sides.find_map(|side| Some((side, self.player(side).level()?)))
    }

    /// Returns the side that the program plays by mail against a person, and its level.
    pub(crate) fn partner(&self) -> Option<(Color, Level)> {
        let (side, level) = self.program()?;
        let is_against_person = self.player(!side).level().is_none();
        (self.player(side).is_partner() && is_against_person).then_some((side, level))
    }

    /// Returns true if the program plays at the terminal: nothing of such a match is mailed.
    pub(crate) fn is_at_terminal(&self) -> bool {
        self.program().is_some() && self.partner().is_none()
    }

    /// Returns true if mail can go to a player: to no program.
    pub(crate) fn has_mailbox(&self, player: Color) -> bool {
        !self.is_at_terminal() && !self.player(player).is_partner()
    }

    /// Returns true if the match was begun by a letter to the partner that anybody may have
    /// written, and its invitation is open: until then a letter must show that its writer has the
    /// first mail.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.partner().is_some() && self.is_invitation_open()
    }

    /// Checks that the moves of the match go by mail.
    ///
    /// # Errors
    ///
    /// If the program plays in it at the terminal: how it goes on.
    pub(crate) fn must_be_by_mail(&self) -> Result<(), Error> {
        if self.is_at_terminal() {
            return Err(Error::refused(format!(
                "{0}: your opponent is a program, which plays at the terminal: 'parapost play {0}' goes on; nothing of such a match is mailed",
                self.id()
            )));
        }
        Ok(())
    }

    /// Returns what the match calls for from the partner, if it does.
    pub(crate) fn calls_partner(&self, now: DateTime<Utc>) -> Option<PartnerCall> {
        let (side, _) = self.partner()?;
        let turn = self.turn()?;
        if self.has_lapsed(now) {
            return Some(PartnerCall::Lapse);
        }
        let is_asked = self.offer() == Some(!side) || self.takeback() == Some(!side);
        if turn == side || is_asked {
            return Some(PartnerCall::Turn);
        }
        let is_left = now - self.state.since > PARTNER_PATIENCE;
        is_left.then_some(PartnerCall::GiveUp)
    }

    /// Returns what the partner does in answer to the person's proposal to take the last move
    /// back, if there is one: it agrees as long as it has not answered that move.
    pub(crate) fn answer_to_takeback(&self) -> Option<Action> {
        let (side, _) = self.partner()?;
        let is_proposed = self.takeback() == Some(!side);
        is_proposed.then(|| {
            if self.turn() == Some(side) {
                Action::AcceptTakeback
            } else {
                Action::DeclineTakeback
            }
        })
    }

    /// Returns the seed of the match: the same match has the same answers, at any time.
    fn seed(&self) -> u64 {
        let id = self.id().as_str().bytes();
        // FNV-1a; a seed of zero would choose nothing.
        let hash = id.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        hash.max(1)
    }

    /// Returns true if the program, of this side, has not offered a draw for long.
    fn may_offer(&self, side: Color) -> bool {
        let is_offer = |entry: &LogEntry| {
            entry.event == Event::Act(Action::OfferDraw) && entry.who == side.into()
        };
        let mut moves = 0;
        for entry in self.log().iter().rev() {
            if is_offer(entry) {
                return moves >= PATIENCE;
            }
            moves += usize::from(entry.is_move());
        }
        true
    }

    /// Returns what the program, of this side, does at its turn, or in answer to the other
    /// player's offer of a draw. Returns none if it knows no move, or was stopped.
    pub(crate) fn turn_of_program(
        &self,
        engine: &mut Engine,
        (side, level): (Color, Level),
        stop: Option<Arc<AtomicBool>>,
    ) -> Option<ProgramTurn> {
        let record = self.record();
        let is_offered = self.offer() == Some(!side);
        let is_its_turn = self.turn() == Some(side);
        // A level may see less than it takes to judge an offer.
        let mut takes_draw = || {
            let limits = Limits {
                stop: stop.clone(),
                ..Limits::nodes(ADVICE)
            };
            let score = engine.think(record, &limits).score;
            let of_offerer = if is_its_turn {
                score.for_other()
            } else {
                score
            };
            Engine::takes_draw(record, of_offerer).is_ok()
        };
        if !is_its_turn {
            return is_offered.then(|| {
                ProgramTurn::of(if takes_draw() {
                    Action::AcceptDraw
                } else {
                    Action::DeclineDraw
                })
            });
        }
        let takes = is_offered && takes_draw();
        let limits = Limits {
            stop,
            seed: self.seed(),
            ..Limits::default()
        };
        let pick = engine.choose_within(record, level, &limits);
        match (pick.stance, &pick.ply) {
            (Stance::Resign, _) => Some(ProgramTurn::of(Action::Resign)),
            _ if takes => Some(ProgramTurn::of(Action::AcceptDraw)),
            (Stance::Draw, _) if record.claim().is_some() => {
                Some(ProgramTurn::of(Action::ClaimDraw))
            }
            (stance, Some(ply)) => {
                let mut actions = vec![Action::play(record.position().text(ply))];
                if stance == Stance::Draw && self.may_offer(side) {
                    actions.push(Action::OfferDraw);
                }
                Some(ProgramTurn {
                    actions,
                    pick: Some(pick),
                })
            }
            (_, None) => None,
        }
    }
}
