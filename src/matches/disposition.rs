//! The outcome of a message, in one word.

words! {
    /// The outcome of a message. Its word is what `receive` prints, and also names the
    /// template of the answer, if there is one.
    Disposition {
        /// The move is played.
        Accepted = "accepted",
        /// The message was handled before, or its move was.
        Duplicate = "duplicate",
        /// The message asks for something that cannot be done.
        Refused = "refused",
        /// The move can be read in several ways.
        Ambiguous = "ambiguous",
        /// The move stands in prose, and the sender is asked to confirm it.
        Confirm = "confirm",
        /// The sender may not act in the match.
        Stranger = "stranger",
        /// It is the other player's move.
        NotYourTurn = "not-your-turn",
        /// The message does not say which match it is about.
        UnknownMatch = "unknown-match",
        /// The match is over.
        Over = "over",
        /// The command is carried out.
        Command = "command",
        /// The words are kept.
        Note = "note",
        /// The match that the message invites to is entered.
        Invitation = "invitation",
        /// A delivery report says that a mail of ours has not arrived.
        Undelivered = "undelivered",
        /// The message asks for nothing.
        Ignored = "ignored",
        /// The message must be delivered again later.
        Deferred = "deferred",
    }
}

impl Disposition {
    /// Returns true if the sender gets an answer, within the quota.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(
            self,
            Disposition::Refused
                | Disposition::Ambiguous
                | Disposition::Confirm
                | Disposition::NotYourTurn
                | Disposition::Over
                | Disposition::Command
        )
    }
}
