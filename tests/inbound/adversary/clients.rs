//! The programs that quote: those that the other tests know, and habits that the tests of
//! other readers of replies know.

use fastrand::Rng;

use super::enclosed::PAIRS;
use crate::inbound::replies::Reply;
use crate::inbound::replies::html_quoting::AS_HTML;
use crate::inbound::replies::quoting::{Message, QUOTINGS, Quoting};
use crate::inbound::replies::strange::STRANGE;

/// A way to quote.
#[derive(Clone, Copy)]
pub(super) struct Client {
    pub(super) name: &'static str,
    way: Way,
    pub(super) sign: Sign,
    /// True if what it quotes is HTML already.
    pub(super) takes_html: bool,
}

#[derive(Clone, Copy)]
enum Way {
    Quoting(Quoting),
    /// Below this head, without marks.
    Below(&'static str),
    /// Between two markers.
    Between(&'static str, &'static str),
}

/// The quotations by a client that show whether it always names its source.
const TRIES: usize = 12;

/// What shows that somebody else's words begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// A mark before each line.
    Marks,
    /// A line that names its source, or a word for a message.
    Line,
    /// A rule, a blank or another mark, which a writer may use as well.
    Weak,
    /// Nothing: nobody can tell whose words it quotes. Only our own mails are quoted so
    /// here, which are known.
    None,
}

/// The habits that show nothing of whose words they quote.
const SIGNLESS: &[&str] = &[
    "nothing at all",
    "one paragraph",
    "wrapped narrowly",
    "without the marks of the carried words",
    "wrapped, without the marks of the carried words",
    "a blank",
    "four blanks",
    "html, cells",
    "html, bordered",
    "html, preformatted alone",
    "html without a quotation",
    "html without the targets",
    "html, written between the blocks",
];

/// The habits whose sign a writer may use as well.
const WEAK: &[&str] = &[
    "a rule",
    "stars",
    "a line of equals signs",
    "a worded rule",
    "two unknown fields",
    "quoted below a bullet",
    "percent signs",
    "braces",
    "guillemets",
    "box drawing",
    "html, below a rule",
    "html without tables",
    "tab",
    // Whoever writes may address somebody so.
    "a name above a colon",
];

/// The habits that put a mark before each line.
const MARKED: &[&str] = &[
    "> ",
    "> without a blank",
    "twice",
    "twice with a blank",
    "bar",
    "colon",
    "initials",
    "initials behind a blank",
    "flowed",
    "supercited",
    "html, blockquote",
    "html, preformatted",
    "alternative",
    "marks behind a blank",
    "a split attribution above marks",
    "four lines above marks",
];

