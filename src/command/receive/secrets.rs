//! The matches whose Message-IDs may stand in words that are passed on.

use std::collections::BTreeSet;

use lettre::Address;

use crate::inbound::talk;
use crate::limits::NAMED;
use crate::match_id::Id;
use crate::store::store::{Store, Stored};

/// Returns the matches of which words may have a piece of a Message-ID: those of the words'
/// sender, whose program knows the mails it got, and those whose ids stand in the words.
/// Returns none for words without anything like a piece.
///
/// The match in which the words came is the caller's to add.
pub(super) fn matches_told_of(
    store: &dyn Store,
    sender: Option<&Address>,
    words: &str,
) -> Vec<Stored> {
    if !talk::may_have_tokens(words) {
        return Vec::new();
    }
    let of_sender = sender.and_then(|sender| store.by_address(sender).ok());
    let mut matches = of_sender.unwrap_or_default().matches;
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.');
    let ids = words.split(is_between).filter_map(|word| {
        let (id, _) = word.split_once('.')?;
        id.to_ascii_lowercase().parse::<Id>().ok()
    });
    let ids: BTreeSet<Id> = ids.collect();
    let named = ids.iter().filter_map(|id| store.find(id).ok().flatten());
    matches.extend(named.take(NAMED));
    matches
}
