//! Mail for a person at a terminal: who it is from and to, the subject and the text, as its
//! reader sees them. What else it has is named, and its page is kept in a file to open in a
//! browser. Nothing is shown as it is encoded.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::Error;
use crate::command::context::visible;
use crate::config::{self, transport::TransportSettings};
use crate::mail::files;
use crate::mail::files::replace::replace_privately;
use crate::mail::message::parts::{MailPart, MailParts};
use crate::mail::transport::{OutgoingMessage, SendError, Transport};
use crate::printable::{fold, one_line, terminal_width, wrapped};
use crate::referee::session::Session;

/// The type of a page.
const HTML: &str = "text/html";

/// Writes messages to a terminal, for a person.
pub(super) struct ShowTransport<W> {
    stdout: W,
    /// True if a message has been written.
    is_next: bool,
}

impl<W: Write> ShowTransport<W> {
    /// Creates what writes messages there.
    pub(super) fn new(stdout: W) -> ShowTransport<W> {
        ShowTransport {
            stdout,
            is_next: false,
        }
    }
}

impl<W: Write> Transport for ShowTransport<W> {
    fn name(&self) -> &'static str {
        "print"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let mut text = shown(message, terminal_width());
        if self.is_next {
            text.insert(0, '\n');
        }
        let printed = self.stdout.write_all(text.as_bytes());
        printed
            .and_then(|()| self.stdout.flush())
            .map_err(|error| SendError::SetUp(Error::stdout(&error)))?;
        self.is_next = true;
        Ok(())
    }
}

/// Returns a message as a person reads it.
fn shown(message: &OutgoingMessage, columns: usize) -> String {
    let Some(parts) = MailParts::read(&message.bytes()) else {
        unreachable!("what is sent is a mail");
    };
    let mut text = String::new();
    for (field, value) in [
        ("From", &parts.from),
        ("To", &parts.to),
        ("Subject", &parts.subject),
    ] {
        for line in fold(&one_line(&format!("{field}: {value}")), columns) {
            let _ = writeln!(text, "{line}");
        }
    }
    let words = wrapped(&visible(parts.text.trim_end()), columns);
    let _ = writeln!(text, "\n{words}\n");
    for part in &parts.others {
        let _ = writeln!(text, "{}", named(part));
        if part.kind == HTML
            && part.name.is_none()
            && let Some(file) = keep(message, part, &parts)
        {
            let _ = writeln!(text, "  {}", visible(&file.display().to_string()));
        }
    }
    if parts.others.is_empty() {
        // The text is followed by the empty line alone.
        text.pop();
    }
    text
}

/// Names a part that is not shown, with its size.
fn named(part: &MailPart) -> String {
    let size = part.bytes.len().div_ceil(1_000);
    let what = match (part.kind.as_str(), &part.name) {
        (HTML, None) => "Beside the text: a page, to open in a browser".to_owned(),
        (HTML, Some(name)) => format!("Attached: {}, a page", one_line(name)),
        (kind, Some(name)) if kind.starts_with("image/") => {
            format!("Beside the text: {}, a picture", one_line(name))
        }
        (kind, _) => format!("Beside the text: a part of the type {}", one_line(kind)),
    };
    format!("{what} ({size} KB)")
}

/// Keeps the page of a mail in a file of the user's, its pictures inside, and returns where. A
/// person without a home, or with a full disk, can do without.
fn keep(message: &OutgoingMessage, page: &MailPart, parts: &MailParts) -> Option<PathBuf> {
    let mut html = String::from_utf8(page.bytes.clone()).ok()?;
    for picture in &parts.others {
        if let Some(id) = &picture.content_id {
            let data = BASE64.encode(&picture.bytes);
            let inside = format!("data:{};base64,{data}", picture.kind);
            html = html.replace(&format!("cid:{id}"), &inside);
        }
    }
    // The id of the match and the line of its log, not what nobody is to guess.
    let name: Vec<String> = message
        .file_name()
        .split('.')
        .take(2)
        .map(ToOwned::to_owned)
        .collect();
    let folder = config::cache_folder().ok()?;
    files::make_folder(&folder).ok()?;
    let file = folder.join(format!("{}.html", name.join(".")));
    replace_privately(&file, html.as_bytes()).ok()?;
    Some(file)
}

/// Tells whom a message goes to, where it lies if it waits in a folder, and where its page is.
pub(super) fn lying(message: &OutgoingMessage, session: &Session) -> String {
    let Some(parts) = MailParts::read(&message.bytes()) else {
        unreachable!("what is sent is a mail");
    };
    let mut text = one_line(&format!("To {}: {}", parts.to, parts.subject));
    let folder = match &session.config.transport {
        TransportSettings::Folder(folder) => Some(folder.as_ref().unwrap_or(&session.outbox)),
        _ => None,
    };
    if let Some(folder) = folder {
        let file = folder.join(format!("{}.eml", message.file_name()));
        let _ = write!(text, "\n  {}", visible(&file.display().to_string()));
    }
    let page = parts
        .others
        .iter()
        .find(|part| part.kind == HTML && part.name.is_none());
    if let Some(file) = page.and_then(|page| keep(message, page, &parts)) {
        let file = visible(&file.display().to_string());
        let _ = write!(text, "\n  {file} (its page, for a browser)");
    }
    text
}
