//! The third set-up: a referee behind LMTP with Postfix.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::UnixListener;
use std::process::{Child, Command, Stdio};

use super::{Machine, commands, house, pipe};
use crate::servers::postfix::Postfix;
use crate::servers::{Owner, output};

const UNITS: &str = "etc/systemd/system";

/// Does what systemd does for the two units: opens the socket, and starts the service.
fn start(machine: &Machine, user: &str, owner: &Owner) -> Child {
    let socket = format!("{UNITS}/parapost.socket");
    let one = |unit: &str, key: &str| match &machine.unit(unit, key)[..] {
        [value] => machine.replace(value),
        other => panic!("{key}: {other:?}"),
    };
    let path = one(&socket, "ListenStream");
    let listener = UnixListener::bind(&path).unwrap();
    let mode = u32::from_str_radix(&one(&socket, "SocketMode"), 8).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    // Its group is that of the user that Postfix runs as.
    assert_eq!(one(&socket, "SocketGroup"), "postfix");
    chown(&path, None, Some(owner.gid)).unwrap();
    let service = format!("{UNITS}/parapost.service");
    assert_eq!(one(&service, "User"), "parapost");
    let mut script = "exec 3<&0 </dev/null\n".to_owned();
    for variable in machine.unit(&service, "Environment") {
        let _ = writeln!(script, "export {}", machine.replace(&variable));
    }
    let _ = write!(
        script,
        "export LISTEN_PID=$$ LISTEN_FDS=1\nexec setpriv --pdeathsig TERM --reuid={user} --regid={user} --clear-groups {}",
        one(&service, "ExecStart")
    );
    machine
        .shell(&script)
        .stdin(Stdio::from(OwnedFd::from(listener)))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "needs Postfix, root"]
fn a_referee_behind_lmtp_stands_as_the_page_says() {
    let postfix = Postfix::start();
    let owner = Owner::of(postfix.folder());
    let user = "daemon";
    let machine = house::machine(postfix.port, user, user)
        .folder("/etc/systemd/system")
        .folder("/run/parapost");
    let machine = pipe::with_postfix(machine, &postfix);
    let begin = house::build(&machine);
    let blocks = commands("A referee behind LMTP");
    let [set_up, reload] = blocks.as_slice() else {
        panic!("{blocks:?}");
    };
    machine.run(set_up);
    let mut child = start(&machine, user, &owner);
    let maildir = |name: &str| postfix.maildir(name);
    house::play(&machine, &begin, postfix.port, maildir, || postfix.log());
    machine.run(reload);
    let reload = machine.unit(&format!("{UNITS}/parapost.service"), "ExecReload");
    let reload = reload[0].replace("$MAINPID", &child.id().to_string());
    output(Command::new("sh").args(["-c", &reload]));
    let kill = format!("kill -s TERM {}", child.id());
    output(Command::new("sh").args(["-c", &kill]));
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert_eq!(
        machine.done()[1..],
        [
            "systemctl daemon-reload",
            "systemctl enable --now parapost.socket",
            "systemctl reload parapost",
        ]
    );
    machine.check();
}
