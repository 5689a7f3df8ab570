//! Separators: the worded rules that some programs draw above and below an unmarked
//! quotation.

use std::sync::LazyLock;

use regex::Regex;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    [
        "-----Original Message-----",
        "-------- Original-Nachricht --------",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "----- End forwarded message -----",
        "-- End of message --",
        "----- Ende der weitergeleiteten Nachricht -----",
        "--- fin du message ---",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Returns true if the line opens a quotation: a word for a message between dashes, as
/// in `-----Original Message-----`, or `Begin forwarded message:`.
pub(super) fn opens(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^\s* (?: -{2,} [^-]* (?: messag | mensag | mensaj | nachricht | bericht
              | meddel | melding | besked | viesti | wiadomo | zpráv | üzenet | сообщени
              | письм | forwarded | weitergeleitet | transféré | reenviado | inoltrato
              | 邮件 | 郵件 | メッセージ | 메시지 ) .* -{2,}
              | -{3,} \s* forwarded\ message
              | begin\ forwarded\ message: | anfang\ der\ weitergeleiteten\ nachricht:
              | début\ du\ message\ (?:réexpédié|transféré)\s?: ) \s*$",
        )
        .expect("the pattern is well-formed")
    });
    // A cheap test that spares most lines the pattern.
    // HTML programs set separators in bold.
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c));
    let is_like_one = text.contains("--") || text.ends_with(':');
    is_like_one && PATTERN.is_match(text) && !text.contains("PGP")
}

/// Returns true if the line closes a quotation: `----- End forwarded message -----`.
pub(super) fn closes(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*-{2,}\s*(?:end|ende|fin|fine|slut)\b[^-]*(?:message|mail|nachricht|messaggio)\b\s*-*\s*$")
            .expect("the pattern is well-formed")
    });
    text.contains("--") && PATTERN.is_match(text)
}
