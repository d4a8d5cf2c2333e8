//! The source files of the workspace, without their tests.

use std::path::{Path, PathBuf};

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ImplItem, Item};

pub struct Source {
    /// The path from the root, with slashes.
    pub name: String,
    pub text: String,
}

impl Source {
    /// The parsed file without what is only there for tests.
    pub fn code(&self) -> syn::File {
        let mut code =
            syn::parse_file(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let tests = ["tests.rs", "/standard.rs", "/reference.rs"];
        if tests.iter().any(|ending| self.name.ends_with(ending)) {
            code.items.clear();
        }
        WithoutTests.visit_file_mut(&mut code);
        code
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below `src` of a crate, in order.
pub fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    let crates = std::fs::read_dir(root().join("crates")).expect("crates");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("entry").path()).collect();
    folders.push(root().join("bench"));
    folders.sort();
    for folder in folders {
        collect(&folder.join("src"), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let name = path.strip_prefix(root()).expect("below the root");
            found.push(Source { name: name.to_string_lossy().replace('\\', "/"), text });
        }
    }
}

struct WithoutTests;

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| !is_test(attributes(item)));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test(attributes(item)));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain(|item| match item {
            ImplItem::Fn(function) => !is_test(&function.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => String::new(),
        };
        attribute.path().is_ident("test") || attribute.path().is_ident("cfg") && words == "test"
    })
}
