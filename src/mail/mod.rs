//! Messages: coming in as bytes, going out as text.
