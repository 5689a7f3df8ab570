//! One connection to the database, with a time limit of its own for everything.
//!
//! The server's own limits do not end the wait for a standby. A statement is never
//! cancelled: the server would then report a commit that no standby has. The connection
//! is dropped instead, and with it whatever it was waiting for. A failure says whether anything
//! was done.

use std::cell::Cell;
use std::error::Error as _;
use std::future::{self, Future};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fmt, io};

use rustls::ClientConfig;
use rustls::pki_types::{InvalidDnsNameError, ServerName};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Row, SimpleQueryMessage};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as RustlsStream;

use crate::Error;
use crate::mail::server_text::ServerText;
use crate::mail::wire;
use crate::store::errand;
use crate::store::errand::ServerRun;

/// The most time to connect to a host, and for a statement.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

/// The number of times that is doubled while no answer comes. A server with much to do would else
/// be asked again and again for what it has begun.
const DOUBLINGS: u32 = 2;

/// The most time for each further MiB of a statement.
const PER_MEBIBYTE: Duration = Duration::from_secs(1);

/// A value of a statement, with its type.
pub(super) type SqlValue<'v> = (&'v (dyn ToSql + Sync), Type);

/// The time that the connections of a process wait now.
#[derive(Default, Debug)]
pub(super) struct Patience(AtomicU32);

impl Patience {
    /// Returns the limit for what begins now. For the last of an errand it is the least.
    fn limit(&self) -> Duration {
        let limit = LIMIT * (1 << self.0.load(Ordering::Relaxed).min(DOUBLINGS));
        errand::left().map_or(limit, |left| limit.min(left.max(LIMIT)))
    }

    fn is_answered(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Waits for an answer, up to a limit. The error is what to say of a time that is over.
    fn wait<T>(
        &self,
        runtime: &Runtime,
        limit: Duration,
        answer: impl Future<Output = T>,
    ) -> Result<T, ServerText> {
        let answer = runtime.block_on(async { timeout(limit, answer).await });
        answer.map_err(|_| {
            self.0.fetch_add(1, Ordering::Relaxed);
            ServerText::new(format!("no answer within {} seconds", limit.as_secs()))
        })
    }
}

/// A connection. Dropping it closes it, whatever is under way.
pub(super) struct Connection {
    runtime: Runtime,
    client: Client,
    server: ServerRun,
    patience: Arc<Patience>,
    /// True if the server has warned of something since the last statement began.
    is_warned: Arc<AtomicBool>,
    /// True if it must not be used again.
    is_broken: Cell<bool>,
}

impl Connection {
    /// Connects to a host that takes writes.
    pub(super) fn open(
        settings: &Settings,
        (host, port): &(String, u16),
        patience: &Arc<Patience>,
    ) -> Result<Connection, Failure> {
        let mut config = Config::new();
        for own in wire::own_addresses(host).into_iter().flatten() {
            config.host(host).hostaddr(own);
        }
        if config.get_hosts().is_empty() {
            config.host(host);
        }
        config
            .port(*port)
            .dbname(&settings.database)
            .user(&settings.user)
            .application_name("parapost")
            .connect_timeout(patience.limit())
            .target_session_attrs(TargetSessionAttrs::ReadWrite);
        if let Some(read) = &settings.password {
            config.password(read()?);
        }
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::Other(Error::io("a connection", &error)))?;
        let is_warned = Arc::new(AtomicBool::new(false));
        let client = match &settings.tls {
            Some(tls) if !host.starts_with('/') => {
                let tls = Tls(Arc::clone(tls));
                config.ssl_mode(SslMode::Require);
                connect(&runtime, &config, tls, &is_warned, patience)
            }
            _ => {
                config.ssl_mode(SslMode::Disable);
                connect(&runtime, &config, NoTls, &is_warned, patience)
            }
        };
        let begun = client.and_then(|client| {
            let start = begin(&runtime, &client, patience)?;
            Ok((client, start))
        });
        let (client, start) = match begun {
            Ok(begun) => begun,
            Err(failure) => {
                // Dropped, it would wait for the end of a search for the host's name.
                runtime.shutdown_background();
                return Err(match failure {
                    Failure::NotReached(said) => {
                        Failure::NotReached(ServerText::new(format!("{host}:{port}: {said}")))
                    }
                    failure => failure,
                });
            }
        };
        Ok(Connection {
            runtime,
            client,
            server: ServerRun::new(&start.unwrap_or_else(|| format!("{host}:{port}"))),
            patience: Arc::clone(patience),
            is_warned,
            is_broken: Cell::new(false),
        })
    }

