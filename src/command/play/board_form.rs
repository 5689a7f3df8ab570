//! How the board is drawn at the prompt of `parapost play`.

use clap::ValueEnum;

use crate::command::context::Context;
use crate::notation::diagram::{Diagram, DiagramStyle, Script};
use crate::rules::{Color, Position};

/// A form of the board at the prompt.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoardForm {
    /// The diagram of the 1994 format
    Diagram,
    /// The same from your side, with files and ranks at the edges
    Coords,
    /// That with figurines or the characters of shogi
    Unicode,
}

impl BoardForm {
    /// Draws the board and the reserves, for a player of this side.
    pub(super) fn draw(self, position: &Position, side: Color, context: &Context<'_>) -> String {
        let is_plain = self == BoardForm::Diagram;
        let script = match self {
            BoardForm::Unicode => Script::beyond_ascii(position.variant().rules()),
            BoardForm::Diagram | BoardForm::Coords => Script::default(),
        };
        Diagram::of(position).draw(DiagramStyle {
            script,
            has_edges: !is_plain,
            is_flipped: !is_plain && side == Color::Black,
            is_painted: context.out.is_on(),
            room: context.room(),
            ..DiagramStyle::default()
        })
    }
}
