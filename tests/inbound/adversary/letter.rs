//! Letters of Anna's: her own words, and what her program quotes around them.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fastrand::Rng;

use super::clients::{Client, Sign};
use super::desk::{Policy, REFEREE};
use super::foreign::{Kind, Piece, TAG};
use super::orders::{About, Order};
use super::scene::{ANNA, Scene};

/// Stands in a quotation where Anna writes between its lines.
const BETWEEN: char = '\u{e010}';

/// Who Ben's mails are from, as a program names him.
pub(super) const BENS: &str = "Ben Black <ben@black.test>";

/// A letter, from which its bytes follow.
#[derive(Clone)]
pub(super) struct Letter {
    pub(super) policy: Policy,
    pub(super) above: Vec<Own>,
    /// Between the lines of the first quotation.
    pub(super) between: Vec<Own>,
    /// Typed in at the end of the list of our mail that is quoted.
    pub(super) filled: Option<Order>,
    pub(super) below: Vec<Own>,
    pub(super) blocks: Vec<Block>,
    /// Where her program wraps what it has quoted.
    pub(super) wrap: Option<usize>,
    pub(super) is_closed_up: bool,
    pub(super) has_crlf: bool,
    /// What a gateway puts above it.
    pub(super) banner: &'static str,
    /// Plain text that a list or a virus checker puts into its body, which is Base64 then.
    pub(super) footer: &'static str,
    pub(super) subject: Subject,
    pub(super) parent: Parent,
    pub(super) seed: u64,
}

/// Words of Anna's.
#[derive(Clone)]
pub(super) enum Own {
    Chat(&'static str),
    Order(Order),
}

/// What is quoted by one program.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) client: Client,
    /// Ben's words, or none for a mail of ours.
    pub(super) pieces: Vec<Piece>,
    /// The number of our mail, if it is one.
    pub(super) mail: Option<usize>,
    /// By whose program Ben's words were quoted before.
    pub(super) nested: Option<Client>,
    /// The name and the address that Ben has chosen well.
    pub(super) name: Option<String>,
}

#[derive(Clone)]
pub(super) enum Subject {
    /// Of our mail.
    Ours,
    Plain,
    /// Ben's, as Anna's program hands it on.
    Bens(String),
    /// Anna's own.
    Own(Order),
}

/// What a letter cites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parent {
    /// A mail of ours, by its number.
    Ours(usize),
    /// The same, in the words of an old program.
    InWords(usize),
    /// Ben's mail, which has the id of a mail of ours.
    Forged(usize),
    /// The same, where Anna has answered to all, so that he knows the id.
    Disclosed(usize),
    /// A mail of ours to which a relay has given another id. The letter refers to the one before.
    Relayed(usize),
    /// A letter of Anna's own.
    Own(usize),
    /// Ben's mail, which answers one of ours.
    BenAbove(usize),
    /// Ben's mail in `In-Reply-To`, and one of ours alone in `References`.
    BenBeside(usize),
    /// The same in `References` alone.
    BenLast(usize),
    Unknown,
    None,
}

impl Letter {
    /// What it may make the log say, with the reason why not for the others of her orders.
    pub(super) fn allowed(&self, scene: &Scene) -> (Vec<String>, Vec<(About, String)>) {
        let (mut allowed, mut stale) = (Vec::new(), Vec::new());
        for order in self.orders() {
            let is_stale = self.answered().is_some_and(|mail| match order.about {
                About::Nothing => false,
                About::Position => scene.is_stale(mail),
                About::Offer => scene.is_offer_stale(mail),
            });
            for done in &order.done {
                if is_stale {
                    stale.push((order.about, done.clone()));
                } else {
                    allowed.push(done.clone());
                }
            }
        }
        (allowed, stale)
    }

