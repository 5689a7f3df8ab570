//! How the program treats a person at a terminal, and a newcomer.

mod asking;
mod colours;
mod first;
mod folder;
mod listing;
mod messages;
mod narrow;
mod shells;
