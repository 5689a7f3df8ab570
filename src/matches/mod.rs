//! Matches: their events, the state the events lead to, and decisions about
//! messages.

/// Defines an enum of words from one table, so that none can be left out: its variants, the
/// list of them, and how they are written and read.
macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $name:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $type {
            $($(#[$of])* $name,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($word),*].len()] = [$($type::$name),*];

            /// Returns its word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($type::$name => $word,)*
                }
            }

            /// Returns the one with this word.
            pub fn from_word(word: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use words;

pub mod action;
pub mod article;
pub(crate) mod claims;
pub mod codes;
pub mod decide;
pub mod decision;
pub mod delivery;
pub mod event;
pub mod following;
pub mod forget;
pub mod hash;
pub mod mail;
pub mod mail_id;
pub mod r#match;
pub mod player;
pub mod posting;
pub(crate) mod program;
pub mod state;
pub mod terms;