    pub(super) fn orders(&self) -> impl Iterator<Item = &Order> {
        // Nothing can be written between lines that no mark bounds.
        let has_marks = self
            .blocks
            .iter()
            .any(|block| block.client.sign == Sign::Marks);
        let between = self.between.iter().filter(move |_| has_marks);
        let own = self.above.iter().chain(between).chain(&self.below);
        let own = own.filter_map(|own| match own {
            Own::Order(order) => Some(order),
            Own::Chat(_) => None,
        });
        let has_list = self.blocks.iter().any(|block| block.mail.is_some());
        let filled = self.filled.iter().filter(move |_| has_list);
        let subject = match &self.subject {
            Subject::Own(order) => Some(order),
            _ => None,
        };
        own.chain(filled).chain(subject)
    }

    /// The mail of ours that it answers, as far as its header tells.
    pub(super) fn answered(&self) -> Option<usize> {
        match self.parent {
            Parent::Ours(at)
            | Parent::InWords(at)
            | Parent::Forged(at)
            | Parent::Disclosed(at)
            | Parent::Relayed(at)
            | Parent::BenAbove(at)
            | Parent::BenBeside(at)
            | Parent::BenLast(at) => Some(at),
            Parent::Own(_) | Parent::Unknown | Parent::None => None,
        }
    }

    /// Returns true if its direct parent is a mail of ours, by its id, or a letter of Anna's.
    pub(super) fn answers_us(&self) -> bool {
        matches!(
            self.parent,
            Parent::Ours(_) | Parent::InWords(_) | Parent::Forged(_) | Parent::Own(_)
        )
    }

    /// Returns true if Ben has written any of it.
    pub(super) fn has_bens_words(&self) -> bool {
        let is_bens = |block: &Block| block.mail.is_none();
        self.blocks.iter().any(is_bens) || matches!(self.subject, Subject::Bens(_))
    }

    /// Returns true if only the usual clients quote in it.
    pub(super) fn is_usual(&self) -> bool {
        self.blocks.iter().all(|block| block.client.is_usual())
    }

    /// Returns true if an order of Ben's stands directly beside what a pass reacts to.
    pub(super) fn has_boundary(&self) -> bool {
        let is_sign = |kind| matches!(kind, Kind::Token | Kind::Copy | Kind::Html);
        self.blocks.iter().any(|block| {
            let pairs = block
                .pieces
                .windows(2)
                .map(|pair| (pair[0].kind, pair[1].kind));
            let mut pairs = pairs.flat_map(|(above, below)| [(above, below), (below, above)]);
            pairs.any(|(one, other)| one == Kind::Order && is_sign(other))
        })
    }

    /// Returns true if Ben has begun a block quote.
    pub(super) fn opens_quotation(&self) -> bool {
        let pieces = self.blocks.iter().flat_map(|block| &block.pieces);
        let mut tags = pieces.filter(|piece| piece.kind == Kind::Html);
        tags.any(|piece| piece.text.contains("<blockquote"))
    }

    pub(super) fn is_in_html(&self) -> bool {
        self.blocks.iter().any(|block| block.client.is_html())
    }

