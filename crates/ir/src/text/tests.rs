//! The text form: what is printed is read again as the same, and damaged text is
//! refused.

use std::sync::Arc;

use exeunt_random::Random;

use super::*;
use crate::*;

/// A program that has something in every table.
fn everything() -> Program {
    let mut f = Function::declaration(Arc::from("odd \"name\" \\ \n;"), SigId(1));
    f.params = 1;
    f.registers = 4;
    f.must_return = true;
    f.library = true;
    f.loc = LocId(1);
    f.constants =
        vec![Const::defined(7), Const::UNDEFINED, Const { value: u64::MAX, undefined: 3 }];
    f.lists = vec![Box::new([1, 5]), Box::new([])];
    f.calls = vec![
        CallSite {
            callee: Callee::Direct(FuncId(1)),
            args: Box::new([
                Arg { slot: 6, ty: Scalar::Int(17), by_value: 0, place: None },
                Arg { slot: 0, ty: Scalar::Ptr, by_value: 24, place: Some(176) },
            ]),
            result: Some(2),
            result_slots: 2,
            signature: SigId(0),
            returns_twice: true,
            pad: Some(0),
        },
        CallSite {
            callee: Callee::Indirect(3),
            args: Box::new([]),
            result: None,
            result_slots: 0,
            signature: SigId(1),
            returns_twice: false,
            pad: None,
        },
    ];
    f.pads = vec![Pad {
        to: 1,
        received: 2,
        cleanup: true,
        clauses: Box::new([Clause::Catch(4), Clause::Filter(Box::new([5, 6]))]),
    }];
    f.switches = vec![SwitchTable { cases: Box::new([(0, 1), (u64::MAX, 3)]), default: 2 }];
    f.label_targets = vec![2];
    f.unsupported = vec![Arc::from("the intrinsic \"x\"")];
    f.locals = vec![
        LocalName { pc: 0, name: Arc::from("x"), ty: Some(DebugTypeId(2)) },
        LocalName { pc: 1, name: Arc::from(""), ty: None },
    ];
    let variable = |place| VariableName {
        pc: 1,
        variable: 0,
        name: Arc::from("v"),
        ty: Some(DebugTypeId(4)),
        place,
    };
    f.variables = vec![
        variable(VariablePlace::Register(2)),
        variable(VariablePlace::Constant(u64::MAX)),
        variable(VariablePlace::Gone),
    ];
    f.labels = vec![LabelName { name: Arc::from("again"), pc: 2 }];
    f.code = all_instructions();
    f.locs = (0..f.code.len() as u32).map(|i| LocId(i % 3)).collect();
    let loc = |line, inlined| Loc { file: 1, line, column: 2, function: Arc::from("f"), inlined };
    Program {
        functions: vec![f, Function::declaration(Arc::from("puts"), SigId(0))],
        globals: vec![
            global("zero", vec![0; 100], vec![]),
            global("some", vec![0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3], vec![0; 12]),
            global("none", vec![], vec![]),
            global("mask", vec![9; 3], vec![0, 255, 1]),
        ],
        signatures: vec![
            Signature {
                params: Box::new([Scalar::Ptr, Scalar::F80]),
                results: Box::new([Scalar::Int(128)]),
                variadic: true,
            },
            Signature { params: Box::new([]), results: Box::new([]), variadic: false },
        ],
        files: vec![Arc::from(""), Arc::from("dir/a b.c")],
        locs: vec![loc(0, None), loc(1, None), loc(2, Some(InlineFrame { call: LocId(1) }))],
        types: vec![
            DebugType::Int { bytes: 4, signed: true },
            DebugType::Bool,
            DebugType::Char { signed: false },
            DebugType::Float { bytes: 8 },
            DebugType::Pointer { to: None },
            DebugType::Pointer { to: Some(DebugTypeId(6)) },
            DebugType::Enum { bytes: 4, names: vec![(-1, Arc::from("A")), (2, Arc::from("B"))] },
            DebugType::Struct {
                name: Arc::from("s"),
                bytes: 8,
                fields: vec![DebugField { name: Arc::from("x"), offset: 4, ty: DebugTypeId(0) }],
            },
            DebugType::Array { element: DebugTypeId(6), element_bytes: 8, count: 3 },
            DebugType::Other { bytes: 2 },
        ],
        main: Some(FuncId(0)),
        constructors: vec![FuncId(1), FuncId(0)],
        destructors: vec![FuncId(0)],
        caveats: vec!["it is \"so\"".into()],
    }
}

fn global(name: &str, data: Vec<u8>, undefined: Vec<u8>) -> Global {
    Global {
        name: Arc::from(name),
        constant: data.len() == 3,
        thread_local: data.is_empty(),
        external: data.is_empty(),
        loc: LocId(data.len() as u32 % 3),
        ty: undefined.first().map(|_| DebugTypeId(1)),
        data,
        undefined,
    }
}

