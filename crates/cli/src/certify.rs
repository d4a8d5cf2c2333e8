//! `exeunt certify`: whether a certificate proves what it says.

use std::path::{Path, PathBuf};

use exeunt_certify::{Certificate, Certified, Integers, KIND};

use crate::args::{CertifyArgs, LanguageChoice};
use crate::failure::{self, Failure};
use crate::inputs;
use crate::output;
use crate::prove;
use crate::threads;

/// The exit code of a certificate that proves nothing.
const WRONG: u8 = 1;

pub(crate) fn run(arguments: &CertifyArgs) -> Result<u8, Failure> {
    let text = std::fs::read(&arguments.certificate)
        .map_err(|why| Failure::file("read", &arguments.certificate, &why))?;
    if let Some(certificate) = threads::certificate(&text) {
        return threads::certify(&certificate, arguments.model.as_deref());
    }
    let certificate = read(&arguments.certificate)?;
    let path = match &arguments.model {
        Some(path) => path.clone(),
        None => PathBuf::from(&certificate.model.path),
    };
    let model =
        prove::load(&path, certificate.model.defines.clone(), Some(LanguageChoice::Promela))?;
    if inputs::hash(&path)? != certificate.model.sha256 {
        failure::error(&format!("{} is not the model that was proven", path.display()));
        return Ok(WRONG);
    }
    match exeunt_certify::check(model.program(), &certificate) {
        Ok(certified) => {
            output::print(&told(&certificate, &certified));
            Ok(0)
        }
        Err(wrong) => {
            failure::error(&format!("the certificate proves nothing: {wrong}"));
            Ok(WRONG)
        }
    }
}

fn read(path: &Path) -> Result<Certificate, Failure> {
    let text = std::fs::read(path).map_err(|why| Failure::file("read", path, &why))?;
    let not_ours = |why: &str| {
        Failure::bad(format!("{} is not a certificate: {why}", path.display()))
            .help("`exeunt prove … --certificate FILE` writes one")
    };
    let certificate: Certificate =
        serde_json::from_slice(&text).map_err(|why| not_ours(&why.to_string()))?;
    if certificate.exeunt != KIND || certificate.format != exeunt_certify::FORMAT {
        return Err(not_ours("it has another form"));
    }
    Ok(certificate)
}

fn told(certificate: &Certificate, certified: &Certified) -> String {
    let mut text = format!(
        "certified: {} has a run that never ends ({} steps, then a cycle of {} for ever)\n",
        certificate.model.path,
        certificate.stem.len(),
        certificate.cycle.len()
    );
    for growth in &certified.growth {
        text.push_str(&format!("  {growth}\n"));
    }
    let width = match certificate.integers {
        Integers::Exact => "an `int` has 32 bits and wraps around",
        Integers::Ideal => "an `int` has no bounds",
    };
    text.push_str(&format!("  {} obligations were proven; {width}\n", certified.obligations));
    text
}
