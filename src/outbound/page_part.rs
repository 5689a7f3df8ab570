//! The page to answer on, which a mail can carry as an attachment.
//!
//! It has what the mail may hold and no more: the names of both players, the moves, and
//! the address, the subject and the answer code that the links of that mail have.

use crate::matches::event::{Event, Who};
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::outbound::taps;
use crate::outbound::templates::Templates;
use crate::render::page;
use crate::render::view::{Details, ShownNote, View};
use crate::rules::Color;

/// The most bytes of a page in a mail. A longer one is left out, since the text of the
/// mail says it all.
const LONGEST: usize = 500_000;

/// Makes the page of a mail, or returns `None` if the mail has none: nobody asked for
/// one, or its reader is not to move or wants text alone.
pub(super) fn make(
    then: &Match,
    owed: &QueuedMail,
    from: &lettre::Address,
    templates: &Templates,
    ids: &MailIds,
) -> Option<String> {
    let is_wanted = templates.settings.page && then.takes_html(owed.to);
    if !is_wanted || then.is_referee(then.address_of(owed)) {
        return None;
    }
    let details = Details {
        answering: Some(taps::answering(then, owed, from, ids)?),
        ..details(then)
    };
    let page = page::write(&View::of(then.record()).with_details(details), false);
    (page.len() <= LONGEST).then_some(page)
}

/// Returns what a page tells of a match: names, never addresses.
#[must_use]
pub fn details(game: &Match) -> Details {
    let ending = game.ending();
    Details {
        players: Color::ALL.map(|color| game.player(color).given_name().to_owned()),
        event: game.settings().event.clone().unwrap_or_default(),
        ending: ending.map(|ending| format!("{}.", ending.sentence(game.variant()))),
        ..Details::default()
    }
}

/// Returns what was written in a match, each at the last move before it that still stands.
#[must_use]
pub fn notes(game: &Match) -> Vec<ShownNote> {
    let moves: Vec<usize> = game.state.lines().collect();
    let lines = (1..).zip(game.log());
    lines
        .filter_map(|(line, event)| {
            let Event::Note(text) = &event.event else {
                return None;
            };
            let by = match event.who {
                Who::Player(color) => Some(color),
                Who::Referee => None,
                Who::Nobody => return None,
            };
            Some(ShownNote {
                plies: moves.partition_point(|of_move| *of_move < line),
                by,
                text: text.clone()?,
            })
        })
        .collect()
}
