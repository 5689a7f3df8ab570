//! The lines that name the game of a text, `Rules:`, `Game:` and `Options:`; and the id line
//! at the foot of our mails, which names the match.

use std::borrow::Cow;
use std::ops::Range;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::mail::Pattern;
use crate::mail::quoting::line::{Author, Line};
use crate::match_id::Id;
use crate::notation::diagnostic::TextPlace;
use crate::rules::{Game, Variant, VariantError, games};
use crate::suggest;

/// A line about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The subject of the line.
    pub key: Key,
    /// The value, trimmed.
    pub value: String,
    /// The place of the value.
    pub place: TextPlace,
}

impl Header {
    /// Returns true if the header sets up another position than the start of the game.
    pub(crate) fn begins_elsewhere(&self, variant: &Variant) -> bool {
        // The other fields follow from these two, and some programs leave them out.
        let start = variant.start().fen();
        let [set_up, start] = [&self.value, &start].map(|fen| fen.split_whitespace().take(2));
        self.key == Key::Setup && set_up.ne(start)
    }
}

/// The subject of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// The game, by its name on the command line.
    Rules,
    /// The game, by its name for people.
    Game,
    /// The options, separated by commas or blanks.
    Options,
    /// The starting position of a list, as FEN.
    Setup,
}

/// Names of games in the sources or in other programs that are not in the games'
/// tables.
const ALIASES: [(&str, &str); 5] = [
    ("standard", "chess"),
    // Chess, for the programs that write it; the position follows as FEN.
    ("fromposition", "chess"),
    ("unachessi", "unachess"),
    ("unachessiii", "parachute"),
    ("parachute", "parachute"),
];

/// The game of a text that names no game.
pub const DEFAULT: &Game = &games::UNACHESS;

/// Writes the lines that name a game and its options, each with its line ending. Writes
/// nothing for the default game without options, because a text without these lines
/// means that.
pub fn write(variant: &Variant) -> String {
    let game = format!("Game: {}\n", variant.game().name);
    match variant.options() {
        [] if variant.game().id == DEFAULT.id => String::new(),
        [] => game,
        options => format!("{game}Options: {}\n", options.join(", ")),
    }
}

/// The longest line that is read, in bytes.
const LONGEST: usize = 400;

/// Reads a header: `Game: Chess`, also in bold, or a tag of PGN, `[Variant "Chess"]`.
pub(super) fn read(line: &Line<'_>) -> Option<Header> {
    let can_be = line.text.len() <= LONGEST && line.text.contains([':', '：', '"']);
    if line.author == Author::Signature || !can_be {
        return None;
    }
    let trimmed = line.text.trim();
    let is_other_tag = |(name, _, length): (&str, String, usize)| {
        length == trimmed.len() && key(name, true).is_none()
    };
    if leading_tag(trimmed).is_some_and(is_other_tag) {
        return None;
    }
    let glyphs = line.glyphs();
    let text: String = glyphs.iter().map(|glyph| glyph.char).collect();
    let (key, value) = if let Some((name, value)) = tag(&text) {
        (key(name, true)?, value)
    } else {
        let (name, value) = text.split_once(':')?;
        // The header may be an item of a bulleted list.
        let name = name.trim_start().trim_start_matches(['-', '+', '•']);
        (key(plain(name), false)?, plain(value))
    };
    // `value` is a slice of `text`, and each character of `text` is a glyph.
    let before = value.as_ptr() as usize - text.as_ptr() as usize;
    let start = text[..before].chars().count();
    let column = |at: usize| glyphs.get(at).map(|glyph| glyph.column as usize);
    let width = value.chars().count().max(1);
    let first = column(start).unwrap_or(line.column + line.text.chars().count());
    Some(Header {
        key,
        value: value.to_owned(),
        place: TextPlace::new(line.number, first)
            .wide(column(start + width - 1).map_or(1, |last| last + 1 - first)),
    })
}

fn key(name: &str, is_tag: bool) -> Option<Key> {
    match name.to_ascii_lowercase().as_str() {
        "rules" => Some(Key::Rules),
        "game" => Some(Key::Game),
        "options" | "option" => Some(Key::Options),
        "variant" if is_tag => Some(Key::Game),
        "fen" if is_tag => Some(Key::Setup),
        _ => None,
    }
}