/// Further attributions and heads, of programs that other readers of replies are tested with.
const HEADS: &[(&str, &str)] = &[
    (
        "an attribution over two lines",
        "On Fri, Nov 20, 2026 at 3:00 AM, Anna White\n<anna@example.org> wrote:\n",
    ),
    (
        "an attribution whose address is broken",
        "On Fri, Nov 20, 2026 at 3:00 AM Anna White <\nanna@example.org> wrote:\n",
    ),
    (
        "an attribution over four lines",
        "On Fri, Nov 20, 2026 at 3:00 AM Anna White\n\n<\nmailto:Anna White <anna@example.org>\n> wrote:\n",
    ),
    (
        "an attribution above an empty line and schrieb",
        "Am Freitag, 20. November 2026 um 03:00 Uhr\n\nschrieb Anna White <anna@example.org>:\n",
    ),
    (
        "the name first",
        "Anna White <anna@example.org> on Friday, 20 November 2026 at 03:00 wrote:\n",
    ),
    (
        "sent",
        "On 20 Nov 2026 03:00, Anna White <anna@example.org> sent:\n",
    ),
    (
        "a message dated",
        "In a message dated 11/20/2026 3:00:00 A.M. Central Standard Time, anna@example.org writes:\n",
    ),
    (
        "two newlines below said",
        "On Friday, Nov 20, 2026 at 3:00 AM, Anna White said:\n\n",
    ),
    (
        "between dashes, wrote",
        "---- On Fri, 20 Nov 2026 03:00:00 +0000 Anna White <anna@example.org> wrote ----\n",
    ),
    (
        "a zone",
        "2026-11-20 3:00 GMT+00:00 Anna White <anna@example.org>:\n",
    ),
    (
        "Polish, a user",
        "W dniu 20 listopada 2026 03:00 użytkownik Anna White <anna@example.org> napisał:\n",
    ),
    (
        "Russian, a user",
        "20.11.2026 03:00 пользователь \"Anna White\" <\nanna@example.org> написал:\n",
    ),
    (
        "Dutch, verzond",
        "Op vr 20 nov 2026 om 03:00 verzond Anna White <anna@example.org>:\n",
    ),
    (
        "a telephone's name",
        "Sent from Samsung MobileAnna White <anna@example.org> wrote:\n",
    ),
    (
        "a reply message",
        "---- Reply Message ----\nFrom: Anna White <anna@example.org>\nDate: Friday, 20 November 2026\n",
    ),
    (
        "Danish dashes",
        "-----Oprindelig meddelelse-----\nFra: Anna White <anna@example.org>\nSendt: 20. november 2026\nTil: Ben <ben@example.org>\nEmne: hello\n",
    ),
    (
        "original message, dashes and order of fields",
        "----------- Original Message -----------\nFrom: \"Anna White\"\nDate: Friday, November 20th 2026 at 3:00 am\nSubject: hello\nTo: Ben <ben@example.org>\n",
    ),
    (
        "fields without dashes or a date",
        "From: anna@example.org \nTo: \"Ben\" <ben@example.org>\nSent: Friday, November 20, 2026 3:00:00 AM\nSubject: hello\n",
    ),
    (
        "a header block whose link is broken",
        "From: Anna White <mailto:anna@example.org\n> \nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben <ben@example.org>\nSubject: hello\n",
    ),
    (
        "a header block of two lines",
        "From: Anna White <anna@example.org>\nSubject: hello\n",
    ),
    (
        "posted by",
        "posted by Anna White on Fri, 20 Nov 2026 03:00\n",
    ),
    (
        "a Lotus head",
        "Anna White <anna@example.org>\n20.11.2026 03:00\n\nTo\nBen <ben@example.org>\ncc\n\nSubject\nhello\n",
    ),
    (
        "an American Lotus head without an address",
        "Anna White\n11/20/2026 03:00 PM\n\nTo\nBen <ben@example.org>\ncc\n\nSubject\nhello\n",
    ),
    (
        "a Lotus head in paragraphs",
        "Anna White\n\nFri 11/20/2026 3:00 PM\n\nTo\n\nBen <ben@example.org>\n",
    ),
    (
        "a web page",
        "Anna White\nanna@example.org\nFri, Nov 20, 2026, 3:00 PM\nto me\n",
    ),
    (
        "an address in brackets below the name",
        "Anna White\n(anna@example.org) wrote:\n",
    ),
    (
        "a German verb below the name",
        "Anna White\nhat am 20.11.2026 03:00 geschrieben:\n",
    ),
    ("a short date", "Anna White\n11/20/26, 3:00 PM\n"),
    (
        "a Lotus attribution",
        "From: Anna White <anna@example.org>\nTo:   Ben <ben@example.org>\nDate: 20.11.2026 03:00\nSubject: hello\n________________________________\n",
    ),
    (
        "an iPhone without marks",
        "Sent from my iPhone\n\nOn Nov 20, 2026, at 3:00 AM, Anna White <anna@example.org> wrote:\n\n",
    ),
    (
        "a rule and a head of Outlook for Android",
        "Get Outlook for Android\n\n________________________________\nFrom: Anna White <anna@example.org>\nSent: Friday, November 20, 2026 3:00:00 AM\nTo: Ben <ben@example.org>\nSubject: hello\n",
    ),
    (
        "begin forwarded message",
        "Begin forwarded message:\n\nFrom: Anna White <anna@example.org>\nSubject: hello\nDate: November 20, 2026 at 3:00:00 AM\nTo: Ben <ben@example.org>\n",
    ),
    (
        "Gmail, forwarded",
        "---------- Forwarded message ---------\nFrom: Anna White <anna@example.org>\nDate: Fri, Nov 20, 2026 at 3:00 AM\nSubject: hello\nTo: Ben <ben@example.org>\n\n",
    ),
    (
        "mutt, forwarded",
        "----- Forwarded message from Anna White <anna@example.org> -----\n\nDate: Fri, 20 Nov 2026 03:00:00 +0000\nFrom: Anna White <anna@example.org>\nTo: Ben <ben@example.org>\nSubject: hello\n",
    ),
    (
        "Yahoo",
        " On Friday, November 20, 2026 at 03:00:00 AM GMT, Anna White <anna@example.org> wrote:  \n \n",
    ),
    ("a name above a colon", "Anna White:\n"),
    (
        "Irish",
        "Ar Aoine 20 Samh 2026 ag 03:00, scríobh Anna White <anna@example.org>:\n",
    ),
    (
        "Klingon",
        "jaj 20/11/2026 03:00 Anna White <anna@example.org> ghItlh:\n",
    ),
];

