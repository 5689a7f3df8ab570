//! How a text looks, as far as it tells whether a reader can see it.

use crate::inbound::markup::color::Color;
use crate::inbound::markup::declarations::{Declarations, Paint, Size};
use crate::inbound::markup::length::LETTER;

/// The look of the text in an element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Look {
    /// None if it cannot be known.
    color: Option<Color>,
    /// The nearest background.
    background: Option<Color>,
    opacity: f32,
    /// The size of its letters in pixels.
    size: f32,
    /// True if something else may hide it, whatever the elements inside say.
    is_doubtful: bool,
}

/// The text of a document that says nothing, on paper.
impl Default for Look {
    fn default() -> Look {
        Look {
            color: Some(Color::BLACK),
            background: Some(Color::WHITE),
            opacity: 1.0,
            size: LETTER,
            is_doubtful: false,
        }
    }
}

/// The least contrast of a text that is surely seen. A light gray on white has 1.6.
const CONTRAST: f32 = 1.5;

/// The least size of letters that are surely seen, in pixels.
const LEAST: f32 = 4.0;

impl Look {
    /// Returns the look of an element with these declarations inside one of this look.
    pub(super) fn with(self, said: &Declarations) -> Look {
        let mut look = self;
        look.is_doubtful |= said.is_odd;
        look.opacity *= said.opacity;
        match said.background {
            None | Some(Paint::Default) => {}
            Some(Paint::Known(above)) if above.is_opaque() => look.background = Some(above),
            Some(Paint::Known(above)) => {
                look.background = look.background.map(|below| above.over(below, 1.0));
            }
            Some(Paint::Unknown) => look.background = None,
        }
        match said.color {
            None => {}
            Some(Paint::Default) => look.color = Some(Color::BLACK),
            Some(Paint::Known(color)) => look.color = Some(color),
            Some(Paint::Unknown) => look.color = None,
        }
        match said.size {
            None => {}
            Some(Size::Pixels(size)) => look.size = size,
            Some(Size::Times(times)) => look.size *= times,
            Some(Size::Unknown) => look.size = 0.0,
        }
        look
    }

    /// Returns the look with a doubt that nothing inside removes.
    pub(super) fn doubted(self) -> Look {
        Look {
            is_doubtful: true,
            ..self
        }
    }

    /// Returns true if a reader may not see the text.
    pub(super) fn may_be_unseen(self) -> bool {
        let (Some(color), Some(background)) = (self.color, self.background) else {
            return true;
        };
        let seen = color.over(background, self.opacity);
        self.is_doubtful || self.size < LEAST || seen.contrast(background) < CONTRAST
    }
}
