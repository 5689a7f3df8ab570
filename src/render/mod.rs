//! The output formats of positions and matches.

pub mod analysis;
pub mod annotation;
pub mod format;
pub mod lesson;
pub mod page;
pub mod picture;
mod pieces;
mod pixels;
pub mod puzzle;
pub mod raster;
pub mod site;
pub mod text;
pub mod view;
