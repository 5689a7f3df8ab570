//! The diagrams a sender has drawn, held against the match.

use crate::inbound::intent::{Case, numbered};
use crate::matches::intent::{Intent, Played, Refusal};
use crate::notation::diagram::read::LocatedDiagram;
use crate::notation::reader::PartKind;
use crate::quoting::line::Author;
use crate::rules::Position;

/// The most diagrams that are tried for the move they show.
const MOST: usize = 20;

/// What a letter says, or why that cannot count: a diagram in it shows another
/// position than the move leads to. A diagram alone that shows what one legal
/// move leads to is asked about.
pub(super) fn hold(case: &Case<'_>, said: Intent) -> Intent {
    let mut drawn = own(case).peekable();
    if drawn.peek().is_none() {
        return said;
    }
    match said {
        Intent::Move(played) => {
            let position = case.record.position();
            let Ok(after) = position.play(&played.reading.ply) else {
                return Intent::Move(played);
            };
            // An older position is a quotation or a look back.
            let is_known = |drawn: &&LocatedDiagram| {
                let positions = (0..=case.plies).filter_map(|plies| case.record.at(plies));
                let mut positions = positions.chain([&after]);
                positions.any(|position| drawn.diagram.shows(position))
            };
            match drawn.find(|drawn| !is_known(drawn)) {
                Some(drawn) => Intent::Refused(contradiction(case, &played, drawn, &after)),
                None => Intent::Move(played),
            }
        }
        Intent::Talk if case.is_senders_turn() => drawn
            .take(MOST)
            .find_map(|drawn| mentioned(case, drawn))
            .unwrap_or(Intent::Talk),
        said => said,
    }
}

fn own<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a LocatedDiagram> {
    case.text.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Diagram(drawn) if drawn.author == Author::Own => Some(&**drawn),
        _ => None,
    })
}

fn contradiction(
    case: &Case<'_>,
    played: &Played,
    drawn: &LocatedDiagram,
    after: &Position,
) -> Refusal {
    let text = case.record.position().text(&played.reading.ply);
    let mut lines = vec![played.line.clone()];
    let mut why = format!(
        "Your diagram is not the position after {}",
        numbered(case.plies, &text)
    );
    if let Some((difference, square)) = drawn.diagram.difference(after) {
        let place = square.and_then(|square| drawn.place_of(square));
        let place = place.unwrap_or_else(|| drawn.place());
        if let Some(line) = case.text.lines.get(place.line - 1) {
            lines.push(line.text.trim().to_owned());
        }
        why = format!("{why}: {difference}");
    }
    Refusal {
        lines,
        why: why + ".",
        role: None,
    }
}

/// The one legal move that leads to what a diagram shows.
fn mentioned(case: &Case<'_>, drawn: &LocatedDiagram) -> Option<Intent> {
    let position = case.record.position();
    let plies = position.single_plies().into_iter();
    let mut leading = plies.filter(|ply| {
        let after = position.play(ply);
        after.is_ok_and(|after| drawn.diagram.shows(&after))
    });
    let (Some(ply), None) = (leading.next(), leading.next()) else {
        return None;
    };
    let line = case.text.lines.get(drawn.place().line - 1)?;
    Some(Intent::Mention {
        line: line.text.trim().to_owned(),
        moves: vec![position.text(&ply)],
    })
}
