//! The part of `crossbeam_epoch` that the index uses, on loom's pointers and
//! without reclaiming anything: what was replaced stays until the process ends.

use std::marker::PhantomData;
use std::ptr::null_mut;

use loom::sync::atomic::{AtomicPtr, Ordering};

pub struct Guard;

impl Guard {
    /// # Safety
    /// As in `crossbeam_epoch`; here nothing happens.
    pub unsafe fn defer_destroy<T>(&self, _: Shared<'_, T>) {}
}

pub struct Atomic<T>(AtomicPtr<T>);

impl<T> Default for Atomic<T> {
    fn default() -> Self {
        Atomic::null()
    }
}

impl<T> Atomic<T> {
    pub fn new(value: T) -> Self {
        Atomic(AtomicPtr::new(Box::into_raw(Box::new(value))))
    }

    pub fn null() -> Self {
        Atomic(AtomicPtr::new(null_mut()))
    }

    pub fn load<'g>(&self, order: Ordering, _: &'g Guard) -> Shared<'g, T> {
        Shared(self.0.load(order), PhantomData)
    }

    pub fn store(&self, new: Shared<'_, T>, order: Ordering) {
        self.0.store(new.0, order);
    }

    pub fn swap<'g>(&self, new: Shared<'_, T>, order: Ordering, _: &'g Guard) -> Shared<'g, T> {
        Shared(self.0.swap(new.0, order), PhantomData)
    }

    /// # Safety
    /// It is not null, and nobody else has the pointer.
    pub unsafe fn into_owned(self) -> Owned<T> {
        // SAFETY: the caller's.
        Owned(unsafe { Box::from_raw(self.0.load(Ordering::Relaxed)) })
    }
}

pub struct Owned<T>(Box<T>);

impl<T> Owned<T> {
    pub fn new(value: T) -> Self {
        Owned(Box::new(value))
    }

    pub fn into_shared(self, _: &Guard) -> Shared<'_, T> {
        Shared(Box::into_raw(self.0), PhantomData)
    }
}

pub struct Shared<'g, T>(*mut T, PhantomData<&'g T>);

impl<T> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<'_, T> {}

impl<'g, T> Shared<'g, T> {
    pub fn null() -> Self {
        Shared(null_mut(), PhantomData)
    }

    /// # Safety
    /// It is not null.
    pub unsafe fn deref(&self) -> &'g T {
        // SAFETY: the caller's, and nothing is freed while the index exists.
        unsafe { &*self.0 }
    }

    /// # Safety
    /// As in `crossbeam_epoch`.
    pub unsafe fn as_ref(&self) -> Option<&'g T> {
        // SAFETY: null, or as in `deref`.
        unsafe { self.0.as_ref() }
    }
}
