//! Sentences that a mail program wraps. If wrapping puts an order on a line of its own, the order
//! is a piece of a sentence, and the program does not carry it out. It always carries out an order
//! that stands alone.

use std::env;

use fastrand::Rng;

use super::desk::{Desk, Policy, REFEREE};
use super::orders::Order;
use super::scene::{ANNA, Scene};

/// The number of letters. `PARAPOST_LETTERS` sets another one.
const LETTERS: usize = 1_000;

/// Words of a sentence. None is a move, a command or a sign of a quotation.
const WORDS: &[&str] = &[
    "I",
    "would",
    "never",
    "both",
    "rooks",
    "and",
    "the",
    "move",
    "should",
    "ever",
    "we",
    "have",
    "been",
    "thinking",
    "about",
    "it",
    "for",
    "days,",
    "but",
    "in",
    "my",
    "opinion",
    "nobody",
    "is",
    "able",
    "to",
    "say",
    "whether",
    "Black",
    "can",
    "hold",
    "this;",
    "extraordinarily",
    "unfortunately,",
    "(perhaps)",
    "a",
    "so-called",
    "fortress",
    "https://example.org/a/long/path/to/some/page/of/the/club",
    "Schön,",
    "что",
    "это",
    "nächste",
    "rain",
];

/// What may follow an order in a sentence.
const BEHIND: &[&str] = &["", "", "", ".", "!", ",", ";", " -"];

const GREETINGS: &[&str] = &[
    "Hello",
    "Hi Ben,",
    "Dear Ben,",
    "Thanks for the fine game so far!",
];

const CLOSINGS: &[&str] = &["Cheers", "Anna", "Best regards,", "See you!"];

/// How a letter is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Text,
    Html,
    /// Both, with only the text wrapped.
    Both,
}

/// A letter of Anna's with one order.
struct Sentence {
    form: Form,
    /// The lines before a program wraps them.
    lines: Vec<String>,
    width: usize,
    /// What a program puts behind each line that it has wrapped: in HTML each is a paragraph then.
    end: &'static str,
    has_quotation: bool,
}

impl Sentence {
    /// A letter with an order inside a sentence.
    fn around(order: &str, rng: &mut Rng) -> Sentence {
        let mut words = |least: usize, most: usize| -> Vec<&str> {
            let count = rng.usize(least..=most);
            (0..count)
                .map(|_| *rng.choice(WORDS).expect("a word"))
                .collect()
        };
        // At least one word makes it a sentence.
        let (before, behind) = (words(1, 40), words(0, 12));
        let sign = rng.choice(BEHIND).expect("a sign");
        let mut line = format!("{} {order}{sign} {}", before.join(" "), behind.join(" "));
        line.truncate(line.trim_end().len());
        let mut lines = vec![line];
        if rng.bool() {
            lines.insert(0, String::new());
            lines.insert(0, (*rng.choice(GREETINGS).expect("a greeting")).to_owned());
        }
        if rng.bool() {
            lines.push(String::new());
            lines.push((*rng.choice(CLOSINGS).expect("a closing")).to_owned());
        }
        Sentence::of(lines, rng)
    }

    /// A letter with an order alone, below a greeting and above a closing.
    fn alone(order: &str, rng: &mut Rng) -> Sentence {
        let mut lines = Vec::new();
        let mut blank = |lines: &mut Vec<String>| {
            if rng.bool() {
                lines.push(String::new());
            }
        };
        lines.push("Hello".to_owned());
        blank(&mut lines);
        lines.push(order.to_owned());
        blank(&mut lines);
        if rng.bool() {
            let greeting = *rng.choice(GREETINGS).expect("a greeting");
            greeting.clone_into(&mut lines[0]);
        } else {
            lines.remove(0);
        }
        if rng.bool() {
            lines.push((*rng.choice(CLOSINGS).expect("a closing")).to_owned());
        }
        Sentence::of(lines, rng)
    }

    fn of(lines: Vec<String>, rng: &mut Rng) -> Sentence {
        let width = match rng.u8(..4) {
            0 => rng.usize(60..=998),
            1 => 72,
            _ => rng.usize(60..100),
        };
        let form = [Form::Text, Form::Html, Form::Both][rng.usize(..3)];
        Sentence {
            form,
            lines,
            // A program that sends HTML, too, may wrap at any width.
            width: if form == Form::Both {
                rng.usize(20..100)
            } else {
                width
            },
            end: ["\n", "\n", "\n\n", "\n \n", "\r\r\n"][rng.usize(..5)],
            has_quotation: rng.bool(),
        }
    }