/// Strips a name or a value of the signs and forum tags around it.
fn plain(text: &str) -> &str {
    let sets_off = |c: char| c == ' ' || "*_`~#\"".contains(c);
    let mut plain = text.trim_matches(sets_off);
    while let Some((_, rest)) = plain.strip_prefix('[').and_then(|tag| tag.split_once(']')) {
        plain = rest.trim_start_matches(sets_off);
    }
    while let Some((rest, _)) = plain.strip_suffix(']').and_then(|tag| tag.rsplit_once('[')) {
        plain = rest.trim_end_matches(sets_off);
    }
    plain
}

/// Finds a game by its name, ignoring case, blanks and signs.
///
/// # Errors
///
/// If the name is unknown. The error lists the known names and suggests the nearest.
pub fn game(name: &str) -> Result<&'static Game, UnknownVariant> {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == wanted);
    let is_named = |game: &Game| game.id == wanted || plain(game.name) == wanted;
    let found = match alias {
        Some((_, id)) => games::find(id),
        None => games::ALL.iter().copied().find(|game| is_named(game)),
    };
    found.ok_or_else(|| UnknownVariant(VariantError::UnknownGame(name.to_owned())))
}

/// Makes the variant of a game with the options in a header's value.
///
/// # Errors
///
/// If the game has no such option (the error lists its options and suggests the
/// nearest), or two options exclude each other.
pub fn variant(game: &Game, options: &str) -> Result<Variant, UnknownVariant> {
    let options: Vec<&str> = options
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|name| !name.is_empty() && !matches!(*name, "none" | "-"))
        .collect();
    if !games::ALL.iter().any(|known| ptr::eq(*known, game)) {
        return Variant::new(game, &options).map_err(UnknownVariant);
    }
    let is_same = |known: &&Variant| {
        let chosen = known.options();
        known.game().id == game.id
            && chosen.iter().all(|option| options.contains(option))
            && options.iter().all(|option| chosen.contains(option))
    };
    let known = || VARIANTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(variant) = known().iter().find(is_same) {
        return Ok(variant.clone());
    }
    let variant = Variant::new(game, &options).map_err(UnknownVariant)?;
    let mut known = known();
    if known.len() >= KEPT {
        known.clear();
    }
    known.push(variant.clone());
    Ok(variant)
}

/// The variants that were made last. To work out the rules for the board takes longer
/// than to replay a match.
static VARIANTS: Mutex<Vec<Variant>> = Mutex::new(Vec::new());

/// The most variants that are kept. A text can name any choice of options.
const KEPT: usize = 16;

/// The error for an unknown game or option. Its text suggests the known name that was
/// probably meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", suggest::explain(.0))]
pub struct UnknownVariant(#[source] VariantError);

/// The choice of the game for reading a text.
#[derive(Clone, Debug)]
pub enum GameChoice {
    /// This one, regardless of the text.
    Given(Variant),
    /// The one that the text names, or this one if it names none.
    Named(&'static Game),
}

/// What the tags above a match say of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Heading {
    /// The names of the players, the first player's first.
    pub players: [Option<String>; 2],
    /// The name of the event.
    pub event: Option<String>,
    /// The place.
    pub site: Option<String>,
    /// The date as it is written, mostly `2026.11.20`.
    pub date: Option<String>,
    /// The number of the round.
    pub round: Option<String>,
}

impl Heading {
    /// Returns true if no tag says anything.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Heading::default()
    }
}

impl GameChoice {
    /// Splits a text into sections by the games that its headers name, or that was chosen for it.
    pub(super) fn sections(&self, lines: &[Line<'_>]) -> Vec<Section> {
        match self {
            GameChoice::Given(variant) => vec![Section {
                lines: 0..lines.len(),
                variant: Ok(variant.clone()),
                is_named: true,
            }],
            GameChoice::Named(default) => sections(lines, default),
        }
    }
}

/// A section of a text about one game.
#[derive(Clone, Debug)]
pub struct Section {
    /// The lines of the section, counted from 0.
    pub lines: Range<usize>,
    /// The game with its options, or the error at a name that is unknown.
    pub variant: Result<Variant, HeaderError>,
    /// True if a line names the game, or options.
    pub is_named: bool,
}

/// The error for a text that names an unknown game or option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct HeaderError {
    /// The place of the name.
    pub place: TextPlace,
    /// The name, as written.
    pub name: String,
    /// The error about the name.
    #[source]
    pub error: UnknownVariant,
}

