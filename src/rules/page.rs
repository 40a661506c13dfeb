//! A rule's document as people read it. Its examples are fixtures of tests: a line `//- /path` begins a file, and a
//! comment with carets states the finding in the line above.

/// A document with a block for each file of an example, under the file's path, and the findings of each block below it.
pub(super) fn page(docs: &str) -> String {
    let mut page = String::new();
    let mut block: Option<Block> = None;
    for line in docs.lines() {
        match (&mut block, line.starts_with("```")) {
            (None, true) => block = Some(Block::default()),
            (None, false) => page.extend([line, "\n"]),
            (Some(open), true) => {
                open.write(&mut page);
                block = None;
            }
            (Some(open), false) => match line.strip_prefix("//- /") {
                Some(path) => {
                    open.write(&mut page);
                    block = Some(Block { path: path.trim(), ..Block::default() });
                }
                None => match finding(line) {
                    Some(finding) => open.findings.push(finding),
                    None => open.lines.push(line),
                },
            },
        }
    }
    page
}

/// A file of an example.
#[derive(Default)]
struct Block<'d> {
    /// Empty if the example is a single text.
    path: &'d str,
    lines: Vec<&'d str>,
    findings: Vec<(&'d str, &'d str)>,
}

impl Block<'_> {
    fn write(&self, page: &mut String) {
        if self.lines.iter().all(|line| line.trim().is_empty()) {
            return;
        }
        if !page.ends_with("\n\n") {
            page.push('\n');
        }
        if !self.path.is_empty() {
            page.push_str(&format!("`{}`:\n\n", self.path));
        }
        let text = self.lines.join("\n");
        // A document may contain fences of its own.
        let fence = if text.contains("```") { "````" } else { "```" };
        let extension = self.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
        page.push_str(&format!("{fence}{extension}\n{}\n{fence}\n", text.trim_end()));
        for (rule, message) in &self.findings {
            page.push_str(&format!("\n- `{rule}`: {message}"));
        }
        if !self.findings.is_empty() {
            page.push('\n');
        }
    }
}

/// The rule and the message of a comment that states a finding: `//  ^^^^ name-case: not in lower case`.
fn finding(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let comment = ["//", "#", "<!--"].iter().find_map(|sign| line.strip_prefix(sign))?.trim_start();
    let marked =
        comment.strip_prefix("<- ").or_else(|| comment.starts_with('^').then(|| comment.trim_start_matches('^')))?;
    let (rule, message) = marked.trim_start().trim_end_matches("-->").split_once(": ")?;
    rule.chars().all(|c| c.is_ascii_lowercase() || c == '-').then(|| (rule, message.trim()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_page_shows_the_marks_of_a_fixture() {
        for rule in crate::rules::RULES {
            let page = rule.page();
            assert!(!page.contains("//- /") && !page.contains("^^ "), "{}:\n{page}", rule.id);
            assert!(page.starts_with("# `") && page.matches("```").count().is_multiple_of(2), "{}:\n{page}", rule.id);
        }
    }
}
