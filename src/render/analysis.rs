//! The analysis of a game that has been played: in words, and as a page with a graph.

use std::fmt::Write as _;

use serde::Serialize;

use crate::engine::{Analysis, Judgement, Score, Turning};
use crate::notation::diagram::Diagram;
use crate::notation::move_list::{capitalized, line, numbered_step};
use crate::notation::results;
use crate::printable::{counted, filled, html};
use crate::render::page::{MARK, names, source};
use crate::render::picture::{self, Picture};
use crate::render::text;
use crate::render::view::View;
use crate::rules::{Color, Outcome, Ply, Record};

/// The most half-moves of a line that are shown.
const LINE: usize = 6;

/// Below this value, in hundredths of a pawn, it depends on the depth who is better.
const CLEAR: i32 = 50;
/// Above this value the player does not stand worse.
const NEITHER: i32 = -CLEAR;

const STYLE: &str = concat!(
    "\n",
    include_str!("look.css"),
    include_str!("analysis/analysis.css")
);

/// The page, with the names of its parts in double braces.
const PAGE: &str = include_str!("analysis/analysis.html");

/// An analysis with all that is told of it.
pub struct AnalysisView<'r> {
    record: &'r Record,
    told: Told,
    report: AnalysisReport,
}

/// The names, the ending and the results that are told of a match besides its moves.
#[derive(Clone, Default, Debug)]
pub struct Told {
    /// The names of the players, the first player's first; empty where one has none.
    pub players: [String; 2],
    /// A sentence that says how it ended, if it did so otherwise than by the rules.
    pub ending: Option<String>,
    /// The results that its text states, each a winner or none for a draw.
    pub stated: Vec<Option<Color>>,
}

/// An analysis for programs.
#[derive(Serialize, Debug)]
pub struct AnalysisReport {
    game: &'static str,
    options: Vec<&'static str>,
    /// The positions looked at for each half-move.
    nodes: u64,
    /// What a half-move has to lose to be a turning point, in pawns.
    bound: f64,
    /// How often a lead of a pawn that was held for two half-moves changed hands.
    lead_changes: usize,
    /// The result that the moves lead to by the rules: `1-0`, `0-1` or `1/2-1/2`; null where the game
    /// goes on behind them.
    result: Option<&'static str>,
    /// The results that the text states.
    stated: Vec<&'static str>,
    /// True if a stated result is not the one that the moves lead to.
    differs: bool,
    moves: Vec<JudgedMove>,
}

/// A half-move with its judgement.
#[derive(Serialize, Debug)]
struct JudgedMove {
    /// Its number, from 1.
    ply: usize,
    /// With its number: `7... n>g5`.
    #[serde(rename = "move")]
    text: String,
    /// What the position behind it is worth, in pawns for the first player; ten for a won one.
    value: f64,
    /// `missed-mate`, `allowed-mate` or `lost`, if the game turned by it.
    turning: Option<&'static str>,
    /// What is said of that, in a sentence.
    #[serde(skip)]
    sentence: String,
    /// What would have been better, with its numbers.
    better: Option<String>,
}