/// The headers of one block.
#[derive(Clone, Default)]
struct HeaderBlock<'h> {
    line: usize,
    game: Option<&'h Header>,
    options: Option<&'h Header>,
}

/// Splits a text into sections by the games that its headers name. The part before the
/// first header, or a text without headers, belongs to the default game. Headers in
/// adjacent lines belong together, and `Rules` overrides `Game`. `Options` alone apply
/// to the game above, wherever they stand in its section.
pub fn sections(lines: &[Line<'_>], default: &'static Game) -> Vec<Section> {
    let headers = headers(lines);
    let mut sections: Vec<HeaderBlock<'_>> = vec![HeaderBlock::default()];
    for block in blocks(lines, &headers) {
        let says = |header: Option<&Header>| header.map(|header| header.value.to_lowercase());
        let current = sections
            .last_mut()
            .unwrap_or_else(|| unreachable!("never empty"));
        let is_first = current.line == 0 && current.game.is_none();
        if block.game.is_some() {
            if is_first {
                current.game = block.game;
                current.options = block.options.or(current.options);
            } else if says(block.game) != says(current.game)
                || (block.options.is_some() && says(block.options) != says(current.options))
            {
                sections.push(block);
            }
        } else if current.options.is_none() {
            current.options = block.options;
        } else if says(block.options) != says(current.options) {
            let game = current.game;
            sections.push(HeaderBlock { game, ..block });
        }
    }
    let end = |at: usize| sections.get(at + 1).map_or(lines.len(), |next| next.line);
    let found = sections.iter().enumerate().map(|(at, block)| Section {
        lines: block.line..end(at),
        variant: block.variant(default),
        is_named: block.game.is_some() || block.options.is_some(),
    });
    found.collect()
}

/// Returns the game of the first header that names one, ignoring its options, or the
/// default.
pub fn named(lines: &[Line<'_>], default: &'static Game) -> &'static Game {
    let headers = headers(lines);
    match blocks(lines, &headers).iter().find_map(|block| block.game) {
        Some(header) => game(&header.value).unwrap_or(default),
        None => default,
    }
}

/// The longest value of a tag, in characters.
const LONGEST_VALUE: usize = 4_000;

/// Reads the tag at the start of a text: its name, its value without escapes, and its length.
pub(crate) fn leading_tag(text: &str) -> Option<(&str, String, usize)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = &inner[..inner.find(|c| !is_name(c)).unwrap_or(inner.len())];
    let value = inner[name.len()..].trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    // Many programs leave quotation marks in values as they are.
    let (mut chars, mut read) = (value.char_indices().take(LONGEST_VALUE), String::new());
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if value[at + 1..].starts_with(['"', '\\']) => {
                read.extend(chars.next().map(|(_, c)| c));
            }
            '"' if value[at + 1..].trim_start().starts_with(']') => {
                let behind = value[at + 1..].trim_start();
                return Some((name, read, text.len() - behind.len() + 1));
            }
            c => read.push(c),
        }
    }
    None
}

/// Returns true if a text has tags of PGN.
pub(super) fn has_tags(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| tag_name(line).is_some())
}

/// The tags that every match in PGN has, in small letters.
const SEVEN_TAGS: [&str; 7] = ["event", "site", "date", "round", "white", "black", "result"];

/// Returns true if each match of PGN has a tag of this name, or may have one that names its game.
pub(super) fn is_of_roster(name: &str) -> bool {
    let mut known = SEVEN_TAGS.iter().chain(&NAMING_TAGS);
    known.any(|tag| tag.eq_ignore_ascii_case(name))
}