    /// Returns the server at the other end.
    pub(super) fn server(&self) -> &ServerRun {
        &self.server
    }

    /// Returns true if the connection must not be used again.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    /// Runs a statement and returns its rows.
    ///
    /// A warning of the server, in a statement that writes, is of a wait for a standby that
    /// somebody has cancelled: the commit is made and not replicated. So it is unknown.
    pub(super) fn query(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<Row>, Failure> {
        self.sized(sql, values, 0)
    }

    /// As [`Connection::query`], with values of that many bytes.
    pub(super) fn sized(
        &self,
        sql: &str,
        values: &[SqlValue<'_>],
        bytes: usize,
    ) -> Result<Vec<Row>, Failure> {
        let more = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        self.run(
            PER_MEBIBYTE.saturating_mul(more),
            self.client.query_typed(sql, values),
        )
    }

    /// Runs statements without values.
    pub(super) fn batch(&self, sql: &str) -> Result<(), Failure> {
        self.run(Duration::ZERO, self.client.batch_execute(sql))
    }

    /// Runs statements as a transaction, which is rolled back if they fail.
    pub(super) fn transaction<T>(
        &self,
        statements: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // Nothing has been changed yet, whatever becomes of it.
        self.batch("begin").map_err(Failure::before_any_change)?;
        match statements() {
            Ok(done) => self.batch("commit").map(|()| done),
            // Without its commit nothing of it is done.
            Err(failure) if self.is_broken() => Err(failure.before_any_change()),
            Err(failure) => {
                let _ = self.batch("rollback");
                Err(failure)
            }
        }
    }

    /// Runs a statement that may take so much more time than others.
    fn run<T>(
        &self,
        more: Duration,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        let limit = self.patience.limit().saturating_add(more);
        self.is_warned.store(false, Ordering::Relaxed);
        let answer = self.patience.wait(&self.runtime, limit, statement);
        let done = answer.map_err(Failure::Unknown).and_then(|answer| {
            let done = answer?;
            self.patience.is_answered();
            if self.is_warned.load(Ordering::Relaxed) {
                let why = "the server has warned of a commit";
                return Err(Failure::Unknown(ServerText::new(why)));
            }
            Ok(done)
        });
        if !matches!(&done, Ok(_) | Err(Failure::Again(_) | Failure::Refused(..))) {
            self.is_broken.set(true);
        }
        done
    }
}

/// The statements that each connection begins with.
const BEGINNINGS: [&str; 3] = [
    // A role or a database may have a lower one, by which a commit is acknowledged that a
    // crash takes back. `remote_apply` waits for more than `on`, and stays.
    "select set_config('synchronous_commit', 'on', false)
     where current_setting('synchronous_commit') not in ('on', 'remote_apply')",
    // A row may be held by a commit that waits for its standbys, and those who wait for the
    // row must not fill the server.
    "set lock_timeout = '1500ms'",
    // Nor may a process that was stopped between two statements keep others from the row. A
    // role or a database may have a lower limit, in milliseconds, which stays.
    "select set_config('idle_in_transaction_session_timeout', '5s', false) from pg_settings
     where name = 'idle_in_transaction_session_timeout' and setting::int not between 1 and 5000",
];

/// Tells when the server was started, to the microsecond. One that was replaced is started anew
/// before it takes part again, whatever its address. An engine that does not know that is no
/// server with a successor.
const START: &str = "select extract(epoch from pg_postmaster_start_time())::text";

/// Begins to use a connection, and returns when the server was started, if it tells. What the
/// server warns of when somebody connects, such as a newer version of its collations, comes
/// before the answer to these statements.
fn begin(
    runtime: &Runtime,
    client: &Client,
    patience: &Patience,
) -> Result<Option<String>, Failure> {
    for statement in BEGINNINGS {
        ask(runtime, client.batch_execute(statement), patience)?;
    }
    let rows = ask(runtime, client.simple_query(START), patience)?;
    Ok(rows.iter().flatten().find_map(|row| match row {
        SimpleQueryMessage::Row(row) => row.get(0).map(ToOwned::to_owned),
        _ => None,
    }))
}

/// Asks something of a server that has just been reached. Returns none if it does not know what:
/// not every engine knows each setting.
fn ask<T>(
    runtime: &Runtime,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    patience: &Patience,
) -> Result<Option<T>, Failure> {
    let answer = patience.wait(runtime, patience.limit(), answer);
    match answer.map_err(Failure::NotReached)? {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.code().is_some_and(is_not_understood) => Ok(None),
        Err(error) => Err(Failure::to_connect(&error)),
    }
}

/// Connects, and leaves the connection to the runtime, which works on it whenever a
/// statement is waited for.
fn connect<T>(
    runtime: &Runtime,
    config: &Config,
    tls: T,
    is_warned: &Arc<AtomicBool>,
    patience: &Patience,
) -> Result<Client, Failure>
where
    T: tokio_postgres::tls::MakeTlsConnect<tokio_postgres::Socket>,
    T::Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connected = patience.wait(runtime, patience.limit(), config.connect(tls));
    let connected = connected.map_err(Failure::NotReached)?;
    let (client, mut connection) = connected.map_err(|error| Failure::to_connect(&error))?;
    let is_warned = Arc::clone(is_warned);
    runtime.spawn(future::poll_fn(move |context| {
        loop {
            match connection.poll_message(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => {
                    if notice.parsed_severity() == Some(Severity::Warning) {
                        is_warned.store(true, Ordering::Relaxed);
                    }
                }
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(()),
            }
        }
    }));
    Ok(client)
}

/// Reads the password, once for each connection.
pub type ReadPassword = Arc<dyn Fn() -> Result<String, Error> + Send + Sync>;

/// The settings of a connection to the database.
#[derive(Clone)]
pub struct Settings {
    /// The servers: a name or a folder of sockets, and a port. The one that takes writes
    /// is used.
    pub hosts: Vec<(String, u16)>,
    /// The name of the database.
    pub database: String,
    /// The user's name there.
    pub user: String,
    /// The password of the user, if the server asks.
    pub password: Option<ReadPassword>,
    /// TLS, or none.
    pub tls: Option<Arc<ClientConfig>>,
    /// The time to go on where the database is out of reach.
    pub wait: Duration,
}

impl Settings {
    /// Returns the place in messages: `postgresql://HOST,HOST:PORT/DATABASE`.
    pub fn place(&self) -> String {
        let hosts = self.hosts.iter().map(|(host, port)| match port {
            5432 => host.clone(),
            port => format!("{host}:{port}"),
        });
        let hosts: Vec<String> = hosts.collect();
        format!("postgresql://{}/{}", hosts.join(","), self.database)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Settings({})", self.place())
    }
}

/// Makes connections with TLS.
#[derive(Clone)]
struct Tls(Arc<ClientConfig>);

/// A connection to be made with TLS, to a server of this name.
struct ToServer {
    connector: TlsConnector,
    name: ServerName<'static>,
}

/// A connection with TLS.
struct Encrypted<S>(Box<RustlsStream<S>>);

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = ToServer;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<ToServer, InvalidDnsNameError> {
        Ok(ToServer {
            connector: TlsConnector::from(Arc::clone(&self.0)),
            name: ServerName::try_from(domain)?.to_owned(),
        })
    }
}

