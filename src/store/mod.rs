//! The matches: a folder with one text file each, whose log is the record.

mod id;
mod player;
mod time;

pub use id::{Id, ParseIdError};
pub(crate) use player::is_unprintable;
pub use player::{ParsePlayerError, Player, same_address};
pub use time::{Days, ParseDaysError};
