//! Where a server listens.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::process::{Command, Stdio};

use crate::commands::serve::{REFEREE, club, letter};
use crate::support::lmtp::{Client, Server};

#[test]
fn a_socket_is_for_the_user_and_the_group_and_goes_with_the_server() {
    let house = club(1);
    let path = house.path("lmtp");
    let server = Server::start(&house, &["--lmtp", "unix:lmtp"]);
    let found = fs::metadata(&path).unwrap();
    assert!(found.file_type().is_socket());
    assert_eq!(found.permissions().mode() & 0o777, 0o660);
    let message = letter("anna", "m0", 1, "1. P>e3");
    let replies = Client::at(&path).deliver(&message, &[REFEREE]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    house
        .parapost(["serve", "--lmtp", "unix:lmtp"])
        .status(1)
        .stderr("parapost: lmtp: another process listens at this socket\n")
        .run();
    server.kill();
    // What was killed has left its socket behind.
    assert!(path.exists());
    let server = Server::start(&house, &["--lmtp", "unix:lmtp"]);
    let replies = Client::at(&path).deliver(&message, &[REFEREE]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    server.stop();
    assert!(!path.exists());
    house.write("lmtp", "a file of somebody's");
    house
        .parapost(["serve", "--lmtp", "unix:lmtp"])
        .status(1)
        .stderr("parapost: lmtp: this is not a socket, and is not replaced\n")
        .run();
    assert_eq!(house.read("lmtp"), "a file of somebody's");
}

#[test]
fn a_place_must_be_named_and_free() {
    let house = club(0);
    house
        .parapost(["serve"])
        .status(2)
        .stderr_contains("say where to listen")
        .run();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    house
        .parapost(["serve", "--lmtp", &address])
        .status(1)
        .stderr_contains(&address)
        .run();
}

#[test]
fn a_socket_that_systemd_has_opened_is_served() {
    let house = club(1);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let program = house.parapost(["serve"]).any_stdout().command();
    let mut shell = Command::new("sh");
    // Descriptor 3 is the first that systemd passes.
    shell
        .args([
            "-c",
            "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve",
        ])
        .arg(program.get_program())
        .current_dir(house.folder())
        .env_clear();
    for (name, value) in program.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    let server = Server::with_stdin(&mut shell, Stdio::from(OwnedFd::from(listener)));
    let message = letter("anna", "m0", 1, "1. P>e3");
    let replies = server.client().deliver(&message, &[REFEREE]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    server.stop();
}
