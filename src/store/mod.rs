//! The matches: a folder with one text file each, whose log is the record.
//!
//! ```text
//! Folder ── lock ──> Locked ── push, owe, sent ──> save
//! ```

mod chain;
mod ending;
mod event;
mod file;
mod folder;
mod id;
mod lock;
mod mail_id;
mod r#match;
mod player;
mod repair;
mod replace;
mod sending;
mod state;
mod takeback;
mod time;

pub use ending::Ending;
pub use event::{Event, ParseEventError, What, Who};
pub use file::ParseMatchError;
pub use folder::{Folder, Locked};
pub use id::{Id, ParseIdError};
pub use mail_id::{MailIds, Secret, looks_made_for};
pub use r#match::{Mail, Match, Terms, hash};
pub use player::{ParsePlayerError, Player, same_address};
pub use repair::{Proof, Rebuilt, Ruin, Undecided};
pub(crate) use replace::{replace, replace_locked};
pub use sending::Sending;
pub use state::Owed;
pub use takeback::Takeback;
pub use time::{Days, ParseDaysError};
