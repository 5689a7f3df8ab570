//! What is left of our own HTML in the text of a message.
//!
//! Our mails have a picture of the board and links that write moves. Where a mail
//! program quotes them, nothing of that is the writer's, with or without quote marks.

use crate::inbound::{marked_line, position_words, tap_text, tap_words};

/// Removes the links of our mails, with their texts, and positions in words. A line that
/// has a part of them is removed as a whole. The cost is linear in the text.
#[must_use]
pub(super) fn without(text: String) -> String {
    let lines = marked_line::split(&text);
    let mut is_ours = vec![false; lines.len()];
    tap_text::mark(&text, &lines, &mut is_ours);
    tap_words::mark(&lines, &mut is_ours);
    position_words::mark(&lines, &mut is_ours);
    if !is_ours.contains(&true) {
        return text;
    }
    let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
    kept.map(|(line, _)| line.source).collect()
}
