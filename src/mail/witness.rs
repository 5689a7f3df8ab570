//! What other papers tell of a match: another state file, mails, a pasted list,
//! each held against the record here.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use super::finding::{self, IdLine};
use super::mbox::Messages;
use super::said::{half_moves, numbered};
use super::{Letter, MessageId, inbox};
use crate::Error;
use crate::limits::STATE_FILE;
use crate::rules::{Position, Record, Variant};
use crate::store::{Id, Match, Proof, hash};
use crate::text::header::Key;
use crate::text::parting::{self, Told};
use crate::text::{Manner, Origin, Text, What, header, lines, reader};

/// Something that tells of a match.
pub struct Witness {
    /// What it is called in messages: a file's name or a Message-ID.
    pub name: String,
    paper: Paper,
}

enum Paper {
    State(Box<Match>),
    Mail(Box<Letter>),
    Text(String),
}

impl Witness {
    /// A match of the games folder.
    #[must_use]
    pub fn of(game: Match) -> Witness {
        Witness {
            name: game.id().to_string(),
            paper: Paper::State(Box::new(game)),
        }
    }

    /// The witnesses in a file, or in a folder of mails; where there are
    /// several, those that name the match.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is a damaged state file.
    pub fn open(path: &Path, id: &Id) -> Result<Vec<Witness>, Error> {
        let mut found = Found::new(id);
        for file in inbox::files(path)? {
            let name = file.display().to_string();
            let stream = File::open(&file).map_err(|error| Error::file(&file, &error))?;
            found.read(&name, BufReader::new(stream))?;
        }
        Ok(found.finish())
    }

    /// The witnesses in a stream: a state file, a mail, an mbox, or any
    /// other text; where there are several, those that name the match.
    ///
    /// # Errors
    ///
    /// If it is a damaged state file, with the line, or one beyond the limit.
    pub fn read(name: &str, stream: impl BufRead, id: &Id) -> Result<Vec<Witness>, Error> {
        let mut found = Found::new(id);
        found.read(name, stream)?;
        Ok(found.finish())
    }

    /// The match whose state file it is, if it is one.
    #[must_use]
    pub fn state(&self) -> Option<&Match> {
        match &self.paper {
            Paper::State(game) => Some(game),
            Paper::Mail(_) | Paper::Text(_) => None,
        }
    }

    /// Whether it is a mail, whose list only counts by its hash.
    #[must_use]
    pub fn is_mail(&self) -> bool {
        matches!(self.paper, Paper::Mail(_))
    }

    /// Whether it is the mail of that Message-ID.
    #[must_use]
    pub fn is(&self, id: &MessageId) -> bool {
        matches!(&self.paper, Paper::Mail(letter) if letter.id == *id)
    }

    /// Whether it names that match.
    #[must_use]
    pub fn names(&self, id: &Id) -> bool {
        match &self.paper {
            Paper::State(game) => game.id() == id,
            Paper::Mail(letter) => finding::names(letter, &letter.lines(), id),
            Paper::Text(text) => {
                let named = finding::id_lines(&lines::split(text));
                named.iter().any(|line| line.id == *id)
            }
        }
    }

    /// The record of that match that it proves: a state file, a mail by the hash
    /// of its moves, a list by being given as one.
    #[must_use]
    pub fn proof(&self, id: &Id, variant: &Variant) -> Option<Proof> {
        let start = Record::new(variant.start());
        let record = match &self.paper {
            Paper::State(game) => {
                let is_same = game.id() == id && is_same(game.variant(), variant);
                is_same.then(|| game.record().clone())
            }
            Paper::Mail(letter) => {
                let text = record_of(letter, variant);
                let told = parting::follow(&start, &text, parting::is_numbered);
                let is_hashed = |line: &IdLine| {
                    let record = told.record.until(line.plies);
                    line.id == *id
                        && record.steps().len() == line.plies
                        && line.hash.as_ref() == Some(&hash(id, variant, &record))
                };
                let id_lines = finding::id_lines(&text.lines);
                let proven = id_lines.iter().filter(|line| is_hashed(line));
                let plies = proven.map(|line| line.plies).max();
                plies.map(|plies| told.record.until(plies))
            }
            Paper::Text(text) => {
                let text = reader::read(text, variant);
                let told = parting::follow(&start, &text, |manner| manner != Manner::Prose);
                let is_named = named(&text, variant).is_ok_and(|named| is_same(&named, variant));
                (told.parting.is_none() && told.reach.is_some() && is_named).then_some(told.record)
            }
        };
        Some(Proof {
            name: self.name.clone(),
            record: record?,
        })
    }

