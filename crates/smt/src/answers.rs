//! Reading what a solver writes: parenthesised expressions.

use crate::Int;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Word(String),
    List(Vec<Expression>),
}

impl Expression {
    /// All expressions of a text; `None` if parentheses do not match.
    pub fn all(text: &str) -> Option<Vec<Expression>> {
        let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
        let mut word = String::new();
        let mut quoted = false;
        let mut comment = false;
        for letter in text.chars().chain([' ']) {
            if comment {
                comment = letter != '\n';
                continue;
            }
            if quoted {
                quoted = letter != '|';
                word.push(letter);
                continue;
            }
            if !(letter.is_whitespace() || "();".contains(letter)) {
                quoted = letter == '|';
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                open.last_mut()?.push(Expression::Word(std::mem::take(&mut word)));
            }
            match letter {
                '(' => open.push(Vec::new()),
                ')' => {
                    let list = Expression::List(open.pop()?);
                    open.last_mut()?.push(list);
                }
                ';' => comment = true,
                _ => {}
            }
        }
        if open.len() == 1 && !quoted { open.pop() } else { None }
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Expression::Word(word) => Some(word),
            Expression::List(_) => None,
        }
    }

    pub fn list(&self) -> &[Expression] {
        match self {
            Expression::Word(_) => &[],
            Expression::List(parts) => parts,
        }
    }

    /// `5`, `(- 5)`; `None` if it is something else or does not fit.
    pub fn integer(&self) -> Option<Int> {
        match self.rational()? {
            (number, 1) => Some(number),
            _ => None,
        }
    }

    /// `5`, `5.0`, `(- 5)`, `(/ 1 3)`, as numerator and positive denominator.
    pub fn rational(&self) -> Option<(Int, Int)> {
        match self {
            Expression::Word(word) => {
                let whole = word.strip_suffix(".0").unwrap_or(word);
                Some((whole.parse().ok()?, 1))
            }
            Expression::List(parts) => match parts.as_slice() {
                [minus, inner] if minus.word() == Some("-") => {
                    inner.rational().map(|(a, b)| (-a, b))
                }
                [over, above, below] if over.word() == Some("/") => {
                    let ((a, p), (b, q)) = (above.rational()?, below.rational()?);
                    let (top, bottom) = (a.checked_mul(q)?, b.checked_mul(p)?);
                    match bottom.signum() {
                        1 => Some((top, bottom)),
                        -1 => Some((-top, -bottom)),
                        _ => None,
                    }
                }
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        let read = |text: &str| Expression::all(text).expect("expressions").remove(0);
        assert_eq!(read("(- 17)").integer(), Some(-17));
        assert_eq!(read("(- (/ 2.0 3.0))").rational(), Some((-2, 3)));
        assert_eq!(read("(/ 1 (- 3))").rational(), Some((-1, 3)));
        assert_eq!(read("(/ 1 2)").integer(), None);
        assert_eq!(Expression::all("(a (b)"), None);
        assert_eq!(Expression::all("((v1 (- 3)))").expect("one")[0].list().len(), 1);
    }
}
