//! What pictures are made of, as data: outlines and strokes, in the language of SVG's
//! paths.

pub(super) mod chess;
pub(super) mod glyphs;
pub(super) mod shogi;
