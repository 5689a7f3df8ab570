//! Boilerplate: the lines that a mailing list, a mail program or a company adds below a
//! message, signatures, and what a forum or PGP adds.
//!
//! The text below a line `-- ` is the same in every message of its writer, so nothing in it is
//! meant for this one.
//!
//! Forum tags: `[code]` often stands on the line of its first row, and `[/code]` on
//! that of its last, where they would hide the row. So could the tags around the post in
//! a picture's description, and the lines of the drawing are no orders. Of a page of ours
//! nothing is read but the post in its `<pre>`.
//!
//! The signatures and armour of PGP, which a program adds, so they are nobody's words.
//! Armour counts only if it ends where it began: at the same depth of quoting, with
//! nothing else between. Otherwise one line of somebody who is quoted would hide what
//! the writer has put below it. A signed message has `- ` before each line that begins with
//! a dash, for instance a row of a diagram. The pass removes it.

use std::sync::LazyLock;

use regex::Regex;

use crate::Pattern;
use crate::quoting::attribution::is_attribution;
use crate::quoting::habits::Habits;
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

/// The names of tags that enclose a text or a part of it.
const TAGS: [&str; 19] = [
    "code", "quote", "pre", "tt", "mono", "fixed", "font", "size", "spoiler", "hide", "pgn",
    "color", "center", "indent", "list", "*", "b", "i", "u",
];

/// The names of tags that a picture in SVG consists of.
const DRAWING: [&str; 9] = [
    "svg", "title", "desc", "defs", "g", "path", "rect", "circle", "use",
];

/// Returns samples of what this pass reacts to.
pub(super) fn forum_tag_tokens(habits: &Habits) -> Vec<String> {
    let tags = TAGS.map(|tag| [format!("[{tag}]"), format!("[/{tag}]")]);
    let drawing = DRAWING.map(|tag| [format!("<{tag}>"), format!("</{tag}>")]);
    let tags = tags.into_iter().chain(drawing).flatten();
    let page = habits.page.into_iter().flatten().map(str::to_owned);
    tags.chain(page).collect()
}

/// Cuts the tags off both ends of each line.
pub(super) fn mark_forum_tags(lines: &mut [Line<'_>], habits: &Habits) {
    for line in lines.iter_mut() {
        while let Some(bytes) = opening(line.text).or_else(|| drawn(line.text)) {
            line.cut(bytes, line.author);
        }
        if let Some(text) = line.text.trim_end().strip_suffix("</title>") {
            line.text = text;
        }
        while let Some(text) = line.text.trim_end().strip_suffix(']')
            && let Some((text, tag)) = text.rsplit_once('[')
            && let Some(name) = tag.strip_prefix('/')
            && is_tag(name)
        {
            line.text = text;
        }
    }
    if let Some(page) = habits.page {
        cut_pages(lines, page);
    }
}

/// Empties the lines of each page of ours but those of its post. A page that is not whole
/// is none: it must not hide what stands below.
fn cut_pages(lines: &mut [Line<'_>], page: [&str; 4]) {
    // The places of the lines that have been found, in their order.
    let mut found: Vec<usize> = Vec::new();
    for at in 0..lines.len() {
        let text = lines[at].text.trim();
        if !text.starts_with('<') || text.len() > LONGEST_BOUND {
            continue;
        }
        let text = text.replace('\u{a0}', " ");
        if text == page[0] {
            found.clear();
        }
        if text != page[found.len()] {
            continue;
        }
        found.push(at);
        if let [start, post, behind, end] = found[..] {
            let (before, rest) = lines.split_at_mut(behind);
            for line in before[start..=post]
                .iter_mut()
                .chain(&mut rest[..=end - behind])
            {
                line.text = "";
            }
            found.clear();
        }
    }
}

/// The most bytes of a line that bounds a part of a page.
const LONGEST_BOUND: usize = 40;

/// Returns the length in bytes of the tag at the start, with the blanks before it.
fn opening(text: &str) -> Option<usize> {
    let tag = text.trim_start().strip_prefix('[')?;
    let (tag, behind) = tag.split_once(']')?;
    // A tag may have a value: `[quote="Anna"]`.
    let name = tag.split_once('=').map_or(tag, |(name, _)| name);
    is_tag(name.strip_prefix('/').unwrap_or(name)).then(|| text.len() - behind.len())
}

/// Returns the length in bytes of the tag of a picture at the start, with the blanks
/// before it.
fn drawn(text: &str) -> Option<usize> {
    let tag = text.trim_start().strip_prefix('<')?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let end = name.find(|c: char| !c.is_ascii_lowercase())?;
    if !DRAWING.contains(&&name[..end]) {
        return None;
    }
    let (_, behind) = tag.split_once('>')?;
    Some(text.len() - behind.len())
}

/// Returns true if a line begins somebody's words by a tag: `[quote="Anna"]`.
pub(super) fn begins_quote(line: &str) -> bool {
    let tag = line.trim_start().strip_prefix('[');
    let name = tag.and_then(|tag| tag.get(..QUOTE.len()));
    name.is_some_and(|name| name.eq_ignore_ascii_case(QUOTE))
}

/// The name of the tag around somebody's words.
const QUOTE: &str = "quote";

fn is_tag(name: &str) -> bool {
    TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name.trim()))
}

/// The line above a signed text.
const SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----";

