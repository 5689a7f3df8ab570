//! Attributions: the line or two that say who wrote the quotation below them.

use crate::Pattern;
use crate::quoting::line::{Author, Line};

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[
    "On Fri, Nov 20, 2026 at 3:00 AM Anna White <anna@white.test> wrote:",
    "Anna wrote:",
    "Anna ha escrit:",
    "Ben <ben@black.test> writes:",
    "Am 20.11.26 um 04:00 schrieb Anna:",
    "Le ven. 20 nov. 2026 à 04:00, Anna <anna@white.test> a écrit :",
    "2026年11月20日(金) 12:00 Anna <anna@white.test>:",
    ">>> Ben <ben@black.test> 20.11.2026 04:00 >>>",
    "On Friday, 20 November 2026,",
    "wrote:",
];

/// Returns true if the text contains a date. Three digits count as one: a day and an
/// hour, or a year.
pub(super) fn has_date(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// Returns true if the text names its source, by an address or a date.
#[must_use]
pub fn has_source(text: &str) -> bool {
    text.contains('@') || has_date(text)
}

/// Returns true if the line says who wrote the unmarked text below it. In a signature
/// it must also name its source, because a signature may hold somebody's saying. So must
/// a line in which the writer speaks: `As I said:`, `See my last message:`.
pub(super) fn says_who_wrote(line: &Line<'_>) -> bool {
    let is_prose = || line.author == Author::Signature || is_said_by_writer(line.source);
    is_attribution(line.source) && (has_source(line.source) || !is_prose())
}

/// Returns true if the words are those of somebody who speaks, not of a program.
pub(super) fn is_said_by_writer(text: &str) -> bool {
    const WORDS: [&str; 28] = [
        "i", "you", "we", "he", "she", "they", "my", "your", "our", "as", "message", "ich", "du",
        "wie", "je", "tu", "yo", "io", "saya", "aku", "kami", "kita", "tôi", "mình", "jo", "kot",
        "kako", "kao",
    ];
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(at, word)| {
        // In French it is "I", in Slovene, Croatian and Serbian a part of "has written", with which
        // an attribution ends; a second ending may follow, as in "je napisao/la".
        let is_auxiliary = *word == "je"
            && words
                .get(at + 1)
                .is_some_and(|verb| verb.starts_with("napis"))
            && words[at + 2..].iter().all(|ending| ending.len() <= 2);
        WORDS.contains(word) && !is_auxiliary
    })
}

/// Returns how many of the last lines form an attribution: none, one, or two if a
/// program wrapped a long one after a comma or its date.
#[must_use]
pub fn lines_at_end(lines: &[Line<'_>]) -> usize {
    let Some((last, above)) = lines.split_last() else {
        return 0;
    };
    if !is_attribution(last.text) {
        return 0;
    }
    let is_first = |line: &Line<'_>| has_date(line.text) || line.text.trim_end().ends_with(',');
    let is_wrapped = !has_date(last.text) && above.last().is_some_and(is_first);
    1 + usize::from(is_wrapped)
}

/// Returns true if the line is an attribution: `On Friday, Anna wrote:` in the
/// languages of mail programs, or a line that ends with an address and a colon.
///
/// Below an attribution that no marks follow, everything counts as quoted. A form that
/// people also use to address each other, such as `@Anna:`, does not belong here: the
/// order below it would no longer be done.
#[must_use]
pub fn is_attribution(text: &str) -> bool {
    static WROTE: Pattern = Pattern::new(
        r"(?x)
            # wrote, which some languages put before the name
            \b (?: wrote | writes | said | schrieb | schreibt | geschrieben | [ée]crit | escribi[óo]
              | scritto | scrive | scrisse | schreef | schrijft | skrev | skriver | escreveu
              | napisała? | pisze | napsala? | napísala? | kirjoitti | kirjoittaa | írta | yazdı
              | έγραψε | писала? | написала? | пишет | пише | scris | napisa[ol]a? | kirjutas
              | написао | написа | message ) \b .* [:：] [\s\u{200e}]* $
            # these stand in other sentences, too: here they are the last word
            | \b (?: ha\ escrit | rašė | rakstīja | menulis | đã\ viết ) \s* [:：] \s* $
            | (?: 写道 | 寫道 | 書きました | 작성 | のメッセージ ) \s* [:：] \s* $
            # an address, for languages without such a word
            | [<(\[] (?:mailto:)? [^\s<>@]+ @ [^\s<>@]+ [>)\]] .{0,40} [:：] \s* $
            # a line between marks
            | ^ >>> \s .* [@\d] .* \s >>> \s* $",
    );
    // A cheap test that spares most lines the pattern.
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || c == '\u{200e}');
    end.ends_with([':', '：', '>']) && WROTE.is_match(text)
}