    /// The commands to set a match up that stand in it, with their lines joined.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        let Paper::Mail(letter) = &self.paper else {
            return Vec::new();
        };
        let lines = letter.lines();
        let commands = reader::commands(&lines).into_iter();
        commands
            .map(|command| {
                let lines = lines[command].iter().map(|line| line.text.trim_end());
                lines.collect::<Vec<_>>().join("\n").trim_start().to_owned()
            })
            .collect()
    }

    /// Holds it against the record of a match, and where it differs from that,
    /// against what the record was before a move was taken back.
    #[must_use]
    pub fn compare(&self, game: &Match) -> Verdict {
        let verdict = self.hold_against(game);
        if verdict.differs.is_empty() {
            return verdict;
        }
        let mut earlier = game.before_takebacks().map(|then| self.hold_against(&then));
        let Some(mut earlier) = earlier.find(|earlier| earlier.differs.is_empty()) else {
            return verdict;
        };
        earlier.agree("all that before a move was taken back here");
        earlier
    }

    fn hold_against(&self, game: &Match) -> Verdict {
        match &self.paper {
            Paper::State(other) => of_match(game, other),
            Paper::Mail(letter) => {
                let text = record_of(letter, game.variant());
                of_text(game, &text, parting::is_numbered)
            }
            Paper::Text(text) => {
                let text = reader::read(text, game.variant());
                let mut verdict = of_text(game, &text, |manner| manner != Manner::Prose);
                verdict.terms(game.variant(), &named(&text, game.variant()));
                verdict
            }
        }
    }
}

/// What a mail tells of the record. In one of ours that is what stands below
/// its board: above it are the lines of a letter that it answers, and moves
/// that may have been meant.
fn record_of<'l>(letter: &'l Letter, variant: &Variant) -> Text<'l> {
    let mut text = reader::read_lines(letter.lines(), variant);
    let is_own = |line: usize| text.lines[line].origin == Origin::Own;
    let id_lines = finding::id_lines(&text.lines);
    let is_ours = id_lines.iter().any(|line| line.origin == Origin::Own);
    let board = text.parts.iter().position(|part| {
        let is_board = matches!(part.what, What::Diagram(_) | What::BadDiagram(_));
        is_board && is_own(part.lines.start)
    });
    if let Some(board) = board.filter(|_| is_ours) {
        text.parts.drain(..board);
    }
    text
}

/// The witnesses found so far. Of a mailbox few name the match, and only those
/// are kept.
struct Found<'a> {
    id: &'a Id,
    kept: Vec<Witness>,
    count: usize,
}