/// What other readers of replies have met above and in marks.
const OTHERS: &[(&str, Quoting)] = &[
    ("marks behind a blank", |reply, rng| {
        let line = |line: &str| format!("{}{line}\n", if rng.bool() { " > " } else { "> " });
        Message::plain(reply.mail.lines().map(line).collect())
    }),
    ("a split attribution above marks", |reply, _| {
        Message::plain(format!(
            "On Fri, Nov 20, 2026 at 3:00 AM, Anna White\n<anna@example.org>\nwrote:\n\n{}",
            marked(reply)
        ))
    }),
    ("four lines above marks", |reply, _| {
        Message::plain(format!(
            "On Fri, Nov 20, 2026 at 3:00 AM Anna White\n\n<\nmailto:Anna White <anna@example.org>\n> wrote:\n\n{}",
            marked(reply)
        ))
    }),
];

fn marked(reply: &Reply) -> String {
    let line = |line: &str| format!("> {line}\n");
    reply.mail.lines().map(line).collect()
}

impl Client {
    /// Every client that is known here.
    pub(super) fn all() -> Vec<Client> {
        let new = |(name, quoting): &(&'static str, Quoting), takes_html| Client {
            name,
            way: Way::Quoting(*quoting),
            sign: Sign::of(name),
            takes_html,
        };
        let in_text = QUOTINGS.iter().chain(STRANGE).chain(OTHERS);
        let in_text = in_text.map(|client| new(client, false));
        let in_html = AS_HTML.iter().map(|client| new(client, true));
        let below = HEADS.iter().map(|(name, head)| Client {
            name,
            way: Way::Below(head),
            sign: Sign::of(name),
            takes_html: false,
        });
        let between = PAIRS.iter().map(|(open, close)| Client {
            name: open,
            way: Way::Between(open, close),
            sign: Sign::Line,
            takes_html: false,
        });
        in_text.chain(in_html).chain(below).chain(between).collect()
    }

    /// The clients that the tests of replies to our mails know, with marks or with a line
    /// above the quotation.
    pub(super) fn is_usual(&self) -> bool {
        QUOTINGS.iter().any(|(name, _)| *name == self.name)
    }

    /// Returns true if it writes HTML.
    pub(super) fn is_html(&self) -> bool {
        self.takes_html || self.name.starts_with("html") || self.name == "alternative"
    }

    /// Returns true if it always shows that a mail is from this person, by an address or as
    /// Ben.
    pub(super) fn names(&self, source: &str, rng: &mut Rng) -> bool {
        let names = |text: &String| text.contains("black.test") || text.contains("Ben ");
        (0..TRIES).all(|_| {
            let (text, html) = self.quotes("hello", source, rng);
            let mut shown = [text.map(|(text, _)| text), html].into_iter().flatten();
            shown.all(|text| names(&text))
        })
    }

    /// What it makes of a mail from this person: the text, the parameters of its type, and
    /// the HTML.
    pub(super) fn quotes(
        &self,
        mail: &str,
        source: &str,
        rng: &mut Rng,
    ) -> (Option<(String, &'static str)>, Option<String>) {
        let reply = Reply {
            above: String::new(),
            // Who is named in the mail itself keeps the name.
            mail: mail.replace(NAMED, KEPT),
            below: String::new(),
        };
        let named = |text: String| renamed(&text, source).replace(KEPT, NAMED);
        let named_in_html = |text: String| {
            renamed(&text, &source.replace("<br>", "&lt;br&gt;")).replace(KEPT, NAMED)
        };
        let message = match self.way {
            Way::Quoting(quoting) => quoting(&reply, rng),
            Way::Below(head) => Message::plain(format!("{head}\n{}", reply.mail)),
            Way::Between(open, close) => {
                Message::plain(format!("{open}\n{}\n{close}\n", reply.mail.trim_end()))
            }
        };
        let (plain, html) = message.parts();
        (
            plain.map(|(text, kind)| (named(text), kind)),
            html.map(named_in_html),
        )
    }
}

/// Whom the habits name, and what stands for that name in a mail.
const NAMED: &str = "Anna White";
const KEPT: &str = "Anna Whit\u{e000}";

/// The habits name Anna White, who has written to Ben: here somebody has written to Anna.
fn renamed(text: &str, source: &str) -> String {
    let (name, address) = source.split_once(" <").expect("a name and an address");
    text.replace("Ben <ben@example.org>", "A. <anna@white.test>")
        .replace(NAMED, name)
        .replace("anna@example.org", address.trim_end_matches('>'))
        .replace("Ben &lt;ben@example.org&gt;", "A. &lt;anna@white.test&gt;")
}

impl Sign {
    fn of(name: &str) -> Sign {
        if SIGNLESS.contains(&name) {
            Sign::None
        } else if WEAK.contains(&name) {
            Sign::Weak
        } else if MARKED.contains(&name) {
            Sign::Marks
        } else {
            Sign::Line
        }
    }
}
