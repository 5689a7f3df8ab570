//! The sets of games: which game, which opening, how many.

use parapost_rules::{Role, Variant};

/// Positions looked at for each half-move: the weaker search, the one that also judges who has the
/// lead, and the strongest, which plays openings alone.
pub(crate) const WEAK: u64 = 1_000;
pub(crate) const STRONG: u64 = 10_000;
pub(crate) const STRONGEST: u64 = 100_000;

/// Half-moves at the start of a game, behind those that are told, in which the seed may choose what is hardly worse than the best.
pub(crate) const VARIED: usize = 8;
/// By how much it may be worse, in hundredths of a pawn.
const VARIETY: u16 = 50;

/// Games whose number is in one set, played under the same conditions.
pub(crate) struct Set {
    pub(crate) name: String,
    /// What the tables call it.
    pub(crate) title: String,
    pub(crate) part: Part,
    game: &'static str,
    options: Vec<&'static str>,
    pub(crate) variety: u16,
    /// The first half-moves.
    pub(crate) opening: Vec<Choice>,
    /// How many games at how many nodes.
    pub(crate) sizes: Vec<(u64, u64)>,
}

/// The table that a set stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A game or a variation.
    Game,
    /// An opening of Unachess.
    Opening,
    /// What happens under another condition.
    Check,
}

/// What may be played at a half-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// Anything.
    Any,
    /// This.
    Written(&'static str),
    /// A drop of this piece.
    Drop(Role),
    /// Anything but a drop of the queen.
    NotQueen,
    /// Any half-move but a drop of the queen, all with the same chance.
    ByChance,
}

impl Set {
    pub(crate) fn variant(&self) -> Variant {
        Variant::find(self.game, &self.options).expect("the sets name games that there are")
    }

    /// Returns what names its game to `parapost`.
    pub(crate) fn arguments(&self) -> String {
        let options = self
            .options
            .iter()
            .map(|option| format!(" --option {option}"));
        format!("--game {}{}", self.game, options.collect::<String>())
    }

    fn new(name: &str, title: &str, game: &'static str, options: &[&'static str]) -> Set {
        Set {
            name: name.to_owned(),
            title: title.to_owned(),
            part: Part::Game,
            game,
            options: options.to_vec(),
            variety: VARIETY,
            opening: Vec::new(),
            sizes: vec![(WEAK, 400), (STRONG, 400)],
        }
    }

    fn opening(name: &str, title: &str, opening: &[Choice]) -> Set {
        Set {
            part: Part::Opening,
            opening: opening.to_vec(),
            sizes: vec![(STRONG, 400)],
            ..Set::new(name, title, "unachess", &[])
        }
    }

    /// So many games by the strongest search, too.
    fn and_strongest(mut self, games: u64) -> Set {
        self.sizes.push((STRONGEST, games));
        self
    }
}

/// The first half-move of White that the post names, and what a search finds to be like it
/// (`queens.csv`): no mirror image of one that is here already.
pub(crate) const QUEENS: [&str; 5] = ["Q>b2", "Q>c3", "Q>f5", "Q>g5", "Q>e4"];
/// What a search finds to be Black's best replies to the first two, if the king follows (`replies.csv`).
pub(crate) const REPLIES: [[&str; 3]; 2] = [["n>e4", "b>e4", "n>d3"], ["n>f4", "n>f5", "b>e4"]];

/// The openings without the queen: the best, and any.
pub(crate) const OTHER: &str = "unachess-other";
pub(crate) const CHANCE: &str = "unachess-chance";

/// The set of games in which White begins with the queen on a square, and then drops the king.
pub(crate) fn queen_name(queen: &str, reply: Option<&str>) -> String {
    let square = |text: &str| text[2..].to_owned();
    let reply = reply.map_or(String::new(), |reply| {
        format!("-{}{}", &reply[..1], square(reply))
    });
    format!("unachess-q{}{reply}-k", square(queen))
}

