//! `parapost verify` checks that a match's file is whole, and compares other records of the match
//! with it: a state file, mails or a pasted list. `parapost repair` rebuilds a damaged match from
//! its log and from such records, when it is told to.

use std::cell::LazyCell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::command::arguments::{Input, Source, file_or_id};
use crate::command::context::{Context, Status, visible};
use crate::command::source;
use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::inbound::{invitation, match_lookup};
use crate::limits::STATE_FILE;
use crate::mail::quoting::line::{self, Author};
use crate::mail::quoting::sent::Sent;
use crate::mail::sources;
use crate::mail::sources::files::Division;
use crate::match_id::Id;
use crate::matches::decide::way_back;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::hash::hash_of_moves;
use crate::matches::mail_id::{MailIds, looks_made_for};
use crate::matches::r#match::{Match, MatchSettings};
use crate::notation::header::{self, IdLine, Key};
use crate::notation::move_list::{self, DivergenceKind, FollowedList, numbered};
use crate::notation::moves::Manner;
use crate::notation::reader::{self, ParsedText, PartKind, classify, pasted};
use crate::outbound::template_context;
use crate::printable::{counted, half_moves};
use crate::rules::{Position, Record, Variant, games};
use crate::store::repair::{DamagedFile, OutsideRecord, Rebuilt};
use crate::{Error, clock};

/// `parapost verify`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost verify k7f3qd
  parapost verify k7f3qd reply.eml

Exit status: 0 if the file is whole and the other record agrees with it, also
as a shorter beginning or a longer list; 1 with the first difference, or if a
mail or another file has moves that this one lacks.")]
pub(super) struct Verify {
    /// The match
    id: Id,
    /// Another record of it: a state file, a mail, a mailbox, a pasted list, or
    /// another match of the games folder
    #[arg(value_name = "FILE|-|ID", value_parser = file_or_id)]
    other: Option<Source>,
}

pub(super) fn run(args: &Verify, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    for remark in store.remarks(true)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let game = store.read(&args.id)?.game;
    context.report(context.wrapped_for_stdout(visible(&whole(&game))))?;
    let Some(other) = &args.other else {
        return Ok(Status::Done);
    };
    let sources = match other {
        Source::Match(id) => vec![RecordSource {
            name: id.to_string(),
            content: Content::State(Box::new(Match::clone(&*source::game(id, context)?))),
        }],
        Source::Input(Input::File(path)) => RecordSource::open(path, game.id())?,
        Source::Input(Input::Stdin) => {
            let mut found = SourceCollector::new(game.id());
            let stdin = BufReader::new(&mut *context.stdin);
            found.read("-", stdin, Division::ByPostmark)?;
            found.finish()
        }
    };
    if sources.is_empty() {
        return Err(Error::refused(format!(
            "there is no mail about the match {} in it",
            game.id()
        )));
    }
    let mut status = Status::Done;
    for source in &sources {
        let comparison = source.compare(&game);
        if comparison.differs.is_empty() {
            let agrees = comparison.agrees.join("; ");
            let line = format!("{}: agrees: {agrees}\n", source.name);
            context.report(context.wrapped_for_stdout(visible(&line)))?;
        } else {
            status = Status::Refused;
            for difference in &comparison.differs {
                context.say(format_args!("parapost: {}: {difference}", source.name));
            }
        }
    }
    Ok(status)
}

/// The state of a file that could be read, in words.
fn whole(game: &Match) -> String {
    let (id, log) = (game.id(), game.log());
    let called = log.iter().filter(|event| event.is_owed()).count();
    let chained = if game.is_chained() {
        "chained"
    } else {
        "not chained before it is written next"
    };
    let owed = match game.owed().len() {
        0 => "none owed".to_owned(),
        owed => format!("{owed} owed"),
    };
    let refused = match game.undelivered().len() {
        0 => String::new(),
        refused => format!(", {refused} refused"),
    };
    let mut text = format!(
        "{id}: whole: {}, hash {}\n{id}: log of {} lines, {chained}; {called} mails called for, {owed}{refused}\n",
        half_moves(game.record().steps().len()),
        game.hash(),
        log.len()
    );
    for event in log {
        let Event::Repaired(what) = &event.event else {
            continue;
        };
        let (time, what) = (
            clock::write(event.time),
            what.as_deref().unwrap_or_default(),
        );
        text = format!("{text}{id}: repaired {time}: {what}\n");
    }
    text
}