/// Returns true if a line has a word for writing, a message or a quotation, as programs
/// put it above one: `Ben wrote`, `Original message`, `Zitat von Ben`.
#[must_use]
pub fn tells_writing(text: &str) -> bool {
    static WRITING: Pattern = Pattern::new(
        r"(?xi)
            \b (?: wrote | writes | written | schrieb | schreibt | geschrieben | [ée]crit | escribi[óo]
              | scritto | scrive | scrisse | schreef | schrijft | skrev | skriver | escreveu
              | napisał\w* | pisze | napsal\w* | napísal\w* | kirjoitti | kirjoittaa | írta | yazdı
              | έγραψε | писал\w* | написа\w* | пишет | пише | scris | napisa\w* | kirjutas | escrit | rašė
              | rakstīja | menulis | viết | quoting | zitat | citando | citat | citação | a\ dit
              | forwarded | original | originale? | oprindelig | ursprüngliche | исходное
              | messag\w* | mensaje | mensagem | nachricht | bericht | meddelelse | meddelande ) \b
            | 写道 | 寫道 | 書きました | 작성 | 邮件 | 郵件 | メッセージ | 메시지 | כתב | เขียน",
    );
    WRITING.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::is_attribution;

    #[test]
    fn mail_programs_say_who_wrote() {
        for line in [
            "On Fri, Nov 20, 2026 at 3:00\u{202f}AM Anna White <a@b.test> wrote:",
            "Anna White <a@b.test> writes:",
            "Anna wrote:",
            "wrote:",
            "Anna White said the following on 20/11/26 03:00 AM:",
            "Am Fr., 20. Nov. 2026 um 04:00 Uhr schrieb Anna White <a@b.test>:",
            "Am 2026-11-20 04:00, schrieb Anna:",
            "Anna hat geschrieben:",
            "Le ven. 20 nov. 2026 à 04:00, Anna White <a@b.test> a écrit :",
            "Le 20/11/2026 à 04:00, Anna a écrit\u{a0}:",
            "El vie, 20 nov 2026 a las 4:00, Anna White (<a@b.test>) escribió:",
            "Il giorno ven 20 nov 2026 alle ore 04:00 Anna <a@b.test> ha scritto:",
            "Op vr 20 nov 2026 om 04:00 schreef Anna White <a@b.test>:",
            "Den fre 20 nov. 2026 kl 04:00 skrev Anna White <a@b.test>:",
            "Em sex., 20 de nov. de 2026 às 03:00, Anna <a@b.test> escreveu:",
            "pt., 20 lis 2026 o 04:00 Anna White <a@b.test> napisał(a):",
            "pá 20. 11. 2026 v 4:00 odesílatel Anna White <a@b.test> napsal:",
            "Anna White <a@b.test> ezt írta (időpont: 2026. nov. 20., P, 4:00):",
            "pe 20. marrask. 2026 klo 5.00 Anna White (a@b.test) kirjoitti:",
            "Anna White <a@b.test>, 20 Kas 2026 Cum, 06:00 tarihinde şunu yazdı:",
            "пт, 20 нояб. 2026 г. в 06:00, Anna White <a@b.test>:",
            "пт, 20 лист. 2026 р. о 05:00 Anna White <a@b.test> пише:",
            "2026年11月20日(金) 12:00 Anna White <a@b.test>:",
            "Anna White <a@b.test> 于2026年11月20日周五 11:00写道：",
            "2026년 11월 20일 (금) 오후 12:00, Anna White <a@b.test>님이 작성:",
            "Anna White ha escrit:",
            "Anna White rašė:",
            "Anna White rakstīja:",
            "Anna White menulis:",
            "Anna White đã viết:",
            "Quoting Anna White <a@b.test>:",
            "Zitat von Anna White (a@b.test):",
            ">>> Anna White <a@b.test> 20.11.2026 04:00 >>>",
        ] {
            assert!(is_attribution(line), "{line}");
        }
    }

    #[test]
    fn people_write_colons_too() {
        for line in [
            "My move:",
            "n>g5:",
            "1. e4:",
            "She wrote to me",
            "As you wrote, it is my turn",
            "Black's pieces in reserve:",
            "",
        ] {
            assert!(!is_attribution(line), "{line}");
        }
    }
}
