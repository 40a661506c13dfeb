//! Markdown for an editor, in which text from files stays plain text.

use super::{bounded, line, value};

/// The maximum number of characters in a text of several lines, such as a description.
const MAX_BLOCK: usize = 2_000;

/// A Markdown document built from layout, which this program writes, and text, which it only shows: escaped, or in code
/// spans. Text never becomes a link, an image, a heading or HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markdown(String);

impl Markdown {
    /// Creates a document from this program's own Markdown.
    pub fn own(layout: &'static str) -> Markdown {
        Markdown(layout.to_string())
    }

    /// Adds Markdown written by this program.
    pub fn layout(&mut self, layout: &'static str) -> &mut Markdown {
        self.0.push_str(layout);
        self
    }

    /// Adds text within a line.
    pub fn text(&mut self, text: &str) -> &mut Markdown {
        self.inline(&line(&bounded(text, MAX_BLOCK)));
        self
    }

    /// Adds text of several lines: paragraphs and line breaks stay.
    pub fn block(&mut self, text: &str) -> &mut Markdown {
        let text = bounded(text, MAX_BLOCK);
        // The separator before the next line.
        let mut parting = "";
        for one in text.split('\n').map(|one| one.trim().replace('\t', " ")) {
            if one.is_empty() {
                parting = if parting.is_empty() { "" } else { "\n\n" };
                continue;
            }
            self.0.push_str(parting);
            self.inline(&line(&one));
            parting = "  \n";
        }
        self
    }

    /// Adds a code span. Its fence is longer than any run of backticks in the code, so the code cannot end the span.
    pub fn code(&mut self, text: &str) -> &mut Markdown {
        let shown = value(text);
        self.span(&shown);
        self
    }

    /// Adds a value in bold.
    pub fn strong(&mut self, text: &str) -> &mut Markdown {
        let shown = value(text);
        self.0.push_str("**");
        // The stars must touch a letter to have a meaning.
        let is_word = shown.starts_with(char::is_alphanumeric) && shown.ends_with(char::is_alphanumeric);
        match is_word {
            true => self.inline(&shown),
            false => self.span(&shown),
        }
        self.0.push_str("**");
        self
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }

    fn span(&mut self, shown: &str) {
        let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest + 1);
        // Markdown renderers remove one blank at each end.
        let is_padded = |c: char| matches!(c, '`' | ' ');
        let needs_blanks = shown.is_empty() || shown.starts_with(is_padded) || shown.ends_with(is_padded);
        let blank = if needs_blanks && !shown.bytes().all(|byte| byte == b' ') { " " } else { "" };
        let shown = if shown.is_empty() { " " } else { shown };
        for piece in [fence.as_str(), blank, shown, blank, &fence] {
            self.0.push_str(piece);
        }
    }

    /// Adds a line of visible characters.
    fn inline(&mut self, shown: &str) {
        let begins_line = self.0.is_empty() || self.0.ends_with(['\n', ' ']);
        // Blanks at the beginning of a line would turn it into code.
        let shown = if begins_line { shown.trim_start() } else { shown };
        for (index, word) in shown.split_inclusive(char::is_whitespace).enumerate() {
            let (word, blank) = match word.char_indices().next_back() {
                Some((at, last)) if last.is_whitespace() => word.split_at(at),
                _ => (word, ""),
            };
            match is_link(word) {
                true => self.span(word),
                false => escape(word, index == 0 && begins_line, &mut self.0),
            }
            self.0.push_str(blank);
        }
    }
}

/// Whether some Markdown renderer turns a word into a link: a URL, an email address or a host. Escapes do not prevent
/// this in all renderers; a code span does.
fn is_link(word: &str) -> bool {
    let host = b"www.";
    let has_host = || word.as_bytes().windows(host.len()).any(|four| four.eq_ignore_ascii_case(host));
    word.contains('@') || word.contains(":/") || has_host()
}

