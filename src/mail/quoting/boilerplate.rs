//! Boilerplate: the lines that a mailing list, a mail program or a company adds below a
//! message, and signatures. The text below a line `-- ` is the same in every message of its
//! writer, so nothing in it is meant for this one.

use std::sync::LazyLock;

use regex::Regex;

use crate::Pattern;
use crate::quoting::attribution::is_attribution;
use crate::quoting::header_block::is_postmark;
use crate::quoting::line::{Author, Line, is_blank};
use crate::quoting::wrapped_line::has_room;

/// The number of lines below a rule that are searched for the text of a footer.
const NEAR: usize = 6;

/// The patterns of advertisements' beginnings, in small letters. The first word of each is
/// letters alone.
const ADVERTISEMENTS: [&str; 23] = [
    r"sent\ (?:from|with|via|using)\ (?:my|the|mail\ *for|outlook|proton|yahoo|gmail|samsung|fastmail|spark|k-9|aqua|bluemail|aol|nine|zoho|blackberry|thunderbird)",
    r"get\ (?:outlook|bluemail)\ for\ ",
    r"outlook\ für\ ",
    r"holen\ sie\ sich\ outlook\ ",
    r"obtenir\ outlook\ ",
    r"obtener\ outlook\ ",
    r"télécharger\ outlook\ ",
    r"von\ meine[mr]\ ",
    r"gesendet\ (?:mit|von|über)\ (?:de[mr]|meine[mr]|outlook|mail)",
    r"envoyé\ (?:de|depuis|avec|à\ partir\ de)\ (?:mon|ma|outlook|yahoo|proton)",
    r"enviado\ (?:desde|do|com|con)\ ",
    r"inviato\ (?:da|con)\ (?:il\ mio|outlook|yahoo|iphone|libero)",
    r"verzonden\ vana[fn]\ ",
    r"verstuurd\ vana[fn]\ ",
    r"skickat\ från\ ",
    r"sendt\ fra\ ",
    r"wysłane\ z\ ",
    r"lähetetty\ ",
    r"отправлено\ (?:с|из)\ ",
    r"odesláno\ z\ ",
    r"do\ you\ yahoo",
    r"this\ message\ was\ automatically\ generated\ by\ ",
    r"diese\ nachricht\ wurde\ von\ meinem\ ",
];

/// The beginnings of advertisements that are written without blanks.
const UNSPACED: [&str; 3] = ["发自我的", "從我的", "iphoneから送信"];

/// No word by which a disclaimer is known has fewer letters.
const LONG_WORD: usize = 7;

/// The shortest paragraph that counts as a disclaimer, in characters.
const SHORTEST: usize = 100;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let lines = [
        "Sent from my iPhone",
        "Get Outlook for Android",
        "Enviado desde mi iPhone",
        "Games mailing list",
        "_______________________________________________",
        "to unsubscribe, see https://b.test/listinfo/games",
        "This e-mail is confidential and intended solely for its recipient. If you have received it by mistake,",
    ];
    let known = ADVERTISEMENTS
        .iter()
        .map(|line| format!("{} from my telephone", first_word(line)))
        .chain(UNSPACED.map(str::to_owned));
    lines.map(str::to_owned).into_iter().chain(known).collect()
}

/// Marks the boilerplate among the writer's own lines.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut at = 0;
    // `end` is the end of the own lines, `told` the end of the last paragraph that is
    // no disclaimer. No disclaimer begins inside such a paragraph.
    let (mut end, mut told) = (0, 0);
    while at < lines.len() {
        if end <= at {
            let is_own = |line: &&Line<'_>| line.author == Author::Own;
            end = at + lines[at..].iter().take_while(is_own).count();
        }
        let block = &lines[at..end];
        let taken = if block.is_empty() {
            0..0
        } else if is_advertisement(lines[at].text) {
            0..1
        } else if is_list_footer(block) {
            0..block.len()
        } else if at < told {
            0..0
        } else {
            let blank = block.iter().position(Line::is_blank);
            let paragraph = &block[..blank.unwrap_or(block.len())];
            told = at + paragraph.len();
            disclaimer(paragraph).map_or(0..0, |start| start..paragraph.len())
        };
        let next = at + taken.end.max(1);
        for line in &mut lines[at..][taken] {
            line.author = Author::Boilerplate;
        }
        at = next;
    }
}

/// Returns the first word of such a beginning, before the blank.
fn first_word(line: &str) -> &str {
    line.split(r"\ ").next().unwrap_or_default()
}

/// Returns true if the line is an advertisement: `Sent from my iPhone`.
fn is_advertisement(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = format!(
            r"(?ix)^\s* (?: {} | {} )",
            ADVERTISEMENTS.join("|"),
            UNSPACED.join("|")
        );
        Regex::new(&pattern).expect("the pattern is well-formed")
    });
    // A program writes a link behind the words that it was behind.
    static LINK: Pattern = Pattern::new(r"<https?://[^<>\s]*>");
    let text = if text.contains("<http") {
        LINK.replace_all(text, "")
    } else {
        text.into()
    };
    let text = text.as_ref();
    // The expression takes longer to make than a list of orders to read.
    let begins_so = |text: &str| {
        let text = text.trim_start();
        if !text.starts_with(char::is_alphabetic) {
            return false;
        }
        let text = text.to_lowercase();
        let first = text.split(' ').next().unwrap_or_default();
        (ADVERTISEMENTS.iter()).any(|line| first_word(line) == first)
            || UNSPACED.iter().any(|words| text.starts_with(words))
    };
    begins_so(text) && text.chars().count() <= 80 && !text.contains('>') && PATTERN.is_match(text)
}

