//! Signatures: what stands below a line `-- ` is the same on every message of
//! its writer, so nothing in it is meant for this one.

use crate::quoting::attribution::is_attribution;
use crate::quoting::header_block::is_postmark;
use crate::quoting::line::{Author, Line, is_blank};

/// Marks everything of the same writer below a line `-- `, until the text of
/// another message begins. Quoted text below it stays quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    // Whether the words at each depth of quoting are signature by now.
    let mut signed: Vec<bool> = Vec::new();
    for i in 0..lines.len() {
        let line = &lines[i];
        let depth = line.author.depth();
        if line.author == Author::Signature {
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

/// Whether a line is `-- `, or `--` where a mail program has removed the blank.
/// Behind a quote mark a blank is part of the quoting.
fn is_signature_mark(text: &str, is_quoted: bool) -> bool {
    let text = if is_quoted { text.trim_start() } else { text };
    // Some editors make one dash of two.
    matches!(text.trim_end_matches(is_blank), "--" | "––" | "—" | "–")
}

/// Whether what follows `--` is no more than a signature's four lines and
/// holds no numbered line: else it may be a rule drawn between two parts.
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

/// Headers that only the first lines of a message have.
const HEADERS: [&str; 6] = [
    "From:",
    "Subject:",
    "Newsgroups:",
    "Path:",
    "Message-ID:",
    "Return-Path:",
];

/// Whether a line begins another message in a collection of them: an mbox
/// separator or a header.
fn begins_message(text: &str) -> bool {
    HEADERS.iter().any(|header| text.starts_with(header)) || is_postmark(text)
}