impl<'r> AnalysisView<'r> {
    /// Tells of an analysis of a record. `nodes` and `bound` are those that the analysis was made with.
    #[must_use]
    pub fn new(
        record: &'r Record,
        analysis: &Analysis,
        told: Told,
        nodes: u64,
        bound: i32,
    ) -> AnalysisView<'r> {
        let variant = record.position().variant();
        let judged = analysis.judgements.iter().enumerate();
        let moves = judged.map(|(at, judgement)| JudgedMove::of(record, at, judgement));
        AnalysisView {
            record,
            report: AnalysisReport {
                game: variant.game().id,
                options: variant.options().to_vec(),
                nodes,
                bound: pawns(bound),
                lead_changes: analysis.lead_changes(),
                result: record.outcome().map(Outcome::score),
                stated: told.stated.iter().copied().map(results::score).collect(),
                differs: record.outcome().is_some_and(|outcome| {
                    let mut stated = told.stated.iter();
                    stated.any(|winner| *winner != outcome.winner)
                }),
                moves: moves.collect(),
            },
            told,
        }
    }

    /// Returns it for programs.
    #[must_use]
    pub fn report(&self) -> &AnalysisReport {
        &self.report
    }

    fn turning_points(&self) -> impl Iterator<Item = &JudgedMove> {
        let moves = self.report.moves.iter();
        moves.filter(|judged| judged.turning.is_some())
    }

    fn title(&self) -> String {
        let variant = self.record.position().variant();
        let game = variant.game().name;
        if self.told.players.iter().all(String::is_empty) {
            return game.to_owned();
        }
        format!("{game}: {}", names(variant, &self.told.players).join(" - "))
    }

    fn ending(&self) -> String {
        let view = View::of(self.record);
        let by_rules = text::ending(&view, self.record);
        let ending = by_rules.or_else(|| self.told.ending.clone());
        let ending = ending.unwrap_or_else(|| "The list ends here.".to_owned());
        let AnalysisReport {
            result,
            stated,
            differs,
            ..
        } = &self.report;
        match stated.as_slice() {
            [] => ending,
            [_, _, ..] => format!(
                "{ending} The text states several results: {}.",
                stated.join(", ")
            ),
            [stated] if *differs => format!(
                "{ending} The text states another result, {stated}, which these moves do not lead to."
            ),
            [stated] if result.is_some() => {
                format!("{ending} The text states that result, too: {stated}.")
            }
            [stated] => format!("{ending} The text states the result {stated}."),
        }
    }

    /// Says what the figures are, in sentences.
    fn about(&self) -> String {
        format!(
            "Values are in pawns, + for {}, 10 for a won game, as a program sees them that looks at {} positions for each move.",
            self.first_player(),
            grouped(self.report.nodes)
        )
    }

    fn first_player(&self) -> &'static str {
        self.record.position().variant().player(Color::White)
    }

    /// Sums up in a sentence.
    fn summary(&self) -> String {
        let turns = match self.turning_points().count() {
            0 => "No turning points".to_owned(),
            count => counted(count, "turning point"),
        };
        let lead = match self.report.lead_changes {
            0 => "did not change hands".to_owned(),
            1 => "changed hands once".to_owned(),
            2 => "changed hands twice".to_owned(),
            more => format!("changed hands {more} times"),
        };
        format!("{turns}; the lead, of a pawn for two half-moves at least, {lead}.")
    }

    /// Returns what is to be said of each turning point, as a clause, with the number of its half-move
    /// from 0.
    pub fn remarks(&self) -> impl Iterator<Item = (usize, String)> {
        self.turning_points().map(|judged| {
            let said = judged.sentence.trim_end_matches('.');
            let better = judged.better.as_ref();
            let better = better.map_or(String::new(), |better| format!("; better: {better}"));
            (judged.ply - 1, format!("{said}{better}"))
        })
    }

    /// Tells it in lines: paragraphs to be wrapped, but for those that are indented.
    #[must_use]
    pub fn text(&self) -> String {
        let made = counted(self.report.moves.len(), "half-move");
        let mut text = format!(
            "{}, {made}. {}\n{}\n",
            self.title(),
            self.ending(),
            self.about()
        );
        for judged in self.turning_points() {
            let _ = write!(text, "\n{}: {}\n", judged.text, judged.sentence);
            if let Some(better) = &judged.better {
                let _ = writeln!(text, "    better: {better}");
            }
        }
        let _ = write!(text, "\n{}\n", self.summary());
        text
    }

    /// Writes it as a page of HTML: one file that asks the network for nothing.
    #[must_use]
    pub fn page(&self) -> String {
        let policy = format!(
            "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'",
            source(STYLE)
        );
        filled(
            PAGE,
            &[
                ("policy", &policy),
                ("mark", MARK),
                ("style", STYLE),
                ("title", &html(&self.title())),
                ("ending", &html(&self.ending())),
                ("summary", &html(&self.summary())),
                ("graph", &self.graph()),
                ("about", &html(&self.about())),
                ("turns", &self.turns()),
                ("moves", &self.moves()),
            ],
        )
    }

    /// Draws the values behind each half-move, ten pawns at most.
    fn graph(&self) -> String {
        let moves = &self.report.moves;
        // A half-move is so wide that a pointer finds it, in short games and in long ones.
        let step = 600.0 / real(moves.len().max(1));
        let (mut path, mut marks) = (String::from("M0 100"), String::new());
        for (at, judged) in moves.iter().enumerate() {
            let (x, y) = (real(at + 1) * step, 100.0 - judged.value * 9.0);
            let _ = write!(path, "L{x:.1} {y:.1}");
            let title = format!("{} ({})", judged.text, signed(judged.value));
            let class = if judged.turning.is_some() {
                "turn"
            } else {
                "move"
            };
            let radius = if judged.turning.is_some() {
                5.0
            } else {
                (step / 2.0).min(4.0)
            };
            let circle = format!(
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"><title>{}</title></circle>",
                html(&title)
            );
            if judged.turning.is_some() {
                let _ = write!(marks, "<a href=\"#ply{}\">{circle}</a>", judged.ply);
            } else {
                marks.push_str(&circle);
            }
        }
        let end = real(moves.len()) * step;
        let words = format!("The values behind each half-move. {}", self.summary());
        let [first, second] = Color::ALL.map(|color| {
            let variant = self.record.position().variant();
            html(variant.player(color))
        });
        format!(
            "<svg viewBox=\"-4 0 612 200\" role=\"img\" aria-label=\"{}\">\n<path class=\"zero\" d=\"M0 100H608\"/>\n<text x=\"2\" y=\"14\">{first}</text>\n<text x=\"2\" y=\"195\">{second}</text>\n<path class=\"area\" d=\"{path}L{end:.1} 100Z\"/>\n<path class=\"line\" d=\"{path}\"/>\n{marks}\n</svg>\n",
            html(&words)
        )
    }

    /// Writes the turning points, each with the position in which it was made.
    fn turns(&self) -> String {
        let mut turns = String::new();
        for judged in self.turning_points() {
            let before = self.record.until(judged.ply - 1);
            let words = text::in_words(before.position(), Color::White);
            let picture = Picture {
                size: 240,
                ..Picture::default()
            };
            let drawn = picture::drawing(&View::drawn(Diagram::of(before.position())), &picture);
            let label = format!("role=\"img\" aria-label=\"{}\"", html(&words));
            let drawn = drawn.replacen("role=\"img\"", &label, 1);
            let _ = write!(
                turns,
                "<section id=\"ply{}\">\n<h3>{}</h3>\n{drawn}<p>{}</p>\n",
                judged.ply,
                html(&judged.text),
                html(&capitalized(&judged.sentence))
            );
            if let Some(better) = &judged.better {
                let _ = writeln!(turns, "<p>Better: {}</p>", unbroken(better));
            }
            turns.push_str("</section>\n");
        }
        turns
    }

    fn moves(&self) -> String {
        let mut rows = String::new();
        for judged in &self.report.moves {
            let text = html(&judged.text);
            let text = match judged.turning {
                Some(_) => format!("<a href=\"#ply{}\">{text}</a>", judged.ply),
                None => text,
            };
            let value = signed(judged.value);
            let _ = writeln!(rows, "<tr><td>{text}</td><td>{value}</td></tr>");
        }
        rows
    }
}

