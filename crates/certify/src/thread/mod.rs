//! Certificates that a thread ends, and their checker.
//!
//! The checker knows automata and asks a solver. It shares nothing with the
//! search but the automata themselves and the form of the certificate.

mod check;
mod fair;
mod format;
mod walk;

pub use check::{ThreadCertified, check_thread};
pub use fair::check_milestone;
pub use format::{
    Bits, Counted, Head, Milestone, OtherHead, Promise, Rest, Side, Sum, THREAD_FORMAT,
    THREAD_KIND, ThreadCertificate, Width,
};
