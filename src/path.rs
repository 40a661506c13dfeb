//! Paths inside a workspace: from its root, with `/`.

/// `base/../x/./y` without its dots; `None` when it leads out of the workspace.
pub fn joined(base: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a file belongs to an installed package: somebody else's, read where an import leads to it and never
/// changed.
pub fn is_installed(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules" || part == "site-packages")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_inside_its_workspace() {
        assert_eq!(joined("a/b", "../c/./d.ts").as_deref(), Some("a/c/d.ts"));
        assert_eq!(joined("", "a//b/").as_deref(), Some("a/b"));
        assert_eq!(joined("a", "../../b"), None);
    }
}
