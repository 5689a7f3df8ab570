//! The second set-up: a pipe from Postfix or Exim.

use super::{Machine, commands, house, page};
use crate::servers::Owner;
use crate::servers::postfix::Postfix;
use crate::support::exim::Exim;

const COMMAND: &str = "/usr/local/bin/parapost receive --deliver --send";

/// The machine with the commands of this Postfix.
pub(super) fn with_postfix(machine: Machine, postfix: &Postfix) -> Machine {
    for name in ["postconf", "postfix"] {
        machine.program(&format!("bin/{name}"), &postfix.script(name));
    }
    machine
}

#[test]
#[ignore = "needs Postfix, root"]
fn a_pipe_from_postfix_stands_as_the_page_says() {
    let postfix = Postfix::start();
    // Postfix starts nothing as the user that it runs as itself.
    let machine =
        house::machine(postfix.port, "daemon", "daemon").replacing("user=parapost", "user=daemon");
    let machine = with_postfix(machine, &postfix);
    let begin = house::build(&machine);
    let [block] = &commands("Postfix")[..] else {
        panic!("one block");
    };
    machine.run(block);
    let maildir = |name: &str| postfix.maildir(name);
    house::play(&machine, &begin, postfix.port, maildir, || postfix.log());
    house::tick(&machine);
    machine.check();
}

#[test]
#[ignore = "needs Exim"]
fn a_pipe_from_exim_stands_as_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let owner = Owner::of(folder.path());
    let (user, group) = (owner.name(), owner.group());
    let files = Machine::new()
        .folder("/etc/exim4/conf.d/router")
        .folder("/etc/exim4/conf.d/transport");
    // The port is known when Exim runs, and Exim runs with the files of the page.
    let [block] = &commands("Exim")[..] else {
        panic!("one block");
    };
    files.run(block);
    assert_eq!(
        files.done(),
        ["update-exim4.conf ", "systemctl reload exim4"]
    );
    files.check();
    let rest = |machine: Machine| {
        machine
            .replacing("user = parapost", format!("user = {user}"))
            .replacing("group = parapost", format!("group = {group}"))
            .replacing("games.example.org", "example.test")
    };
    let machine = rest(house::machine(0, &user, &group));
    let part =
        |name: &str| machine.replace(&files.sandbox.read(format!("etc/exim4/conf.d/{name}")));
    let exim = Exim::with(&part("router/150_parapost"), &part("transport/30_parapost"));
    let mut machine = machine;
    for (text, by) in &mut machine.replaced {
        if *text == "port = 25\n" {
            *by = format!("port = {}\n", exim.port);
        }
    }
    let begin = house::build(&machine);
    let maildir = |name: &str| exim.maildir(name);
    house::play(&machine, &begin, exim.port, maildir, || exim.log());
    house::tick(&machine);
}

/// The servers that are not installed here get the same command.
#[test]
fn the_lines_for_other_servers_have_the_command_of_the_pipe() {
    let page = page();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("`pipe "));
    let rows: Vec<&str> = rows.skip(1).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().all(|row| row.contains(COMMAND)), "{rows:?}");
    let machine = Machine::new()
        .folder("/usr/local/bin")
        .folder("/usr/local/lib/sieve-pipe");
    let script = machine.sandbox.read("home/.cargo/bin/parapost");
    machine.program("usr/local/bin/parapost", &script);
    let [block] = &commands("Others")[..] else {
        panic!("one block");
    };
    machine.run(block);
    machine.sandbox.write(
        "home/.config/parapost/config.toml",
        "[me]\nname = \"A\"\naddress = \"a@a.test\"\n",
    );
    machine
        .sandbox
        .write("mail", "From x@y.test\nFrom: x@y.test\n\nHello\n");
    let mail = machine.path("mail");
    for command in [COMMAND, "/usr/local/lib/sieve-pipe/parapost"] {
        let said = machine.run(&format!("{command} <{}", mail.display()));
        assert!(said.ends_with("\t-\tstranger\n"), "{said}");
    }
}
