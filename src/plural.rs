//! Counted nouns.

/// Writes a number with its noun in the singular or the plural: `1 row`, `2
/// rows`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Writes `1 half-move` or `2 half-moves`.
pub(crate) fn half_moves(count: usize) -> String {
    counted(count, "half-move")
}

/// Writes `1 match` or `2 matches`.
pub(crate) fn counted_matches(count: usize) -> String {
    let plural = if count == 1 { "" } else { "es" };
    format!("{count} match{plural}")
}
