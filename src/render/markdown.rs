//! Posts in Markdown, in a fenced or indented block that keeps their columns.

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
