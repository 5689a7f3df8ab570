//! The lines that say which game is played: `Rules:`, `Game:` and `Options:`.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::notation::place::Place;
use crate::quoting::line::{Author, Line};
use crate::rules::{Game, Variant, VariantError, games};
use crate::suggest;

/// A line that says something about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What it says.
    pub key: Key,
    /// The value, trimmed.
    pub value: String,
    /// Where the value stands.
    pub place: Place,
}

impl Header {
    /// Whether it gives another position for the beginning than the one that a
    /// game begins with.
    #[must_use]
    pub fn begins_elsewhere(&self, variant: &Variant) -> bool {
        // The other fields follow from these two, and not everybody writes them.
        let place = |fen: &str| -> Vec<String> {
            fen.split_whitespace().take(2).map(str::to_owned).collect()
        };
        self.key == Key::Setup && place(&self.value) != place(&variant.start().fen())
    }
}

/// What a header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// The game, by the name of the command line.
    Rules,
    /// The game, by the name shown to people.
    Game,
    /// The options, parted by commas or blanks.
    Options,
    /// The position a list begins from, as FEN.
    Setup,
}

/// Names of a game that are not in its table entry: what the sources, or other
/// programs, also call it.
const ALIASES: [(&str, &str); 4] = [
    ("standard", "chess"),
    ("unachessi", "unachess"),
    ("unachessiii", "parachute"),
    ("parachute", "parachute"),
];

/// The game of a text that names none.
pub const DEFAULT: &Game = &games::UNACHESS;

/// The lines that name a game and its options, each with its line end. None
/// for the default without options: that is what a text without them is about.
#[must_use]
pub fn write(variant: &Variant) -> String {
    let game = format!("Game: {}\n", variant.game().name);
    match variant.options() {
        [] if variant.game().id == DEFAULT.id => String::new(),
        [] => game,
        options => format!("{game}Options: {}\n", options.join(", ")),
    }
}

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 400;

/// The header of a line, if it is one: `Game: Chess`, also in bold, or a tag of
/// PGN, `[Variant "Chess"]`.
pub(super) fn read(line: &Line<'_>) -> Option<Header> {
    let can_be = line.text.len() <= LONGEST && line.text.contains([':', '：', '"']);
    if line.author == Author::Signature || !can_be {
        return None;
    }
    let glyphs = line.glyphs();
    let text: String = glyphs.iter().map(|glyph| glyph.char).collect();
    let tag = text.trim().strip_prefix('[');
    let (key, value) = if let Some(tag) = tag.and_then(|tag| tag.strip_suffix("\"]")) {
        let (name, value) = tag.split_once('"')?;
        (tag_key(name.trim())?, value)
    } else {
        let (name, value) = text.split_once(':')?;
        // It may stand in a list of points.
        let name = name.trim_start().trim_start_matches(['-', '+', '•']);
        (key(plain(name))?, plain(value))
    };
    // The value is a part of the text, and a character of that a glyph.
    let before = value.as_ptr() as usize - text.as_ptr() as usize;
    let start = text[..before].chars().count();
    let column = |at: usize| glyphs.get(at).map(|glyph| glyph.column as usize);
    let width = value.chars().count().max(1);
    let first = column(start).unwrap_or(line.column + line.text.chars().count());
    Some(Header {
        key,
        value: value.to_owned(),
        place: Place {
            line: line.number,
            column: first,
            width: column(start + width - 1).map_or(1, |last| last + 1 - first),
        },
    })
}

fn key(name: &str) -> Option<Key> {
    Some(match name.to_ascii_lowercase().as_str() {
        "rules" => Key::Rules,
        "game" => Key::Game,
        "options" | "option" => Key::Options,
        _ => return None,
    })
}

fn tag_key(name: &str) -> Option<Key> {
    match name.to_ascii_lowercase().as_str() {
        "variant" => Some(Key::Game),
        "fen" => Some(Key::Setup),
        name => key(name),
    }
}

/// A name or a value without the signs and tags of forums that set it off.
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

/// The game of a name, whatever its capitals, blanks and signs.
///
/// # Errors
///
/// That it is not known, with the names that are and the nearest.
pub fn game(name: &str) -> Result<&'static Game, UnknownVariant> {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == wanted);
    let found = match alias {
        Some((_, id)) => games::find(id),
        None => games::ALL
            .iter()
            .copied()
            .find(|game| game.id == wanted || plain(game.name) == wanted),
    };
    found.ok_or_else(|| UnknownVariant(VariantError::UnknownGame(name.to_owned())))
}

/// The game with the options of a header's value.
///
/// # Errors
///
/// That it has no such option, with those it has and the nearest, or that two
/// exclude each other.
pub fn variant(game: &Game, options: &str) -> Result<Variant, UnknownVariant> {
    let options: Vec<&str> = options
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|name| !name.is_empty() && !matches!(*name, "none" | "-"))
        .collect();
    Variant::new(game, &options).map_err(UnknownVariant)
}

/// A game or an option that does not exist. It is shown with the known name
/// that was probably meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariant(VariantError);

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&suggest::explain(&self.0))
    }
}

impl Error for UnknownVariant {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// A stretch of a text that tells of one game.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its lines, counted from 0.
    pub lines: Range<usize>,
    /// The game with its options.
    pub variant: Variant,
}

/// A text that names a game or an option that does not exist: where, the name
/// as it stands, and what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeaderError {
    /// Where the name stands.
    pub place: Place,
    /// The name.
    pub name: String,
    /// What is wrong with it.
    pub error: UnknownVariant,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for HeaderError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// What the headers of one block say.
#[derive(Clone, Default)]
struct HeaderBlock<'h> {
    line: usize,
    game: Option<&'h Header>,
    options: Option<&'h Header>,
}

/// Parts a text by the games its headers name; before the first header and
/// without any it is of the default game. Headers in lines next to each other
/// belong together, and `Rules` goes before `Game`. `Options` alone are those
/// of the game above, wherever they stand in its part of the text.
///
/// # Errors
///
/// The first name that is not known.
pub fn sections(lines: &[Line<'_>], default: &'static Game) -> Result<Vec<Section>, HeaderError> {
    let headers: Vec<(usize, Header)> = (lines.iter().enumerate())
        .filter_map(|(at, line)| Some((at, read(line)?)))
        .filter(|(_, header)| header.key != Key::Setup)
        .collect();
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
    let ends = sections
        .iter()
        .skip(1)
        .map(|block| block.line)
        .chain([lines.len()]);
    sections
        .iter()
        .zip(ends)
        .map(|(block, end)| {
            Ok(Section {
                lines: block.line..end,
                variant: block.variant(default)?,
            })
        })
        .collect()
}

/// The game that the first header to name one names, whatever options go with
/// it; the default where none does.
#[must_use]
pub fn named(lines: &[Line<'_>], default: &'static Game) -> &'static Game {
    let headers: Vec<(usize, Header)> = (lines.iter().enumerate())
        .filter_map(|(at, line)| Some((at, read(line)?)))
        .filter(|(_, header)| header.key != Key::Setup)
        .collect();
    let blocks = blocks(lines, &headers);
    let header = blocks.iter().find_map(|block| block.game);
    header
        .and_then(|header| game(&header.value).ok())
        .unwrap_or(default)
}

/// The headers, those of neighbouring lines together.
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