impl JudgedMove {
    fn of(record: &Record, at: usize, judgement: &Judgement) -> JudgedMove {
        let (turning, variant) = (judgement.turning, record.position().variant());
        JudgedMove {
            ply: at + 1,
            text: numbered_step(record, at),
            value: pawns(judgement.value()),
            turning: turning.map(|turning| match turning {
                Turning::MissedMate => "missed-mate",
                Turning::AllowedMate => "allowed-mate",
                _ => "lost",
            }),
            sentence: sentence(judgement, variant.player(!judgement.side)),
            better: turning.and_then(|_| better(&record.until(at), &judgement.line)),
        }
    }
}

/// Says what a half-move has done, in a sentence. `other` is who did not make it.
fn sentence(judgement: &Judgement, other: &str) -> String {
    let (best, played) = (judgement.best, judgement.played);
    let of_first = |score: Score| {
        let value = score.bounded();
        let is_first = judgement.side == Color::White;
        signed(pawns(if is_first { value } else { -value }))
    };
    match (judgement.turning, best, played) {
        (None, ..) => String::new(),
        (Some(Turning::MissedMate), Score::Mate(plies), _) => {
            format!("misses a mate in {}.", (plies + 1) / 2)
        }
        (Some(Turning::AllowedMate), _, Score::Mate(plies)) => {
            format!("lets {other} mate in {}.", -plies / 2)
        }
        _ => {
            let what = match (best.value(), played.value()) {
                (_, CLEAR..) => "gives away much of the lead",
                (CLEAR.., NEITHER..) => "gives away the lead",
                (NEITHER.., _) => "falls behind",
                _ => "makes it worse",
            };
            let [before, after] = [best, played].map(of_first);
            format!("{what}: {after} instead of {before}.")
        }
    }
}

/// Writes a line that would have been better, with its numbers.
fn better(before: &Record, plies: &[Ply]) -> Option<String> {
    let from = before.steps().len();
    let mut record = before.clone();
    for ply in plies.iter().take(LINE) {
        // A line ends where the game does.
        if record.play(ply).is_err() {
            break;
        }
    }
    (record.steps().len() > from).then(|| line(&record, from))
}

/// Hundredths of a pawn in pawns.
fn pawns(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Writes a line of moves that breaks between moves alone, as HTML. A placement of many pieces breaks
/// anywhere.
fn unbroken(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let word = html(word);
        if word.len() > LONGEST {
            word
        } else {
            format!("<span>{word}</span>")
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The longest move that is kept on one line of a page.
const LONGEST: usize = 20;

/// A count as a number to measure with.
fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Writes a value in pawns with its sign.
fn signed(value: f64) -> String {
    if value.abs() < 0.05 {
        "0.0".to_owned()
    } else {
        format!("{value:+.1}")
    }
}

/// Writes a number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
