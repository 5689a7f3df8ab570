//! The matches whose Message-IDs may stand in words that are passed on.

use std::collections::BTreeSet;

use lettre::Address;

use crate::Error;
use crate::inbound::talk;
use crate::limits::NAMED;
use crate::match_id::Id;
use crate::matches::codes::codes_of;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::referee::lanes::Slot;
use crate::store::store::{Store, Stored};

/// Returns words without pieces of the Message-IDs and the codes of their match, and of the
/// Message-IDs of others.
///
/// # Errors
///
/// If the store cannot tell now which matches they may be of. Then the words must not be
/// passed on.
pub(crate) fn without_secrets(
    store: &dyn Store,
    slot: Slot<'_>,
    mail_ids: &MailIds,
    sender: Option<&Address>,
    words: String,
    game: &Match,
) -> Result<String, Error> {
    let others = matches_told_of(store, slot, sender, &words)?;
    let logs = others.iter().map(|stored| stored.game.log());
    let codes = || {
        let mut codes = codes_of(game.log(), mail_ids);
        codes.extend(mail_ids.unsubscribe_codes(game));
        codes
    };
    let logs = logs.chain([game.log()]);
    Ok(talk::without_secrets(words, logs, codes))
}

/// Returns the matches of which words may have a piece of a Message-ID: those of the words'
/// sender, whose program knows the mails it got, and those whose ids stand in the words.
/// Returns none for words without anything like a piece.
///
/// The match in which the words came is the caller's to add.
fn matches_told_of(
    store: &dyn Store,
    slot: Slot<'_>,
    sender: Option<&Address>,
    words: &str,
) -> Result<Vec<Stored>, Error> {
    if !talk::may_have_tokens(words) {
        return Ok(Vec::new());
    }
    slot.wait();
    let mut matches = match sender {
        Some(sender) => store.by_address(sender)?.matches,
        None => Vec::new(),
    };
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.');
    let ids = words.split(is_between).filter_map(|word| {
        let (id, _) = word.split_once('.')?;
        id.to_ascii_lowercase().parse::<Id>().ok()
    });
    let ids: BTreeSet<Id> = ids.collect();
    let mut named = 0;
    for id in &ids {
        match store.find(id) {
            Ok(Some(stored)) => {
                matches.push(stored);
                named += 1;
                if named == NAMED {
                    break;
                }
            }
            Err(error) if error.is_transient() => return Err(error),
            // A damaged match has no mail that could be known.
            Ok(None) | Err(_) => {}
        }
    }
    Ok(matches)
}