/// Another record of a match.
struct RecordSource {
    /// The name of the source in messages: a file name or a Message-ID.
    name: String,
    content: Content,
}

enum Content {
    State(Box<Match>),
    Mail(Box<IncomingMessage>),
    Text(String),
}

impl RecordSource {
    /// Reads the sources in a file or in a folder of mails. If there are several,
    /// returns only those that name the match.
    ///
    /// # Errors
    ///
    /// If the path cannot be read, or a file is a damaged state file.
    fn open(path: &Path, id: &Id) -> Result<Vec<RecordSource>, Error> {
        let mut found = SourceCollector::new(id);
        for file in sources::files::files(path)? {
            let name = file.path.display().to_string();
            found.read(&name, file.open()?, file.division)?;
        }
        Ok(found.finish())
    }

    /// Returns true if the source names the match.
    fn names(&self, id: &Id) -> bool {
        match &self.content {
            Content::State(game) => game.id() == id,
            Content::Mail(letter) => {
                match_lookup::names(letter, &classify(&letter.text, &Sent::nothing()), id)
            }
            Content::Text(text) => header::id_lines(&pasted(text))
                .iter()
                .any(|line| line.id == *id),
        }
    }

    /// Returns the record of the match that the source proves. A state file proves its
    /// own, a mail proves it by the hash of its moves, and a list proves it because the
    /// user gives it as one.
    fn proof(&self, id: &Id, variant: &Variant) -> Option<OutsideRecord> {
        let start = Record::new(variant.start());
        let record = match &self.content {
            Content::State(game) => {
                let is_same = game.id() == id && is_same(game.variant(), variant);
                is_same.then(|| game.record().clone())
            }
            Content::Mail(letter) => {
                let text = record_of(letter, variant);
                let followed = move_list::follow_lists(&start, &text, move_list::is_numbered);
                let is_hashed = |line: &IdLine| {
                    let moves = followed.record.steps().get(..line.plies);
                    line.id == *id
                        && moves.is_some_and(|moves| {
                            let moves = moves.iter().map(|step| step.text.as_str());
                            line.hash.as_ref() == Some(&hash_of_moves(id, variant, moves))
                        })
                };
                let id_lines = header::id_lines(&text.lines);
                let proven = id_lines.iter().filter(|line| is_hashed(line));
                let plies = proven.map(|line| line.plies).max();
                plies.map(|plies| followed.record.until(plies))
            }
            Content::Text(text) => {
                let text = reader::read(text, variant);
                let followed =
                    move_list::follow_lists(&start, &text, |manner| manner != Manner::Prose);
                let is_named = named(&text, variant).is_ok_and(|named| is_same(&named, variant));
                (followed.divergence.is_none() && followed.reach.is_some() && is_named)
                    .then_some(followed.record)
            }
        };
        Some(OutsideRecord {
            name: self.name.clone(),
            record: record?,
        })
    }

    /// Returns the terms of the match, if the source is a mail with its invitation.
    fn invitation(&self, id: &Id) -> Option<MatchSettings> {
        let Content::Mail(letter) = &self.content else {
            return None;
        };
        let lines = classify(&letter.text, &Sent::nothing());
        let is_named = header::id_lines(&lines).iter().any(|line| line.id == *id);
        let settings = is_named.then(|| invitation::settings(&lines, id).ok());
        settings.flatten().flatten()
    }

    /// Compares the source with the record of a match. If they differ, also tries the
    /// records before each takeback.
    fn compare(&self, game: &Match) -> Comparison {
        let comparison = self.hold_against(game);
        if comparison.differs.is_empty() {
            return comparison;
        }
        let mut earlier = game.before_takebacks().map(|then| self.hold_against(&then));
        let Some(mut earlier) = earlier.find(|earlier| earlier.differs.is_empty()) else {
            return comparison;
        };
        earlier
            .agrees
            .push("all that before a move was taken back here".to_owned());
        earlier
    }

