//! Where the program, its libraries and this one are in memory, as the loader
//! says it.

use std::ffi::c_void;
use std::ops::Range;

/// Libraries whose locks are their own business. None of them stops at an
/// operation of the program while it holds one.
const SYSTEM: [&str; 4] = ["/libgcc_s.so", "/libstdc++.so", "/libc.so", "/ld-linux"];

/// Where the data of each library is.
fn library_data() -> Vec<(String, Range<usize>)> {
    let mut ranges: Vec<(String, Range<usize>)> = Vec::new();
    // SAFETY: the callback gets the vector that it expects.
    unsafe { libc::dl_iterate_phdr(Some(visit_library), (&raw mut ranges).cast()) };
    ranges
}

/// Where the data of the system's libraries is.
pub fn system_data() -> Vec<Range<usize>> {
    let is_system = |name: &str| SYSTEM.iter().any(|part| name.contains(part));
    let all = library_data().into_iter();
    all.filter(|(name, _)| is_system(name)).map(|(_, range)| range).collect()
}

/// How often a library was loaded or unloaded so far.
pub fn changes() -> u64 {
    unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> i32 {
        // SAFETY: the loader gives valid information, we a place for a number.
        unsafe { *data.cast::<u64>() = (*info).dlpi_adds.wrapping_add((*info).dlpi_subs) };
        1
    }
    let mut changes = 0u64;
    // SAFETY: the callback gets what it expects.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut changes).cast()) };
    changes
}

/// What is added to the addresses in the program's file.
pub fn program_base() -> usize {
    unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> i32 {
        // SAFETY: the loader gives valid information, we a place for a number.
        unsafe { *data.cast::<usize>() = (*info).dlpi_addr as usize };
        1
    }
    let mut base = 0usize;
    // SAFETY: the program itself comes first; the callback gets what it expects.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut base).cast()) };
    base
}

/// The loader's numbers of all that has thread-local variables, and what is added to the addresses in its file.
pub fn with_local_storage() -> Vec<(usize, usize)> {
    unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> i32 {
        // SAFETY: the loader gives valid information, we our vector.
        let (info, all) = unsafe { (&*info, &mut *data.cast::<Vec<(usize, usize)>>()) };
        if info.dlpi_tls_modid != 0 {
            all.push((info.dlpi_tls_modid, info.dlpi_addr as usize));
        }
        0
    }
    let mut all: Vec<(usize, usize)> = Vec::new();
    // SAFETY: the callback gets the vector that it expects.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut all).cast()) };
    all
}

/// Where the data of this library is, in whole pages.
pub fn own_data() -> Vec<Range<usize>> {
    let inside = &raw const crate::HEAP as usize;
    let all = library_data();
    let own = all.iter().find(|(_, range)| range.contains(&inside)).map(|(name, _)| name.clone());
    let ours = all.into_iter().filter(|(name, _)| Some(name) == own.as_ref());
    ours.map(|(_, range)| range.start & !4095..range.end.next_multiple_of(4096)).collect()
}

unsafe extern "C" fn visit_library(
    info: *mut libc::dl_phdr_info,
    _: usize,
    data: *mut c_void,
) -> i32 {
    // SAFETY: the loader gives valid information, we our vector.
    let (info, ranges) = unsafe { (&*info, &mut *data.cast::<Vec<(String, Range<usize>)>>()) };
    // SAFETY: the name ends with a zero byte.
    let name = unsafe { std::ffi::CStr::from_ptr(info.dlpi_name) }.to_string_lossy();
    for index in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: there are so many headers.
        let header = unsafe { &*info.dlpi_phdr.add(index) };
        if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W != 0 {
            let start = info.dlpi_addr as usize + header.p_vaddr as usize;
            ranges.push((name.to_string(), start..start + header.p_memsz as usize));
        }
    }
    0
}
