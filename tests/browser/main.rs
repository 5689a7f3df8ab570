//! The mails as people see them: in a real browser, and in mail programs of the terminal.
//!
//! `tests/browser/run` installs what this needs and runs it; docs/contributing.md says how to look at a mail. The
//! mails come from the program itself. Each page is kept as a picture in `target/browser/`.

mod browser;
mod controls;
mod desk;
mod first_screen;
mod hand;
mod layout;
mod mail;
mod page;
mod pages;
mod pictures;
mod situations;
mod terminal;
mod words;
