//! The authorities whose certificates are trusted in TLS.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};

use crate::Error;

/// Prepares TLS with a server, which must have a certificate for `host`. `section` is that
/// of the configuration, for messages.
///
/// # Errors
///
/// As [`client`], and if the host is no name.
pub fn connection(
    host: &str,
    ca_file: Option<&Path>,
    section: &str,
) -> Result<ClientConnection, Error> {
    let config = Arc::new(client(ca_file)?);
    let name = ServerName::try_from(host.to_owned()).map_err(|_| {
        Error::refused(format!("[{section}] host: '{host}' is no name of a server"))
    })?;
    ClientConnection::new(config, name).map_err(|error| Error::refused(format!("TLS: {error}")))
}

/// Returns the settings of a TLS connection that trusts the system's authorities and the
/// certificates of a PEM file.
///
/// # Errors
///
/// If the file cannot be read or has no certificate, or if nobody at all is trusted.
pub fn client(ca_file: Option<&Path>) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    // A system may list certificates that cannot be used.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(file) = ca_file {
        let wrong =
            |error: &dyn std::fmt::Display| Error::refused(format!("{}: {error}", file.display()));
        let unread = |error: PemError| match error {
            PemError::Io(error) => Error::file(file, &error),
            error => wrong(&error),
        };
        let found = CertificateDer::pem_file_iter(file).map_err(unread)?;
        let found: Vec<_> = found.collect::<Result<_, _>>().map_err(unread)?;
        if found.is_empty() {
            return Err(wrong(&"there is no certificate in PEM form in it"));
        }
        for certificate in found {
            roots.add(certificate).map_err(|error| wrong(&error))?;
        }
    }
    if roots.is_empty() {
        return Err(Error::refused(
            "this system trusts no certificate authority, and there is no ca_file",
        ));
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| Error::refused(format!("TLS: {error}")))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
