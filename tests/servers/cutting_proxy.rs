//! A proxy before a server that cuts a connection after so many bytes, or slows it down.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How long a slow connection holds whatever the client says.
pub(crate) const HELD: Duration = Duration::from_millis(60);

/// A way through the proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    ToServer,
    ToClient,
}

impl Way {
    pub(crate) const ALL: [Way; 2] = [Way::ToServer, Way::ToClient];
}

/// A proxy on a port of its own, for as long as the tests run.
pub(crate) struct CuttingProxy {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Where the next connection is cut.
    cut: Mutex<Option<(Way, usize)>>,
    /// True if the next connection is slow.
    is_slow: AtomicBool,
    /// The bytes passed on each way.
    passed: [AtomicUsize; 2],
    connections: AtomicUsize,
    /// True while the server is away: it takes no connection, and has ended those that it had.
    is_away: AtomicBool,
    /// The clients, to end their connections.
    clients: Mutex<Vec<TcpStream>>,
}

impl CuttingProxy {
    /// Starts a proxy before a port of this machine. It cuts nothing until it is told to.
    pub(crate) fn start(server: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let kept = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                if shared.is_away.load(Ordering::SeqCst) {
                    continue;
                }
                shared
                    .clients
                    .lock()
                    .unwrap()
                    .push(client.try_clone().unwrap());
                let cut = shared.cut.lock().unwrap().take();
                let is_slow = shared.is_slow.swap(false, Ordering::SeqCst);
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                for way in Way::ALL {
                    let (from, to) = match way {
                        Way::ToServer => (&client, &server),
                        Way::ToClient => (&server, &client),
                    };
                    let [from, to] = [from, to].map(|stream| stream.try_clone().unwrap());
                    let limit = cut.filter(|(cut, _)| *cut == way).map(|(_, bytes)| bytes);
                    let hold = (is_slow && way == Way::ToServer).then_some(HELD);
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || pass(from, to, way, limit, hold, &shared));
                }
            }
        });
        Self { port, shared: kept }
    }

    /// Cuts the next connection after so many bytes on this way. Those after it are
    /// passed through.
    pub(crate) fn cut_next(&self, way: Way, bytes: usize) {
        *self.shared.cut.lock().unwrap() = Some((way, bytes));
    }

    /// Ends all connections, and takes no other until the server is there again.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.shared.is_away.store(is_away, Ordering::SeqCst);
        for client in self.shared.clients.lock().unwrap().drain(..) {
            let _ = client.shutdown(Shutdown::Both);
        }
    }

    /// Holds whatever the client of the next connection says for [`HELD`].
    pub(crate) fn slow_next(&self) {
        self.shared.is_slow.store(true, Ordering::SeqCst);
    }

    /// The bytes that have passed on this way, in all connections.
    pub(crate) fn passed(&self, way: Way) -> usize {
        self.shared.passed[way as usize].load(Ordering::SeqCst)
    }

    /// The number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

fn pass(
    mut from: TcpStream,
    mut to: TcpStream,
    way: Way,
    limit: Option<usize>,
    hold: Option<Duration>,
    shared: &Shared,
) {
    let _ = to.set_nodelay(true);
    let mut left = limit;
    let mut buffer = [0; 4096];
    while left != Some(0) {
        let most = left.map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = from.read(&mut buffer[..most]);
        hold.into_iter().for_each(thread::sleep);
        match read {
            Ok(read @ 1..) if to.write_all(&buffer[..read]).is_ok() => {
                shared.passed[way as usize].fetch_add(read, Ordering::SeqCst);
                left = left.map(|left| left - read);
            }
            _ => {
                let _ = to.shutdown(Shutdown::Write);
                return;
            }
        }
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
