//! Lists of moves by the grammar of PGN, of any game: tags, numbers, moves, results, comments in
//! `{}` and behind `;`, NAGs, nested variations, lines behind `%`.
//!
//! A text is read so if it is such a file, perhaps with words above and below that hold no
//! move. Anything else is people's text, which [`crate::notation::parsed_match`] reads. A list
//! without tags may be either: where a token does not fit the grammar, it is people's text.

mod lexer;
mod words;

use std::ops::Range;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::LocatedDiagram;
use crate::notation::header::{self, GameChoice, HeaderError, Heading};
use crate::notation::move_list::mover;
use crate::notation::moves::{MoveEntry, Number};
use crate::notation::parsed_match::{DiagramClaim, ParsedMatch};
use crate::notation::pgn::lexer::{Kind, Lexer, Row, Token, is_label};
use crate::notation::positions;
use crate::notation::reader::PartKind;
use crate::notation::results::{self, StatedResult};
use crate::notation::voice::Evidence;
use crate::rules::notation::{MoveText, Voice};
use crate::rules::{Color, Game, Position, Variant, games};

/// One game of a text.
#[derive(Default)]
struct RawGame<'t> {
    tags: Vec<Tag<'t>>,
    /// The tokens behind the tags.
    tokens: Vec<Token<'t>>,
    /// The results behind the moves: a winner, or none for a draw.
    results: Vec<Option<Color>>,
    /// True behind the first result.
    is_over: bool,
    /// The number of words among the tokens.
    words: usize,
    /// The other words above its moves: indices of their ranges.
    prose: Range<usize>,
    /// True if a FEN between its list and the one above makes it a game.
    is_below_fen: bool,
}

/// Returns a FEN with the letters of castling that a game has whose pieces begin on the board. Some
/// programs write the files of the rooks.
fn with_usual_rights(fen: &str, variant: &Variant) -> String {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    let Some(rights) = fields.get_mut(2).filter(|_| !variant.rules().has_reserve()) else {
        return fen.to_owned();
    };
    if !rights.chars().all(|c| matches!(c, 'H' | 'A' | 'h' | 'a')) {
        return fen.to_owned();
    }
    let usual = rights.replace('H', "K").replace('A', "Q");
    let usual = usual.replace('h', "k").replace('a', "q");
    *rights = &usual;
    fields.join(" ")
}

/// A tag and the place of its value.
struct Tag<'t> {
    name: &'t str,
    value: String,
    place: TextPlace,
}

/// The games of a text, and the rows of other words between them.
struct RawText<'t> {
    games: Vec<RawGame<'t>>,
    prose: Vec<Range<usize>>,
}

/// A game that was read by the grammar.
pub(super) struct PgnGame {
    pub(super) game: ParsedMatch,
    pub(super) variant: Variant,
    /// The tokens that do not fit the grammar, and a warning about moves after the end.
    pub(super) problems: Vec<Problem>,
    /// The results that the text states, each a winner or none for a draw.
    pub(super) stated: Vec<Option<Color>>,
    pub(super) heading: Heading,
    /// The game, if nothing names it and its moves tell it.
    pub(super) assumed: Option<&'static Game>,
    pub(super) has_tags: bool,
}

impl PgnGame {
    /// Returns true if the game begins in another position than the start.
    fn begins_elsewhere(&self) -> bool {
        self.game.record().start() != &self.variant.start()
    }

    /// Makes a game of which nothing is read, since its game is unknown.
    fn refused(error: &HeaderError) -> PgnGame {
        let variant = positions::plain(header::DEFAULT);
        PgnGame {
            game: ParsedMatch::starting(variant.start(), Voice::Program),
            variant,
            problems: vec![Problem::error(error.place, error)],
            stated: Vec::new(),
            heading: Heading::default(),
            assumed: None,
            has_tags: true,
        }
    }
}

