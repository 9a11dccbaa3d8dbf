//! Reading an expression: `gpu=H100 & (rack=r1|rack=r2) & !spot`.
//!
//! ```text
//! either = both { "|" both }          any of these
//! both   = one { "&" one }            all of these; binds tighter than "|"
//! one    = "!" one | "(" either ")" | "@" names | label [ "=" names ]
//! names  = name { "," name }          one of these; "@" asks for the node's own name
//! ```
//!
//! Recursion ends because each step down counts against the bound on depth.

use std::str::FromStr;

use crate::bound::EXPRESSION_DEPTH_MAX;
use crate::constraint::Expression;
use crate::error::Invalid;
use crate::name::{Name, quoted};

const FORMS: &str = "labels (`spot`), values (`rack=r1,r2`) or nodes (`@node-1`), joined by `&`, \
                     `|`, `!` and parentheses";

/// What ends a name besides space.
const OUTSIDE: &str = "&|!()=,@";

impl FromStr for Expression {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Expression, Invalid> {
        read(text).map_err(|problem| {
            let meant = guess(text).filter(|guess| guess != text && read(guess).is_ok());
            Invalid::new("constraint", quoted(text), problem).meant_if(meant)
        })
    }
}

/// What people write who know other languages, written our way.
fn guess(text: &str) -> Option<String> {
    let mut guess = text.to_owned();
    for (theirs, ours) in [
        ("&&", "&"),
        ("||", "|"),
        ("==", "="),
        (" and ", " & "),
        (" or ", " | "),
        (" AND ", " & "),
        (" OR ", " | "),
        ("not ", "!"),
        ("NOT ", "!"),
        ("\"", ""),
    ] {
        guess = guess.replace(theirs, ours);
    }
    Some(without_unequal(&guess))
}

/// `rack != r1` as `!rack=r1`.
fn without_unequal(text: &str) -> String {
    let mut parts = text.split("!=");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.truncate(whole.trim_end().len());
        let is_outside = |c: char| c.is_whitespace() || OUTSIDE.contains(c);
        let last = whole.char_indices().rev().find(|(_, c)| is_outside(*c));
        whole.insert(last.map_or(0, |(at, c)| at + c.len_utf8()), '!');
        whole.push('=');
        whole.push_str(part.trim_start());
    }
    whole
}

fn read(text: &str) -> Result<Expression, String> {
    let mut reader = Reader { text, at: 0 };
    let expression = reader.either(1)?;
    if reader.peek().is_some() {
        return Err(reader.expected("`&`, `|` or the end"));
    }
    match expression.size().excess() {
        Some(excess) => Err(excess),
        None => Ok(expression),
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Bytes read.
    at: usize,
}

impl Reader<'_> {
    fn either(&mut self, depth: usize) -> Result<Expression, String> {
        let first = self.both(depth)?;
        self.row('|', first, Expression::Or, |reader| reader.both(depth))
    }

    fn both(&mut self, depth: usize) -> Result<Expression, String> {
        let first = self.one(depth)?;
        self.row('&', first, Expression::And, |reader| reader.one(depth))
    }

    /// The rest of a row of parts; a row of one part is that part.
    fn row(
        &mut self,
        between: char,
        first: Expression,
        whole: impl Fn(Vec<Expression>) -> Expression,
        next: impl Fn(&mut Self) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        if self.peek() != Some(between) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take(between) {
            parts.push(next(self)?);
        }
        Ok(whole(parts))
    }

    fn one(&mut self, depth: usize) -> Result<Expression, String> {
        if depth > EXPRESSION_DEPTH_MAX {
            return Err(format!("expected at most {EXPRESSION_DEPTH_MAX} levels"));
        }
        if self.take('!') {
            return Ok(Expression::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.take('(') {
            let inner = self.either(depth + 1)?;
            return if self.take(')') { Ok(inner) } else { Err(self.expected("`)`")) };
        }
        if self.take('@') {
            return self.names("the name of a node").map(Expression::Node);
        }
        let label = self.name(FORMS)?;
        if self.take('=') {
            return Ok(Expression::Is(label, self.names("a value")?));
        }
        Ok(Expression::Has(label))
    }

    fn names(&mut self, what: &str) -> Result<Vec<Name>, String> {
        let mut names = vec![self.name(what)?];
        while self.take(',') {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Result<Name, String> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_whitespace() || OUTSIDE.contains(c);
        let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(self.expected(what));
        }
        let name = Name::new(word).map_err(|invalid| {
            let allowed = invalid.allowed.trim_start_matches("expected ").to_owned();
            self.expected(&allowed)
        })?;
        self.at += word.len();
        Ok(name)
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.at += wanted.len_utf8();
        }
        is_next
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// What should stand here, and where here is.
    fn expected(&self, what: &str) -> String {
        let place = match &self.text[self.at..] {
            "" => "at the end".to_owned(),
            _ => format!("at character {}", self.text[..self.at].chars().count() + 1),
        };
        format!("expected {what} {place}")
    }
}