    fn hold_against(&self, game: &Match) -> Comparison {
        let mut comparison = self.compared(game);
        // A mail of the other player's brings the next move.
        let brings_next = |letter: &IncomingMessage| {
            let sender = letter.sender.as_ref();
            let is_theirs = |turn| sender.is_some_and(|sender| game.side_of(sender) == Some(turn));
            comparison.more == 1 && game.turn().is_some_and(is_theirs)
        };
        let is_behind = match &self.content {
            Content::State(_) => comparison.more > 0,
            Content::Mail(letter) => comparison.more > 0 && !brings_next(letter),
            Content::Text(_) => false,
        };
        if is_behind {
            let more = half_moves(comparison.more);
            comparison.differs.push(format!(
                "it has {more} more than this file; {}",
                way_back(game.id())
            ));
        }
        comparison
    }

    fn compared(&self, game: &Match) -> Comparison {
        match &self.content {
            Content::State(other) => of_match(game, other),
            Content::Mail(letter) => {
                let text = record_of(letter, game.variant());
                of_text(game, &text, move_list::is_numbered)
            }
            Content::Text(text) => {
                let text = reader::read(text, game.variant());
                let mut comparison = of_text(game, &text, |manner| manner != Manner::Prose);
                match named(&text, game.variant()) {
                    Ok(there) => comparison.settings(game.variant(), &there),
                    Err(error) => comparison.differs.insert(0, error),
                }
                comparison
            }
        }
    }
}

/// Returns the text of a mail that tells of the record. In our mails this is the part
/// from the board on: above it stand lines of an answered letter and moves that may
/// have been meant.
fn record_of<'l>(letter: &'l IncomingMessage, variant: &Variant) -> ParsedText<'l> {
    let mut text = reader::read_lines(classify(&letter.text, &Sent::nothing()), variant);
    let is_own = |line: usize| text.lines[line].author == Author::Own;
    let id_lines = header::id_lines(&text.lines);
    let is_ours = id_lines.iter().any(|line| line.author == Author::Own);
    let board = text.parts.iter().position(|part| {
        let is_board = matches!(part.kind, PartKind::Diagram(_) | PartKind::BadDiagram(_));
        is_board && is_own(part.lines.start)
    });
    if let Some(board) = board.filter(|_| is_ours) {
        text.parts.drain(..board);
    }
    text
}

/// Collects sources. In a mailbox few mails name the match, so only those are kept.
struct SourceCollector<'a> {
    id: &'a Id,
    kept: Vec<RecordSource>,
    count: usize,
}

impl SourceCollector<'_> {
    fn new(id: &Id) -> SourceCollector<'_> {
        SourceCollector {
            id,
            kept: Vec::new(),
            count: 0,
        }
    }

    /// Reads the sources in a stream: a state file, a mail, an mbox or any other text.
    ///
    /// # Errors
    ///
    /// If the stream is a damaged state file (the error names the line) or one beyond
    /// the limit.
    fn read(
        &mut self,
        name: &str,
        mut stream: impl BufRead,
        division: Division,
    ) -> Result<(), Error> {
        let failed = |error| Error::io(name, &error);
        let start = stream.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        let is_mbox = division == Division::ByPostmark && start.starts_with(b"From ");
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
            let game: Match = line::decode(&bytes)
                .parse()
                .map_err(|error| Error::refused(format!("{name}:{error}")))?;
            self.add(name.to_owned(), Content::State(Box::new(game)));
            return Ok(());
        }
        for bytes in division.messages(stream) {
            let bytes = bytes.map_err(|error| Error::io(name, &error))?;
            // A plain text may begin with lines that look like a header.
            let letter = incoming_message::read(&bytes).ok();
            let letter =
                letter.filter(|letter| letter.sender.is_some() || !letter.subject.is_empty());
            match letter {
                Some(letter) if is_mbox => {
                    self.add(letter.id.to_string(), Content::Mail(Box::new(letter)));
                }
                Some(letter) => self.add(name.to_owned(), Content::Mail(Box::new(letter))),
                None if is_mbox => self.count += 1,
                None => {
                    let text = source::decoded(name, &bytes)?;
                    self.add(name.to_owned(), Content::Text(text));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: String, content: Content) {
        let source = RecordSource { name, content };
        self.count += 1;
        if self.count == 1 || source.names(self.id) {
            self.kept.push(source);
        }
    }

    /// Returns the sources; if there are several, only those that name the match.
    fn finish(mut self) -> Vec<RecordSource> {
        if self.count > 1 {
            self.kept.retain(|source| source.names(self.id));
        }
        self.kept
    }
}

fn is_same(one: &Variant, other: &Variant) -> bool {
    one.game().id == other.game().id && one.options() == other.options()
}

/// Returns the game that a text names, or else the one here.
///
/// # Errors
///
/// The reason why it cannot be compared.
fn named(text: &ParsedText<'_>, here: &Variant) -> Result<Variant, String> {
    let headers = || {
        text.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Header(header) => Some(header),
            _ => None,
        })
    };
    if headers().any(|header| header.begins_elsewhere(here)) {
        return Err("there the list begins from another position".to_owned());
    }
    let value = |key: Key| {
        let mut headers = headers().filter(|header| header.key == key);
        headers.next().map(|header| header.value.as_str())
    };
    let game = value(Key::Rules).or(value(Key::Game)).map(header::game);
    let options = value(Key::Options);
    if game.is_none() && options.is_none() {
        return Ok(here.clone());
    }
    game.unwrap_or(Ok(here.game()))
        .and_then(|game| header::variant(game, options.unwrap_or_default()))
        .map_err(|error| error.to_string())
}