/// Returns true if tags of these names, in letters of any case, name their game: one of them does, or
/// all standard ones mean chess.
pub(super) fn tags_name_game<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let names: Vec<String> = names.map(str::to_ascii_lowercase).collect();
    let has = |name: &&str| names.iter().any(|other| other == name);
    SEVEN_TAGS.iter().all(has) || NAMING_TAGS.iter().any(has)
}

/// Returns true if a line names a game or options, and is no tag of PGN.
pub(super) fn names_game_outside_tags(line: &Line<'_>) -> bool {
    read(line).is_some_and(|header| header.key != Key::Setup) && tag_name(line).is_none()
}

/// The tags that name a game, in small letters.
const NAMING_TAGS: [&str; 3] = ["variant", "game", "rules"];

/// Returns the headers that name games and options, each with its line.
///
/// A block of PGN tags with all seven standard ones and no `Variant` names chess, as PGN
/// means it, unless a line above names the game: `Game: Unachess`.
fn headers(lines: &[Line<'_>]) -> Vec<(usize, Header)> {
    let mut headers: Vec<(usize, Header)> = (lines.iter().enumerate())
        .filter_map(|(at, line)| Some((at, read(line)?)))
        .filter(|(_, header)| header.key != Key::Setup)
        .collect();
    let names_game = |(at, header): &&(usize, Header)| {
        header.key != Key::Options && tag_name(&lines[*at]).is_none()
    };
    let named = headers.iter().find(names_game);
    let named = named.map_or(lines.len(), |(at, _)| *at);
    for block in tag_blocks(lines) {
        let has = |name: &&str| block.names.iter().any(|other| other == name);
        let is_chess = SEVEN_TAGS.iter().all(has) && !NAMING_TAGS.iter().any(has);
        if block.at < named && is_chess {
            let line = &lines[block.at];
            let chess = Header {
                key: Key::Game,
                value: games::CHESS.name.to_owned(),
                place: TextPlace::new(line.number, line.column),
            };
            headers.push((block.at, chess));
        }
    }
    headers.sort_by_key(|(at, _)| *at);
    headers
}

/// The tags above one match in PGN.
struct TagBlock {
    /// The line of the first, counted from 0.
    at: usize,
    /// The names by which the game is known, in small letters.
    names: Vec<String>,
}

/// Finds the tags of PGN in a text, those of each match together.
fn tag_blocks(lines: &[Line<'_>]) -> Vec<TagBlock> {
    let mut blocks: Vec<TagBlock> = Vec::new();
    let mut is_open = false;
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = tag_name(line) else {
            is_open &= line.is_blank();
            continue;
        };
        let is_telling = SEVEN_TAGS
            .iter()
            .chain(&NAMING_TAGS)
            .any(|tag| *tag == name);
        match blocks.last_mut() {
            Some(_) if is_open && !is_telling => {}
            // Two matches without moves may stand one below the other.
            Some(block) if is_open && !block.names.contains(&name) => block.names.push(name),
            _ => blocks.push(TagBlock {
                at,
                names: vec![name],
            }),
        }
        is_open = true;
    }
    blocks
}

/// Returns the result that a line states: a tag `[Result "1-0"]`, or `Result: 1-0 (resignation)`.
pub(super) fn result(line: &Line<'_>) -> Option<String> {
    if line.text.len() > LONGEST {
        return None;
    }
    let text = line.plain();
    let (name, value) = tag(&text).or_else(|| text.split_once(':'))?;
    let is_result = name.trim().eq_ignore_ascii_case("result");
    let word = value.split_whitespace().next().filter(|_| is_result)?;
    Some(word.to_owned())
}

/// Returns the name of the tag that a line is, in small letters.
fn tag_name(line: &Line<'_>) -> Option<String> {
    let can_be = line.text.len() <= LONGEST && line.text.contains('[');
    if line.author == Author::Signature || !can_be {
        return None;
    }
    let is_as_meant = line.text.is_ascii() && !line.text.contains(['&', '\\', '<', '~']);
    let text = if is_as_meant {
        Cow::Borrowed(line.text)
    } else {
        Cow::Owned(line.plain())
    };
    let (name, _) = tag(&text)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| name.to_ascii_lowercase())
}

