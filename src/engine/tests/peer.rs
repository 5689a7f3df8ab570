//! A plain player to measure the engine by: alpha and beta over `Position::play`, deeper and deeper, with the
//! material on the board and in reserve for a value, captures first, and nothing else.

use std::time::{Duration, Instant};

use parapost_rules::{Ply, Position, Role};

/// More than any material.
const WIN: i32 = 1_000_000;

/// How far it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Time(Duration),
    Depth(u32),
}

pub(crate) struct Peer {
    bound: Bound,
    begun: Instant,
    nodes: u64,
    is_over: bool,
}

impl Peer {
    pub(crate) fn new(bound: Bound) -> Peer {
        Peer {
            bound,
            begun: Instant::now(),
            nodes: 0,
            is_over: false,
        }
    }

    /// The ply that it plays; none if the game is over. Of equal ones the seed's.
    pub(crate) fn choose(&mut self, position: &Position, seed: u64) -> Option<Ply> {
        (self.begun, self.nodes, self.is_over) = (Instant::now(), 0, false);
        let mut plies = plies(position);
        let mut rng = fastrand::Rng::with_seed(seed);
        rng.shuffle(&mut plies);
        captures_first(position, &mut plies);
        let mut best = *plies.first()?;
        let deepest = match self.bound {
            Bound::Time(_) => 64,
            Bound::Depth(depth) => depth,
        };
        for depth in 1..=deepest {
            let Some((found, value)) = self.root(position, &plies, depth) else {
                break;
            };
            best = found;
            let at = plies.iter().position(|ply| *ply == best).unwrap_or(0);
            plies[..=at].rotate_right(1);
            if value.abs() > WIN / 2 || plies.len() == 1 {
                break;
            }
        }
        Some(best)
    }

    /// The best ply with its value; none if the time is over before all were looked at.
    fn root(&mut self, position: &Position, plies: &[Ply], depth: u32) -> Option<(Ply, i32)> {
        let mut best: Option<(Ply, i32)> = None;
        for ply in plies {
            let after = position.play(ply).expect("a legal ply");
            let alpha = best.map_or(-2 * WIN, |(_, value)| value);
            let value = -self.search(&after, depth - 1, -2 * WIN, -alpha);
            if self.is_over {
                return None;
            }
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((*ply, value));
            }
        }
        best
    }

    fn search(&mut self, position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if let Bound::Time(time) = self.bound
            && self.nodes.is_multiple_of(256)
        {
            self.is_over |= self.begun.elapsed() >= time;
        }
        if self.is_over {
            return 0;
        }
        if depth == 0 {
            // Only what gives check can be mate; a stalemate it does not see.
            let is_end = position.is_check() && position.outcome().is_some();
            return if is_end { -WIN } else { material(position) };
        }
        let mut plies = plies(position);
        captures_first(position, &mut plies);
        if plies.is_empty() {
            return match position.outcome().and_then(|end| end.winner) {
                Some(_) => -WIN - i32::try_from(depth).unwrap_or(0),
                None => 0,
            };
        }
        let mut best = -2 * WIN;
        for ply in plies {
            let after = position.play(&ply).expect("a legal ply");
            best = best.max(-self.search(&after, depth - 1, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta || self.is_over {
                break;
            }
        }
        best
    }
}

/// All plies but placements of several pieces, and one of these where nothing else is legal.
fn plies(position: &Position) -> Vec<Ply> {
    let mut plies = position.single_plies();
    if plies.is_empty() {
        plies.extend(position.placements().next());
    }
    plies
}

fn captures_first(position: &Position, plies: &mut [Ply]) {
    plies.sort_by_key(|ply| match ply {
        Ply::Move { to, .. } => position.get(*to).map_or(0, |piece| -worth(piece.role)),
        _ => 0,
    });
}

/// The material of the player to move, less the other's; in reserve a little less.
fn material(position: &Position) -> i32 {
    let mut sum = 0;
    for (_, piece) in position.board().pieces() {
        let sign = if piece.color == position.turn() {
            1
        } else {
            -1
        };
        sum += sign * worth(piece.role);
    }
    for (color, sign) in [(position.turn(), 1), (!position.turn(), -1)] {
        let reserve = position.reserve(color);
        for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
            sum += sign * i32::from(reserve.count(role)) * worth(role) * 95 / 100;
        }
    }
    sum
}

fn worth(role: Role) -> i32 {
    match role {
        Role::King => 0,
        Role::Queen | Role::Dragon => 900,
        Role::Rook | Role::Horse => 500,
        Role::Bishop | Role::Knight | Role::Lance => 300,
        Role::Pawn => 100,
        _ => 450,
    }
}
