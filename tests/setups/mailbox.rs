//! The first set-up: one's own mailbox.

use std::fs;
use std::process::{Command, Stdio};

use super::{Machine, commands};
use crate::commands::init::{Terminal, invitation};
use crate::servers::dovecot::Dovecot;
use crate::servers::postfix::Postfix;
use crate::servers::{NOBODY, wait_until};
use crate::support::exim::{address, password};

/// Black answers with a move.
fn answer(dovecot: &Dovecot, number: usize, text: &str) {
    let letter = format!(
        "From: Black <{}>\nTo: {}\nSubject: Re: [first] Unachess\nMessage-ID: <{number}@black.test>\n\n{text}\n",
        address("black"),
        address("white")
    );
    dovecot.deliver("white", "INBOX", "", &letter);
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_mailbox_is_set_up_and_a_match_is_played_as_the_page_says() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let machine = Machine::new().replacing(" ID ", " first ");
    let authorities = [dovecot.ca_file(), postfix.ca_file()];
    let authorities = authorities.map(|file| fs::read_to_string(file).unwrap());
    machine.sandbox.write("ca.pem", authorities.concat());
    dovecot.deliver("white", "INBOX", "", &invitation());

    let blocks = commands("Your own mailbox");
    let [init, fetch, play, doctor] = blocks.as_slice() else {
        panic!("{blocks:?}");
    };
    // The servers of the tests have an authority of their own, and names without a domain.
    assert_eq!(init, "parapost init\n");
    let home = machine.path("home");
    let test = machine
        .sandbox
        .clone()
        .env("HOME", &home)
        .parapost(["init"]);
    let test = test
        .args(["--ca-file", "ca.pem", "--user", "white", "--resolver"])
        .args([format!("127.0.0.1:{NOBODY}")]);
    let mut terminal = Terminal::run(&test);
    terminal.answer("Your name", "White");
    terminal.answer("Your address", &address("white"));
    terminal.answer("player/referee", "");
    terminal.answer("read on", &format!("localhost:{}", dovecot.port));
    terminal.answer("sent through", &format!("localhost:{}", postfix.port));
    terminal.answer_hidden("not shown", &password("white"));
    terminal.answer("Read the mail", "yes");
    terminal.answer("[y/n]", "y");
    let screen = terminal.end();
    assert!(screen.contains("config.toml: written"), "{screen}");

    let list = machine.run(fetch);
    assert!(list.starts_with("first  unachess  "), "{list}");
    machine.run(play);
    postfix.wait_for("black", 1);
    let found = machine.run(doctor);
    assert!(!found.contains("wrong  "), "{found}");

    let show = || machine.run("parapost show first --as post");
    let [timer] = &commands("Every five minutes")[..] else {
        panic!("one block");
    };
    machine.run(timer);
    answer(&dovecot, 1, "n>g5");
    let folder = "home/.config/systemd/user";
    for command in machine.unit(&format!("{folder}/parapost-fetch.service"), "ExecStart") {
        let (may_fail, command) = match command.strip_prefix('-') {
            Some(command) => (true, command.to_owned()),
            None => (false, command),
        };
        let run = machine.shell(&command).output().unwrap();
        assert!(may_fail || run.status.success(), "{run:?}");
    }
    assert!(show().contains("1.  P>e3    n>g5"), "{}", show());
    let every = machine.unit(&format!("{folder}/parapost-fetch.timer"), "OnCalendar");
    assert_eq!(every, ["*:0/5"]);

    let [watch] = &commands("As it comes")[..] else {
        panic!("one block");
    };
    machine.run(watch);
    machine.run("parapost move first 'B>f4' --send");
    let [command] = &machine.unit(&format!("{folder}/parapost-watch.service"), "ExecStart")[..]
    else {
        panic!("one command");
    };
    let mut child = machine
        .shell(&format!("exec setpriv --pdeathsig TERM {command}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    answer(&dovecot, 2, "n-e6");
    let is_played = wait_until(|| show().contains("2.  B>f4    n-e6"));
    let kill = format!("kill -s TERM {}", child.id());
    Command::new("sh").args(["-c", &kill]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(is_played && status.success(), "{status}: {}", show());
    assert_eq!(
        machine.done(),
        [
            "systemctl --user daemon-reload",
            "systemctl --user enable --now parapost-fetch.timer",
            "loginctl enable-linger",
            "systemctl --user daemon-reload",
            "systemctl --user disable --now parapost-fetch.timer",
            "systemctl --user enable --now parapost-watch.service",
        ]
    );
    machine.check();
}