/// Reads the games of a text by the grammar. Returns none if it is people's text.
///
/// # Errors
///
/// If a tag or a line above names an unknown game or option.
pub(super) fn read(
    lines: &[Line<'_>],
    choice: &GameChoice,
) -> Result<Option<Vec<PgnGame>>, HeaderError> {
    let Some(first) = lines.iter().position(|line| !line.is_blank()) else {
        return Ok(None);
    };
    let has_tags = lines[first..]
        .iter()
        .any(|line| header::leading_tag(line.text.trim_start()).is_some());
    // A file has no signature.
    let is_read =
        |line: &&Line<'_>| has_tags || !matches!(line.author, Author::Signature | Author::Carried);
    let rows: Vec<Row<'_>> = lines[first..]
        .iter()
        .take_while(is_read)
        .map(Row::of)
        .collect();
    let Some(start) = rows.iter().position(Row::begins) else {
        return Ok(None);
    };
    let Some(mut raw) = RawText::read(&rows[start..], has_tags) else {
        return Ok(None);
    };
    for prose in &mut raw.prose {
        *prose = first + start + prose.start..first + start + prose.end;
    }
    raw.prose.push(first + rows.len()..lines.len());
    let variants = Variants::of(lines, choice);
    let (mut problems, mut diagrams) = (Vec::new(), Vec::new());
    let above = 0..first + start;
    for (at, prose) in raw.prose.iter().chain([&above]).enumerate() {
        match variants.found_in(&lines[prose.clone()]) {
            Prose::Silent => {}
            Prose::Move(place) if has_tags => problems.push(Problem::warning(place, ASIDE)),
            Prose::Diagrams(found) => diagrams.push((at, found)),
            Prose::Move(_) | Prose::Other => return Ok(None),
        }
    }
    let mut games = Vec::with_capacity(raw.games.len());
    for (at, game) in raw.games.iter().enumerate() {
        // Of several games the one with an unknown name is refused alone.
        if let Some(Err(error)) = variants.named(game) {
            if raw.games.len() == 1 || !has_tags {
                return Err(error.clone());
            }
            games.push(PgnGame::refused(error));
            continue;
        }
        let above = (at == 0).then(|| above.clone());
        let above = above
            .into_iter()
            .chain(raw.prose[game.prose.clone()].iter().cloned());
        let above: Vec<&[Line<'_>]> = above.map(|lines_above| &lines[lines_above]).collect();
        let read = game.read(&variants, &above, &lines[first + start..], has_tags);
        let Some(one) = read else {
            return Ok(None);
        };
        if game.is_below_fen && !one.begins_elsewhere() {
            return Ok(None);
        }
        games.push(one);
    }
    for (prose, found) in diagrams {
        let next = raw.games.partition_point(|game| game.prose.end <= prose);
        let is_above = |game: &RawGame<'_>| game.prose.contains(&prose);
        let owner = match raw.games.get(next) {
            Some(game) if is_above(game) => next,
            _ if prose == raw.prose.len() => 0,
            _ => games.len().saturating_sub(1),
        };
        let is_only = has_tags && games.len() == 1;
        let Some(one) = games
            .get_mut(owner)
            .filter(|one| is_only || one.begins_elsewhere())
        else {
            return Ok(None);
        };
        let before = Some(one.game.turns.len());
        let claims = found.into_iter().map(|drawn| DiagramClaim {
            drawn,
            after: None,
            before,
        });
        one.game.claims.extend(claims);
    }
    if let Some(last) = games.last_mut() {
        last.problems.extend(problems);
    }
    Ok((!games.is_empty()).then_some(games))
}

impl<'t> Row<'t> {
    fn of<'a: 't>(line: &'t Line<'a>) -> Row<'t> {
        Row {
            text: line.text,
            number: line.number,
            column: line.column,
        }
    }

    /// Returns the rest of the row from a token on.
    fn from(&self, token: &Token<'_>) -> &'t str {
        let mut places = self.text.char_indices();
        let start = places.nth(token.place.column - self.column);
        start.map_or("", |(start, _)| &self.text[start..])
    }

    /// Returns true if a game may begin here: with a tag, a comment, or the number of a move.
    fn begins(&self) -> bool {
        let text = self.text.trim_start();
        if text.starts_with('{') {
            return true;
        }
        if text.starts_with('[') {
            return header::leading_tag(text).is_some();
        }
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let (digits, rest) = text.split_at(text.len() - rest.len());
        let behind = rest.trim_start_matches(['.', '…', ' ']);
        let has_move = || {
            let word = behind.split_whitespace().next().unwrap_or_default();
            let word = word.split(['{', '(', ';', '$']).next().unwrap_or_default();
            word.is_empty() || words::is_move(word) || words::null_move(word)
        };
        (1..=4).contains(&digits.len()) && rest.starts_with(['.', '…', ' ']) && has_move()
    }
}

impl<'t> RawText<'t> {
    /// Splits rows into games. Returns none if a row without tags has words that are no moves.
    fn read(rows: &'t [Row<'t>], has_tags: bool) -> Option<RawText<'t>> {
        let mut text = RawText {
            games: Vec::new(),
            prose: Vec::new(),
        };
        let mut game = RawGame::default();
        let mut tokens = Lexer::new(rows, has_tags);
        let mut is_prose_from: Option<usize> = None;
        while let Some(token) = tokens.next() {
            if let Some(from) = is_prose_from {
                let goes_on = match &token.kind {
                    Kind::Tag(..) => false,
                    _ => token.row < from || !(token.is_first && rows[token.row].begins()),
                };
                if goes_on {
                    continue;
                }
                let prose = from.min(token.row)..token.row;
                text.prose.push(prose.clone());
                is_prose_from = None;
                if !has_tags && game.is_followed_by_fen(rows, prose, &token) {
                    game.leave_label(rows);
                    text.finish(&mut game);
                    game.is_below_fen = true;
                }
                game.is_over |= game.words > 0;
            }
            if game.words == 0 {
                game.prose.end = text.prose.len();
            }
            match &token.kind {
                Kind::Tag(name, value) => {
                    if !game.tokens.is_empty() || game.is_over || game.has_twice(name) {
                        text.finish(&mut game);
                    }
                    game.tags.push(Tag {
                        name,
                        value: value.clone(),
                        place: token.place,
                    });
                    continue;
                }
                Kind::Number {
                    value: 1,
                    has_dots: false,
                } if (game.is_over || game.words > 1 && !game.counts_from_zero())
                    && rows[token.row].begins() =>
                {
                    // A list that begins again may be the same one.
                    if !game.is_over && !has_tags {
                        return None;
                    }
                    text.finish(&mut game);
                }
                Kind::Result(result) => {
                    game.is_over = true;
                    game.results.extend(result.told());
                    continue;
                }
                Kind::Word(word) => match game.meaning(rows, &token, word, has_tags) {
                    Meaning::Result(result, count) => {
                        game.is_over = true;
                        game.results.extend(result.told());
                        for _ in 1..count {
                            tokens.next();
                        }
                        continue;
                    }
                    Meaning::Prose(row) => {
                        is_prose_from = Some(row);
                        continue;
                    }
                    Meaning::Talk => return None,
                    Meaning::OfList => {}
                },
                _ => {}
            }
            let is_word = matches!(token.kind, Kind::Word(_) | Kind::Move(..));
            if game.is_over && is_word {
                if !has_tags {
                    return None;
                }
                if token.is_first {
                    // Words of somebody, among which a move may stand.
                    is_prose_from = Some(token.row);
                } else {
                    let kind = Kind::Unbalanced(BEHIND_RESULT);
                    game.tokens.push(Token { kind, ..token });
                }
                continue;
            }
            game.words += usize::from(is_word);
            game.tokens.push(token);
        }
        if let Some(from) = is_prose_from {
            text.prose.push(from.min(rows.len())..rows.len());
        }
        text.finish(&mut game);
        if tokens.has_long_remark && !has_tags {
            return None;
        }
        let has_moves = text.games.iter().any(|game| game.words > 0);
        (has_moves || has_tags).then_some(text)
    }

    fn finish(&mut self, game: &mut RawGame<'t>) {
        // The words between two games stand above the second.
        let prose = self.prose.len();
        let next = RawGame {
            prose: prose.saturating_sub(1).max(game.prose.end)..prose,
            ..RawGame::default()
        };
        let game = std::mem::replace(game, next);
        if !game.tags.is_empty() || game.words > 0 {
            self.games.push(game);
        }
    }
}