impl<S> TlsConnect<S> for ToServer
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let stream = self.connector.connect(self.name, stream).await?;
            Ok(Encrypted(Box::new(stream)))
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    /// The certificate is verified by name, so a login need not be bound to it besides.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Why a statement has failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server says that nothing was done: another transaction was in the way.
    Again(ServerText),
    /// The server says that nothing was done, and trying again changes nothing: its words,
    /// and the code of the error.
    Refused(ServerText, SqlState),
    /// The server was not reached, or has no room, so nothing was done.
    NotReached(ServerText),
    /// The connection has gone, or no answer came in time. What was asked for may be done,
    /// or be done later.
    Unknown(ServerText),
    /// An error of this program's own, before anything was asked.
    Other(Error),
}

impl Failure {
    /// Reads the error of an attempt to connect.
    fn to_connect(error: &tokio_postgres::Error) -> Failure {
        match error.as_db_error() {
            // A wrong password, no such database: other hosts would say the same.
            Some(reported)
                if ["28", "3D", "42"]
                    .iter()
                    .any(|class| reported.code().code().starts_with(class)) =>
            {
                Failure::Refused(report(reported), reported.code().clone())
            }
            _ => Failure::NotReached(words(error)),
        }
    }

    /// Takes what is unknown for not done, where nothing was to be done yet.
    pub(super) fn before_any_change(self) -> Failure {
        match self {
            Failure::Unknown(said) => Failure::NotReached(said),
            failure => failure,
        }
    }

