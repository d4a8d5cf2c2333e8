//! Certificates: whatever is in them, the checker accepts or refutes them for
//! the model of Figure 2 of Kuntz, Leue, Scheben (Extending Non-Termination Proof
//! Techniques to Asynchronously Communicating Concurrent Programs, 2010).

use std::path::Path;

use exeunt_certify::Certificate;
use exeunt_promela::{PromelaModel, PromelaOptions};

/// The model that the certificates of the corpus are about.
const MODEL: &str = "tests/prove/figure_2.pml";

/// Whether the input has the form of a certificate.
pub fn run(data: &[u8]) -> bool {
    let Ok(certificate) = serde_json::from_slice::<Certificate>(data) else { return false };
    let _ = exeunt_certify::check(model().program(), &certificate);
    true
}

fn model() -> PromelaModel {
    let roots =
        [concat!(env!("CARGO_MANIFEST_DIR"), "/.."), concat!(env!("CARGO_MANIFEST_DIR"), "/../..")];
    let file = roots.map(|root| Path::new(root).join(MODEL)).into_iter().find(|file| file.exists());
    let file = file.expect("the model is in the repository");
    exeunt_promela::load(&file, &PromelaOptions::default()).expect("a model")
}
