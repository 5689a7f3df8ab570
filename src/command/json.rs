//! What the commands write with `--json`. A key that was written once stays, with its
//! meaning, and is always there: programs rely on it (docs/cli.md).

pub(super) mod legal;
pub(super) mod played;
pub(super) mod received;
pub(super) mod shown;
pub(super) mod standing;
