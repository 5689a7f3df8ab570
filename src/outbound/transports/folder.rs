//! The transport that writes each message into a folder as an `.eml` file.

use std::path::PathBuf;

use crate::files::replace::replace_locked;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{SendError, Transport};
use crate::{Error, files};

/// Writes messages into a folder. The Message-ID names the file, so sending a
/// message again replaces its file.
///
/// The caller must hold the lock of the match's outgoing mail.
pub struct FolderTransport {
    folder: PathBuf,
}

impl FolderTransport {
    /// Creates a transport into a folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> FolderTransport {
        let folder = folder.into();
        FolderTransport { folder }
    }
}

impl Transport for FolderTransport {
    fn name(&self) -> &'static str {
        "folder"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let file = self.folder.join(format!("{}.eml", message.file_name()));
        files::make_folder(&self.folder)
            .and_then(|()| replace_locked(&file, &message.text()))
            .map_err(|error| SendError::SetUp(Error::file(&file, &error)))
    }
}
