//! Dovecot as the judge of passwords and tokens, for Postfix.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::servers::{Owner, end, wait_until};
use crate::support::exim::{USERS, password};

pub(super) const PROGRAM: &str = "/usr/sbin/dovecot";

/// The key that tokens are signed with.
const KEY: &[u8] = b"the key of the tests";

/// A running Dovecot that only answers who somebody is, by PLAIN, LOGIN and XOAUTH2.
pub(crate) struct DovecotAuth {
    child: Child,
    /// The socket that Postfix asks.
    pub(crate) socket: PathBuf,
}

impl DovecotAuth {
    /// Starts it in an empty folder with a short path.
    pub(crate) fn start(folder: &Path, owner: &Owner) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "there is no {PROGRAM}: tests/run installs what the tests need"
        );
        accept_tokens(folder);
        let users = USERS.map(|user| format!("{user}:{{PLAIN}}{}\n", password(user)));
        fs::write(folder.join("users"), users.concat()).unwrap();
        let (here, user, group) = (folder.display(), owner.name(), owner.group());
        fs::write(
            folder.join("dovecot.conf"),
            format!(
                "base_dir = {here}/run\nstate_dir = {here}/run\nlog_path = {here}/log\n\
                 protocols =\nlisten = 127.0.0.1\nssl = no\n\
                 default_internal_user = {user}\ndefault_internal_group = {group}\n\
                 default_login_user = {user}\n\
                 auth_mechanisms = plain login xoauth2\nauth_failure_delay = 0\n\
                 passdb {{\n driver = passwd-file\n mechanisms = plain login\n args = {here}/users\n}}\n\
                 passdb {{\n driver = oauth2\n mechanisms = xoauth2\n args = {here}/oauth2.conf\n}}\n\
                 userdb {{\n driver = static\n args = uid={user} gid={group} home=/tmp\n}}\n\
                 service anvil {{\n chroot =\n}}\nservice stats {{\n chroot =\n}}\n\
                 service auth {{\n user = {user}\n unix_listener {here}/sasl {{\n  mode = 0666\n }}\n}}\n"
            ),
        )
        .unwrap();
        owner.take(folder);
        let mut child = launch(folder, owner);
        let socket = folder.join("sasl");
        let is_there = wait_until(|| socket.exists() || child.try_wait().unwrap().is_some());
        assert!(
            is_there && socket.exists(),
            "Dovecot does not start:\n{}",
            fs::read_to_string(folder.join("log")).unwrap_or_default()
        );
        Self { child, socket }
    }
}

impl Drop for DovecotAuth {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// A token of a user that Dovecot takes until it expires, in so many seconds.
pub(crate) fn token(user: &str, seconds: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = i64::try_from(now.as_secs()).unwrap();
    let head = base64(br#"{"alg":"HS256","typ":"JWT"}"#, true);
    let claims = format!(
        r#"{{"sub":"{user}","iat":{},"exp":{}}}"#,
        now - 100,
        now + seconds
    );
    let mut token = format!("{head}.{}", base64(claims.as_bytes(), true));
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).unwrap();
    mac.update(token.as_bytes());
    let _ = write!(token, ".{}", base64(&mac.finalize().into_bytes(), true));
    token
}

/// Base64, for an address or with the usual letters and padding.
pub(crate) fn base64(bytes: &[u8], is_for_address: bool) -> String {
    let mut letters: Vec<u8> = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .chain(b'0'..=b'9')
        .collect();
    letters.extend(if is_for_address { b"-_" } else { b"+/" });
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits = [0; 4];
        bits[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(bits);
        for place in 0..4 {
            if place <= group.len() {
                let letter = bits >> (18 - 6 * place) & 63;
                text.push(letters[letter as usize].into());
            } else if !is_for_address {
                text.push('=');
            }
        }
    }
    text
}

/// Starts the Dovecot that a folder has the configuration of.
pub(super) fn launch(folder: &Path, owner: &Owner) -> Child {
    owner
        .command(PROGRAM)
        .arg("-F")
        .arg("-c")
        .arg(folder.join("dovecot.conf"))
        .spawn()
        .expect("setpriv starts")
}

/// Writes what Dovecot checks tokens by: a key, and `oauth2.conf`.
pub(super) fn accept_tokens(folder: &Path) {
    let keys = folder.join("keys/default/HS256");
    fs::create_dir_all(&keys).unwrap();
    fs::write(keys.join("default"), base64(KEY, false)).unwrap();
    let here = folder.display();
    let text = format!(
        "introspection_mode = local\nusername_attribute = sub\n\
         local_validation_key_dict = fs:posix:prefix={here}/keys/\n"
    );
    fs::write(folder.join("oauth2.conf"), text).unwrap();
}
