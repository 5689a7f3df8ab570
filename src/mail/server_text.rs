//! What servers say, and the one place that removes secrets from it.
//!
//! A server knows the password that it received, and can repeat it in any later answer, also in
//! another encoding. Its words go into messages, a log and files that others read. So the program
//! keeps them as a [`ServerText`], which only this module makes.

use std::fmt;
use std::ops::{Deref, Range};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::secret;

/// A server's words, without the secrets that this process has read.
///
/// A secret of six characters or more is removed everywhere: as it is, in Base64 (also within a
/// longer text), in hexadecimal digits or with percent signs, in upper or lower case, forwards or
/// backwards, and with blanks or line breaks in it. A shorter one is removed if it is a separate
/// word. The rest is kept, up to 16 KiB.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ServerText(String);

/// The fewest characters of a secret that is removed from the middle of a word.
const LONG: usize = 6;

/// The most bytes of a server's words that are kept.
const MOST: usize = 16 << 10;

/// The mark that replaces a secret, and the rest of a long text.
const GAP: &str = "…";

impl ServerText {
    /// Removes the secrets from what a server has said.
    #[must_use]
    pub fn new(said: impl AsRef<[u8]>) -> ServerText {
        let said = said.as_ref();
        let secrets = secret::in_use();
        let mut gaps: Vec<Range<usize>> = Vec::new();
        if !secrets.is_empty() {
            // Searches the whole text, since a secret may begin in the kept part and end after it.
            let views = views(said);
            for secret in secrets {
                gaps.extend(places(said, &views, secret.expose()));
            }
        }
        if said.len() > MOST {
            gaps.push(MOST..said.len());
        }
        gaps.sort_by_key(|gap| gap.start);
        let mut text = String::new();
        let mut end = 0;
        for gap in gaps {
            if gap.start >= end {
                text.push_str(&String::from_utf8_lossy(&said[end..gap.start]));
                if !text.ends_with(GAP) {
                    text.push_str(GAP);
                }
            }
            end = end.max(gap.end);
        }
        text.push_str(&String::from_utf8_lossy(&said[end..]));
        ServerText(text)
    }
}

impl Deref for ServerText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A character, and the bytes that it encodes.
type Character = (char, Range<usize>);

/// A text in one of the forms in which it is searched.
struct View {
    text: String,
    /// For each byte of the text, the bytes that it encodes.
    places: Vec<Range<usize>>,
    /// True if it has only hexadecimal digits.
    is_hex: bool,
}

impl View {
    fn new<'c>(characters: impl IntoIterator<Item = &'c Character>, is_hex: bool) -> View {
        let mut view = View {
            text: String::new(),
            places: Vec::new(),
            is_hex,
        };
        for (character, place) in characters {
            folded(*character).for_each(|c| view.text.push(c));
            view.places.resize(view.text.len(), place.clone());
        }
        view
    }
}

/// Returns the forms in which a text is searched: forwards and backwards, as it is, with percent
/// signs decoded, and only its hexadecimal digits.
fn views(said: &[u8]) -> Vec<View> {
    let mut views = Vec::new();
    let bytes: Vec<_> = (0..said.len()).map(|at| (said[at], at..at + 1)).collect();
    let mut text = characters(&bytes);
    for _ in 0..2 {
        views.push(View::new(&text, false));
        if text.iter().any(|(c, _)| *c == '%') {
            views.push(View::new(&without_percent(&text), false));
        }
        let digits = text.iter().filter(|(c, _)| c.is_ascii_hexdigit());
        views.push(View::new(digits, true));
        text.reverse();
    }
    views
}

/// Reads bytes as UTF-8, and invalid ones as ISO 8859-1.
fn characters(bytes: &[(u8, Range<usize>)]) -> Vec<Character> {
    let values: Vec<u8> = bytes.iter().map(|(byte, _)| *byte).collect();
    let mut read = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for chunk in values.utf8_chunks() {
        let valid = chunk.valid().chars().map(|c| (c, c.len_utf8()));
        let others = chunk.invalid().iter().map(|byte| (char::from(*byte), 1));
        for (character, length) in valid.chain(others) {
            let places = bytes[at..at + length].iter().map(|(_, place)| place);
            let start = places.clone().map(|place| place.start).min();
            let end = places.map(|place| place.end).max();
            read.push((
                character,
                start.unwrap_or_default()..end.unwrap_or_default(),
            ));
            at += length;
        }
    }
    read
}

