//! A post in Markdown: in a block that keeps its columns, between fences or
//! indented.

pub(super) fn write(post: &str, is_indented: bool) -> String {
    if !is_indented {
        return format!("```\n{post}```\n");
    }
    let lines = post.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect()
}
