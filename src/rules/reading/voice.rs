//! The place where a move was written.

/// The place where a move was written. It decides how a small `b` is read.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{ReadError, Voice};
/// use parapost_rules::{Position, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "4k3/1p3b2/2N5/3b4/8/8/8/4K3 b")?;
/// let position = Position::from_setup(&chess, &setup)?;
/// assert!(position.read("bxc6", Voice::List).is_ok());
/// assert!(matches!(position.read("bxc6", Voice::Lone), Err(ReadError::Ambiguous(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// In a list of moves: canonical text is canonical.
    List,
    /// Alone in a mail: `bxc6` that could be the bishop's or the b-pawn's is
    /// ambiguous.
    Lone,
}