/// The comparison of another record of a match with the one here.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Comparison {
    /// The differences, the first one first.
    differs: Vec<String>,
    /// The points on which the records agree.
    agrees: Vec<String>,
    /// The number of half-moves that the other record has beyond those here.
    more: usize,
}

impl Comparison {
    /// Notes a difference in the game or the options. It goes first, because other
    /// differences may follow from it.
    fn settings(&mut self, here: &Variant, there: &Variant) {
        let named = |variant: &Variant| {
            let options = match variant.options() {
                [] => "none".to_owned(),
                options => options.join(", "),
            };
            [
                ("rules", variant.game().id.to_owned()),
                ("options", options),
            ]
        };
        let mut both = named(here).into_iter().zip(named(there));
        if let Some(((what, here), (_, there))) = both.find(|(here, there)| here != there) {
            let text = format!("the {what} differ: here {here}, there {there}");
            self.differs.insert(0, text);
        }
    }

    /// Notes the numbers of half-moves of two records that agree.
    fn lengths(&mut self, here: usize, there: usize) {
        let (h, t) = (half_moves(here), half_moves(there));
        match here.cmp(&there) {
            Ordering::Equal => self.agrees.push(format!("all {h}")),
            Ordering::Greater => {
                let agrees = format!("its {t}, the beginning of the {h} here");
                self.agrees.push(agrees);
            }
            Ordering::Less => {
                self.more = there - here;
                let agrees = format!("the {h} here, the beginning of its {t}");
                self.agrees.push(agrees);
            }
        }
    }
}

fn of_match(here: &Match, there: &Match) -> Comparison {
    let mut comparison = Comparison::default();
    let steps = [here, there].map(|game| game.record().steps());
    let parting = steps[0]
        .iter()
        .zip(steps[1])
        .position(|(here, there)| here.text != there.text);
    if let Some(ply) = parting {
        let [here, there] = steps.map(|steps| numbered(ply, &steps[ply].text));
        comparison.differs.push(format!(
            "half-move {} differs: here {here}, there {there}",
            ply + 1
        ));
    } else {
        comparison.lengths(steps[0].len(), steps[1].len());
        if here.hash() == there.hash() {
            comparison.agrees.push("the hash".to_owned());
        }
    }
    // A match that has ended there may still go on here.
    match [here, there].map(Match::ending) {
        [Some(one), Some(other)] if one != other => {
            comparison
                .differs
                .push(format!("the result differs: here {one}, there {other}"));
        }
        [None, Some(other)] if parting.is_none() => {
            comparison
                .agrees
                .push(format!("there the result is {other}"));
        }
        [Some(one), None] if parting.is_none() => {
            comparison
                .agrees
                .push(format!("the result {one} is not there yet"));
        }
        _ => {}
    }
    logs(&mut comparison, here, there);
    comparison.settings(here.variant(), there.variant());
    if here.id() != there.id() {
        let text = format!("the ids differ: here {}, there {}", here.id(), there.id());
        comparison.differs.insert(0, text);
    }
    comparison
}

