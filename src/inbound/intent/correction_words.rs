//! The words with which a sender corrects the lines above.

/// The words, in lower case.
const WORDS: [&str; 20] = [
    "sorry",
    "instead",
    "correction",
    "corrected",
    "oops",
    "mistake",
    "mistyped",
    "typo",
    "meant",
    "stattdessen",
    "korrektur",
    "entschuldigung",
    "vertippt",
    "meinte",
    "pardon",
    "erratum",
    "perdón",
    "scusa",
    "invece",
    "извини",
];

/// Returns true if a line may correct another: `Sorry, n>f6 instead`.
pub(super) fn is_correction(line: &str) -> bool {
    let line = line.to_lowercase();
    let mut words = line.split(|c: char| !c.is_alphabetic());
    words.any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_correction;

    #[test]
    fn words_tell_a_correction() {
        for line in ["Sorry, n>f6 instead", "n>f6, oops", "Ich meinte n>f6."] {
            assert!(is_correction(line), "{line}");
        }
        for line in ["n>f6", "I feared n>f6", "a sorrysome n>f6", ""] {
            assert!(!is_correction(line), "{line}");
        }
    }
}
