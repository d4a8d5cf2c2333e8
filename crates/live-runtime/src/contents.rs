//! The contents of pages, each kept once: a page is a list of chunks, and equal
//! chunks are one. A step changes a few bytes of a few pages, so states share
//! nearly everything.
//!
//! Contents are compared byte by byte; hashes only find candidates.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

pub const PAGE: usize = 4096;
const CHUNK: usize = 256;
const CHUNKS: usize = PAGE / CHUNK;

pub type Table<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

/// The number of a page's content. Zero is not used here.
pub type ContentId = u32;

#[derive(Default)]
pub struct Contents {
    /// Boxes: no block of the runtime's heap is larger than 2 GiB.
    #[allow(clippy::vec_box)]
    chunks: Vec<Box<[u8; CHUNK]>>,
    by_hash: Table<u64, Vec<u32>>,
    pages: Vec<[u32; CHUNKS]>,
    by_chunks: Table<[u32; CHUNKS], ContentId>,
}

impl Contents {
    /// The number of these bytes, which are kept if they are new. `like` is a
    /// content that they may share chunks with.
    pub fn intern(&mut self, bytes: &[u8; PAGE], like: Option<ContentId>) -> ContentId {
        let mut page = [0; CHUNKS];
        for (at, chunk) in bytes.chunks_exact(CHUNK).enumerate() {
            let old = like.map(|like| self.pages[like as usize - 1][at]);
            let same = old.filter(|&old| self.chunks[old as usize][..] == *chunk);
            page[at] = same.unwrap_or_else(|| self.chunk(chunk));
        }
        if let Some(known) = self.by_chunks.get(&page) {
            return *known;
        }
        self.pages.push(page);
        let id = self.pages.len() as ContentId;
        self.by_chunks.insert(page, id);
        id
    }

    fn chunk(&mut self, bytes: &[u8]) -> u32 {
        let same = self.by_hash.entry(mix(bytes)).or_default();
        if let Some(known) = same.iter().find(|&&id| self.chunks[id as usize][..] == *bytes) {
            return *known;
        }
        let id = self.chunks.len() as u32;
        same.push(id);
        self.chunks.push(Box::new(bytes.try_into().expect("chunks have one size")));
        id
    }

    /// Whether a page has this content.
    pub fn is(&self, id: ContentId, bytes: &[u8; PAGE]) -> bool {
        let chunks = bytes.chunks_exact(CHUNK).zip(&self.pages[id as usize - 1]);
        chunks.into_iter().all(|(chunk, &id)| self.chunks[id as usize][..] == *chunk)
    }

    pub fn write(&self, id: ContentId, bytes: &mut [u8; PAGE]) {
        for (chunk, &id) in bytes.chunks_exact_mut(CHUNK).zip(&self.pages[id as usize - 1]) {
            chunk.copy_from_slice(&self.chunks[id as usize][..]);
        }
    }

    /// Bytes in use.
    pub fn size(&self) -> usize {
        self.chunks.len() * (CHUNK + 48) + self.pages.len() * (CHUNKS * 8 + 16)
    }
}

fn mix(bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| u64::from_ne_bytes(part.try_into().expect("eight bytes"));
    bytes.chunks_exact(8).fold(0, |hash: u64, part| {
        (hash.rotate_left(5) ^ word(part)).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}