/// Splits a tag of PGN, `[White "Anna"]`, into its name and its value.
fn tag(text: &str) -> Option<(&str, &str)> {
    let tag = text.trim().strip_prefix('[')?.strip_suffix("\"]")?;
    let (name, value) = tag.split_once('"')?;
    Some((name.trim(), value))
}

/// Groups the headers of neighbouring lines.
fn blocks<'h>(lines: &[Line<'_>], headers: &'h [(usize, Header)]) -> Vec<HeaderBlock<'h>> {
    let mut blocks: Vec<HeaderBlock<'h>> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, header) in headers {
        let is_near = last.is_some_and(|last| {
            at - last < 20 && lines[last..*at].iter().all(|line| !line.is_blank())
        });
        if !is_near {
            blocks.push(HeaderBlock {
                line: *at,
                ..HeaderBlock::default()
            });
        }
        last = Some(*at);
        let Some(block) = blocks.last_mut() else {
            continue;
        };
        match header.key {
            Key::Rules => block.game = Some(header),
            Key::Game if block.game.is_none() => block.game = Some(header),
            Key::Options => block.options = Some(header),
            Key::Game | Key::Setup => {}
        }
    }
    blocks
}

impl HeaderBlock<'_> {
    fn variant(&self, default: &'static Game) -> Result<Variant, HeaderError> {
        let at = |header: &Header, error| HeaderError {
            place: header.place,
            name: header.value.clone(),
            error,
        };
        let game = match self.game {
            Some(header) => game(&header.value).map_err(|error| at(header, error))?,
            None => default,
        };
        match self.options {
            Some(header) => variant(game, &header.value).map_err(|error| at(header, error)),
            None => variant(game, "").map_err(|error| unreachable!("{error}")),
        }
    }
}

/// The line that names a mail's match, its number of half-moves and the hash of the
/// moves, `Game k7f3qd, 6 half-moves made, hash 0123456789abcdef.`. Mails of earlier
/// versions have the hash in a line below, `Hash of the moves: 0123456789abcdef`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdLine {
    /// The id of the match.
    pub id: Id,
    /// The number of half-moves made.
    pub plies: usize,
    /// The author of the line.
    pub author: Author,
    /// The hash of the moves, if the foot has it.
    pub hash: Option<String>,
}

/// Samples of id lines.
pub(super) const ID_LINE_SAMPLES: [&str; 4] = [
    "Game m, 2 half-moves made.",
    "Game m, 2 half-moves made, hash 0123456789abcdef.",
    "Game m, 2 half-moves made.\nHash of the moves: 0123456789abcdef",
    "Hash of the moves: 0123456789abcdef",
];

