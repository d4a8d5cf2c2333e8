//! Declarations: types, widths and places.

use crate::code::{Cell, Initial, MtypeSet, NamedCell, Proc, ProcId, Space, Width, header};
use crate::layout::{BIT, BYTE, INT, Packer, SHORT, room};
use crate::source::Pos;
use crate::syntax::{
    Block, Init, Label, MtypeDecl, Name, Proctype, Spec, Step, Stmt, StmtKind, TypeName, Typedef,
    VarDecl, Visibility,
};

use super::Checker;
use super::types::{Field, Struct, StructId, Type, Variable};

impl Checker<'_> {
    /// The last name of a list is 1, the first the largest.
    pub(super) fn declare_mtypes(&mut self, spec: &Spec) {
        let mut sets: Vec<MtypeDecl> = Vec::new();
        for decl in &spec.mtypes {
            match sets.iter_mut().find(|known| known.set == decl.set) {
                // A further list of the same set counts on from the earlier.
                Some(known) => known.names.splice(0..0, decl.names.iter().cloned()).for_each(drop),
                None => sets.push(decl.clone()),
            }
        }
        for MtypeDecl { set, names } in sets {
            let mut listed = Vec::new();
            for (index, Label { name, pos }) in names.iter().enumerate() {
                let value = (names.len() - index) as i32;
                listed.push((name.clone(), value));
                let known = self.mtype_values.insert(name.clone(), (value, set.clone()));
                if known.is_some() {
                    self.error(*pos, format!("mtype name `{name}` is declared twice"), &[]);
                }
            }
            let name = set.unwrap_or_else(|| Name::from("_unnamed_"));
            self.program.mtypes.push(MtypeSet { name, names: listed });
        }
    }

    pub(super) fn declare_typedef(&mut self, typedef: &Typedef) {
        let mut packer = Packer::default();
        let mut align = 1;
        let mut fields: Vec<Field> = Vec::new();
        for decl in &typedef.fields {
            let Some((ty, length)) = self.type_of(decl) else { continue };
            if fields.iter().any(|field| field.name == decl.name) {
                self.error(decl.pos, format!("field `{}` is declared twice", decl.name), &[]);
            }
            let (size, own_align) = self.room(&ty);
            let offset = packer.place(size, own_align, length.unwrap_or(1));
            align = align.max(own_align);
            let channel = self.channel_init(decl);
            let init = match &decl.init {
                Init::Value(value) => Some(value.clone()),
                _ => None,
            };
            fields.push(Field { name: decl.name.clone(), ty, length, offset, channel, init });
        }
        let name = typedef.name.clone();
        if self.structs.iter().any(|known| known.name == name) {
            self.error(typedef.pos, format!("type `{name}` is declared twice"), &[]);
        }
        let size = packer.end.next_multiple_of(align);
        self.structs.push(Struct { name, fields, size, align });
    }

    /// Places all globals, the hidden ones behind the others, and then
    /// compiles their initial values.
    pub(super) fn declare_globals(&mut self, spec: &Spec, uses_last: bool) {
        self.reserve_trace(spec);
        if uses_last {
            self.reserve_last();
        }
        if spec.has_code {
            self.reserve_code();
        }
        let mut hidden_packer = Packer::default();
        for decl in &spec.globals {
            let Some(mut variable) = self.variable(decl, Space::Global) else { continue };
            let (size, align) = self.room(&variable.ty);
            let hidden = decl.visibility == Visibility::Hidden;
            let count = variable.length.unwrap_or(1);
            let structured = variable.length.is_some() || matches!(variable.ty, Type::Struct(_));
            let apart = structured && !matches!(variable.ty, Type::Chan);
            variable.base = match hidden {
                true => hidden_packer.place(size, align, count),
                false if apart => self.global_packer.place_apart(size, count),
                false => self.global_packer.place_among_few(size, align, count),
            };
            if self.procs.contains_key(&decl.name) || self.mtype_values.contains_key(&decl.name) {
                self.error(decl.pos, format!("`{}` is declared twice", decl.name), &[]);
            }
            if self.globals.insert(decl.name.clone(), variable).is_some() {
                self.error(decl.pos, format!("`{}` is declared twice", decl.name), &[]);
            }
        }
        self.program.global_words = self.global_packer.words();
        self.program.hidden_words = hidden_packer.words();
        for decl in spec.globals.iter().filter(|decl| decl.visibility == Visibility::Hidden) {
            if let Some(variable) = self.globals.get_mut(&decl.name) {
                variable.base += self.program.global_words * 64;
            }
        }
        for decl in &spec.globals {
            self.initialise_global(decl);
        }
    }

    fn initialise_global(&mut self, decl: &VarDecl) {
        let Some(variable) = self.globals.get(&decl.name).cloned() else { return };
        let mut initial = Vec::new();
        self.initial_values(&variable, decl, &mut initial);
        for entry in &initial {
            if let Initial::Channel(_, id) = entry {
                self.program.global_channels.push(*id);
            }
        }
        if self.program.global_channels.len() > super::MAX_CHANNELS {
            self.error(decl.pos, "more than 255 channels", &[]);
        }
        self.program.initial.extend(initial);
        let mut named = Vec::new();
        self.named_cells(&variable, &mut named);
        self.program.variables.extend(named);
    }

    /// Gives all parameters and locals of a process type their places.
    pub(super) fn declare_locals(&mut self, id: ProcId, proc: &Proctype) {
        self.scope.function = proc.name.clone();
        self.scope.proc = None;
        let mut decls: Vec<VarDecl> = proc.params.clone();
        let params = decls.len();
        collect_locals(&proc.body, &mut decls);
        let mut packer = Packer::from(header::FIRST_LOCAL);
        let mut variables = Vec::new();
        for decl in &decls {
            let mut variable = self.variable(decl, Space::Local).unwrap_or_else(|| Variable {
                name: decl.name.clone(),
                pos: decl.pos,
                ty: Type::Number(INT),
                length: None,
                space: Space::Local,
                base: 0,
                channel: None,
                constant: None,
            });
            let (size, align) = self.room(&variable.ty);
            variable.base = packer.place(size, align, variable.length.unwrap_or(1));
            variables.push(variable);
        }
        let mut cells = Vec::new();
        let mut named = Vec::new();
        for (index, variable) in variables.iter().enumerate() {
            let before = named.len();
            self.named_cells(variable, &mut named);
            if index < params {
                cells.extend(named[before..].iter().map(|named| named.cell));
            }
        }
        self.locals.push(variables);
        debug_assert_eq!(self.locals.len(), id.0 as usize + 1);
        let location = self.sources.location(proc.pos, &proc.name);
        self.program.procs.push(Proc {
            name: proc.name.clone(),
            params: cells,
            initial: Vec::new(),
            channels: Vec::new(),
            words: packer.words().max(1),
            start: 0,
            states: Vec::new(),
            provided: None,
            exclusive: Vec::new(),
            deterministic: proc.deterministic,
            variables: named,
            location,
            first_statement: 0,
        });
    }

    /// A variable without its place.
    fn variable(&mut self, decl: &VarDecl, space: Space) -> Option<Variable> {
        let (ty, length) = self.type_of(decl)?;
        let channel = self.channel_init(decl);
        let constant = match &decl.init {
            Init::Value(value) => self.constant(value),
            _ => None,
        };
        Some(Variable {
            name: decl.name.clone(),
            pos: decl.pos,
            ty,
            length,
            space,
            base: 0,
            channel,
            constant,
        })
    }

    fn type_of(&mut self, decl: &VarDecl) -> Option<(Type, Option<u32>)> {
        let ty = self.resolve_type(&decl.ty, decl.pos)?;
        let mut length = None;
        if let Some(bound) = &decl.length {
            length = match self.constant(bound) {
                Some(number @ 1..=65536) => Some(number as u32),
                Some(number) => {
                    self.error(bound.pos, format!("{number} is not the length of an array"), &[]);
                    Some(1)
                }
                None => {
                    let help = ["use a number or a macro"];
                    self.error(bound.pos, "the length of an array must be constant", &help);
                    Some(1)
                }
            };
        }
        // SPIN keeps arrays of bits as arrays of bytes.
        let ty = if length.is_some() && ty == Type::Number(BIT) { Type::Number(BYTE) } else { ty };
        Some((ty, length))
    }

    pub(super) fn resolve_type(&mut self, name: &TypeName, pos: Pos) -> Option<Type> {
        Some(match name {
            TypeName::Bit | TypeName::Bool => Type::Number(BIT),
            TypeName::Byte | TypeName::Pid => Type::Number(BYTE),
            TypeName::Short => Type::Number(SHORT),
            TypeName::Int => Type::Number(INT),
            TypeName::Unsigned(bits) => Type::Number(Width { bits: *bits, signed: false }),
            TypeName::Mtype(set) => Type::Mtype(set.clone()),
            TypeName::Chan => Type::Chan,
            TypeName::User(name) => {
                match self.structs.iter().position(|known| known.name == *name) {
                    Some(index) => Type::Struct(StructId(index)),
                    None => {
                        self.error(pos, format!("type `{name}` is used before its typedef"), &[]);
                        return None;
                    }
                }
            }
        })
    }

    /// Size and alignment in bits.
    pub(super) fn room(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Struct(id) => (self.structs[id.0].size, self.structs[id.0].align),
            scalar => {
                let size = room(scalar.width().expect("a scalar has a width"));
                (size, size)
            }
        }
    }

    /// All scalars of a variable, with their names.
    pub(super) fn named_cells(&self, variable: &Variable, out: &mut Vec<NamedCell>) {
        let Variable { name, ty, length, base, space, .. } = variable;
        self.cells_of(name, ty, *length, *base, *space, out);
    }

    fn cells_of(
        &self,
        name: &str,
        ty: &Type,
        length: Option<u32>,
        base: u32,
        space: Space,
        out: &mut Vec<NamedCell>,
    ) {
        let (size, _) = self.room(ty);
        for index in 0..length.unwrap_or(1) {
            let at = base + index * size;
            let name = if length.is_some() { format!("{name}[{index}]") } else { name.to_string() };
            if let Type::Struct(id) = ty {
                for field in &self.structs[id.0].fields {
                    let inner = format!("{name}.{}", field.name);
                    let start = at + field.offset;
                    self.cells_of(&inner, &field.ty, field.length, start, space, out);
                }
                continue;
            }
            let width = ty.width().expect("a scalar has a width");
            let cell = Cell { space, word: at / 64, shift: (at % 64) as u8, width };
            let is_chan = *ty == Type::Chan;
            out.push(NamedCell { name: name.into(), cell, mtype: ty.names(), is_chan });
        }
    }
}

/// All declarations of a body, in the order in which it is compiled.
fn collect_locals(block: &Block, out: &mut Vec<VarDecl>) {
    for step in block {
        match step {
            Step::Declare(vars) => out.extend(vars.iter().cloned()),
            Step::Exclusive { .. } => {}
            Step::Run(stmt) => collect_in(stmt, out),
        }
    }
}

fn collect_in(stmt: &Stmt, out: &mut Vec<VarDecl>) {
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| collect_locals(option, out));
        }
        StmtKind::For { body, .. } => collect_locals(body, out),
        StmtKind::ForIn { body, .. } => {
            // Counts the messages when the loop runs over a channel.
            out.push(VarDecl {
                visibility: Visibility::Plain,
                ty: TypeName::Byte,
                name: Name::from(":count"),
                pos: stmt.pos,
                length: None,
                init: Init::None,
            });
            collect_locals(body, out);
        }
        StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
            collect_locals(block, out);
        }
        StmtKind::Unless(main, escape) => {
            collect_in(main, out);
            collect_in(escape, out);
        }
        _ => {}
    }
}