/// Replaces `%` and two digits by the byte that they encode.
fn without_percent(text: &[Character]) -> Vec<Character> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(((character, place), behind)) = rest.split_first() {
        rest = behind;
        let digit = |at: usize| behind.get(at).and_then(|(c, _)| c.to_digit(16));
        let mut buffer = [0; 4];
        if let ('%', Some(high), Some(low)) = (character, digit(0), digit(1)) {
            let (_, last) = &behind[1];
            let place = place.start.min(last.start)..place.end.max(last.end);
            bytes.push((u8::try_from(high * 16 + low).unwrap_or_default(), place));
            rest = &behind[2..];
        } else {
            let encoded = character.encode_utf8(&mut buffer).bytes();
            bytes.extend(encoded.map(|byte| (byte, place.clone())));
        }
    }
    characters(&bytes)
}

/// Returns a character in lower case. Drops blanks, `+`, which encodes a blank in an address, and
/// the escapes of quotation marks.
fn folded(character: char) -> impl Iterator<Item = char> {
    let is_nothing = character.is_whitespace() || character.is_control();
    let kept = Some(character).filter(|c| !is_nothing && !['+', '\\'].contains(c));
    let upper = kept.into_iter().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase)
}

/// The encodings in which a server can repeat a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Plain,
    Base64,
    Hex,
}

/// Returns the places of a secret in a text.
fn places(said: &[u8], views: &[View], secret: &str) -> Vec<Range<usize>> {
    let length = secret.chars().count();
    let is_long = length >= LONG;
    let mut found = Vec::new();
    let longest = views.iter().map(|view| view.places.len()).max();
    // No encoding is shorter.
    if longest.unwrap_or_default() < secret.chars().flat_map(folded).count() {
        return found;
    }
    for (coding, sought) in codings(secret, is_long) {
        let sought: String = sought.chars().flat_map(folded).collect();
        let views = views.iter().filter(|view| match coding {
            Coding::Hex => view.is_hex,
            _ => !view.is_hex,
        });
        for view in views.filter(|_| !sought.is_empty()) {
            for (at, _) in view.text.match_indices(&sought) {
                let places = &view.places[at..at + sought.len()];
                let (first, last) = (&places[0], &places[places.len() - 1]);
                let mut place = first.start.min(last.start)..first.end.max(last.end);
                if is_long && coding == Coding::Base64 {
                    place = whole(said, place);
                }
                if is_long || is_alone(said, &place) {
                    found.push(place);
                }
            }
        }
    }
    found
}

/// Returns the encodings of a secret. Those of a long secret are also found in the middle of
/// others, and with letters in another case.
fn codings(secret: &str, is_long: bool) -> Vec<(Coding, String)> {
    let mut sources = vec![secret.to_owned()];
    if is_long {
        sources.extend([secret.to_uppercase(), secret.to_lowercase()]);
    }
    let backwards: Vec<String> = sources
        .iter()
        .map(|it| it.chars().rev().collect())
        .collect();
    sources.extend(backwards);
    let mut codings = Vec::new();
    for source in sources {
        let digits = source.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
        let hex: String = digits.collect();
        codings.push((Coding::Hex, hex));
        for before in 0..if is_long { 3 } else { 1 } {
            let bytes = [&[0; 2][..before], source.as_bytes()].concat();
            for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                let base64 = engine.encode(&bytes);
                // The digits at its ends include a part of the text around it.
                let end = if is_long {
                    bytes.len() * 4 / 3
                } else {
                    base64.len()
                };
                let start = [0, 2, 3][before];
                codings.push((Coding::Base64, base64[start..end].to_owned()));
            }
        }
        codings.push((Coding::Plain, source));
    }
    codings.sort_by(|one, other| one.1.cmp(&other.1));
    codings.dedup();
    codings
}

/// Extends a place to the whole text in Base64.
fn whole(said: &[u8], place: Range<usize>) -> Range<usize> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_%".contains(byte);
    let before = said[..place.start].iter().rev();
    let start = place.start - before.take_while(|byte| is_digit(byte)).count();
    let behind = said[place.end..].iter();
    let more = behind
        .take_while(|byte| is_digit(byte) || **byte == b'=')
        .count();
    start..place.end + more
}

