//! What is checked of the way that mail leaves.

use std::env;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::command::context::Context;
use crate::command::doctor::clock::Clock;
use crate::command::doctor::fault::Service;
use crate::command::doctor::finding::{Finding, Report};
use crate::command::doctor::local::try_write;
use crate::command::doctor::within::within;
use crate::config::transport::TransportSettings;
use crate::mail::settings::SmtpSettings;
use crate::mail::smtp;

/// Checks the transport. `outbox` is the folder of mail unless another is configured.
///
/// # Errors
///
/// If the report cannot be written.
pub(super) fn check(
    settings: &TransportSettings,
    outbox: &Path,
    clock: &mut Clock,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let finding = match settings {
        TransportSettings::Print => {
            Finding::note("sending", "mail goes to standard output").mend("nothing else sends it")
        }
        TransportSettings::Folder(folder) => {
            let folder = folder.as_deref().unwrap_or(outbox);
            let what = format!("outbox {}", folder.display());
            match try_write(folder) {
                Ok(()) => Finding::note(what, "mail is written there")
                    .mend("nothing sends it on unless something else does"),
                Err(error) => Finding::wrong(what, format!("it cannot be written ({error})"))
                    .mend("give yourself the right to write there, or name another in [transport]"),
            }
        }
        TransportSettings::Sendmail(program) => {
            let what = format!("sendmail {}", program.display());
            match find(program) {
                Some(found) => Finding::ok(what, format!("it is {}", found.display())),
                None => Finding::wrong(what, "there is no such program")
                    .mend("install one, or name it: path in [transport]"),
            }
        }
        TransportSettings::Smtp(settings) => return server(settings, clock, report, context),
    };
    report.add(finding, context)
}

/// Checks a mail server: that it can be reached and trusted, and takes the login.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn server(
    settings: &SmtpSettings,
    clock: &mut Clock,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let service = Service::from(settings);
    let login = match service.known_login() {
        Ok(login) => login,
        Err(finding) => return report.add(finding, context),
    };
    if let Some(login) = &login {
        report.hide(login);
    }
    if let Err(finding) = service.reach() {
        return report.add(finding, context);
    }
    let known = SmtpSettings {
        login: login.clone(),
        ..settings.clone()
    };
    let finding = match within(move || smtp::probe(&known)) {
        Some(Ok(greeting)) => {
            clock.greeted(&greeting, &settings.host);
            let said = match login {
                Some(login) => format!("it takes mail from '{}'", login.user.escape_debug()),
                None => "it can be reached; there is no login".to_owned(),
            };
            Finding::ok(service.what(), said)
        }
        Some(Err(error)) => service.fault(Some(&error)),
        None => service.fault(None),
    };
    report.add(finding, context)
}

/// Returns the path of a program, as it would be run.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return is_program(program).then(|| program.to_path_buf());
    }
    let path = env::var_os("PATH")?;
    let mut found = env::split_paths(&path).map(|folder| folder.join(program));
    found.find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = path.metadata();
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file() || path.with_extension("exe").is_file()
    }
}
