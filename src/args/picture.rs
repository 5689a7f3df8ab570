//! The look of a picture on the command line.

use clap::Args;

use crate::render::format::PictureOptions;
use crate::render::picture::Theme;

/// The options of the forms `svg` and `png`.
#[derive(Args, Clone, Copy, Default, Debug)]
pub struct PictureArgs {
    /// With --as svg or png: so many pixels wide, 64 to 4096 [default: 480]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=4096))]
    pub size: Option<u32>,
    /// With --as svg or png: the colours [default: light]
    #[arg(long, value_name = "THEME", value_enum)]
    pub theme: Option<Theme>,
    /// With --as svg or png: letters on the pieces of shogi, not characters
    #[arg(long)]
    pub letters: bool,
}

impl PictureArgs {
    /// Returns the options as the forms take them.
    #[must_use]
    pub fn options(self) -> PictureOptions {
        PictureOptions {
            size: self.size,
            theme: self.theme,
            has_letters: self.letters,
        }
    }
}