/// Compares the logs of two copies of one file. The files of two players are no copies: each calls for
/// mails to the other player alone.
fn logs(comparison: &mut Comparison, here: &Match, there: &Match) {
    let [one, other] = [here, there].map(Match::log);
    let mailed = |log: &[LogEntry]| -> HashSet<Who> {
        let owed = log.iter().filter(|line| line.is_owed());
        owed.map(|line| line.who).collect()
    };
    let [to, other_to] = [one, other].map(mailed);
    let is_of_another = !to.is_empty() && !other_to.is_empty() && to.is_disjoint(&other_to);
    let is_told = comparison.more > 0 || !comparison.differs.is_empty();
    if is_told || here.id() != there.id() || one.first() != other.first() || is_of_another {
        return;
    }
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    let line = |log: &[LogEntry]| {
        let event = &log[same];
        format!(
            "{} {} {}",
            clock::write(event.time),
            event.event.kind(),
            event.who
        )
    };
    if same == one.len() && same < other.len() {
        comparison.differs.push(format!(
            "its log goes on longer, by {}; {}",
            counted(other.len() - same, "line"),
            way_back(here.id())
        ));
    } else if same < one.len() && same < other.len() {
        comparison.differs.push(format!(
            "the logs part in line {}: here {}, there {}",
            same + 1,
            line(one),
            line(other)
        ));
    }
}

fn of_text(game: &Match, text: &ParsedText<'_>, is_list: impl Fn(Manner) -> bool) -> Comparison {
    let mut comparison = Comparison::default();
    let id_lines = header::id_lines(&text.lines);
    if let Some(other) = id_lines.first()
        && id_lines.iter().all(|line| line.id != *game.id())
    {
        comparison.differs.push(format!(
            "the ids differ: here {}, there {}",
            game.id(),
            other.id
        ));
    }
    let followed = move_list::follow_lists(game.record(), text, is_list);
    list(&mut comparison, game, &followed);
    if followed.divergence.is_none() {
        diagrams(&mut comparison, text, &followed);
    }
    hashes(&mut comparison, game, &id_lines, &followed);
    if comparison == Comparison::default() {
        comparison.differs.push(
            "there is no list of moves, no diagram and no hash of this match in it".to_owned(),
        );
    }
    comparison
}

fn list(comparison: &mut Comparison, game: &Match, followed: &FollowedList) {
    let steps = game.record().steps();
    let Some(at) = &followed.divergence else {
        if let Some(reach) = followed.reach {
            comparison.lengths(steps.len(), reach);
        }
        return;
    };
    let there = numbered(at.ply, &at.there);
    let number = at.ply + 1;
    let line = at.line;
    comparison.differs.push(match (steps.get(at.ply), &at.kind) {
        (Some(step), _) => format!(
            "half-move {number} differs: here {}, there {there} (line {line})",
            numbered(at.ply, &step.text)
        ),
        (None, DivergenceKind::Other) => format!(
            "half-move {number}, which is not here, is told in two ways, one of them {there} (line {line})"
        ),
        (None, why) => format!(
            "half-move {number}, which is not here, cannot be played: there {there} (line {line}): {why}"
        ),
    });
}

fn diagrams(comparison: &mut Comparison, text: &ParsedText<'_>, followed: &FollowedList) {
    let positions: Vec<&Position> = (0..=followed.record.steps().len())
        .filter_map(|plies| followed.record.at(plies))
        .collect();
    let mut good = 0;
    for part in &text.parts {
        let line = text.lines[part.lines.start].number;
        match &part.kind {
            PartKind::Diagram(drawn) => {
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
                comparison.differs.push(format!(
                    "the diagram in line {line} is of no position here{}",
                    how.unwrap_or_default()
                ));
            }
            PartKind::BadDiagram(error) => {
                comparison.agrees.push(format!(
                    "(the diagram in line {line} cannot be read: {error})"
                ));
            }
            _ => {}
        }
    }
    match good {
        0 => {}
        1 => comparison.agrees.push("the diagram".to_owned()),
        _ => comparison.agrees.push(format!("{good} diagrams")),
    }
}

