//! Reads boards whose lines a mailer has broken or joined.

use crate::notation::diagram::shape::Shape;
use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::Piece;

/// The line after a diagram, its squares, and the other texts between them.
type Rewrapped = (usize, Vec<(Option<Piece>, Place)>, Vec<(usize, Vec<Glyph>)>);

/// Words of the headings of reserves that may stand among squares.
const HEADING: [&str; 5] = ["pieces", "in", "reserve:", "reserve", "hand:"];

/// Collects squares separated by blanks, from a line on, until there are enough for a
/// board.
///
/// Only two layouts are accepted: rows broken into pieces, where every row still begins
/// a line; and rows joined into fewer lines than there are rows. Any other layout has a
/// square too many here and one too few there, and its meaning would be a guess.
pub(super) fn squares(
    lines: &[Line<'_>],
    taken: &[bool],
    shape: &Shape<'_>,
    start: usize,
) -> Option<Rewrapped> {
    let width = shape.width;
    let enough = width * width;
    let mut squares = Vec::new();
    let mut beside: Vec<(usize, Vec<Glyph>)> = Vec::new();
    let mut counts = Vec::new();
    let mut at = start;
    while squares.len() < enough {
        let line = lines.get(at)?;
        if taken[at] || at > start + 2 * width {
            return None;
        }
        let glyphs = line.glyphs();
        let before = squares.len();
        for word in glyphs
            .split(|glyph| glyph.char == ' ')
            .filter(|word| !word.is_empty())
        {
            match shape.squares(line.number, word) {
                Some(single) if single.len() == 1 && squares.len() < enough => {
                    squares.extend(single);
                }
                // Headings and pieces are separated later.
                Some(_) => beside.push((line.number, word.to_vec())),
                None if is_heading(word, shape) => {
                    let last = beside.last_mut().map(|(_, text)| text);
                    let goes_on = |text: &&mut Vec<Glyph>| {
                        let last = text.rsplit(|glyph| glyph.char == ' ').next();
                        last.is_some_and(|last| is_heading(last, shape))
                    };
                    if let Some(heading) = last.filter(goes_on) {
                        let char = ' ';
                        heading.push(Glyph { char, ..word[0] });
                        heading.extend(word);
                    } else {
                        beside.push((line.number, word.to_vec()));
                    }
                }
                None => return None,
            }
        }
        if squares.len() > before {
            counts.push(squares.len() - before);
        }
        at += 1;
    }
    let mut total = 0;
    let are_pieces = counts.iter().all(|count| {
        let fits = total % width + count <= width;
        total += count;
        fits
    });
    (are_pieces || counts.len() < width).then_some((at, squares, beside))
}

fn is_heading(word: &[Glyph], shape: &Shape<'_>) -> bool {
    let text: String = word.iter().map(|glyph| glyph.char).collect();
    let text = text.to_lowercase();
    let players = shape.variant.rules().players;
    HEADING.contains(&text.as_str())
        || players
            .iter()
            .any(|name| text == format!("{}'s", name.to_lowercase()))
}