    /// The letter as it comes in.
    pub(super) fn text(&self, scene: &Scene) -> String {
        let mut rng = Rng::with_seed(self.seed);
        let subject = self.subject.text(scene, self.answered());
        let mut text = format!(
            "From: Anna <{ANNA}>\nTo: {REFEREE}\nSubject: {subject}\nMessage-ID: <anna.{:x}@white.test>\n",
            self.seed
        );
        text += &self.parent.fields(scene);
        text += "MIME-Version: 1.0\n";
        text += &self.entity(scene, &mut rng);
        if self.has_crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        }
    }

    fn entity(&self, scene: &Scene, rng: &mut Rng) -> String {
        let mut parameters = "";
        let above = self.banner.to_owned() + &words(&self.above);
        let mut plain = Some(above.clone());
        let mut html = Some(divided(&above));
        let mut is_html_alone = false;
        for block in &self.blocks {
            let (text, with) = block.quoted(self, scene, rng);
            is_html_alone |= text.is_none();
            plain = plain.zip(text).map(|(mut above, (text, kind))| {
                parameters = kind;
                if !above.is_empty() {
                    above += "\n";
                }
                above + &self.transformed(&text)
            });
            html = html.zip(with).map(|(above, with)| above + &with);
        }
        let between = words(&self.between);
        let plain = plain.map(|text| {
            let text = text.lines().map(|line| {
                if line.contains(BETWEEN) {
                    between.clone()
                } else {
                    format!("{line}\n")
                }
            });
            let mut text: String = text.collect();
            if !self.below.is_empty() {
                text += "\n";
                text += &words(&self.below);
            }
            text
        });
        let html = html.map(|text| {
            let own = divided(&between);
            let own = format!("</blockquote>{own}<blockquote>");
            let text = text.replace(BETWEEN, if between.is_empty() { "" } else { &own });
            let below = divided(&words(&self.below));
            // The below stands inside the body, whose end comes before.
            text.replace("</body></html>", "") + &below + "</body></html>"
        });
        // The tags are in the HTML alone.
        let plain = plain.map(|text| without_tags(&text));
        let html = html.map(|text| with_tags(&text));
        let (encoding, plain) = match (self.footer, plain) {
            ("", plain) => ("8bit", plain),
            (footer, plain) => ("base64", plain.map(|text| spoiled(&text, footer, rng))),
        };
        let plain = plain.map(|text| format!("Content-Type: text/plain; charset=utf-8{parameters}\nContent-Transfer-Encoding: {encoding}\n\n{text}"));
        let html = html.map(|text| {
            format!(
                "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"
            )
        });
        match (plain, html) {
            (Some(plain), Some(html)) if !self.blocks.is_empty() => format!(
                "Content-Type: multipart/alternative; boundary=zz\n\n--zz\n{plain}\n--zz\n{html}\n--zz--\n"
            ),
            (None, Some(html)) if is_html_alone => html,
            (Some(plain), _) => plain,
            (None, _) => "Content-Type: text/plain\n\n\n".to_owned(),
        }
    }

    /// What her program does to the lines that it has quoted.
    fn transformed(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if self.is_closed_up {
            // Without its tab a quoted line would have no sign of any kind.
            let close = |line: &str| {
                let mark = if line.starts_with('\t') { "\t" } else { "" };
                let words: Vec<&str> = line.split_whitespace().collect();
                format!("{mark}{}\n", words.join(" "))
            };
            text = text.lines().map(close).collect();
        }
        match self.wrap {
            Some(width) => wrapped(&text, width),
            None => text.trim_end().to_owned() + "\n",
        }
    }
}

/// The text in Base64, with plain text above, below or among its lines.
fn spoiled(text: &str, footer: &str, rng: &mut Rng) -> String {
    let data = BASE64_STANDARD.encode(text);
    let mut lines: Vec<&str> = data
        .as_bytes()
        .chunks(76)
        .filter_map(|line| str::from_utf8(line).ok())
        .collect();
    let at = rng.usize(..=lines.len());
    let at = *rng.choice(&[0, at, lines.len()]).unwrap_or(&0);
    lines.insert(at, footer);
    lines.join("\n") + "\n"
}

impl Block {
    fn quoted(
        &self,
        letter: &Letter,
        scene: &Scene,
        rng: &mut Rng,
    ) -> (Option<(String, &'static str)>, Option<String>) {
        let bens = self.name.as_deref().unwrap_or(BENS);
        let mut source = bens;
        let mut text = self.text();
        if let Some(at) = self.mail {
            source = "Ref <ref@example.org>";
            text.clone_from(&scene.mails[at].mail.text);
            if let Some(order) = &letter.filled
                && let Some(list) = scene.list()
            {
                text = text.replacen(&list, &format!("{list}{}", order.text), 1);
            }
        }
        if let Some(client) = self.nested
            && let (Some((nested, _)), _) = client.quotes(&text, source, rng)
        {
            text = nested;
            source = bens;
        }
        if !letter.between.is_empty() && self.client.sign == Sign::Marks {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            // Nobody writes between an attribution and what it is about.
            let at = rng.usize(..=lines.len()).max(1).min(lines.len());
            lines.insert(at, BETWEEN.to_string());
            text = lines.join("\n");
        }
        if self.client.takes_html {
            let mail = self.mail.map(|at| &scene.mails[at].mail);
            let is_whole = self.nested.is_none() && letter.filled.is_none();
            text = match mail.and_then(|mail| mail.html.clone()) {
                // Nobody writes in a picture of the board.
                Some(html) if is_whole && letter.between.is_empty() => html,
                _ => divided(&text),
            };
        }
        self.client.quotes(&text, source, rng)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            text += &piece.text;
            // A mark stands before its words.
            let is_mark = piece.kind == Kind::Token && piece.text.ends_with([' ', '\t']);
            if piece.kind != Kind::Html && !is_mark {
                text.push('\n');
            }
        }
        text
    }
}

