//! Posts for forums, in a block that keeps their columns.

pub(super) fn write(post: &str) -> String {
    format!("[code]\n{post}[/code]\n")
}