/// Returns true if the block is the footer of a mailing list: a rule, and below it how
/// to leave the list.
fn is_list_footer(block: &[Line<'_>]) -> bool {
    static PATTERN: Pattern = Pattern::new(
        r"(?i)mailing list|listinfo|unsubscribe|subscri(?:be|ption)|abmelde|austragen|désabonn|désinscri|mailman|listserv|groups?\.(?:google|io)|list archive",
    );
    let is_rule = |text: &str| {
        let text = text.trim();
        text.len() >= 10
            && ["_", "-", "=", "*", "~"]
                .iter()
                .any(|rule| text.replace(rule, "").is_empty())
    };
    // Of two rules the lower begins the footer: the upper may be an empty row.
    let below = block.iter().skip(1).take(NEAR);
    let mut below = below.take_while(|line| !is_rule(line.text));
    block.first().is_some_and(|line| is_rule(line.text))
        && below.any(|line| PATTERN.is_match(line.text))
}

/// Returns the line at which a paragraph begins to say that a mail is confidential.
/// Lines directly above it that were ended by hand are left out.
fn disclaimer(paragraph: &[Line<'_>]) -> Option<usize> {
    static MAIL: Pattern = Pattern::new(
        r"(?i)\b(?:e-?mail|message|communication|transmission|nachricht|mitteilung|courriel|mensaje|correo|messaggio|bericht)",
    );
    static SECRET: Pattern = Pattern::new(
        r"(?i)confiden|intended (?:recipient|solely|only)|legally privileged|vertraulich|riservat|vertrouwelijk|fortrolig|konfidentiell",
    );
    if paragraph.iter().all(|line| is_row(line.text)) {
        return None;
    }
    let lines: Vec<String> = paragraph.iter().map(Line::plain).collect();
    let length = |line: &String| line.trim_end().chars().count();
    let width = lines.iter().map(length).max().unwrap_or_default();
    // A sentence may end where a line does, so only the room counts here.
    let is_ended = |pair: &&[String]| has_room(&pair[0], &pair[1], width);
    let start = lines.windows(2).take_while(is_ended).count();
    let is_one = |start: &usize| {
        let text = lines[*start..].join(" ");
        text.chars().count() >= SHORTEST
            && has_long_word(&text)
            && MAIL.is_match(&text)
            && SECRET.is_match(&text)
    };
    [start, 0].into_iter().find(is_one)
}

/// Returns true if a line has only the signs of orders, and so no other reading than its
/// letters, and no long word.
fn is_row(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b" .->+#=!/,".contains(&byte);
    text.bytes().all(is_sign) && !has_long_word(text)
}

/// Returns true if there is a word that could tell a disclaimer. A list of orders has
/// none, and so needs no expression.
fn has_long_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic())
        .any(|word| word.len() >= LONG_WORD)
}

/// Returns samples of what this pass reacts to.
pub(super) fn signature_tokens() -> Vec<String> {
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
pub(super) fn mark_signature(lines: &mut [Line<'_>]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::HELPDESK;
    use crate::quoting::{line, quote_marks};

    /// Returns the lines that stay the sender's.
    fn own(body: &str) -> String {
        let mut lines = line::split(body);
        quote_marks::mark(&mut lines, &HELPDESK);
        mark(&mut lines);
        let own = lines
            .iter()
            .filter(|line| line.author == Author::Own && !line.is_blank());
        own.map(|line| line.text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_others_put_below_is_not_the_sender_s() {
        let list = "_______________________________________________\nGames mailing list\ngames@b.test\nhttps://b.test/listinfo/games\n";
        let secret = "This e-mail and any attachment to it is confidential and may be privileged. If you are\nnot the intended recipient please delete n>f6 at once.\n";
        for footer in [
            list,
            &list.replace('_', "-"),
            "Sent from my iPhone\n",
            "Von meinem iPhone gesendet\n",
            "Get Outlook for Android<https://b.test>\n",
            "Get BlueMail for Android\n",
            "Outlook für iOS<https://b.test/o?p=1> beziehen\n",
            "Sent from Mail<https://b.test/?id=1> for Windows\n",
            "Verstuurd vanaf mijn telefoon\n",
            "Sent with Proton Mail secure email.\n",
            "Envoyé depuis mon téléphone\n",
            secret,
        ] {
            assert_eq!(own(&format!("n>g5\n\n{footer}")), "n>g5", "{footer}");
        }
        // The line directly above a disclaimer stays, too.
        assert_eq!(own(&format!("n>g5\nHi\n{secret}")), "n>g5|Hi");
        assert_eq!(
            own(&format!("  ----------\nn>g5\n{list}")),
            "  ----------|n>g5"
        );
        // A quotation below the footer is left alone.
        assert_eq!(own(&format!("n>g5\n{list}> old\nend")), "n>g5|end");
    }

    #[test]
    fn what_the_sender_wrote_stays() {
        for body in [
            "____________\nn>g5",
            "n>g5\n----------\nBye",
            "Sent from Paris with love",
            "This message is confidential:\n\nn>g5",
            "This message is to say that I play\nn>g5",
            "I sent it with my phone",
        ] {
            assert_eq!(
                own(body),
                body.split('\n')
                    .filter(|line| !line.is_empty())
                    .collect::<Vec<_>>()
                    .join("|")
            );
        }
    }
}
