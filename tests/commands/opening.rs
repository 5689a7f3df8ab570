//! `parapost open`: a match and its mail in the browser.

use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::commands::play::{demo, of, refused};
use crate::support::Sandbox;

/// A browser that notes what it is asked to show.
#[cfg(unix)]
fn with_browser(house: &Sandbox) -> Sandbox {
    use std::os::unix::fs::PermissionsExt as _;
    let browser = house.path("browser");
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$1\" > {0}/new && mv {0}/new {0}/shown\n",
        house.folder().display()
    );
    fs::write(&browser, script).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    house.clone().env("BROWSER", browser)
}

/// The address that the browser was given, and the page that is there.
#[cfg(unix)]
fn shown(house: &Sandbox) -> (String, String) {
    let file = house.path("shown");
    let deadline = Instant::now() + Duration::from_mins(1);
    let address = loop {
        if let Ok(address) = fs::read_to_string(&file) {
            break address;
        }
        assert!(Instant::now() < deadline, "no browser was called");
        thread::sleep(Duration::from_millis(20));
    };
    fs::remove_file(&file).unwrap();
    let path = address.strip_prefix("file://").unwrap();
    let page = fs::read_to_string(path).unwrap();
    (address, page)
}

#[cfg(unix)]
#[test]
fn a_match_and_its_mail_are_shown_in_the_browser() {
    use std::os::unix::fs::PermissionsExt as _;
    let house = with_browser(&demo());
    house
        .parapost(of("anna", &["note", "demo", "a private word"]))
        .any_stdout()
        .any_stderr()
        .run();
    let open = |who: &str, more: &[&str]| {
        let run = house.parapost(of(who, &[&["open", "demo"], more].concat()));
        run.any_stdout()
            .stderr("demo: the browser shows it\n")
            .run()
            .stdout
    };
    let path = open("anna", &[]);
    assert!(path.ends_with("/parapost/pages/demo.html\n"), "{path}");
    let mode = fs::metadata(path.trim_end()).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
    shown(&house);
    // If others could read the page, only the user can after the next run.
    fs::set_permissions(path.trim_end(), fs::Permissions::from_mode(0o666)).unwrap();
    open("anna", &[]);
    let mode = fs::metadata(path.trim_end()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (address, page) = shown(&house);
    assert!(address.ends_with("/parapost/pages/demo.html"), "{address}");
    assert!(page.contains("a private word"));
    // The user's own move: without scripts, too, the page says how it is played.
    assert!(page.contains("Run <code>parapost move demo '"), "{page}");
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .any_stdout()
        .any_stderr()
        .run();
    let path = open("anna", &["--as", "mail"]);
    assert!(path.ends_with("/parapost/mails/demo.html\n"), "{path}");
    let (_, mail) = shown(&house);
    assert!(
        mail.contains("<bdi>Anna &lt;anna@example.org></bdi>"),
        "{mail}"
    );
    assert!(
        mail.contains("<bdi>Ben &lt;ben@example.org></bdi>"),
        "{mail}"
    );
    assert!(mail.contains("P>e3"), "{mail}");
    assert!(!mail.contains("a private word"));
}

/// The page of a mail has the picture of its HTML, and nothing that it could ask the network for.
#[cfg(unix)]
#[test]
fn a_mail_is_shown_with_its_picture() {
    let house = with_browser(&demo());
    let config = house.read("anna.toml");
    house.write("anna.toml", config.replace("html = false", "html = true"));
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .any_stdout()
        .any_stderr()
        .run();
    let run = house.parapost(of("anna", &["open", "demo", "--as", "mail"]));
    run.any_stdout().any_stderr().run();
    let (_, mail) = shown(&house);
    assert!(
        mail.contains("<iframe title=\"The mail\" sandbox="),
        "{mail}"
    );
    assert!(mail.contains("data:image/png;base64,") && !mail.contains("cid:"));
    assert!(mail.contains("default-src 'none'"));
}

/// As over a connection to another machine.
#[test]
fn without_a_screen_the_path_is_told() {
    let house = demo();
    let run = house.parapost(of("anna", &["open", "demo"]));
    let told = "demo: there is no screen here: open that file in a browser\n";
    let path = run.any_stdout().stderr(told).run().stdout;
    let page = fs::read_to_string(path.trim_end()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    let none = house
        .parapost(of("anna", &["open", "demo"]))
        .env("BROWSER", "/nowhere/browser")
        .env("PATH", "/nowhere");
    none.any_stdout()
        .stderr_contains("no browser was found")
        .run();
}

#[test]
fn what_is_no_match_or_has_no_mail_is_refused() {
    let house = demo();
    refused(&house, of("anna", &["open", "none"]), 1, "none");
    refused(&house, of("anna", &["open", "../demo"]), 2, "../demo");
    let mail = ["open", "demo", "--as", "mail"];
    refused(&house, of("anna", &mail), 1, "no mail of this match yet");
}
