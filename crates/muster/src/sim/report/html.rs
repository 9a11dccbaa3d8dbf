//! Writes HTML. Whatever is opened is closed, and all text is escaped: a job may be called
//! anything.

use std::fmt::Write as _;

/// A piece of a page.
#[derive(Debug, Default)]
pub(crate) struct Html {
    text: String,
}

/// Attributes with their values.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Html {
    /// An element with something in it.
    pub(crate) fn tag(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Html),
    ) {
        self.open(name, attributes);
        self.text.push('>');
        inside(self);
        write!(self.text, "</{name}>").expect("a string takes all text");
        if is_block(name) {
            self.text.push('\n');
        }
    }

    /// An element with text in it and nothing else.
    pub(crate) fn words(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.tag(name, attributes, |html| html.text(text));
    }

    /// An element that has nothing in it.
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.open(name, attributes);
        self.text.push_str(" />");
    }

    pub(crate) fn text(&mut self, text: &str) {
        escape(text, &mut self.text);
    }

    /// Text that we wrote ourselves and that is no HTML: a style sheet.
    pub(crate) fn style(&mut self, sheet: &'static str) {
        self.tag("style", &[], |html| html.text.push_str(sheet));
    }

    /// The whole page.
    pub(crate) fn into_page(self) -> String {
        format!("<!DOCTYPE html>\n{}", self.text)
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            write!(self.text, " {key}=\"").expect("a string takes all text");
            escape(value, &mut self.text);
            self.text.push('"');
        }
    }
}

/// Whether a line ends after it, so that the source can be read too.
fn is_block(name: &str) -> bool {
    !matches!(name, "span" | "a" | "b" | "data" | "th" | "td" | "dt" | "title" | "abbr")
}

fn escape(text: &str, into: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            // No page may have these, escaped or not.
            control if control.is_control() && control != '\n' => into.push(' '),
            plain => into.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_and_values_are_escaped_and_elements_closed() {
        let mut html = Html::default();
        html.tag("p", &[("title", "a \"b\" & 'c'")], |html| {
            html.text("<script>\u{0}alert(1)</script>");
            html.empty("br", &[]);
        });
        let expected = "<!DOCTYPE html>\n<p title=\"a &quot;b&quot; &amp; &#39;c&#39;\">\
                        &lt;script&gt; alert(1)&lt;/script&gt;<br /></p>\n";
        assert_eq!(html.into_page(), expected);
    }
}