/// Returns true if there is no letter and no digit directly before or after a place.
fn is_alone(said: &[u8], place: &Range<usize>) -> bool {
    let beside = [said[..place.start].last(), said.get(place.end)];
    let mut beside = beside.into_iter().flatten();
    !beside.any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::secret::SecretText;

    fn used(secret: &str) {
        SecretText::new(secret, "password").unwrap();
    }

    fn percent(text: &str) -> String {
        text.bytes()
            .fold(String::new(), |text, byte| text + &format!("%{byte:02X}"))
    }

    fn hex(text: &str) -> String {
        text.bytes()
            .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    fn reversed(text: &str) -> String {
        text.chars().rev().collect()
    }

    /// The encodings of a secret with the text that a login puts around it.
    fn repeated(secret: &str) -> Vec<String> {
        let turned = [secret.to_owned(), reversed(secret)];
        let cased = turned
            .iter()
            .flat_map(|it| [it.clone(), it.to_uppercase(), it.to_lowercase()]);
        let coded = cased.flat_map(|it| {
            let within = ["", "a", "ab", "\0eve\0", "\0anna\0"]
                .map(|before| STANDARD.encode(format!("{before}{it}")));
            let behind = STANDARD.encode(format!("user=eve\x01auth=Bearer {it}\x01\x01"));
            let url = URL_SAFE_NO_PAD.encode(&it);
            let some = it
                .replace('%', "%25")
                .replace(' ', "%20")
                .replace('/', "%2F");
            let quoted = format!("\"{}\"", it.replace('\\', "\\\\").replace('"', "\\\""));
            let spaced: Vec<String> = hex(&it)
                .as_bytes()
                .chunks(2)
                .map(|two| String::from_utf8_lossy(two).into_owned())
                .collect();
            let mut all = vec![
                hex(&it),
                hex(&it).to_uppercase(),
                percent(&it),
                some,
                quoted,
            ];
            all.extend([
                spaced.join(" "),
                spaced.join(":"),
                format!("\\x{}", spaced.join("\\x")),
            ]);
            all.extend([
                percent(&within[0]),
                percent(&it).to_lowercase(),
                url,
                behind,
                it,
            ]);
            all.extend(within);
            all
        });
        coded.flat_map(|it| [reversed(&it), it]).collect()
    }

    #[test]
    fn no_coding_of_a_secret_is_left_and_the_rest_is() {
        for secret in [
            "hunter2",
            "qwertz",
            "p4ss w0rd!",
            "a\"b\\c/d+e",
            "schöne Grüße",
            "100%25 sure",
            "Zm9vYmFy",
        ] {
            used(secret);
            for coded in repeated(secret) {
                let said = ServerText::new(format!("5.7.8 no: {coded} is wrong"));
                let inner = said.strip_prefix("5.7.8 no: ");
                let inner = inner.and_then(|it| it.strip_suffix(" is wrong"));
                // A part of what marks a digit remains at an end.
                let is_left = |c: char| c.is_alphanumeric() && c != 'x';
                let is_gone = inner.is_some_and(|it| it.contains(GAP) && !it.contains(is_left));
                assert!(is_gone, "{secret}, {coded}: {said}");
            }
        }
    }

    #[test]
    fn ends_of_lines_and_other_encodings_hide_no_secret() {
        used("Grünkohl7");
        for said in [
            &b"no (Gr\xfcnkohl7) here"[..],
            b"no (GR\xdcNKOHL7) here",
            "no (Grün\r\n kohl7) here".as_bytes(),
            b"no (Gr%FCnkohl7) here",
            b"no (gr%c3%bcnkohl7) here",
        ] {
            assert_eq!(&*ServerText::new(said), "no (…) here");
        }
        assert_eq!(&*ServerText::new(b"sch\xf6n"), "sch\u{fffd}n");
    }

    #[test]
    fn a_secret_at_the_end_of_what_is_kept_is_not_cut_in_two() {
        used("Kirschkuchen9");
        for more in 0..40 {
            let words = "x".repeat(MOST - more);
            let said = ServerText::new(format!("{words}{}{words}", percent("Kirschkuchen9")));
            assert_eq!(&*said, format!("{words}…"));
        }
    }

    /// The letters of a short secret occur in many words.
    #[test]
    fn a_short_secret_is_taken_out_where_it_stands_for_itself() {
        used("ort");
        let said = "the port is wrong (ort, b3J0, 6f7274, tro)";
        assert_eq!(&*ServerText::new(said), "the port is wrong (…, …, …, …)");
        let login = crate::secret::Login {
            user: "eve".to_owned(),
            credential: crate::secret::Credential::Password(crate::secret::Secret::Environment(
                String::new(),
            )),
        };
        let sent = login.plain(&SecretText::new("ort", "password").unwrap());
        let said = ServerText::new(format!("cannot decode {sent}"));
        assert_eq!(&*said, "cannot decode …");
    }
}
