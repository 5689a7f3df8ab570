//! A post as forums take it: in a block that keeps its columns.

pub(super) fn write(post: &str) -> String {
    format!("[code]\n{post}[/code]\n")
}