fn hashes(comparison: &mut Comparison, game: &Match, id_lines: &[IdLine], followed: &FollowedList) {
    let mut seen: HashSet<(usize, &str)> = HashSet::new();
    let steps = followed.record.steps();
    let moves = steps.iter().map(|step| step.text.as_str());
    let hashes = LazyCell::new(|| game.hashes_of_moves(moves));
    for line in id_lines.iter().filter(|line| line.id == *game.id()) {
        let Some(there) = line.hash.as_deref() else {
            continue;
        };
        let parts = followed.divergence.as_ref().map(|at| at.ply);
        if line.plies > steps.len()
            || parts.is_some_and(|ply| ply < line.plies)
            || !seen.insert((line.plies, there))
        {
            continue;
        }
        let here = &hashes[line.plies];
        let after = half_moves(line.plies);
        if here == there {
            comparison.agrees.push(format!("the hash after {after}"));
        } else if followed.reach.is_some_and(|reach| reach >= line.plies) {
            comparison.differs.push(format!(
                "after {after} the hash is {here} here, {there} there, and the moves are the same: the rules or options differ"
            ));
        } else {
            comparison.differs.push(format!(
                "after {after} the hash is {here} here, {there} there; it does not show where the records part"
            ));
        }
    }
}

/// `parapost repair`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost repair k7f3qd
  parapost repair k7f3qd --from ~/Maildir --write

Without --write nothing is changed. With it the old file is kept beside the new
one.")]
pub(super) struct Repair {
    /// The match
    id: Id,
    /// Mails of the match, sent and received, or a list of its moves: one .eml,
    /// an mbox, a Maildir or MH folder, a text; may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    from: Vec<PathBuf>,
    /// Write the file as it is shown
    #[arg(long)]
    write: bool,
}

/// Returns the copy whose log goes on behind the end of this one, if there is one.
fn longer_copy(whole: Option<&Match>, sources: &[RecordSource]) -> Option<Rebuilt> {
    let log = whole?.log();
    let copies = sources.iter().filter_map(|source| match &source.content {
        Content::State(copy) if copy.id() == whole?.id() => Some((source, copy)),
        _ => None,
    });
    let longer =
        copies.filter(|(_, copy)| copy.log().len() > log.len() && copy.log().starts_with(log));
    let (source, copy) = longer.max_by_key(|(_, copy)| copy.log().len())?;
    let more = counted(copy.log().len() - log.len(), "line");
    let mut game = Match::clone(copy);
    // The copy may lack comments of this one.
    let here = whole?.headers.iter();
    let here: Vec<_> = here
        .filter(|header| !game.headers.contains(header))
        .cloned()
        .collect();
    game.headers.extend(here);
    Some(Rebuilt {
        game,
        done: vec![format!("{more} of the log are taken from {}", source.name)],
        lost: Vec::new(),
        is_log_changed: false,
    })
}

