//! The files a run was about, as they were.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Input {
    path: PathBuf,
    sha256: String,
}

/// The files by the names they were given, each with a hash of its content.
pub(crate) fn of(files: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    files.iter().map(|path| Ok(Input { path: path.clone(), sha256: hash(path)? })).collect()
}

/// The first file that is not what it was.
pub(crate) fn changed(inputs: &[Input]) -> Result<Option<&Path>, Failure> {
    for input in inputs {
        if hash(&input.path)? != input.sha256 {
            return Ok(Some(&input.path));
        }
    }
    Ok(None)
}

pub(crate) fn hash(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|why| {
        Failure::file("read", path, &why)
            .help("traces and checkpoints name files relative to where `check` was run")
    })?;
    Ok(hash_of(&bytes))
}

pub(crate) fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