/// All sets, in the order of the tables.
pub(crate) fn all() -> Vec<Set> {
    let mut sets = games();
    sets.extend(openings());
    for (name, title, variety) in [
        (
            "unachess-varied-25",
            "Unachess, choices within 0.25 pawns",
            25,
        ),
        (
            "unachess-varied-100",
            "Unachess, choices within 1.00 pawns",
            100,
        ),
    ] {
        sets.push(Set {
            part: Part::Check,
            variety,
            sizes: vec![(STRONG, 400)],
            ..Set::new(name, title, "unachess", &[])
        });
    }
    sets
}

/// A hundredth of all, which a test plays anew: without the strongest search, whose games take long.
pub(crate) fn sample() -> Vec<Set> {
    let mut sets = all();
    for set in &mut sets {
        set.sizes.retain(|(nodes, _)| *nodes < STRONGEST);
        for (_, games) in &mut set.sizes {
            *games /= 100;
        }
    }
    sets
}

fn games() -> Vec<Set> {
    let of = Set::new;
    vec![
        of("unachess", "Unachess", "unachess", &[]),
        of(
            "unachess-no-castling-no-ep",
            "Unachess, no castling, no en passant",
            "unachess",
            &["no-castling-no-ep"],
        ),
        of(
            "unachess-no-double-step",
            "Unachess, no double step",
            "unachess",
            &["no-double-step"],
        ),
        of(
            "unachess-pawns-1-4",
            "Unachess, pawns on ranks 1-4",
            "unachess",
            &["pawns-1-4"],
        ),
        of("unachess2", "Unachess II", "unachess2", &[]),
        of(
            "unachess2-no-double-step",
            "Unachess II, no double step",
            "unachess2",
            &["no-double-step"],
        ),
        of(
            "unachess2-pawns-1-4",
            "Unachess II, pawns on ranks 1-4",
            "unachess2",
            &["pawns-1-4"],
        ),
        of("parachute", "Parachute chess", "parachute", &[]),
        of("unashogi", "Unashogi", "unashogi", &[]),
        of(
            "unashogi-promote-own-king",
            "Unashogi, promotes after own king",
            "unashogi",
            &["promote-own-king"],
        ),
        of(
            "unashogi-promote-enemy-king",
            "Unashogi, promotes after enemy king",
            "unashogi",
            &["promote-enemy-king"],
        ),
        of(
            "unashogi-promote-both-kings",
            "Unashogi, promotes after both kings",
            "unashogi",
            &["promote-both-kings"],
        ),
        of("newchess", "New Chess", "newchess", &[]),
        of("kingchess", "Kingchess", "kingchess", &[]),
        of("chess", "Chess, for comparison", "chess", &[]),
    ]
}

fn openings() -> Vec<Set> {
    let king = Choice::Drop(Role::King);
    let mut sets = Vec::new();
    for (queen, at) in QUEENS.into_iter().zip(0..) {
        let title = format!("1. {queen}, 2. king");
        let opening = [Choice::Written(queen), Choice::Any, king];
        let set = Set::opening(&queen_name(queen, None), &title, &opening);
        sets.push(if at < REPLIES.len() {
            set.and_strongest(100)
        } else {
            set
        });
    }
    sets.push(Set::opening(
        "unachess-queen-king",
        "1. queen anywhere, 2. king",
        &[Choice::Drop(Role::Queen), Choice::Any, king],
    ));
    for (queen, replies) in QUEENS.into_iter().zip(REPLIES) {
        for reply in replies {
            let title = format!("1. {queen} {reply}, 2. king");
            let opening = [Choice::Written(queen), Choice::Written(reply), king];
            let set = Set::opening(&queen_name(queen, Some(reply)), &title, &opening);
            sets.push(set.and_strongest(50));
        }
    }
    let other = [Choice::NotQueen];
    sets.push(Set::opening(OTHER, "1. the best without the queen", &other).and_strongest(100));
    let chance = [Choice::ByChance];
    sets.push(Set::opening(
        CHANCE,
        "1. anything but the queen, by chance",
        &chance,
    ));
    sets
}
