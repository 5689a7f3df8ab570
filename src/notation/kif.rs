//! Lists of KIF, in which programs of shogi keep matches. They are read as a list in our own
//! notation, line by line, so that a fault stands in the line where it is.

/// The ranks of a square, from the top.
const RANKS: &str = "一二三四五六七八九";

/// The words for the game without a handicap, the only one that is read.
const EVEN: &str = "平手";

/// Returns the list of a text in KIF in our notation, with as many lines; none if the text is no
/// such list, or begins with a handicap.
#[must_use]
pub fn as_list(text: &str) -> Option<String> {
    let mut rows = Vec::new();
    let mut reached = None;
    let mut next = 1;
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}');
        if line.starts_with("手合割") && !line.contains(EVEN) {
            return None;
        }
        // Another line of play begins here.
        if next > 1 && line.starts_with("変化") {
            break;
        }
        let Some(found) = KifMove::read(line, reached).filter(|found| found.ply == next) else {
            rows.push(String::new());
            continue;
        };
        reached = Some(found.to);
        let dots = if next % 2 == 1 { "." } else { "..." };
        rows.push(format!("{}{dots} {}", next.div_ceil(2), found.text));
        next += 1;
    }
    (next > 1).then(|| rows.join("\n") + "\n")
}

/// A move of KIF.
struct KifMove {
    /// The number of the half-move, from 1.
    ply: usize,
    /// Where it goes: the file from Sente's right, the rank from the top, both from 1.
    to: (u32, u32),
    text: String,
}

impl KifMove {
    /// Reads a line such as `1 ７六歩(77)`, after a move to `last`.
    fn read(line: &str, last: Option<(u32, u32)>) -> Option<KifMove> {
        let line = line.trim_start();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let ply = line[..digits].parse().ok()?;
        let rest = line[digits..].trim_start();
        let (to, rest) = if let Some(rest) = rest.strip_prefix('同') {
            (last?, rest.trim_start())
        } else {
            let mut chars = rest.chars();
            let file = file(chars.next()?)?;
            let rank = chars.next()?;
            let rank = RANKS.chars().position(|one| one == rank)?;
            ((file, u32::try_from(rank).ok()? + 1), chars.as_str())
        };
        let (piece, rest) = piece(rest)?;
        if rest.starts_with('打') {
            let text = format!("{piece}*{}", square(to)?);
            return Some(KifMove { ply, to, text });
        }
        let becomes = rest.starts_with('成');
        let (_, from) = rest.split_once('(')?;
        let mut from = from.chars().map_while(|c| c.to_digit(10));
        let from = (from.next()?, from.next()?);
        let becomes = if becomes { "=+" } else { "" };
        let text = format!("{piece}{}-{}{becomes}", square(from)?, square(to)?);
        Some(KifMove { ply, to, text })
    }
}

/// Reads the digit of a file, wide or not.
fn file(digit: char) -> Option<u32> {
    let narrow = match digit {
        '１'..='９' => char::from_u32(u32::from(digit) - u32::from('１') + u32::from('1'))?,
        digit => digit,
    };
    narrow.to_digit(10).filter(|file| *file > 0)
}

/// Names a square by its file and a letter, as players of shogi do in the West.
fn square((file, rank): (u32, u32)) -> Option<String> {
    if !(1..=9).contains(&file) || !(1..=9).contains(&rank) {
        return None;
    }
    let letter = char::from_u32(u32::from('a') + rank - 1)?;
    Some(format!("{file}{letter}"))
}

/// The pieces, the longer names first, and of those for one piece the usual one.
const PIECES: [(&str, &str); 20] = [
    ("成銀", "+S"),
    ("成桂", "+N"),
    ("成香", "+L"),
    ("全", "+S"),
    ("圭", "+N"),
    ("杏", "+L"),
    ("龍", "+R"),
    ("竜", "+R"),
    ("馬", "+B"),
    ("と", "+P"),
    ("玉", "K"),
    ("王", "K"),
    ("飛", "R"),
    ("角", "B"),
    ("金", "G"),
    ("銀", "S"),
    ("桂", "N"),
    ("香", "L"),
    ("歩", "P"),
    ("兵", "P"),
];

/// Names the piece of these letters in our notation, as programs write it.
pub(crate) fn name(letters: &str) -> &'static str {
    let found = PIECES.iter().find(|(_, known)| *known == letters);
    found.map_or("", |(name, _)| name)
}

/// Reads the name of a piece.
fn piece(text: &str) -> Option<(&'static str, &str)> {
    PIECES
        .iter()
        .find_map(|(name, letters)| Some((*letters, text.strip_prefix(name)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_line_by_line() {
        let text = "手合割：平手\n先手：Anna\n手数----指手---------消費時間--\n\
            \x20  1 ７六歩(77)   ( 0:16/00:00:16)\n*a comment\n   2 ３四歩(33)\n\
            \x20  3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 投了\n";
        let list = as_list(text).unwrap();
        assert_eq!(
            list,
            "\n\n\n1. P7g-7f\n\n1... P3c-3d\n2. B8h-2b=+\n2... S3a-2b\n3. B*5e\n\n"
        );
    }

    #[test]
    fn what_is_no_list_of_the_even_game_is_left() {
        for text in [
            "手合割：香落ち\n   1 ３四歩(33)\n",
            "1. P-7f P-3d\n",
            "   1 同　歩(77)\n",
            "",
            "   1 投了\n",
        ] {
            assert_eq!(as_list(text), None, "{text}");
        }
    }
}