/// The sections of a text, each with the number of its first line and its game, if one is named.
struct Variants {
    sections: Vec<NamedSection>,
    /// True if the user names the game.
    is_given: bool,
}

struct NamedSection {
    /// The number of the first line.
    first: usize,
    /// The game, if one is named, or the error at a name that is unknown.
    variant: Option<Result<Variant, HeaderError>>,
    /// True if tags of PGN alone name it.
    is_of_tags: bool,
}

impl Variants {
    fn of(lines: &[Line<'_>], choice: &GameChoice) -> Variants {
        let sections = choice.sections(lines).into_iter().map(|section| {
            let lines = &lines[section.lines];
            NamedSection {
                first: lines.first().map_or(1, |line| line.number),
                variant: section.is_named.then_some(section.variant),
                is_of_tags: !lines.iter().any(header::names_game_outside_tags),
            }
        });
        Variants {
            sections: sections.collect(),
            is_given: matches!(choice, GameChoice::Given(_)),
        }
    }

    fn section(&self, number: usize) -> &NamedSection {
        let at = self
            .sections
            .partition_point(|section| section.first <= number);
        &self.sections[at.saturating_sub(1)]
    }

    /// Returns the game of a line, if one is named for it.
    fn at(&self, number: usize) -> Option<&Variant> {
        self.section(number).variant.as_ref()?.as_ref().ok()
    }

    /// Returns the game that is named for a game of a file. The tags of another game name none.
    fn named(&self, game: &RawGame<'_>) -> Option<&Result<Variant, HeaderError>> {
        let last = game.tags.last().map_or(game.place(), |tag| tag.place);
        let section = self.section(last.line);
        let is_told = self.is_given
            || !section.is_of_tags
            || game.tags.is_empty()
            || header::tags_name_game(game.tags.iter().map(|tag| tag.name));
        section.variant.as_ref().filter(|_| is_told)
    }

    /// Returns the content of other words.
    fn found_in(&self, lines: &[Line<'_>]) -> Prose {
        let Some(first) = lines.first() else {
            return Prose::Silent;
        };
        let default = || Variant::new(header::DEFAULT, &[]).ok();
        let Some(variant) = self.at(first.number).cloned().or_else(default) else {
            return Prose::Other;
        };
        let (mut found, mut diagrams) = (Prose::Silent, Vec::new());
        for part in positions::find::parts(lines, &variant) {
            let place = match part.kind {
                PartKind::Header(_) | PartKind::Heading => continue,
                PartKind::Moves(moves) => moves.entries[0].place,
                // It counts the positions.
                PartKind::Gap(_) if is_label(lines[part.lines.start].text) => continue,
                PartKind::Gap(gap) => gap.number.place,
                PartKind::Diagram(drawn) => {
                    diagrams.push(*drawn);
                    continue;
                }
                PartKind::BadDiagram(_) | PartKind::Surplus(_) => return Prose::Other,
            };
            if matches!(found, Prose::Silent) {
                found = Prose::Move(place);
            }
        }
        match found {
            Prose::Silent if !diagrams.is_empty() => Prose::Diagrams(diagrams),
            Prose::Move(_) if !diagrams.is_empty() => Prose::Other,
            found => found,
        }
    }
}

/// The content of the words between games.
enum Prose {
    /// Neither a move nor a diagram.
    Silent,
    /// A move, or the number of one.
    Move(TextPlace),
    /// Diagrams, and no move.
    Diagrams(Vec<LocatedDiagram>),
    /// Diagrams beside moves, or one that cannot be read.
    Other,
}

/// The fewest `/` of a line with a FEN.
const LEAST_SLASHES: usize = 7;

/// The least moves of a list before words that stand behind the moves of its row.
const LEAST_BEFORE_REMARK: usize = 3;

const BEHIND_RESULT: &str = "a move stands behind the result";

const ASIDE: &str = "a move stands among other words here and is not judged";

const NULL: &str = "this is a null move, and no game here lets a player pass";

const ZERO: &str = "the moves of a list are counted from 1";

/// The meaning of a word that is no move.
enum Meaning {
    /// A result, of so many words.
    Result(StatedResult, usize),
    /// The words of somebody begin, from this row on.
    Prose(usize),
    /// The text is people's.
    Talk,
    /// A part of the list, or a fault in it.
    OfList,
}

impl<'t> RawGame<'t> {
    /// Tells what a word that is no move means.
    fn meaning(&self, rows: &[Row<'_>], token: &Token<'_>, word: &str, has_tags: bool) -> Meaning {
        if let Some((result, count)) = self.result_in_words(rows, token) {
            return Meaning::Result(result, count);
        }
        // Below `--` alone stands a signature.
        let is_end = word == "--" && rows[token.row].text.trim() == "--";
        let is_null = words::null_move(word) && !is_end;
        if words::is_spoken_mark(word) || is_null {
            return Meaning::OfList;
        }
        // Nothing of the list stands in its row, or in the rows since: dashes, as a diagram has
        // them.
        let last = self.tokens.last().map_or(token.row, |last| last.row + 1);
        let is_first = token.is_first || last <= token.row && self.words > 0;
        if !words::is_like_move(word) && (is_first || self.is_over) {
            return Meaning::Prose(if is_first {
                last.min(token.row)
            } else {
                token.row + 1
            });
        }
        if has_tags {
            return Meaning::OfList;
        }
        // Words behind the moves of a row are a remark.
        let rest = rows[token.row].from(token);
        let is_talk = words::has_move(rest) || self.begins_sentence(token.row, word);
        if self.words < LEAST_BEFORE_REMARK || is_talk {
            return Meaning::Talk;
        }
        Meaning::Prose(token.row + 1)
    }

    /// Reads a result in words behind a move, and returns it with the number of its words.
    fn result_in_words(
        &self,
        rows: &[Row<'_>],
        token: &Token<'_>,
    ) -> Option<(StatedResult, usize)> {
        let names = |color, word: &str| {
            let name = match color {
                Color::White => self.tag("White"),
                Color::Black => self.tag("Black"),
            };
            let name = name.map(|tag| tag.value.to_lowercase());
            let mut parts = name.iter().flat_map(|name| name.split([' ', ',', '.']));
            word.chars().count() > 2 && parts.any(|part| part == word)
        };
        if self.words == 0 {
            return None;
        }
        let is_even = self.words.is_multiple_of(2);
        let to_move = if is_even { self.turn() } else { !self.turn() };
        let rest = rows[token.row].from(token);
        words::result(rest, &names, to_move).or_else(|| {
            // A mail program may have broken it.
            let next = rows.get(token.row + 1)?.text;
            words::result(&format!("{rest} {next}"), &names, to_move)
        })
    }

    /// Returns true if the number of the first move is 0.
    fn counts_from_zero(&self) -> bool {
        self.first().is_some_and(|(number, _)| number == 0)
    }

    /// Returns true if the words below the moves hold a FEN, and the number behind them does not go on
    /// with the list.
    fn is_followed_by_fen(
        &self,
        rows: &[Row<'_>],
        words: Range<usize>,
        number: &Token<'_>,
    ) -> bool {
        let is_fen = |row: &Row<'_>| row.text.matches('/').count() >= LEAST_SLASHES;
        let (Kind::Number { value, has_dots }, Some((first, side))) = (&number.kind, self.first())
        else {
            return false;
        };
        let half = |value: u32, is_black| value as usize * 2 + usize::from(is_black);
        let next = half(first, side == Color::Black) + self.words;
        let is_mated = || {
            let mut moves = self.tokens.iter().rev();
            moves.find_map(|token| match token.kind {
                Kind::Move(word, _) => Some(word.ends_with('#')),
                _ => None,
            }) == Some(true)
        };
        self.words > 0
            && rows[words].iter().any(is_fen)
            && (half(*value, *has_dots) != next || self.is_over || is_mated())
    }

    /// Leaves out a number alone in its row behind the moves, which counts the positions.
    fn leave_label(&mut self, rows: &[Row<'_>]) {
        self.tokens.pop_if(|last| {
            matches!(last.kind, Kind::Number { .. }) && is_label(rows[last.row].text)
        });
    }

    /// Returns true if a word behind the moves of a row may go on with a sentence that they begin,
    /// `c5 is weak`: no number stands there, and nothing says that the last one was played.
    fn begins_sentence(&self, row: usize, word: &str) -> bool {
        let own = self.tokens.iter().rev();
        let mut own = own.take_while(|token| token.row == row);
        let is_closed = self.tokens.last().is_some_and(|last| match &last.kind {
            Kind::Move(word, _) => word.ends_with([',', '#']),
            _ => true,
        });
        let goes_on = ["and", "with"].contains(&word.to_lowercase().as_str());
        !is_closed && !goes_on && !own.any(|token| matches!(token.kind, Kind::Number { .. }))
    }

    fn tag(&self, name: &str) -> Option<&Tag<'t>> {
        let mut tags = self.tags.iter();
        tags.find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if the tags have this one of the roster: the tags of another game begin.
    fn has_twice(&self, name: &str) -> bool {
        header::is_of_roster(name) && self.tag(name).is_some()
    }

    /// Returns the first side to move.
    fn turn(&self) -> Color {
        let fen = self.tag("FEN").map(|tag| tag.value.as_str());
        match fen.map(|fen| fen.split_whitespace().nth(1)) {
            Some(Some("b")) => Color::Black,
            Some(_) => Color::White,
            None => self.first().map_or(Color::White, |(_, side)| side),
        }
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        let mut turn = self.turn();
        for token in &self.tokens {
            if let Kind::Move(_, text) = &token.kind {
                evidence.take(turn, text);
                turn = !turn;
            }
        }
        evidence
    }

    /// Returns the place where the game begins.
    fn place(&self) -> TextPlace {
        let tag = self.tags.first().map(|tag| tag.place);
        let first = self.tokens.first().map(|token| token.place);
        tag.or(first).unwrap_or(TextPlace::new(1, 1))
    }

    /// Returns the results that the text states of the game, each once.
    fn stated(&self) -> Vec<Option<Color>> {
        let tag = self
            .tag("Result")
            .and_then(|tag| results::result(tag.value.trim()));
        let mut stated: Vec<Option<Color>> = Vec::new();
        for result in tag
            .and_then(StatedResult::told)
            .into_iter()
            .chain(self.results.iter().copied())
        {
            if !stated.contains(&result) {
                stated.push(result);
            }
        }
        stated
    }

    fn heading(&self) -> Heading {
        let value = |name: &str| {
            let value = self.tag(name)?.value.trim();
            let is_unknown = value.is_empty() || value.chars().all(|c| "?.-".contains(c));
            (!is_unknown).then(|| value.to_owned())
        };
        Heading {
            players: [value("White"), value("Black")],
            event: value("Event"),
            site: value("Site"),
            date: value("Date"),
            round: value("Round"),
        }
    }

    /// Reads the game. Returns none if a list without tags does not fit the grammar.
    fn read(
        &self,
        variants: &Variants,
        above: &[&[Line<'_>]],
        lines: &[Line<'_>],
        has_tags: bool,
    ) -> Option<PgnGame> {
        let evidence = self.evidence();
        let named = variants.named(self).and_then(|named| named.as_ref().ok());
        let assumed = named.is_none().then(|| evidence.game()).flatten();
        let variant = match (named, assumed) {
            (Some(variant), _) => variant.clone(),
            (None, game) => Variant::new(game.unwrap_or(header::DEFAULT), &[]).ok()?,
        };
        let mut problems = Vec::new();
        let start = self.start(&variant, above).unwrap_or_else(|problem| {
            problems.push(problem);
            variant.start()
        });
        let mut game = ParsedMatch::starting(start, evidence.voice_below(has_tags));
        if !problems.is_empty() {
            // It is unknown where the moves begin.
        } else if has_tags {
            if variant.game().id == games::CHESS.id {
                game.play_on();
            }
            problems.extend(self.fill(&mut game, lines, has_tags).err());
        } else if let Err(problem) = self.fill(&mut game, lines, has_tags) {
            if ![NULL, ZERO].contains(&problem.message.as_str()) {
                return None;
            }
            problems.push(problem);
        }
        if has_tags {
            problems.extend(game.ended_before().map(|(place, why)| {
                let message = format!(
                    "the game was over before this move, by {why}; the rest was read all the same"
                );
                Problem::warning(place, message)
            }));
        }
        Some(PgnGame {
            problems,
            has_tags,
            stated: self.stated(),
            heading: self.heading(),
            assumed,
            variant,
            game,
        })
    }

    /// Returns the number and the side of the first move.
    fn first(&self) -> Option<(u32, Color)> {
        let Kind::Number { value, has_dots } = self.tokens.first()?.kind else {
            return None;
        };
        let is_black = has_dots || matches!(self.tokens.get(1)?.kind, Kind::Dots);
        let side = if is_black { Color::Black } else { Color::White };
        Some((value, side))
    }

    /// Returns the position in which the game begins: that of its tag, or of a FEN above the list
    /// with the number and the side of its first move.
    fn start(&self, variant: &Variant, above: &[&[Line<'_>]]) -> Result<Position, Problem> {
        let Some(tag) = self.tag("FEN") else {
            let start = self.start_above(variant, above);
            return Ok(start.unwrap_or_else(|| variant.start()));
        };
        Position::from_fen(variant, &with_usual_rights(&tag.value, variant))
            .map_err(|error| Problem::error(tag.place, format!("the tag FEN: {error}")))
    }

    fn start_above(&self, variant: &Variant, above: &[&[Line<'_>]]) -> Option<Position> {
        let (value, side) = self.first()?;
        // The last field of a FEN is the number of the move.
        let number = value.to_string();
        let is_number = |line: &Line<'_>| line.text.split_whitespace().any(|word| word == number);
        above.iter().rev().find_map(|lines| {
            if !lines.iter().any(|line| line.text.contains('/')) {
                return None;
            }
            let found = positions::find::in_section(lines, variant, true);
            let mut fens = found.into_iter().flatten().rev();
            let found = fens.find(|found| lines[found.lines.clone()].iter().any(is_number))?;
            let (position, _) = found.position(found.turn?).ok()?;
            (position.turn() == side && position.number() == value).then_some(position)
        })
    }

    /// Plays the moves.
    ///
    /// # Errors
    ///
    /// At the first token that does not fit the grammar.
    fn fill(
        &self,
        game: &mut ParsedMatch,
        lines: &[Line<'_>],
        has_tags: bool,
    ) -> Result<(), Problem> {
        let variant = game.record().start().variant().clone();
        let start = game.record().start();
        let mut next = start.number() as usize * 2 + usize::from(start.turn() == Color::Black);
        let mut number: Option<Number> = None;
        let mut written: Option<Written> = None;
        for token in &self.tokens {
            match &token.kind {
                Kind::Tag(..) | Kind::Result(_) => {}
                Kind::Unbalanced(why) => return Err(Problem::error(token.place, why)),
                Kind::Number { value, has_dots } => {
                    number = Some(Number {
                        value: *value,
                        is_second: *has_dots,
                        place: token.place,
                    });
                }
                Kind::Dots => {
                    if let Some(number) = &mut number {
                        number.is_second = true;
                    }
                }
                Kind::Word(word) if words::null_move(word) => {
                    return Err(Problem::error(token.place, NULL));
                }
                Kind::Mark(word) => add_mark(&mut written, word),
                Kind::Word(word) if words::is_spoken_mark(word) => add_mark(&mut written, word),
                Kind::Word(word) | Kind::Move(word, _) => {
                    if let Some(written) = &mut written
                        && variant.rules().placement
                        && written.text.ends_with(',')
                    {
                        written.text += word;
                        written.parsed = None;
                        continue;
                    }
                    push(game, written.take());
                    if let Some(number) = number {
                        fits(number, next, &variant, has_tags)?;
                    }
                    next += 1;
                    written = Some(Written {
                        text: (*word).to_owned(),
                        parsed: match &token.kind {
                            Kind::Move(_, text) => Some(text.clone()),
                            _ => None,
                        },
                        place: token.place,
                        author: lines[token.row].author,
                        number: number.take(),
                    });
                }
            }
        }
        push(game, written);
        match number {
            Some(number) if self.results.is_empty() && !self.is_over => {
                Err(Problem::error(number.place, "no move follows this number"))
            }
            _ => Ok(()),
        }
    }
}

/// A move as it is written, before its marks are complete.
struct Written {
    text: String,
    /// Its meaning, as long as nothing is added.
    parsed: Option<MoveText>,
    place: TextPlace,
    author: Author,
    number: Option<Number>,
}

fn add_mark(written: &mut Option<Written>, mark: &str) {
    if let Some(written) = written {
        written.text.push(' ');
        written.text += mark;
        written.parsed = None;
    }
}

fn push(game: &mut ParsedMatch, written: Option<Written>) {
    let Some(Written {
        mut text,
        parsed,
        place,
        author,
        number,
    }) = written
    else {
        return;
    };
    text.truncate(text.trim_end_matches(',').len());
    game.push_listed(MoveEntry {
        parsed: parsed.map_or_else(|| words::parsed(&text), Ok),
        text,
        place,
        author,
        number,
        is_aside: false,
        tail: String::new(),
    });
}

/// Checks the number before a move; `next` is the number of the half-move, two for each move, and
/// the first move is the first.
///
/// # Errors
///
/// If the list goes on elsewhere. In PGN Black's move may have White's number.
fn fits(number: Number, next: usize, variant: &Variant, has_tags: bool) -> Result<(), Problem> {
    if number.value == 0 {
        return Err(Problem::error(number.place, ZERO));
    }
    let player = |half: usize| variant.player(mover(half));
    let is_black = next % 2 == 1;
    let is_side = is_black == number.is_second || is_black && has_tags;
    if number.value as usize == next / 2 && is_side {
        return Ok(());
    }
    let expected = format!("{}'s move {}", player(next), next / 2);
    let dots = if is_black { "..." } else { "." };
    let message = format!(
        "the next move of the list is {expected}, with the number {}{dots}",
        next / 2
    );
    Err(Problem::error(number.place, message))
}