impl Subject {
    fn text(&self, scene: &Scene, answered: Option<usize>) -> String {
        let at = answered.unwrap_or(scene.current());
        match self {
            Subject::Ours => format!("Re: {}", scene.mails[at].mail.subject),
            Subject::Plain => "Re: Friday".to_owned(),
            Subject::Bens(text) => text.clone(),
            Subject::Own(order) => order.text.clone(),
        }
    }
}

impl Parent {
    pub(super) fn is_bens(self) -> bool {
        matches!(
            self,
            Parent::BenAbove(_) | Parent::BenBeside(_) | Parent::BenLast(_) | Parent::Disclosed(_)
        )
    }

    fn fields(self, scene: &Scene) -> String {
        let ours = |at: usize| scene.mails[at].mail.id.clone();
        let ben = "<lunch.1@black.test>";
        let fields = |parent: &str, references: &str| {
            format!("In-Reply-To: {parent}\nReferences: {references}\n")
        };
        match self {
            Parent::Ours(at) | Parent::Forged(at) | Parent::Disclosed(at) => {
                fields(&ours(at), &format!("<first@white.test>\n {}", ours(at)))
            }
            Parent::InWords(at) => {
                format!(
                    "In-Reply-To: Your message of Fri, 20 Nov 2026 03:00:00 +0000 {}\n",
                    ours(at)
                )
            }
            Parent::Relayed(at) => fields(
                "<9@relay.test>",
                &format!("{}\n <9@relay.test>", ours(at.saturating_sub(1))),
            ),
            Parent::Own(at) => {
                let own = &scene.letters[at];
                fields(own, &format!("{}\n {own}", ours(0)))
            }
            Parent::BenAbove(at) => fields(ben, &format!("{}\n {ben}", ours(at))),
            Parent::BenBeside(at) => fields(ben, &ours(at)),
            Parent::BenLast(at) => format!("References: {}\n {ben}\n", ours(at)),
            Parent::Unknown => fields("<nobody@known.test>", "<nobody@known.test>"),
            Parent::None => String::new(),
        }
    }
}

impl Own {
    fn text(&self) -> &str {
        match self {
            Own::Chat(text) => text,
            Own::Order(order) => &order.text,
        }
    }
}

fn words(own: &[Own]) -> String {
    own.iter().map(|own| own.text().to_owned() + "\n").collect()
}

fn divided(text: &str) -> String {
    let line = |line: &str| match line {
        "" => "<div><br></div>\n".to_owned(),
        line => format!("<div>{}</div>\n", escaped(line).replace("  ", "&nbsp; ")),
    };
    text.lines().map(line).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn without_tags(text: &str) -> String {
    let mut parts = text.split(TAG[0]);
    let first = parts.next().unwrap_or_default().to_owned();
    let behind = |part: &str| {
        part.split_once(TAG[1])
            .map_or(String::new(), |(_, rest)| rest.to_owned())
    };
    first + &parts.map(behind).collect::<String>()
}

/// Puts the tags in, which were quoted like words.
fn with_tags(text: &str) -> String {
    let mut parts = text.split(TAG[0]);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (tag, rest) = part.split_once(TAG[1]).unwrap_or((part, ""));
        let tag = tag
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
        out += &tag;
        out += rest;
    }
    out
}

/// Breaks long lines without a mark before their rest, as old programs do.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut length = 0;
        for (n, word) in line.split(' ').enumerate() {
            let word_length = word.chars().count();
            if n > 0 && length > 0 && length + 1 + word_length > width {
                out.push('\n');
                length = 0;
            } else if n > 0 {
                out.push(' ');
                length += 1;
            }
            out += word;
            length += word_length;
        }
        out.push('\n');
    }
    out
}