/// Puts the last mail of ours from the sources back into the log, if the log lacks it and the mail shows
/// the present position. The program then plays an answer to it.
fn bring_back_mail(
    rebuilt: &mut Rebuilt,
    sources: &[RecordSource],
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let game = &mut rebuilt.game;
    let (id, now) = (game.id().clone(), clock::now()?);
    let found = sources.iter().rev().filter_map(|source| {
        let Content::Mail(letter) = &source.content else {
            return None;
        };
        let to = letter.recipients.iter().find_map(|to| game.side_of(to))?;
        let proof = source.proof(&id, game.variant())?;
        let is_now = proof.record.steps() == game.record().steps();
        (is_now && looks_made_for(&id, &letter.id)).then(|| (to, letter.id.clone()))
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    // Anybody can make up an id of this form.
    let ids = MailIds::new(context.secret()?, "");
    let Some((to, msg)) = found.into_iter().find(|(_, msg)| ids.has_made(&id, msg)) else {
        return Ok(());
    };
    let known = |event: &LogEntry| event.get("msg") == Some(msg.as_str());
    if game.turn().is_some() && !game.log().iter().any(known) {
        game.restore_mail(now, to, &msg)?;
        rebuilt
            .done
            .push(format!("the mail {msg} is put back, as it was sent"));
    }
    Ok(())
}

pub(super) fn repair(args: &Repair, context: &mut Context<'_>) -> Result<Status, Error> {
    let (id, store) = (&args.id, context.store()?);
    let bytes = store.text(id)?;
    let whole = match bytes.as_deref().map(|bytes| Match::read(bytes, id)) {
        None if args.from.is_empty() => {
            return Err(Error::refused(format!(
                "there is no match {id} in {}; from mails it can be rebuilt with --from",
                store.place()
            )));
        }
        None => {
            say(context, id, "there is no file of this match")?;
            None
        }
        // This version cannot tell what is wrong with it.
        Some(Err(error)) if error.is_newer() => {
            return store.read(id).map(|_| Status::Done);
        }
        Some(Err(error)) => {
            let name = store.name_of(id);
            say(context, id, format_args!("damaged: {name}:{error}"))?;
            None
        }
        Some(Ok(game)) => Some(game),
    };
    let mut sources = Vec::new();
    for path in &args.from {
        sources.extend(RecordSource::open(path, id)?);
    }
    let text = bytes.as_deref().map(line::decode).unwrap_or_default();
    let damaged = DamagedFile::new(id, &text);
    // The command in a referee's own invitation is for the players.
    let me = context
        .config()
        .ok()
        .and_then(|config| config.somebody().cloned());
    let invited = sources.iter().filter_map(|source| source.invitation(id));
    let mut invited: Vec<MatchSettings> = invited.collect();
    for settings in &mut invited {
        let referee = &mut settings.referee;
        referee.take_if(|referee| me.as_ref().is_some_and(|me| me.player.has(referee)));
    }
    let mut given = agreed(invited, "invitations")?;
    let settings = if let Some(settings) = damaged.settings() {
        settings
    } else {
        let mut by = "invitation";
        if given.is_none() {
            by = "copy";
            let copies = sources.iter().filter_map(|source| match &source.content {
                Content::State(game) if game.id() == id => Some(game.settings().clone()),
                _ => None,
            });
            given = agreed(copies, "copies")?;
        }
        let Some(settings) = given.clone() else {
            return Err(unknown(id, &sources));
        };
        let begin = settings.begin(clock::now()?).line();
        say(context, id, format_args!("by the {by}: {begin}"))?;
        settings
    };
    let proofs = sources.iter();
    let proofs: Vec<OutsideRecord> = proofs
        .filter_map(|source| source.proof(id, &settings.variant))
        .collect();
    if !args.from.is_empty() {
        // Anybody can mail a list with its hash: which it was can be looked at.
        let longest = proofs.iter().max_by_key(|proof| proof.record.steps().len());
        let proven = longest.map_or_else(
            || "none of the moves".to_owned(),
            |proof| format!("{}: {}", half_moves(proof.record.steps().len()), proof.name),
        );
        let (count, of) = (proofs.len(), sources.len());
        let said = format_args!("{count} of {of} messages or texts prove {proven}");
        say(context, id, said)?;
    }
    let mut rebuilt = match longer_copy(whole.as_ref(), &sources) {
        Some(rebuilt) => rebuilt,
        None => damaged
            .rebuild(given.as_ref(), &proofs, clock::now()?)
            .map_err(|error| Error::refused(format!("{id}: this cannot be rebuilt: {error}")))?,
    };
    bring_back_mail(&mut rebuilt, &sources, context)?;
    if whole.is_some_and(|game| game.log() == rebuilt.game.log()) {
        say(context, id, "the file is whole: nothing is to be done")?;
        return Ok(Status::Done);
    }
    for line in account(&rebuilt, &sources) {
        say(context, id, line)?;
    }
    if !args.write {
        say(context, id, "nothing is changed yet: --write does it")?;
        return Ok(Status::Done);
    }
    let kept = store.restore(&rebuilt.game, bytes.as_deref())?;
    let kept = kept.map(|name| format!("; what it was is in {name}"));
    let (name, kept) = (store.name_of(id), kept.unwrap_or_default());
    say(context, id, format_args!("{name} is written{kept}"))?;
    Ok(Status::Done)
}

/// Writes a line to standard output. What stands in a damaged file does not
/// steer the terminal.
fn say(context: &mut Context<'_>, id: &Id, line: impl Display) -> Result<(), Error> {
    context.print(visible(&format!("{id}: {line}\n")))
}

/// The rebuilt match, and what is lost and owed, in words.
fn account(rebuilt: &Rebuilt, sources: &[RecordSource]) -> Vec<String> {
    let game = &rebuilt.game;
    let mut lines = rebuilt.done.clone();
    lines.extend(rebuilt.lost.iter().map(|lost| format!("lost: {lost}")));
    let result = match game.ending() {
        None => format!("{} to move", game.variant().player(game.position().turn())),
        Some(ending) => ending.to_string(),
    };
    lines.push(format!(
        "rebuilt: {}, hash {}, {result}",
        half_moves(game.record().steps().len()),
        game.hash()
    ));
    lines.extend(game.owed().iter().map(|owed| {
        let (kind, to, msg) = (&owed.kind, game.player(owed.to).name(), &owed.msg);
        let is_it = |source: &RecordSource| match &source.content {
            Content::Mail(letter) => letter.id == *msg,
            Content::State(_) | Content::Text(_) => false,
        };
        let gone = if sources.iter().any(is_it) {
            ", which is among those mails, so that it has gone"
        } else {
            ""
        };
        format!("owed: the mail '{kind}' to {to} {msg}{gone}")
    }));
    if rebuilt.is_log_changed {
        lines.push(format!(
            "no other mail is owed, whatever was: 'parapost send --resend {}' sends the position again",
            game.id()
        ));
    }
    lines
}

/// The settings, if there are any.
///
/// # Errors
///
/// If two differ.
fn agreed(
    all: impl IntoIterator<Item = MatchSettings>,
    what: &str,
) -> Result<Option<MatchSettings>, Error> {
    let now = clock::now()?;
    let mut all = all.into_iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    let begin = first.begin(now);
    match all
        .map(|other| other.begin(now))
        .find(|other| *other != begin)
    {
        None => Ok(Some(first)),
        Some(other) => Err(Error::refused(format!(
            "{}: there are two {what}, and both may be right:\n  {}\n  {}\nnothing is done; leave out the one that is not to count",
            first.id,
            begin.line(),
            other.line()
        ))),
    }
}

/// Why a match of which only mails are left cannot be rebuilt, and the command
/// by which somebody who knows the players can.
fn unknown(id: &Id, sources: &[RecordSource]) -> Error {
    // Without a hash a list can be one of several games.
    let mails = sources.iter();
    let mails = mails.filter(|source| matches!(source.content, Content::Mail(_)));
    let proofs = variants().flat_map(|variant| {
        let proofs = mails.clone().filter_map(|mail| mail.proof(id, &variant));
        let proofs: Vec<OutsideRecord> = proofs.collect();
        proofs
            .into_iter()
            .map(move |proof| (proof, variant.clone()))
    });
    let longest = proofs.max_by_key(|(proof, _)| proof.record.steps().len());
    let why = match longest {
        Some((proof, variant)) => format!(
            "neither the file nor the mails say who plays: but {} proves {}; with the players filled in, this takes the match over:\n{}",
            proof.name,
            half_moves(proof.record.steps().len()),
            template_context::new_command(id, &variant, ["NAME <ADDRESS>"; 2], &[], &proof.record)
        ),
        None if sources.is_empty() => {
            "the file does not say who plays: mails of the match may (--from)".to_owned()
        }
        None => "neither the file nor the mails say who plays: there is neither an invitation among them nor a list with its hash".to_owned(),
    };
    Error::refused(format!("{id}: {why}"))
}

/// Every game with every set of its options.
fn variants() -> impl Iterator<Item = Variant> {
    games::ALL.iter().flat_map(|game| {
        let sets = 0..1_u32 << game.options.len();
        sets.filter_map(|set| {
            let options = game.options.iter().enumerate();
            let options = options.filter(|(i, _)| set >> i & 1 == 1);
            let options: Vec<&str> = options.map(|(_, option)| option.name).collect();
            Variant::new(game, &options).ok()
        })
    })
}