/// The line above the signature of a signed text.
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";

/// The lines above an encrypted text and above a key.
const BLOCKS: [&str; 2] = [
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
];

/// The beginning of the line below armour.
const END: &str = "-----END PGP ";

/// Samples of what this pass reacts to.
pub(super) const PGP_TOKENS: &[&str] = &[
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "Hash: SHA256",
    "- ",
    "-----BEGIN PGP SIGNATURE-----",
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "-----END PGP SIGNATURE-----",
    "-----END PGP MESSAGE-----",
];

/// Marks the armour and removes the dash escapes of a signed text.
pub(super) fn mark_pgp(lines: &mut [Line<'_>]) {
    let (mut at, mut unsigned) = (0, 0);
    while at < lines.len() {
        let text = lines[at].text.trim();
        let end = if text == SIGNED && at >= unsigned {
            signed(lines, at).map_err(|until| unsigned = until).ok()
        } else if BLOCKS.contains(&text) {
            block(lines, at)
        } else {
            None
        };
        at = end.unwrap_or(at + 1);
    }
}

/// Returns true if a line begins a signed text, or is a field of its head.
pub(super) fn begins_signed(text: &str) -> bool {
    text.trim() == SIGNED || is_armour_header(text.trim())
}

/// Marks the armour of the signed text that begins at `at`, and returns its end. If none begins
/// there, returns a line such that none begins before it.
fn signed(lines: &mut [Line<'_>], at: usize) -> Result<usize, usize> {
    let depth = lines[at].author.depth();
    let is_same = |line: &&Line<'_>| line.author.depth() == depth || line.is_blank();
    let same = lines[at..].iter().take_while(is_same);
    let text = same.take_while(|line| line.text.trim() != SIGNATURE);
    let signature = at + text.count();
    let is_signature = |line: &Line<'_>| is_same(&line) && line.text.trim() == SIGNATURE;
    let is_signed = lines.get(signature).is_some_and(is_signature);
    let end = if is_signed {
        block(lines, signature)
    } else {
        None
    };
    let end = end.ok_or(signature)?;
    let head = lines[at + 1..signature].iter();
    let head = head.take_while(|line| is_armour_header(line.text.trim()));
    let body = at + 1 + head.count();
    for line in &mut lines[at..body] {
        line.author = Author::Signature;
    }
    for line in &mut lines[body..signature] {
        if line.text.trim_start().starts_with("- ") {
            let bytes = line.text.find('-').map_or(0, |dash| dash + 2);
            line.cut(bytes, line.author);
        }
    }
    Ok(end)
}

/// Marks the armour that begins at `at`, and returns its end.
fn block(lines: &mut [Line<'_>], at: usize) -> Option<usize> {
    let depth = lines[at].author.depth();
    let is_inside = |line: &&Line<'_>| {
        let text = line.text.trim();
        line.is_blank() || line.author.depth() == depth && is_armour(text)
    };
    let inside = lines[at + 1..].iter().take_while(is_inside).count();
    let end = at + 1 + inside;
    let last = lines.get(end)?;
    if last.author.depth() != depth || !last.text.trim().starts_with(END) {
        return None;
    }
    for line in &mut lines[at..=end] {
        line.author = Author::Signature;
    }
    Some(end + 1)
}

/// Returns true if the line may be of an armour: a field, or letters without blanks.
fn is_armour(text: &str) -> bool {
    is_armour_header(text) || !text.contains(char::is_whitespace) && !text.starts_with(END)
}

/// Returns true if the line is a header of PGP's armour.
fn is_armour_header(text: &str) -> bool {
    ["Hash: ", "Charset: ", "Comment: ", "Version: "]
        .iter()
        .any(|header| text.starts_with(header))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::{HELPDESK, pasted};
    use crate::quoting::{line, quotation};

    /// Returns the lines that stay the sender's.
    fn own(body: &str) -> String {
        let mut lines = line::split(body);
        quotation::mark_quote_marks(&mut lines, &HELPDESK);
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

    fn own_in_pgp(text: &str) -> String {
        let lines = pasted(text);
        let own = lines.iter().filter(|line| line.author == Author::Own);
        own.map(|line| line.text).collect::<Vec<_>>().join("|")
    }

    /// Went wrong: a note of that one line hid all that was written below it.
    #[test]
    fn armour_that_does_not_end_hides_nothing() {
        for begin in [BLOCKS[0], BLOCKS[1], SIGNATURE] {
            assert_eq!(own_in_pgp(&format!("> {begin}\nn>g5\n")), "n>g5");
            assert_eq!(
                own_in_pgp(&format!("> {begin}\n\nn>g5\n> {END}MESSAGE-----\n")),
                "|n>g5"
            );
            let text = format!("{begin}\nhello there\nn>g5\n{END}MESSAGE-----\n");
            assert!(own_in_pgp(&text).contains("n>g5"), "{text}");
        }
        assert_eq!(
            own_in_pgp("-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----\nn>g5"),
            "n>g5"
        );
    }

    #[test]
    fn a_signed_text_is_its_writer_s() {
        let text = format!(
            "{SIGNED}\nHash: SHA256\n\n- - r n\nn>g5\n{SIGNATURE}\n\nabc=\n{END}SIGNATURE-----\n"
        );
        assert_eq!(own_in_pgp(&text), "|- r n|n>g5");
    }
}
