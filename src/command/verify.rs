//! `parapost verify` checks that a match's file is whole, and compares other records of the match
//! with it: a state file, mails or a pasted list. `parapost repair` rebuilds a damaged match from
//! its log and from such records, when it is told to.

use std::cell::LazyCell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

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
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::{Match, MatchSettings};
use crate::notation::header::{self, IdLine, Key};
use crate::notation::move_list::{self, DivergenceKind, FollowedList, numbered};
use crate::notation::moves::Manner;
use crate::notation::reader::{self, ParsedText, PartKind, classify, pasted};
use crate::printable::{counted, half_moves};
use crate::rules::{Position, Record, Variant, games};
use crate::store::repair::OutsideRecord;
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
    // Without the secret no mail is known for one of ours.
    let ids = context.secret().ok().map(|secret| MailIds::new(secret, ""));
    for source in &sources {
        let comparison = source.compare(&game, ids.as_ref());
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
pub(super) struct RecordSource {
    /// The name of the source in messages: a file name or a Message-ID.
    pub(super) name: String,
    pub(super) content: Content,
}

pub(super) enum Content {
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
    pub(super) fn open(path: &Path, id: &Id) -> Result<Vec<RecordSource>, Error> {
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
    pub(super) fn proof(&self, id: &Id, variant: &Variant) -> Option<OutsideRecord> {
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
    pub(super) fn invitation(&self, id: &Id) -> Option<MatchSettings> {
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
    fn compare(&self, game: &Match, ids: Option<&MailIds>) -> Comparison {
        let comparison = self.hold_against(game, ids);
        if comparison.differs.is_empty() {
            return comparison;
        }
        let mut earlier = game
            .before_takebacks()
            .map(|then| self.hold_against(&then, ids));
        let Some(mut earlier) = earlier.find(|earlier| earlier.differs.is_empty()) else {
            return comparison;
        };
        earlier
            .agrees
            .push("all that before a move was taken back here".to_owned());
        earlier
    }

    fn hold_against(&self, game: &Match, ids: Option<&MailIds>) -> Comparison {
        let mut comparison = self.compared(game);
        // A mail of the other player's brings the next move.
        let brings_next = |letter: &IncomingMessage| {
            let sender = letter.sender.as_ref();
            let is_theirs = |turn| sender.is_some_and(|sender| game.side_of(sender) == Some(turn));
            let is_ours = ids.is_some_and(|ids| ids.has_made(game.id(), &letter.id));
            comparison.more == 1 && !is_ours && game.turn().is_some_and(is_theirs)
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

/// Every game with every set of its options.
pub(super) fn variants() -> impl Iterator<Item = Variant> {
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
