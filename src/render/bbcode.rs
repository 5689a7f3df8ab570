//! A post for forums: in a block that keeps its columns.

pub(super) fn write(post: &str) -> String {
    format!("[code]\n{post}[/code]\n")
}
