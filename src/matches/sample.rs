//! The terms of a match for unit tests.

use crate::matches::r#match::MatchSettings;
use crate::rules::Variant;

impl MatchSettings {
    /// Returns Anna's and Ben's match of Unachess with this id.
    pub(crate) fn sample(id: &str) -> MatchSettings {
        let players = ["Anna <anna@example.org>", "Ben <ben@example.org>"];
        MatchSettings {
            id: id.parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: players.map(|who| who.parse().unwrap()),
            referee: None,
            event: None,
            time: None,
        }
    }
}
