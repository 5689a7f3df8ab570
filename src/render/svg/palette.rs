//! The colours of pictures.

use crate::render::picture::Theme;

/// The colours of everything but the pieces, which look the same on every board.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    pub(super) background: &'static str,
    /// The light squares, or every square of shogi.
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
    /// The edge of the board, and the lines of shogi's.
    pub(super) edge: &'static str,
    /// Files and ranks.
    pub(super) text: &'static str,
    /// The strip of a player.
    pub(super) panel: &'static str,
    /// The part of the strip that tells the player.
    pub(super) tab: &'static str,
    /// Numbers on the strip.
    pub(super) on_panel: &'static str,
    /// The player to move.
    pub(super) accent: &'static str,
    /// The squares of the last turn.
    pub(super) last: &'static str,
    /// What tells how these squares were used.
    pub(super) last_line: &'static str,
    /// A king in check.
    pub(super) check: &'static str,
}

const LIGHT: Palette = Palette {
    background: "#ffffff",
    light: "#f3e6cf",
    dark: "#cba77d",
    edge: "#6b5236",
    text: "#4a4238",
    panel: "#ece4d6",
    tab: "#d3c6b0",
    on_panel: "#2f2a24",
    accent: "#1f6fb2",
    last: "#8fb339",
    last_line: "#4c6b0c",
    check: "#c9211e",
};

const DARK: Palette = Palette {
    background: "#1b1e22",
    light: "#a9b2bb",
    dark: "#6f7d8b",
    edge: "#0e1013",
    text: "#c9ced4",
    panel: "#8b96a1",
    tab: "#59636e",
    on_panel: "#101316",
    accent: "#4fb3f6",
    last: "#c8bd3a",
    last_line: "#fff27a",
    check: "#e0352b",
};

impl Palette {
    pub(super) fn of(theme: Theme, is_shogi: bool) -> &'static Palette {
        const LIGHT_SHOGI: Palette = Palette {
            light: "#ecd29a",
            edge: "#5f4a2a",
            ..LIGHT
        };
        const DARK_SHOGI: Palette = Palette {
            light: "#8f8367",
            edge: "#26211a",
            panel: "#847a63",
            ..DARK
        };
        match (theme, is_shogi) {
            (Theme::Light, false) => &LIGHT,
            (Theme::Light, true) => &LIGHT_SHOGI,
            (Theme::Dark, false) => &DARK,
            (Theme::Dark, true) => &DARK_SHOGI,
        }
    }
}
