//! A mail as the program wrote it, taken apart as a mail program does.

use std::fs;
use std::path::{Path, PathBuf};

use mail_parser::{MessageParser, MimeHeaders as _, PartType};

/// A mail in the folder of sent mail.
pub(crate) struct Mail {
    pub(crate) path: PathBuf,
    /// The address it goes to.
    pub(crate) to: String,
    /// Its HTML part, if it has one.
    pub(crate) html: Option<String>,
    /// The page to answer on, if one is attached.
    pub(crate) page: Option<String>,
    /// The pictures by their Content-ID.
    pub(crate) pictures: Vec<(String, Vec<u8>)>,
}

impl Mail {
    /// Reads an `.eml` file.
    ///
    /// # Panics
    ///
    /// If it is not a mail.
    pub(crate) fn read(path: &Path) -> Mail {
        let raw = fs::read(path).unwrap();
        let message = MessageParser::default().parse(&raw).expect("a message");
        let to = message.to().and_then(|to| to.first());
        let to = to.and_then(|to| to.address()).expect("a recipient");
        let html_of = |is_attached| {
            message.parts.iter().find_map(|part| match &part.body {
                PartType::Html(html) if part.attachment_name().is_some() == is_attached => {
                    Some(html.to_string())
                }
                _ => None,
            })
        };
        let (html, page) = (html_of(false), html_of(true));
        let pictures = message.parts.iter().filter_map(|part| match &part.body {
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
                let id = part.content_id().expect("a part with a Content-ID");
                let id = id.trim_matches(['<', '>']);
                Some((id.to_owned(), bytes.to_vec()))
            }
            _ => None,
        });
        Mail {
            path: path.to_owned(),
            to: to.to_owned(),
            html,
            page,
            pictures: pictures.collect(),
        }
    }

    /// Writes the HTML part and its pictures into a folder, so that a browser
    /// shows them; gives the file of the page.
    ///
    /// # Panics
    ///
    /// If the mail has no HTML part.
    pub(crate) fn write_page(&self, folder: &Path) -> PathBuf {
        let mut html = self.html.clone().expect("a mail with HTML");
        for (number, (id, bytes)) in self.pictures.iter().enumerate() {
            let name = format!("picture-{number}.png");
            fs::write(folder.join(&name), bytes).unwrap();
            html = html.replace(&format!("cid:{id}"), &name);
        }
        let file = folder.join("page.html");
        fs::write(&file, html).unwrap();
        file
    }
}
