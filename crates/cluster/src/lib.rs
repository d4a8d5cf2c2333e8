//! Several processes that search together: how they find each other, and the letters between
//! their workers, on timely dataflow.
//!
//! Must not know: states, programs, command lines.

#![forbid(unsafe_code)]

mod losses;
mod mail;
mod meeting;

pub use losses::Losses;
pub use mail::Mail;
pub use meeting::{Company, Party, PartyError};
