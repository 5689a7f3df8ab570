//! Signatures: the text below a line `-- ` is the same in every message of its writer,
//! so nothing in it is meant for this one.

use crate::quoting::attribution::is_attribution;
use crate::quoting::header_block::is_postmark;
use crate::quoting::line::{Author, Line, is_blank};

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let marks = ["-- ", "--", "––", "—", "-- \nBen"];
    let headers = HEADERS.iter().map(|header| format!("{header} x"));
    marks
        .map(str::to_owned)
        .into_iter()
        .chain(headers)
        .collect()
}

/// Marks all words of the same writer below a line `-- `, until another message begins.
/// Quoted text below it stays quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    // For each depth of quoting, true once a signature has begun.
    let mut signed: Vec<bool> = Vec::new();
    for i in 0..lines.len() {
        let line = &lines[i];
        let depth = line.author.depth();
        // What we sent opens and ends nothing.
        if !matches!(line.author, Author::Own | Author::Quoted(_)) {
            continue;
        }
        if !line.is_blank() {
            signed.resize(depth + 1, false);
        }
        let opens = is_signature_mark(line.text, depth > 0)
            && (line.text.ends_with(is_blank) || is_short_rest(&lines[i..]));
        if opens {
            signed.resize(depth + 1, false);
            signed[depth] = true;
        } else if begins_message(line.text) {
            signed.truncate(depth);
        }
        if signed.get(depth) == Some(&true) {
            lines[i].author = Author::Signature;
        }
    }
}

/// Returns true if the line is `-- `, or `--` where a mail program has removed the
/// blank. After a quote mark a leading blank is part of the quoting.
fn is_signature_mark(text: &str, is_quoted: bool) -> bool {
    let text = if is_quoted { text.trim_start() } else { text };
    // Some editors turn two hyphens into one dash.
    matches!(text.trim_end_matches(is_blank), "--" | "––" | "—" | "–")
}

/// Returns true if at most four lines follow `--`, the length of a signature, and none
/// is numbered. Otherwise `--` may be a rule between two parts.
fn is_short_rest(lines: &[Line<'_>]) -> bool {
    let depth = lines[0].author.depth();
    let mut count = 0;
    for line in &lines[1..] {
        if line.author.depth() != depth || is_attribution(line.text) {
            break;
        }
        let text = line.text.trim_start();
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = unnumbered.len() < text.len() && unnumbered.starts_with(['.', ')']);
        count += usize::from(!text.is_empty());
        if is_numbered || count > 4 {
            return false;
        }
    }
    true
}

/// Headers that stand only at the top of a message.
const HEADERS: [&str; 6] = [
    "From:",
    "Subject:",
    "Newsgroups:",
    "Path:",
    "Message-ID:",
    "Return-Path:",
];

/// Returns true if the line begins another message in a collection: an mbox separator
/// or a header.
fn begins_message(text: &str) -> bool {
    HEADERS.iter().any(|header| text.starts_with(header)) || is_postmark(text)
}