impl Found<'_> {
    fn new(id: &Id) -> Found<'_> {
        Found {
            id,
            kept: Vec::new(),
            count: 0,
        }
    }

    fn read(&mut self, name: &str, mut stream: impl BufRead) -> Result<(), Error> {
        let failed = |error| Error::io(name, &error);
        let start = stream.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        let is_mbox = start.starts_with(b"From ");
        if start.starts_with(b"Format:") {
            let mut bytes = Vec::new();
            let mut stream = stream.take(STATE_FILE + 1);
            stream.read_to_end(&mut bytes).map_err(failed)?;
            if stream.limit() == 0 {
                return Err(Error::refused(format!(
                    "{name}: this state file is longer than {} MiB",
                    STATE_FILE >> 20
                )));
            }
            let game: Match = lines::decode(&bytes)
                .parse()
                .map_err(|error| Error::refused(format!("{name}:{error}")))?;
            self.add(name.to_owned(), Paper::State(Box::new(game)));
            return Ok(());
        }
        for bytes in Messages::new(stream) {
            let bytes = bytes.map_err(|error| Error::io(name, &error))?;
            // A text may begin with lines that look like a header's.
            let letter = Letter::parse(&bytes).ok();
            let letter =
                letter.filter(|letter| letter.sender.is_some() || !letter.subject.is_empty());
            match letter {
                Some(letter) if is_mbox => {
                    self.add(letter.id.to_string(), Paper::Mail(Box::new(letter)));
                }
                Some(letter) => self.add(name.to_owned(), Paper::Mail(Box::new(letter))),
                None if is_mbox => self.count += 1,
                None => {
                    let text = lines::decode(&bytes).into_owned();
                    self.add(name.to_owned(), Paper::Text(text));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: String, paper: Paper) {
        let witness = Witness { name, paper };
        self.count += 1;
        if self.count == 1 || witness.names(self.id) {
            self.kept.push(witness);
        }
    }

    fn finish(mut self) -> Vec<Witness> {
        if self.count > 1 {
            self.kept.retain(|witness| witness.names(self.id));
        }
        self.kept
    }
}

/// How a witness and a record of a match compare.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// In what they differ, the first difference first.
    pub differs: Vec<String>,
    /// In what they agree.
    pub agrees: Vec<String>,
}

impl Verdict {
    fn differ(&mut self, what: impl Into<String>) {
        self.differs.push(what.into());
    }

    fn agree(&mut self, what: impl Into<String>) {
        self.agrees.push(what.into());
    }

    /// Notes how the game and the options differ: that comes before anything
    /// they bring about.
    fn terms(&mut self, here: &Variant, there: &Result<Variant, String>) {
        let there = match there {
            Ok(there) => there,
            Err(error) => return self.differs.insert(0, error.clone()),
        };
        let (rules, options) = (
            [here, there].map(|variant| variant.game().id),
            [here, there].map(|variant| match variant.options() {
                [] => "none".to_owned(),
                options => options.join(", "),
            }),
        );
        if rules[0] != rules[1] {
            let text = format!("the rules differ: here {}, there {}", rules[0], rules[1]);
            self.differs.insert(0, text);
        } else if options[0] != options[1] {
            let text = format!(
                "the options differ: here {}, there {}",
                options[0], options[1]
            );
            self.differs.insert(0, text);
        }
    }

    /// Notes how many half-moves both have, where none differs.
    fn lengths(&mut self, here: usize, there: usize) {
        let (h, t) = (half_moves(here), half_moves(there));
        self.agree(match here.cmp(&there) {
            std::cmp::Ordering::Equal => format!("all {h}"),
            std::cmp::Ordering::Greater => format!("its {t}, the beginning of the {h} here"),
            std::cmp::Ordering::Less => format!("the {h} here, the beginning of its {t}"),
        });
    }
}

fn is_same(one: &Variant, other: &Variant) -> bool {
    one.game().id == other.game().id && one.options() == other.options()
}

/// The game that a text names, else the one it is held against.
fn named(text: &Text<'_>, here: &Variant) -> Result<Variant, String> {
    let value = |key: Key| {
        text.parts.iter().find_map(|part| match &part.what {
            What::Header(header) if header.key == key => Some(header.value.as_str()),
            _ => None,
        })
    };
    match (value(Key::Rules).or(value(Key::Game)), value(Key::Options)) {
        (None, None) => Ok(here.clone()),
        (None, Some(options)) => header::variant(here.game(), options),
        (Some(game), options) => header::variant(header::game(game)?, options.unwrap_or_default()),
    }
}

fn of_match(here: &Match, there: &Match) -> Verdict {
    let mut verdict = Verdict::default();
    let steps = [here, there].map(|game| game.record().steps());
    let parting = steps[0]
        .iter()
        .zip(steps[1])
        .position(|(here, there)| here.text != there.text);
    if let Some(ply) = parting {
        let [here, there] = steps.map(|steps| numbered(ply, &steps[ply].text));
        verdict.differ(format!(
            "half-move {} differs: here {here}, there {there}",
            ply + 1
        ));
    } else {
        verdict.lengths(steps[0].len(), steps[1].len());
        if here.hash() == there.hash() {
            verdict.agree("the hash");
        }
    }
    // A match that has ended there may not have ended here yet.
    match [here, there].map(Match::ending) {
        [Some(one), Some(other)] if one != other => {
            verdict.differ(format!("the result differs: here {one}, there {other}"));
        }
        [None, Some(other)] if parting.is_none() => {
            verdict.agree(format!("there the result is {other}"));
        }
        [Some(one), None] if parting.is_none() => {
            verdict.agree(format!("the result {one} is not there yet"));
        }
        _ => {}
    }
    verdict.terms(here.variant(), &Ok(there.variant().clone()));
    if here.id() != there.id() {
        let text = format!("the ids differ: here {}, there {}", here.id(), there.id());
        verdict.differs.insert(0, text);
    }
    verdict
}

fn of_text(game: &Match, text: &Text<'_>, is_list: impl Fn(Manner) -> bool) -> Verdict {
    let mut verdict = Verdict::default();
    let id_lines = finding::id_lines(&text.lines);
    if let Some(other) = id_lines.first()
        && id_lines.iter().all(|line| line.id != *game.id())
    {
        verdict.differ(format!(
            "the ids differ: here {}, there {}",
            game.id(),
            other.id
        ));
    }
    let told = parting::follow(game.record(), text, is_list);
    list(&mut verdict, game, &told);
    if told.parting.is_none() {
        diagrams(&mut verdict, text, &told);
    }
    hashes(&mut verdict, game, &id_lines, &told);
    if verdict == Verdict::default() {
        verdict.differ("there is no list of moves, no diagram and no hash of this match in it");
    }
    verdict
}

fn list(verdict: &mut Verdict, game: &Match, told: &Told) {
    let steps = game.record().steps();
    let Some(parting) = &told.parting else {
        if let Some(reach) = told.reach {
            verdict.lengths(steps.len(), reach);
        }
        return;
    };
    let there = numbered(parting.ply, &parting.there);
    let number = parting.ply + 1;
    let line = parting.line;
    verdict.differ(match (steps.get(parting.ply), &parting.why) {
        (Some(step), _) => format!(
            "half-move {number} differs: here {}, there {there} (line {line})",
            numbered(parting.ply, &step.text)
        ),
        (None, Some(why)) => format!(
            "half-move {number}, which is not here, cannot be played: there {there} (line {line}): {why}"
        ),
        (None, None) => format!(
            "half-move {number}, which is not here, is told in two ways, one of them {there} (line {line})"
        ),
    });
}

fn diagrams(verdict: &mut Verdict, text: &Text<'_>, told: &Told) {
    let positions: Vec<&Position> = (0..=told.record.steps().len())
        .filter_map(|plies| told.record.at(plies))
        .collect();
    let mut good = 0;
    for part in &text.parts {
        let line = text.lines[part.lines.start].number;
        match &part.what {
            What::Diagram(drawn) => {
                let diagram = &drawn.diagram;
                if positions.iter().any(|position| diagram.shows(position)) {
                    good += 1;
                    continue;
                }
                let nearest = positions
                    .iter()
                    .enumerate()
                    .rev()
                    .min_by_key(|(_, position)| diagram.distance(position));
                let how = nearest.and_then(|(plies, position)| {
                    let (text, _) = diagram.difference(position)?;
                    Some(format!(": after {} {text}", half_moves(plies)))
                });
                verdict.differ(format!(
                    "the diagram in line {line} is of no position here{}",
                    how.unwrap_or_default()
                ));
            }
            What::BadDiagram(error) => {
                verdict.agree(format!(
                    "(the diagram in line {line} cannot be read: {error})"
                ));
            }
            _ => {}
        }
    }
    match good {
        0 => {}
        1 => verdict.agree("the diagram"),
        _ => verdict.agree(format!("{good} diagrams")),
    }
}

fn hashes(verdict: &mut Verdict, game: &Match, id_lines: &[IdLine], told: &Told) {
    let mut seen: Vec<(usize, &str)> = Vec::new();
    for line in id_lines.iter().filter(|line| line.id == *game.id()) {
        let Some(there) = line.hash.as_deref() else {
            continue;
        };
        let parts = told.parting.as_ref().map(|parting| parting.ply);
        let is_known = line.plies <= told.record.steps().len();
        if !is_known
            || parts.is_some_and(|ply| ply < line.plies)
            || seen.contains(&(line.plies, there))
        {
            continue;
        }
        seen.push((line.plies, there));
        let here = game.hash_of(&told.record.until(line.plies));
        let after = half_moves(line.plies);
        if here == there {
            verdict.agree(format!("the hash after {after}"));
        } else if told.reach.is_some_and(|reach| reach >= line.plies) {
            verdict.differ(format!(
                "after {after} the hash is {here} here, {there} there, and the moves are the same: the rules or options differ"
            ));
        } else {
            verdict.differ(format!(
                "after {after} the hash is {here} here, {there} there; it does not show where the records part"
            ));
        }
    }
}
