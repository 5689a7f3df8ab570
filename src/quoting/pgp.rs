//! The signatures and armour of PGP, which a program adds, so they are nobody's words.
//!
//! A signed message has `- ` before each line that begins with a dash, for instance a
//! row of a diagram. The pass removes it.

use crate::quoting::line::{Author, Line};

/// Marks the armour and removes the dash escapes of a signed text.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut signed_at: Option<usize> = None;
    let (mut in_head, mut in_signature) = (false, false);
    for line in lines {
        let text = line.text.trim();
        in_head &= is_armour_header(text);
        if text == "-----BEGIN PGP SIGNED MESSAGE-----" {
            signed_at = Some(line.author.depth());
            in_head = true;
        } else if signed_at == Some(line.author.depth()) && !in_head {
            if text == "-----BEGIN PGP SIGNATURE-----" {
                signed_at = None;
                in_signature = true;
            } else if line.text.trim_start().starts_with("- ") {
                let bytes = line.text.find('-').map_or(0, |dash| dash + 2);
                line.cut(bytes, line.author);
            }
        }
        // An encrypted text or a key.
        in_signature |=
            text == "-----BEGIN PGP MESSAGE-----" || text == "-----BEGIN PGP PUBLIC KEY BLOCK-----";
        let is_end = text.starts_with("-----END PGP ");
        if in_head || in_signature {
            line.author = Author::Signature;
        }
        in_signature &= !is_end;
    }
}

/// Returns true if the line is a header of PGP's armour.
fn is_armour_header(text: &str) -> bool {
    ["Hash: ", "Charset: ", "Comment: ", "Version: "]
        .iter()
        .any(|header| text.starts_with(header))
}
