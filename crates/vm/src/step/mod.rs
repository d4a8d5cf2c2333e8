//! Steps: where they begin and end, what their operations touch, and how
//! reductions make fewer of them.

mod awaits;
mod choice;
mod cut;
mod declare;
mod exec;
pub mod footprint;
mod progress;
pub mod superstep;
mod turn;
mod visibility;

pub use awaits::Awaits;
pub use exec::CALL;
pub use progress::{Mark, Progress};
pub use turn::Turn;