    fn text(&self, order: &str, scene: &Scene) -> String {
        let mail = &scene.mails[scene.current()].mail;
        // Below one line a paragraph is a paragraph.
        let is_below_two = |line: &String| {
            let wrapped = wrapped(line, self.width);
            wrapped
                .iter()
                .skip(2)
                .any(|line| order.starts_with(line.split(' ').next().unwrap_or("")))
                && !wrapped.iter().take(2).any(|line| line.contains(order))
        };
        let is_doubled = self.end == "\r\r\n" && self.form != Form::Html;
        let is_spaced = is_doubled || self.lines.iter().any(is_below_two);
        let end = if is_spaced { self.end } else { "\n" };
        let wrapped: String = (self.lines.iter())
            .map(|line| wrapped(line, self.width).join(end) + end)
            .collect();
        let quoted: Vec<String> = mail.text.lines().map(|line| format!("> {line}")).collect();
        let text = if self.has_quotation {
            format!("{wrapped}\nRef <{REFEREE}> wrote:\n{}\n", quoted.join("\n"))
        } else {
            wrapped
        };
        // HTML alone has a block for each sentence, or the line breaks that a program has put into
        // a text.
        let broken = self.width.is_multiple_of(2) && self.form == Form::Html;
        let html = if broken && end != "\n" {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| format!("<p style=\"margin:0\">{}</p>\n", escaped(line)));
            lines.collect()
        } else if broken {
            text.lines()
                .map(|line| escaped(line) + "<br>\n")
                .collect::<String>()
        } else {
            let lines = self.lines.iter().map(|line| match line.as_str() {
                "" => "<div><br></div>\n".to_owned(),
                line => format!("<div>{}</div>\n", escaped(line)),
            });
            lines.collect()
        };
        let head = format!(
            "From: Anna <{ANNA}>\nTo: {REFEREE}\nSubject: Re: {}\nMessage-ID: <sentence@white.test>\nIn-Reply-To: {}\nMIME-Version: 1.0\n",
            mail.subject, mail.id
        );
        let plain = "Content-Type: text/plain; charset=utf-8";
        let marked = "Content-Type: text/html; charset=utf-8";
        match self.form {
            Form::Text => format!("{head}{plain}\n\n{text}"),
            Form::Html => format!("{head}{marked}\n\n{html}"),
            Form::Both => format!(
                "{head}Content-Type: multipart/alternative; boundary=b\n\n--b\n{plain}\n\n{text}\n--b\n{marked}\n\n{html}\n--b--\n"
            ),
        }
    }
}

/// Breaks a line at blanks into lines of at most so many characters, as mail programs do.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn escaped(line: &str) -> String {
    line.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Returns the last line of an order that has just one line.
fn one_line(scene: &Scene, rng: &mut Rng) -> Order {
    loop {
        let order = Order::any(scene, &scene.moves[0], rng);
        let is_note = order.text.starts_with("note ");
        if !order.text.contains('\n') && !is_note && !order.text.contains(':') {
            return order;
        }
    }
}

fn letters() -> usize {
    env::var("PARAPOST_LETTERS").map_or(LETTERS, |text| text.parse().expect("a number"))
}

fn seed() -> u64 {
    env::var("PARAPOST_TEST_SEED").map_or(49, |text| text.parse().expect("a number"))
}

#[test]
#[ignore = "takes long"]
fn no_order_is_carried_out_from_within_a_sentence() {
    let mut rng = Rng::with_seed(seed());
    let desk = Desk::new();
    let scenes = Scene::all(&desk, 1, &mut rng);
    let (mut faults, mut samples, mut silent) = (0, Vec::new(), 0);
    for _ in 0..letters() {
        let scene = rng.choice(&scenes).expect("there are matches");
        let order = one_line(scene, &mut rng);
        let sentence = Sentence::around(&order.text, &mut rng);
        let text = sentence.text(&order.text, scene);
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &text);
        silent += usize::from(outcome.log.is_empty() && outcome.word != "duplicate");
        if !outcome.done.is_empty() {
            faults += 1;
            samples.push(format!("{}: {:?}\n{text}", scene.name, outcome.done));
        }
    }
    samples
        .iter()
        .take(5)
        .for_each(|sample| println!("===== {sample}"));
    println!(
        "{} sentences, {faults} of them carried out, {silent} left no trace",
        letters()
    );
    assert_eq!((faults, silent), (0, 0));
}

#[test]
#[ignore = "takes long"]
fn an_order_that_stands_alone_is_carried_out() {
    let mut rng = Rng::with_seed(seed());
    let desk = Desk::new();
    let scenes = Scene::all(&desk, 1, &mut rng);
    let (mut count, mut asked, mut samples) = (0, 0, Vec::new());
    for _ in 0..letters() / 4 {
        let scene = rng.choice(&scenes).expect("there are matches");
        let order = one_line(scene, &mut rng);
        if !order.is_sure {
            continue;
        }
        let letter = Sentence::alone(&order.text, &mut rng);
        let text = letter.text(&order.text, scene);
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &text);
        count += 1;
        if outcome.done.first() != order.done.first() {
            asked += 1;
            samples.push(format!(
                "{}: {}\n{}\n{text}",
                scene.name, outcome.word, outcome.log
            ));
        }
    }
    samples
        .iter()
        .take(5)
        .for_each(|sample| println!("===== {sample}"));
    println!("{count} orders that stand alone, {asked} of them not carried out");
    assert!(count > letters() / 20, "only {count}");
    assert_eq!(asked, 0);
}