fn all_instructions() -> Vec<Inst> {
    use Inst::*;
    let (dst, a, b, c) = (1, 2, 3, 4);
    let kind = FloatKind::F80;
    vec![
        Mov { dst, src: 4 },
        Select { dst, cond: 0, a, b },
        Freeze { dst, src: 2 },
        Expose { dst, src: 2 },
        Int { op: IntOp::USatShl, width: 33, dst, a, b },
        IntUn { op: IntUnOp::BitReverse, width: 8, dst, a },
        Overflow { op: OverflowOp::SMul, width: 64, dst, carry: 2, a, b },
        Funnel { left: true, width: 16, dst, a, b, amount: 0 },
        Cmp { pred: CmpPred::Sge, width: 1, dst, a, b },
        Trunc { width: 7, dst, a },
        SExt { from: 8, to: 16, dst, a },
        WideInt { op: IntOp::SDiv, width: 128, dst, a, b },
        WideIntUn { op: IntUnOp::Abs, width: 100, dst, a },
        WideOverflow { op: OverflowOp::UAdd, width: 128, dst, carry: 3, a, b },
        WideFunnel { left: false, width: 128, dst, a, b, amount: 0 },
        WideCmp { pred: CmpPred::Ult, width: 128, dst, a, b },
        WideSExt { from: 64, to: 128, dst, a },
        Float { op: FloatOp::Atan2, kind, dst, a, b },
        FloatUn { op: FloatUnOp::RoundEven, kind, dst, a },
        FloatMulAdd { kind, dst, a, b, c },
        FloatCmp { pred: FloatPred::Une, kind: FloatKind::F32, dst, a, b },
        FloatCast { op: CastOp::FloatToFloat, kind, to: FloatKind::F64, width: 0, dst, a },
        FloatClass { mask: 0x3ff, kind, dst, a },
        Alloca { dst, size: 16, count: 4 },
        StackSave { dst },
        StackRestore { src: 1 },
        LifetimeStart { addr: 1 },
        LifetimeEnd { addr: 1 },
        Load { bits: 64, pointer: true, access: Access::Atomic(Order::Acquire), dst, addr: 0 },
        Store { bits: 1, pointer: false, access: Access::Volatile, src: 5, addr: 0 },
        PtrIndex { dst, base: 0, index: 2, width: 32, scale: -8 },
        PtrAdd { dst, base: 0, offset: -4 },
        MemCopy { dst, src: 0, len: 4, may_overlap: true, volatile: false },
        MemSet { dst, byte: 0, len: 4, volatile: true },
        Rmw { op: RmwOp::USubSat, bits: 32, order: Order::AcqRel, dst, addr: 0, src: 2 },
        CmpXchg {
            bits: 32,
            weak: true,
            order: Order::SeqCst,
            failure: Order::Relaxed,
            dst,
            ok: 2,
            addr: 0,
            list: 0,
        },
        Fence { order: Order::Release },
        TlsAddr { dst, global: 1 },
        VaArea { dst },
        VaEnd { list: 0 },
        Jump { to: 0 },
        Branch { cond: 0, yes: 1, no: 2 },
        Switch { value: 0, table: 0 },
        IndirectJump { addr: 0 },
        Return { list: 1 },
        Call { call: 1 },
        SpinHint {},
        Trap { kind: TrapKind::Undefined(21) },
        Trap { kind: TrapKind::Trap },
        Trap { kind: TrapKind::Debug },
        Trap { kind: TrapKind::Unreachable },
        Unsupported { what: 0 },
    ]
}

#[test]
fn everything_survives_the_round_trip() {
    let program = everything();
    let text = program.to_string();
    let again: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again, program, "{text}");
    assert_eq!(again.to_string(), text);
}

#[test]
fn code_reads_like_code() {
    let text = everything().to_string();
    assert!(text.contains("     0: Mov %1 #0=7\n"), "{text}");
    assert!(text.contains("     1: Select %1 %0 %2 %3  !1  ; dir/a b.c:1:2\n"), "{text}");
    assert!(text.contains("global 1 \"some\" 12 type 1 data { 1 01000002 11 03 }"), "{text}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let wrong = |text: &str| parse(text).expect_err(text).to_string();
    assert_eq!(wrong(""), "line 1: the text ends where `exeunt-ir` should be");
    assert_eq!(wrong("exeunt-ir 2"), "line 1: only version 1 of the text form is known");
    assert_eq!(wrong("exeunt-ir 1\nfrobnicate"), "line 2: there is no item `frobnicate`");
    assert_eq!(wrong("exeunt-ir 1\n\nfile 3 \"x\""), "line 3: number 3 where 0 should be");
    assert_eq!(
        wrong("exeunt-ir 1 global 0 \"g\" 4 data { 3 0102 }"),
        "line 1: bytes outside of their object"
    );
    assert_eq!(
        wrong("exeunt-ir 1 function 0 \"f\" signature 0 params 0 registers 0 { 0: Nop }"),
        "line 1: there is no instruction `Nop`"
    );
}

/// Damaged text is refused or read as something else, but never more.
#[test]
fn damaged_text_never_panics() {
    let text = everything().to_string();
    let mut random = Random::new(0);
    for _ in 0..20_000 {
        let at = random.below(text.len());
        if !text.is_char_boundary(at) || !text.is_char_boundary(at + 1) {
            continue;
        }
        let with = ["", "9", "%", "#4294967295", "\"", "{", "}", "!", " ", "-", "\\"];
        let with = random.one_of(&with);
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        if let Ok(program) = parse(&damaged) {
            let _ = verify::program(&program);
        }
    }
}
