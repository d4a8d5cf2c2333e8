//! Declarations of variables, channels and `mtype` names.

use crate::lexer::Tok;
use crate::source::Pos;
use crate::syntax::{Init, Label, MtypeDecl, Name, TypeName, VarDecl, Visibility};

use super::{Parsed, Parser};

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        let Tok::Name(word) = &self.peek().tok else { return false };
        match &**word {
            "hidden" | "show" | "local" | "bit" | "bool" | "byte" | "pid" | "short" | "int"
            | "unsigned" | "mtype" | "chan" => true,
            _ => self.typedefs.contains(word) && matches!(self.ahead(1).tok, Tok::Name(_)),
        }
    }

    /// One type and the variables declared with it. `mtype = { … }` declares
    /// names instead and is put into the model at once.
    pub(super) fn declaration(&mut self, global: bool) -> Parsed<Vec<VarDecl>> {
        let visibility = self.visibility();
        let pos = self.pos();
        if self.word("mtype") && self.mtype_names(global, pos)? {
            return Ok(Vec::new());
        }
        let ty = self.type_name()?;
        let mut vars = Vec::new();
        loop {
            vars.push(self.variable(visibility, ty.clone())?);
            // In a parameter list a comma may also be followed by a type.
            let more = self.sign(",") && !self.type_follows_comma();
            if !more {
                return Ok(vars);
            }
            self.advance();
        }
    }

    fn type_follows_comma(&self) -> bool {
        let Tok::Name(word) = &self.ahead(1).tok else { return false };
        let basic = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];
        basic.contains(&&**word)
            || (self.typedefs.contains(word) && matches!(self.ahead(2).tok, Tok::Name(_)))
    }

    fn visibility(&mut self) -> Visibility {
        if self.accept_word("hidden") {
            Visibility::Hidden
        } else if self.accept_word("show") {
            Visibility::Show
        } else if self.accept_word("local") {
            Visibility::Local
        } else {
            Visibility::Plain
        }
    }

    /// `mtype = { a, b }` and `mtype:set = { a, b }`; `false` for a variable.
    fn mtype_names(&mut self, global: bool, pos: Pos) -> Parsed<bool> {
        let (named, at) = match (self.ahead(1), self.ahead(2), self.ahead(3), self.ahead(4)) {
            (a, b, ..) if a.is("=") && b.is("{") => (false, 3),
            (a, b, ..) if a.is("{") && matches!(b.tok, Tok::Name(_)) => (false, 2),
            (a, _, c, d) if a.is(":") && c.is("=") && d.is("{") => (true, 5),
            _ => return Ok(false),
        };
        let set = if named { super::name_of(self.ahead(2)) } else { None };
        for _ in 0..at {
            self.advance();
        }
        if !global {
            return Err(self.error(pos, "names of an mtype must be declared globally".into(), &[]));
        }
        let mut names = Vec::new();
        while !self.accept("}") {
            let (name, pos) = self.name("a name for the mtype")?;
            names.push(Label { name, pos });
            self.accept(",");
        }
        self.spec.mtypes.push(MtypeDecl { set, names });
        Ok(true)
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let Tok::Name(word) = self.peek().tok.clone() else {
            return Err(self.expected("a type"));
        };
        let ty = match &*word {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned(0),
            "mtype" => TypeName::Mtype(None),
            "chan" => TypeName::Chan,
            _ if self.typedefs.contains(&word) => TypeName::User(word.clone()),
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        if ty == TypeName::Mtype(None) && self.accept(":") {
            return Ok(TypeName::Mtype(Some(self.name("the name of an mtype")?.0)));
        }
        Ok(ty)
    }

    fn variable(&mut self, visibility: Visibility, ty: TypeName) -> Parsed<VarDecl> {
        let (name, pos) = self.name("the name of a variable")?;
        let mut ty = ty;
        let mut length = None;
        if matches!(ty, TypeName::Unsigned(_)) {
            ty = TypeName::Unsigned(self.width(&name, pos)?);
        }
        if self.accept("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        let init = if self.accept("=") { self.initializer()? } else { Init::None };
        Ok(VarDecl { visibility, ty, name, pos, length, init })
    }

    fn width(&mut self, name: &Name, pos: Pos) -> Parsed<u8> {
        let help = ["write `unsigned x : 5` for a variable of five bits"];
        if !self.accept(":") {
            return Err(self.error(pos, format!("unsigned variable `{name}` has no width"), &help));
        }
        match self.number()? {
            width @ 1..=32 => Ok(width as u8),
            width => {
                let message = format!("a width of {width} bits is not between 1 and 32");
                Err(self.error(pos, message, &help))
            }
        }
    }

    fn initializer(&mut self) -> Parsed<Init> {
        if self.accept("{") {
            let values = self.list("}", Self::expression)?;
            self.expect("}")?;
            return Ok(Init::List(values));
        }
        if !self.sign("[") {
            return Ok(Init::Value(self.expression()?));
        }
        self.expect("[")?;
        let capacity = self.expression()?;
        self.expect("]")?;
        self.expect_word("of")?;
        self.expect("{")?;
        let fields = self.list("}", Self::type_name)?;
        self.expect("}")?;
        Ok(Init::Channel { capacity, fields })
    }
}
