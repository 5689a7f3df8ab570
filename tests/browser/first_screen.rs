//! The pictures at the top of the README: a mail as a mail program shows it, and its page on a
//! telephone. After a change of mails or pages:
//!
//! ```sh
//! PARAPOST_PICTURES=write tests/browser/run first_screen
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::browser::Chromium;
use crate::desk::{Desk, root};
use crate::mail::Mail;
use crate::page::{Page, TELEPHONE};
use crate::pictures::compared;

/// The size of a mail program's window.
const WINDOW: (u32, u32) = (600, 860);

/// The size of a telephone.
const HAND: (u32, u32) = (TELEPHONE, 740);

/// The most points of which the colour may be another one: other versions of the browser and of
/// its fonts draw letters a little differently.
const MOST_DIFFERENT: f64 = 0.03;

/// A mail program's window: who wrote, about what, and below that the mail.
const READER: &str = r#"<!DOCTYPE html><meta charset="utf-8"><title>Mail</title>
<style>
  body { margin: 0; font: 15px/1.5 sans-serif; color: #1f2328; background: #fff; }
  header { padding: 14px 20px; border-bottom: 1px solid #d0d7de; }
  h1 { margin: 0 0 6px; font-size: 20px; }
  p { margin: 0; color: #57606a; }
  iframe { display: block; width: 100%; height: 3000px; border: 0; }
</style>
<header><h1>SUBJECT</h1><p>From: Anna &lt;anna@example.org&gt;</p><p>To: Ben &lt;ben@example.org&gt;</p></header>
<iframe src="page.html"></iframe>"#;

/// Anna's mail to Ben with her second move and some words, and the page attached to it.
fn mail() -> (Desk, Mail) {
    let desk = Desk::anna();
    desk.configure("page = true\n");
    desk.begin("unachess", "P>e3 n>g5", &["--invited"]);
    let words = "Your knight looks lonely out there.";
    desk.run(&["move", "m", "B>f4", "--say", words, "--send"]);
    let mut mails = desk.mails();
    assert_eq!(mails.len(), 1);
    (desk, mails.remove(0))
}

/// Takes a picture of a page of this size.
fn taken(page: &Page, (width, height): (u32, u32)) -> Vec<u8> {
    page.resize(width, height);
    page.picture()
}

/// Returns the picture in the checkout of this name.
fn kept(name: &str) -> PathBuf {
    root().join("docs/pictures").join(name)
}

#[test]
fn the_pictures_of_a_mail_and_of_its_page_are_true() {
    let chromium = Chromium::start();
    let (desk, mail) = mail();
    mail.write_page(desk.path());
    let text = fs::read_to_string(&mail.path).unwrap();
    let subject = text.lines().find_map(|line| line.strip_prefix("Subject: "));
    let reader = READER.replace("SUBJECT", subject.expect("a subject"));
    let [window, hand] = ["reader.html", "hand.html"].map(|name| desk.path().join(name));
    fs::write(&window, reader).unwrap();
    fs::write(&hand, mail.page.as_deref().expect("a page")).unwrap();
    for (file, size, name) in [(&window, WINDOW, "mail.png"), (&hand, HAND, "page.png")] {
        let picture = taken(&chromium.open(file), size);
        if std::env::var_os("PARAPOST_PICTURES").is_some() {
            fs::write(kept(name), &picture).unwrap();
        }
        fs::write(desk.path().join(name), picture).unwrap();
        assert_is_kept(&chromium, desk.path(), name);
    }
}

/// Compares a picture in a folder with the one of that name in the checkout.
fn assert_is_kept(chromium: &Chromium, folder: &Path, name: &str) {
    fs::copy(kept(name), folder.join("kept.png")).unwrap();
    let file = folder.join("compare.html");
    fs::write(&file, "<!DOCTYPE html><title>Pictures</title>").unwrap();
    let seen = compared(&chromium.open(&file), ["kept.png", name]);
    let number = |key: &str| seen[key].as_f64().expect("a number");
    let is_of_shape = (number("ratio") - number("width") / number("height")).abs() < 0.001;
    assert!(
        is_of_shape && number("different") < MOST_DIFFERENT,
        "docs/pictures/{name} is not what the program makes: {seen}"
    );
}
