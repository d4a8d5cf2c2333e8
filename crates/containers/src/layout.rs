//! Questions about types that follow from their members.

use crate::Objects;

pub(crate) trait Layout: Objects {
    /// A member by the names on the way to it; those of base classes are its own.
    fn member(&self, ty: Self::Type, path: &[&str]) -> Option<(u64, Self::Type)> {
        let Some((first, rest)) = path.split_first() else { return Some((0, ty)) };
        let members = self.members(ty);
        let own = members.iter().filter(|member| member.name == **first).filter_map(|member| {
            let (offset, ty) = self.member(member.ty, rest)?;
            Some((member.offset + offset, ty))
        });
        let bases = members.iter().filter(|member| member.name.is_empty()).filter_map(|member| {
            let (offset, ty) = self.member(member.ty, path)?;
            Some((member.offset + offset, ty))
        });
        own.chain(bases).next()
    }

    /// The first pointer among the members and their members.
    fn first_pointer(&self, ty: Self::Type) -> Option<(u64, Self::Type)> {
        if self.is_pointer(ty) {
            return Some((0, ty));
        }
        self.members(ty).iter().find_map(|member| {
            let (offset, ty) = self.first_pointer(member.ty)?;
            Some((member.offset + offset, ty))
        })
    }

    fn alignment(&self, ty: Self::Type) -> u64 {
        if let Some(element) = self.element(ty) {
            return self.alignment(element);
        }
        let members = self.members(ty);
        match members.is_empty() && self.name(ty).is_none() {
            true => self.size(ty).clamp(1, 16),
            false => members.iter().map(|one| self.alignment(one.ty)).max().unwrap_or(1),
        }
    }
}

impl<O: Objects> Layout for O {}
