//! The message after `DATA`, as it arrives.
//!
//! Only CR LF, a dot and CR LF end it. A server that takes a bare LF or CR for the end of
//! a line can be made to see two messages where another saw one.

use crate::limits::{HELD_BODY, MESSAGE};

/// A message that arrives.
#[derive(Debug)]
pub(super) struct Body {
    bytes: Vec<u8>,
    at: At,
    /// What becomes of further bytes.
    keeping: Keeping,
}

/// The place in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    /// Behind CR LF, or at the beginning.
    Start,
    /// Behind a dot at the start of a line, which is not kept.
    Dot,
    /// Behind such a dot and a CR, which is not kept yet.
    DotCr,
    /// Behind a CR.
    Cr,
    /// Elsewhere.
    Inside,
}

/// What becomes of further bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keeping {
    /// They are kept, as long as they are few.
    Few,
    /// They are kept, as long as a message may be.
    Many,
    /// The message is too long, and none of it is kept.
    TooLong,
    /// There is no room for the message now, and none of it is kept.
    NoRoom,
}

/// What bytes have come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// More bytes must come.
    More,
    /// The message needs more room than each may have.
    Large,
    /// The message has ended.
    End,
}

/// A message that has ended.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Whole {
    Bytes(Vec<u8>),
    TooLong,
    NoRoom,
}

impl Body {
    /// Creates a message that begins with a line of our own.
    pub(super) fn new(first_line: String) -> Body {
        Body {
            bytes: first_line.into_bytes(),
            at: At::Start,
            keeping: Keeping::Few,
        }
    }

    /// Takes bytes from the front of the input, up to the end of the message.
    pub(super) fn feed(&mut self, input: &mut &[u8]) -> Progress {
        while let Some((&byte, rest)) = input.split_first() {
            if self.keeping == Keeping::Few && self.bytes.len() >= HELD_BODY {
                return Progress::Large;
            }
            if self.at == At::Inside {
                let end = input.iter().position(|byte| *byte == b'\r');
                let room = match self.keeping {
                    Keeping::Few => HELD_BODY - self.bytes.len(),
                    _ => input.len(),
                };
                let length = end.unwrap_or(input.len()).min(room);
                if length > 0 {
                    let (text, rest) = input.split_at(length);
                    self.keep(text);
                    *input = rest;
                    continue;
                }
            }
            *input = rest;
            self.at = match (self.at, byte) {
                (At::Start, b'.') => At::Dot,
                (At::Dot, b'\r') => At::DotCr,
                (At::DotCr, b'\n') => return Progress::End,
                (at, byte) => {
                    if at == At::DotCr {
                        self.keep(b"\r");
                    }
                    self.keep(&[byte]);
                    match (at, byte) {
                        (_, b'\r') => At::Cr,
                        (At::Cr, b'\n') => At::Start,
                        _ => At::Inside,
                    }
                }
            };
        }
        Progress::More
    }

    fn keep(&mut self, bytes: &[u8]) {
        match self.keeping {
            Keeping::Few | Keeping::Many if self.bytes.len() + bytes.len() > MESSAGE => {
                self.keeping = Keeping::TooLong;
                self.bytes = Vec::new();
            }
            Keeping::Few | Keeping::Many => self.bytes.extend_from_slice(bytes),
            Keeping::TooLong | Keeping::NoRoom => {}
        }
    }

    /// Lets the message be as long as any, or keeps nothing of it.
    pub(super) fn make_room(&mut self, is_there: bool) {
        if is_there {
            self.keeping = Keeping::Many;
        } else {
            self.keeping = Keeping::NoRoom;
            self.bytes = Vec::new();
        }
    }

    /// Returns the message.
    pub(super) fn into_whole(self) -> Whole {
        match self.keeping {
            Keeping::Few | Keeping::Many => Whole::Bytes(self.bytes),
            Keeping::TooLong => Whole::TooLong,
            Keeping::NoRoom => Whole::NoRoom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message in these bytes, and what is behind its end.
    fn read(text: &str) -> Option<(String, String)> {
        let mut body = Body::new(String::new());
        let mut input = text.as_bytes();
        match body.feed(&mut input) {
            Progress::End => {}
            Progress::More | Progress::Large => return None,
        }
        let Whole::Bytes(bytes) = body.into_whole() else {
            panic!("it is short");
        };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Some((text(&bytes), text(input)))
    }

    #[test]
    fn only_a_dot_between_line_ends_of_cr_lf_ends_a_message() {
        for (text, body, rest) in [
            (".\r\n", "", ""),
            ("a\r\n.\r\nQUIT\r\n", "a\r\n", "QUIT\r\n"),
            ("..\r\n.a\r\n...\r\n.\r\n", ".\r\na\r\n..\r\n", ""),
            ("a\n.\r\n.\r\n", "a\n.\r\n", ""),
            ("a\r.\r\n.\r\n", "a\r.\r\n", ""),
            ("a\r\n.\nb\r\n.\r\n", "a\r\n\nb\r\n", ""),
            ("a\r\n.\rb\r\n.\r\n", "a\r\n\rb\r\n", ""),
            ("a\r\n.\r\r\n.\r\n", "a\r\n\r\r\n", ""),
            ("a\n.\nb\n\r\n.\r\n", "a\n.\nb\n\r\n", ""),
            ("a\r\r\n.\r\n", "a\r\r\n", ""),
            ("\0\r\n.\r\n", "\0\r\n", ""),
        ] {
            let found = read(text);
            let expected = (body.to_owned(), rest.to_owned());
            assert_eq!(found, Some(expected), "{text:?}");
        }
        for text in [
            "", "a\n.\n", "a\r.\r", "a\r\n.\n", "a\n.\r\n", "a.\r\n", ".\r",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
