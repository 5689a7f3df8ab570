//! Assigns each diagram of a text to a game.

use crate::notation::diagram::located::LocatedDiagram;
use crate::notation::parsed_game::{DiagramClaim, ParsedGame};
use crate::rules::Variant;

/// The diagrams of a text while its moves are put in order.
#[derive(Default)]
pub(super) struct Diagrams {
    lists: Vec<ListFromStart>,
    /// Diagrams that no list follows so far.
    open: Vec<UnclaimedDiagram>,
    settled: Vec<UnclaimedDiagram>,
}

/// A list from its beginning at 1 to the next such beginning.
#[derive(Clone, Copy)]
struct ListFromStart {
    game: usize,
    /// The number of half-moves that it reaches.
    reach: usize,
}

struct UnclaimedDiagram {
    drawn: LocatedDiagram,
    /// The game before it, and the number of its half-moves.
    after: Option<(usize, usize)>,
    /// The list after it.
    list: Option<usize>,
}

impl Diagrams {
    /// Notes a diagram. `after` is the game before it, with the number of its
    /// half-moves.
    pub(super) fn push(&mut self, drawn: LocatedDiagram, after: Option<(usize, usize)>) {
        let list = None;
        self.open.push(UnclaimedDiagram { drawn, after, list });
    }

    /// Notes that the list has reached a turn of a game. Diagrams before it learn what
    /// follows them.
    pub(super) fn settle(&mut self, game: usize, ply: usize) {
        if ply == 0 {
            self.lists.push(ListFromStart { game, reach: 0 });
        }
        let list = (ply == 0).then(|| self.lists.len() - 1);
        if let Some(list) = self.lists.last_mut() {
            list.reach = list.reach.max(ply + 1);
        }
        let open = self.open.drain(..);
        self.settled
            .extend(open.map(|diagram| UnclaimedDiagram { list, ..diagram }));
    }

    /// Gives each diagram to its game. A diagram without a game becomes a game without
    /// turns.
    pub(super) fn claim(mut self, games: &mut Vec<ParsedGame>, variant: &Variant) {
        self.settled.append(&mut self.open);
        for diagram in self.settled {
            let list = diagram.list.map(|list| self.lists[list]);
            claim(diagram, list, games, variant);
        }
    }
}

fn claim(
    diagram: UnclaimedDiagram,
    list: Option<ListFromStart>,
    games: &mut Vec<ParsedGame>,
    variant: &Variant,
) {
    let UnclaimedDiagram { drawn, after, .. } = diagram;
    // Moves in prose may have been dropped since.
    let told = |game: usize, plies: usize| plies.min(games[game].turns.len());
    let mut claim = DiagramClaim {
        drawn,
        after: after.map(|(game, plies)| told(game, plies)),
        before: list.map(|list| told(list.game, list.reach)),
    };
    let game = match (after, list) {
        (Some((before, plies)), Some(list)) if list.game != before => {
            // Between two games, the diagram belongs to the first if it shows its end.
            let end = games[before].record().at(plies);
            if end.is_some_and(|position| claim.drawn.diagram.shows(position)) {
                claim.before = None;
                before
            } else {
                claim.after = None;
                list.game
            }
        }
        (_, Some(list)) => list.game,
        (Some((before, _)), None) => before,
        (None, None) => {
            games.push(ParsedGame::new(variant));
            games.len() - 1
        }
    };
    games[game].claims.push(claim);
}
