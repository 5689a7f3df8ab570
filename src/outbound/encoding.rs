//! The encodings of the texts of mails.

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding;

/// Encodes the text as 7bit if it is ASCII, else as quoted-printable. Also
/// encodes a text with a line that begins with `From `, so that no mailbox
/// takes the line for a postmark.
pub(super) fn body(text: String) -> Body {
    let is_from = |line: &str| line.starts_with("From ");
    if text.is_ascii() && !text.lines().any(is_from) {
        let encoding = ContentTransferEncoding::SevenBit;
        if let Ok(body) = Body::new_with_encoding(text.clone(), encoding) {
            return body;
        }
    }
    quoted_printable(text)
}

/// Encodes a text as quoted-printable, no line of which begins with `From `.
pub(super) fn quoted_printable(text: String) -> Body {
    let encoding = ContentTransferEncoding::QuotedPrintable;
    match Body::new_with_encoding(text, encoding) {
        Ok(body) => {
            let lines =
                String::from_utf8_lossy(body.as_ref()).replace("\r\nFrom ", "\r\n=46rom =\r\n");
            let lines = match lines.strip_prefix("From ") {
                Some(rest) => format!("=46rom =\r\n{rest}"),
                None => lines,
            };
            Body::dangerous_pre_encoded(lines.into_bytes(), encoding)
        }
        Err(bytes) => Body::new(bytes),
    }
}