    /// Returns true if it is worth while to try again, over another connection.
    pub(super) fn may_pass(&self) -> bool {
        !matches!(self, Failure::Refused(..) | Failure::Other(_))
    }

    /// Returns the error that people read.
    pub(super) fn error(self, place: &str) -> Error {
        match self {
            Failure::Refused(said, _) => Error::refused(format!("{place}: {said}")),
            Failure::Again(said) | Failure::NotReached(said) | Failure::Unknown(said) => {
                Error::later(format!("{place}: {said}"))
            }
            Failure::Other(error) => error,
        }
    }
}

impl From<tokio_postgres::Error> for Failure {
    /// Reads the error of a statement.
    fn from(error: tokio_postgres::Error) -> Failure {
        let Some(reported) = error.as_db_error() else {
            return Failure::Unknown(words(&error));
        };
        let said = report(reported);
        // Its last word on this connection, such as that of a limit of its own.
        let is_over = matches!(
            reported.parsed_severity(),
            Some(Severity::Fatal | Severity::Panic)
        );
        match reported.code() {
            _ if is_over => Failure::Unknown(said),
            &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
                Failure::Again(said)
            }
            // The server no longer takes writes: another does.
            &SqlState::READ_ONLY_SQL_TRANSACTION => Failure::NotReached(said),
            // A cancelled wait for a standby is reported as an end of the connection or as a
            // cancelled query, with the commit already made.
            &SqlState::QUERY_CANCELED => Failure::Unknown(said),
            // Connections that have ended, a server that stops, and 40003, which says
            // itself that it is unknown.
            code if ["08", "57P", "40003"]
                .iter()
                .any(|class| code.code().starts_with(class)) =>
            {
                Failure::Unknown(said)
            }
            // Somebody else holds the row for long.
            &SqlState::LOCK_NOT_AVAILABLE => Failure::Again(said),
            // Full disks, memory, too many connections: later, and nothing was done.
            // Only after a pause: it would say the same at once.
            code if code.code().starts_with("53") => Failure::NotReached(said),
            code => Failure::Refused(said, code.clone()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Other(error)
    }
}

/// Returns true if the server does not know what a statement asks for: its syntax, its
/// function, its setting or the value of it. One that knows it and forbids it is another
/// matter.
fn is_not_understood(code: &SqlState) -> bool {
    let mut classes = ["0A", "22", "42"].into_iter();
    *code != SqlState::INSUFFICIENT_PRIVILEGE && classes.any(|class| code.code().starts_with(class))
}

/// Returns a server's words about an error, with its code.
fn report(reported: &DbError) -> ServerText {
    let (said, code) = (reported.message(), reported.code().code());
    ServerText::new(format!("{said} ({code})"))
}

/// Returns the text of an error with its causes.
fn words(error: &tokio_postgres::Error) -> ServerText {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let more = next.to_string();
        if !said.contains(&more) {
            said.push_str(": ");
            said.push_str(&more);
        }
        cause = next.source();
    }
    ServerText::new(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_server_does_not_know_is_not_understood() {
        for code in [
            SqlState::UNDEFINED_OBJECT,
            SqlState::UNDEFINED_FUNCTION,
            SqlState::SYNTAX_ERROR,
            SqlState::FEATURE_NOT_SUPPORTED,
            SqlState::INVALID_PARAMETER_VALUE,
        ] {
            assert!(is_not_understood(&code), "{code:?}");
        }
        for code in [
            SqlState::INSUFFICIENT_PRIVILEGE,
            SqlState::QUERY_CANCELED,
            SqlState::OUT_OF_MEMORY,
            SqlState::ADMIN_SHUTDOWN,
            SqlState::TOO_MANY_CONNECTIONS,
        ] {
            assert!(!is_not_understood(&code), "{code:?}");
        }
    }
}
