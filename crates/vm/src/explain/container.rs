//! Steps inside of containers of the C++ library, in the words of their users: what `push_back` does with the
//! memory of a vector is told as `push_back`.

use exeunt_containers::{Class, unqualified};
use exeunt_ir::readable;

use super::frames::Call;
use crate::machine::Machine;

impl Machine<'_> {
    /// The operation of a container that the user's code called and the loaded thread is in:
    /// "is in `list.push_back`", "constructs `list`".
    pub(super) fn container_call(&mut self) -> Option<String> {
        let calls = self.running_calls();
        let library = |call: &&Call| self.vm.roles[call.func as usize].library;
        let inside = calls.iter().take_while(library).count();
        let entry = calls[..inside].last()?;
        // What the library does before and after the function of a thread.
        if inside == calls.len() {
            return Some("runs code of the C++ library".to_string());
        }
        let name = readable(&self.vm.program.functions[entry.func as usize].name);
        let (class, member) = member(&name)?;
        let objects: Vec<u64> =
            calls[..inside].iter().rev().filter_map(|call| call.value(0)).collect();
        for object in objects {
            let name = self.name_resource(object);
            let plain = name.trim_matches('`');
            // Such names are the library's own.
            let reserved = plain.starts_with("__");
            if !name.contains(' ') && !plain.is_empty() && !reserved {
                return Some(match member {
                    _ if member == class => format!("constructs `{plain}`"),
                    _ if member.starts_with('~') => format!("destroys `{plain}`"),
                    _ => format!("is in `{plain}.{member}`"),
                });
            }
        }
        let shown = if class == "basic_string" { "string" } else { class };
        Some(match member {
            _ if member == class => format!("constructs a {shown}"),
            _ if member.starts_with('~') => format!("destroys a {shown}"),
            _ => format!("is in `{member}` of a {shown}"),
        })
    }
}

/// The class of a container and its function, if the name is that of one. The function that has the name of the class
/// is its constructor.
fn member(name: &str) -> Option<(&str, &str)> {
    let name = unqualified(name);
    match Class::of(name)? {
        Class::Vector
        | Class::Text
        | Class::Deque
        | Class::List
        | Class::ForwardList
        | Class::Tree(_)
        | Class::Hashed(_)
        | Class::Adapter => {}
        // What these do is one access, or none, to what the user put there.
        Class::TextView | Class::Array | Class::Unique | Class::Shared | Class::Optional => {
            return None;
        }
    }
    let (class, _) = name.split_once('<')?;
    let (mut depth, mut end) = (0, name.len());
    for (at, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if c == '>' && depth == 0 {
            end = at + 1;
            break;
        }
    }
    let function = name[end..].strip_prefix("::")?;
    let function = match function.starts_with("operator") {
        true => function,
        false => function.split('<').next().unwrap_or(function),
    };
    Some((class, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_containers() {
        let vector = "std::vector<int, std::allocator<int> >::push_back";
        assert_eq!(member(vector), Some(("vector", "push_back")));
        let string = "std::__cxx11::basic_string<char, a<b>, c>::operator+=";
        assert_eq!(member(string), Some(("basic_string", "operator+=")));
        assert_eq!(member("std::map<int, int>::emplace<int, a<b> >"), Some(("map", "emplace")));
        assert_eq!(member("std::atomic<int>::store"), None);
        assert_eq!(member("std::shared_ptr<int>::reset"), None);
        assert_eq!(member("main"), None);
    }
}
