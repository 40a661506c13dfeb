//! Whether an incrementally parsed tree is the one that a full parse of its text would make.
//!
//! For a text without errors, it always is. How the parser recovers from an error depends on what it may reuse, so a
//! text with errors must be parsed in full, unless the edit is far from them: the parser reads from left to right, and
//! reads what follows the edit from the same state as before. The errors after the edit are compared. The recovery from
//! an error before the edit may still be undecided at the edit: the parser keeps several versions until one of them is
//! better by far.

use tree_sitter::{Node, Tree, TreeCursor};

/// The number of nodes after an error by which the parser has dropped every version that costs more than another: it
/// drops a version if the difference in cost, a whole number, times the nodes since the error is over 1,800
/// (`MAX_COST_DIFFERENCE` in `parser.c`).
const SETTLED: usize = 1_800;

/// Whether `tree` is certain to be the tree of a full parse. `previous` is the tree from before the edits, with the
/// edits applied to it.
pub(super) fn is_as_whole(previous: &Tree, tree: &Tree) -> bool {
    let (old, new) = (previous.root_node(), tree.root_node());
    if !old.has_error() && !new.has_error() {
        return true;
    }
    !old.is_error() && !new.is_error() && is_far_from_errors(old) && have_the_same_errors(old, new)
}

/// Whether no edit is in a statement with an error, or shortly after one.
fn is_far_from_errors(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    let mut nodes_since_error = usize::MAX;
    let mut is_edited = false;
    for statement in root.children(&mut cursor) {
        if statement.has_changes() {
            is_edited = true;
            if is_wrong(&statement) || nodes_since_error < SETTLED {
                return false;
            }
        }
        let nodes = statement.descendant_count();
        nodes_since_error = if is_wrong(&statement) { 0 } else { nodes_since_error.saturating_add(nodes) };
    }
    // An edit after the last statement is in none of the statements.
    is_edited || nodes_since_error >= SETTLED
}

fn have_the_same_errors(old: Node<'_>, new: Node<'_>) -> bool {
    let (mut old_cursor, mut new_cursor) = (old.walk(), new.walk());
    let mut old = old.children(&mut old_cursor).filter(is_wrong);
    let mut new = new.children(&mut new_cursor).filter(is_wrong);
    loop {
        match (old.next(), new.next()) {
            (None, None) => return true,
            (Some(old), Some(new)) if is_same(&mut old.walk(), &mut new.walk()) => {}
            _ => return false,
        }
    }
}

fn is_wrong(node: &Node<'_>) -> bool {
    node.has_error() || node.is_missing()
}

/// Whether two trees have the same nodes at the same places. Each cursor must be at the root of its tree.
fn is_same(old: &mut TreeCursor<'_>, new: &mut TreeCursor<'_>) -> bool {
    loop {
        let (a, b) = (old.node(), new.node());
        if a.kind_id() != b.kind_id() || a.byte_range() != b.byte_range() || a.is_missing() != b.is_missing() {
            return false;
        }
        let goes_down = old.goto_first_child();
        if goes_down != new.goto_first_child() {
            return false;
        }
        if goes_down {
            continue;
        }
        loop {
            let has_next = old.goto_next_sibling();
            if has_next != new.goto_next_sibling() {
                return false;
            }
            if has_next {
                break;
            }
            let goes_up = old.goto_parent();
            if goes_up != new.goto_parent() {
                return false;
            }
            if !goes_up {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Language, edited, parse};
    use super::*;
    use crate::text::{Edit, Span, apply_edits};

    const ERRORS: [&str; 9] = [
        "#!/bin/x\n",
        "const = ;\n",
        "f(a, , b\n",
        "}\n",
        "class { x( }\n",
        "`\n",
        "if (\n",
        "a b c d\n",
        "x = { y: [1, 2 };\n",
    ];

    fn statements(count: usize) -> String {
        let one = |index: usize| {
            format!(
                "export function f{index}(a: string) {{\n  if (a < b) g({{ a, b: [1, `${{a}}`] }}); // it's\n  return a;\n}}\n"
            )
        };
        (0..count).map(one).collect()
    }

    /// The incrementally parsed tree of a text after an edit, and whether it counts as that of a full parse; if so, the
    /// two are asserted to be equal.
    fn again(before: &str, edit: &Edit) -> (Tree, bool) {
        let mut previous = parse(Language::TypeScript, before, None).unwrap();
        edited(&mut previous, edit);
        let after = apply_edits(before, std::slice::from_ref(edit)).unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&Language::TypeScript.grammar().unwrap()).unwrap();
        let by_parts = parser.parse(&after, Some(&previous)).unwrap();
        let is_as_whole = is_as_whole(&previous, &by_parts);
        if is_as_whole {
            let whole = parser.parse(&after, None).unwrap();
            assert!(is_same(&mut by_parts.walk(), &mut whole.walk()), "{edit:?}\n{}", whole.root_node().to_sexp());
        }
        (by_parts, is_as_whole)
    }

    #[test]
    fn an_edit_far_from_an_error_is_parsed_by_parts() {
        for error in ["#!/bin/x\n", "const = ;\n", "}\n", "a b c d\n"] {
            let (before, behind) = (statements(100), statements(100));
            let text = format!("{before}{error}{behind}");
            let is_by_parts = |at: usize| again(&text, &Edit::new(Span::at(at), " ")).1;
            let in_statement = |at: usize| text[..at].rfind("return").unwrap();
            assert!(is_by_parts(in_statement(before.len() / 2)), "{error}");
            assert!(is_by_parts(text.len()), "{error}");
            assert!(!is_by_parts(before.len() + 1), "{error}");
            assert!(!is_by_parts(in_statement(before.len() + error.len() + behind.len() / 4)), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_taken_over_is_what_a_whole_parse_makes(
            errors in proptest::collection::vec((0..200_usize, 0..ERRORS.len()), 0..4),
            at in 0.0..1.0_f64,
            length in 0..12_usize,
            written in "[ a;(){}`/*'\n]{0,3}",
        ) {
            let mut lines: Vec<String> = statements(100).split_inclusive('\n').map(str::to_string).collect();
            for (line, error) in errors {
                lines[line].push_str(ERRORS[error]);
            }
            let text = lines.concat();
            let start = (text.len() as f64 * at) as usize;
            let edit = Edit::new(Span::new(start, (start + length).min(text.len())), written);
            again(&text, &edit);
        }
    }
}