/// Writes a word so that none of its characters has a meaning in Markdown. Those that have one only at the beginning of
/// a line are escaped only there, so that ordinary text stays readable where it is not rendered.
fn escape(word: &str, begins_line: bool, out: &mut String) {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    for (at, c) in word.char_indices() {
        let means_something = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '$' | '^' => true,
            // An underscore between letters has no meaning: `read_note`.
            '_' => {
                let (before, after) = (word[..at].trim_end_matches('_'), word[at..].trim_start_matches('_'));
                !(is_letter(before.chars().next_back()) && is_letter(after.chars().next()))
            }
            '#' | '+' | '-' | '=' | ':' => begins_line && at == 0,
            '.' | ')' => begins_line && at == digits && digits > 0,
            _ => false,
        };
        if means_something {
            out.push('\\');
        }
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    /// Returns the text that a Markdown reader shows, without blanks; fails on anything but text, code and paragraphs.
    fn read(markdown: &str) -> String {
        let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
        let mut text = String::new();
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(piece) => {
                    let is_bare = piece.split_whitespace().any(is_link);
                    assert!(!is_bare, "a link in the text {piece:?} of {markdown:?}");
                    text.push_str(&piece);
                }
                Event::Code(piece) => text.push_str(&piece),
                Event::SoftBreak | Event::HardBreak => text.push('\n'),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => text.push('\n'),
                other => panic!("{other:?} in {markdown:?}"),
            }
        }
        without_blanks(&text)
    }

    fn without_blanks(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    fn made(build: impl for<'a> FnOnce(&'a mut Markdown) -> &'a mut Markdown) -> String {
        let mut markdown = Markdown::default();
        build(&mut markdown);
        markdown.into_string()
    }

    #[test]
    fn ordinary_text_stays_readable() {
        let text = |text: &str| made(|out| out.text(text));
        assert_eq!(
            text("Reads a note (or two) from read_note, e.g. `x`."),
            "Reads a note (or two) from read_note, e.g. \\`x\\`."
        );
        assert_eq!(text("# 1. - no heading"), "\\# 1. - no heading");
        assert_eq!(text("1. no list"), "1\\. no list");
        assert_eq!(made(|out| out.block("One.\n  Two.\n\n\nThree.")), "One.  \nTwo.\n\nThree.");
        assert_eq!(made(|out| out.code("a`b``c")), "```a`b``c```");
        assert_eq!(made(|out| out.strong("read_note")), "**read_note**");
    }

    #[test]
    fn addresses_become_code() {
        let text = |text: &str| made(|out| out.text(text));
        assert_eq!(text("see http://a.b now"), "see `http://a.b` now");
        assert_eq!(text("WWW.a.b a@b.c"), "`WWW.a.b` `a@b.c`");
        assert_eq!(text("[x](command:y)"), "\\[x\\](command:y)");
        assert_eq!(text("![x](https://a.b/c.png)"), "`![x](https://a.b/c.png)`");
    }

    #[test]
    fn long_text_is_cut() {
        let block = made(|out| out.block(&"x".repeat(5_000)));
        assert_eq!(block.chars().count(), MAX_BLOCK);
        assert!(block.ends_with('…'));
    }

    /// Generates text from pieces that have a meaning in Markdown.
    fn hostile() -> impl Strategy<Value = String> {
        let pieces = [
            "[x](http://a.b)",
            "![i](y)",
            "<b>",
            "</b>",
            "<http://a.b>",
            "&amp;",
            "&#64;",
            "```",
            "`",
            "~~~",
            "**",
            "_",
            "__",
            "# ",
            "- ",
            "+ ",
            "* ",
            "1. ",
            "2) ",
            "> ",
            "===",
            "---",
            "|",
            "| a |",
            ":-:",
            "\\",
            "\n",
            "\n\n",
            "    ",
            "\t",
            "$x$",
            "www.a.b",
            "a@b.c",
            "mailto:a@b.c",
            "https://",
            "[^1]",
            "[^1]: x",
            "[a]: /b",
            "<!-- x -->",
            "a",
            "é",
            "\u{1b}",
            "\u{202e}",
            "[[w]]",
            "{.c}",
            ": ",
            "~a~",
            "^b^",
            "- [ ] ",
            "> [!NOTE]",
            "\u{a0}",
            "\r",
            "\u{2028}",
            "!",
            "(",
            ")",
            "\"",
            "'",
            "0",
        ];
        let piece = prop_oneof![
            4 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_string),
            1 => any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn text_is_text_for_a_reader_of_markdown(text in hostile()) {
            let kept = text.split('\n').map(|one| line(&one.trim().replace('\t', " ")).into_owned()).collect::<String>();
            let block = made(|out| out.block(&text));
            prop_assert_eq!(read(&block), without_blanks(&kept), "{:?}", block);
            let inline = made(|out| out.text(&text));
            prop_assert_eq!(read(&inline), without_blanks(&line(&text)), "{:?}", inline);
        }

        #[test]
        fn nothing_leaves_a_code_span(text in hostile(), before in "[a-z ]{0,3}") {
            let shown = without_blanks(&value(&text));
            let code = made(|out| out.text(&before).code(&text));
            prop_assert_eq!(read(&code), without_blanks(&before) + &shown, "{:?}", code);
        }
    }
}