/// Returns the id lines with the lowest quoting depth. They belong to the message that
/// the text answers, not to older ones quoted in it.
pub fn id_lines(lines: &[Line<'_>]) -> Vec<IdLine> {
    let mut found: Vec<IdLine> = (0..lines.len())
        .filter(|at| {
            matches!(
                lines[*at].author,
                Author::Own | Author::Quoted(1..) | Author::Program
            )
        })
        .filter_map(|at| IdLine::at(lines, at).map(|(line, _)| line))
        .collect();
    let least = found.iter().map(|line| line.author.depth()).min();
    found.retain(|line| Some(line.author.depth()) == least);
    found
}

/// Returns the foot, with its hash, of the mail of this match that a text quotes first. It stands behind
/// fewer marks than what that mail quotes in turn.
pub(crate) fn quoted_foot(lines: &[Line<'_>], id: &Id) -> Option<IdLine> {
    let feet = (0..lines.len())
        .filter(|at| lines[*at].author != Author::Own)
        .filter_map(|at| Some((lines[at].column, IdLine::at(lines, at)?.0)))
        .filter(|(_, foot)| foot.id == *id && foot.hash.is_some());
    feet.min_by_key(|(column, _)| *column).map(|(_, foot)| foot)
}

/// Returns the number of the first line, from 0, with an id line behind quote marks: the foot
/// of a mail that is quoted.
pub(crate) fn first_quoted_id_line(lines: &[Line<'_>]) -> Option<usize> {
    let is_quoted = |at: &usize| matches!(lines[*at].author, Author::Quoted(1..));
    let mut quoted = (0..lines.len()).filter(is_quoted);
    quoted.find(|at| IdLine::at(lines, *at).is_some())
}

impl IdLine {
    /// Reads the id line that begins at `at`, with the hash behind or below it. Returns
    /// it with the number of the line after both, where our mail ends. A program may have
    /// wrapped it, or joined its lines in one.
    pub(crate) fn at(lines: &[Line<'_>], at: usize) -> Option<(IdLine, usize)> {
        /// More words than both have.
        const MOST: usize = 11;
        // A cheap test that spares most lines the rest.
        if !lines[at].text.contains("Game") {
            return None;
        }
        let filled = (at..lines.len()).filter(|below| !lines[*below].is_blank());
        let mut words = filled.flat_map(|below| {
            let plain = lines[below].plain();
            let words = plain.split_whitespace().take(MOST);
            words
                .map(|word| (word.to_owned(), below))
                .collect::<Vec<_>>()
        });
        if words.next()?.0 != "Game" {
            return None;
        }
        let id = words.next()?.0.strip_suffix(',')?.parse().ok()?;
        let plies = number(&words.next()?.0)?;
        if !matches!(words.next()?.0.as_str(), "half-move" | "half-moves") {
            return None;
        }
        let (made, line) = words.next()?;
        let behind: Vec<_> = words.take(MOST - 5).collect();
        let is_end = |next: usize, line| behind.get(next).is_none_or(|(_, below)| *below > line);
        // The id line and the hash below it each end at the end of a line.
        let hash = |at: usize| {
            let (word, line) = behind.get(at)?;
            let hash = word.strip_suffix('.').unwrap_or(word);
            (is_hash(hash) && is_end(at + 1, *line)).then(|| (hash.to_owned(), *line))
        };
        let texts: Vec<&str> = behind.iter().map(|(word, _)| word.as_str()).collect();
        let (last, hash) = match (made.as_str(), &texts[..]) {
            // Whatever follows, the line names its match.
            ("made,", ["hash", ..]) => (Some(behind[0].1), hash(1)),
            ("made" | "made.", texts) => {
                let is_below = texts.starts_with(&["Hash", "of", "the", "moves:"]);
                (
                    is_end(0, line).then_some(line),
                    hash(4).filter(|_| is_below),
                )
            }
            _ => return None,
        };
        let (hash, last_of_hash) = hash.unzip();
        let id_line = IdLine {
            id,
            plies,
            author: lines[at].author,
            hash,
        };
        Some((id_line, last_of_hash.or(last)? + 1))
    }
}

/// Returns the last id line with its hash in a document, without the line ends that a program
/// has made in it.
pub(crate) fn last_id_line(html: &str) -> Option<String> {
    static FOOT: Pattern =
        Pattern::new(r"Game [a-z0-9-]{1,32}, [0-9]{1,6} half-moves? made, hash [0-9a-f]{16}\.");
    let last = &html[html.rfind("Game ")?..];
    let text = last.split('<').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    FOOT.find(&words.join(" "))
        .map(|foot| foot.as_str().to_owned())
}

/// Parses a number of half-moves.
fn number(word: &str) -> Option<usize> {
    let is_short = word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_short)
}

/// Returns true if a word may be the hash of a record.
pub fn is_hash(word: &str) -> bool {
    word.len() == 16 && (word.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text could name another choice of options; all are right, and few are kept.
    #[test]
    fn a_variant_that_is_kept_is_the_one_that_is_named() {
        for _ in 0..2 {
            for game in games::ALL {
                let names = || game.options.iter().map(|option| option.name);
                for (one, other) in names().flat_map(|one| names().map(move |other| (one, other))) {
                    let made = Variant::new(game, &[one, other]);
                    for text in [format!("{one}, {other}"), format!("{other} {one} {other}")] {
                        let found = variant(game, &text).ok();
                        assert_eq!(found, made.as_ref().ok().cloned(), "{text}");
                    }
                }
                assert_eq!(variant(game, "").ok(), Variant::new(game, &[]).ok());
                assert!(variant(game, "none, nothing-of-the-kind").is_err());
            }
        }
        assert!(VARIANTS.lock().unwrap().len() <= KEPT);
    }
}
