//! Samples of everything that the passes and patterns react to, for tests that play the
//! part of an adversary.

use crate::quoting::{
    attribution, boilerplate, carried_quote, doubt, forum_tags, header_block, id_line, indentation,
    pgp, quote_marks, rule, sent_words, separator, signature, strange_marks, structure, thread,
    unmarked_quote, wrapped_line,
};

/// Makes the samples of a file.
type Samples = fn() -> Vec<String>;

/// The files that look for something, each with what it looks for.
const ALL: [(&str, Samples); 19] = [
    ("attribution", attribution::tokens),
    ("boilerplate", boilerplate::tokens),
    ("carried_quote", carried_quote::tokens),
    ("doubt", doubt::tokens),
    ("forum_tags", forum_tags::tokens),
    ("header_block", header_block::tokens),
    ("id_line", id_line::tokens),
    ("indentation", indentation::tokens),
    ("pgp", pgp::tokens),
    ("quote_marks", quote_marks::tokens),
    ("rule", rule::tokens),
    ("sent_words", sent_words::tokens),
    ("separator", separator::tokens),
    ("signature", signature::tokens),
    ("strange_marks", strange_marks::tokens),
    ("structure", structure::tokens),
    ("thread", thread::tokens),
    ("unmarked_quote", unmarked_quote::tokens),
    ("wrapped_line", wrapped_line::tokens),
];

/// Returns the name of each file that looks for something, with samples of it.
#[must_use]
pub fn tokens() -> Vec<(&'static str, Vec<String>)> {
    ALL.iter().map(|(name, tokens)| (*name, tokens())).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A new pass is a new habit of the adversary.
    #[test]
    fn every_pass_gives_its_tokens() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/quoting");
        let mut passes = 0;
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let source = fs::read_to_string(&path).unwrap();
            // Not the words of this test.
            if source.contains("\npub(super) fn mark(lines: &mut") {
                passes += 1;
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(ALL.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
        assert!(passes > 9, "{passes}");
    }
}
