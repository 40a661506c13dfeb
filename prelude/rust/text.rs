// Texts, numbers and truth.

struct String {}

impl String {
    fn new() { "" }
    fn with_capacity(size) { "" }
    fn default() { "" }
    fn from(value) { value.to_string() }
    fn from_iter(values) { intrinsic::join(values, "") }
    fn from_utf8_lossy(value) { value }
    fn from_utf8(value) { Ok(value) }
    fn clone(&self) { self }
    fn to_string(&self) { self }
    fn to_owned(&self) { self }
    fn as_str(&self) { self }
    fn as_bytes(&self) { self }
    fn into_bytes(self) { self }
    fn into_boxed_str(self) { self }
    fn to_string_lossy(&self) { self }
    fn into_owned(self) { self }
    fn into_string(self) { self }
    fn len(&self) { intrinsic::length_of_text(self) }
    fn is_empty(&self) { self == "" }
    fn to_lowercase(&self) { intrinsic::lower(self) }
    fn to_uppercase(&self) { intrinsic::upper(self) }
    fn to_ascii_lowercase(&self) { intrinsic::lower(self) }
    fn to_ascii_uppercase(&self) { intrinsic::upper(self) }
    fn trim(&self) { intrinsic::trim(self, (), "both") }
    fn trim_start(&self) { intrinsic::trim(self, (), "start") }
    fn trim_end(&self) { intrinsic::trim(self, (), "end") }
    fn trim_start_matches(&self, part) {
        let mut rest = self;
        while part != "" && intrinsic::starts_with(rest, part) { rest = rest[part.len()..]; }
        rest
    }
    fn trim_end_matches(&self, part) {
        let mut rest = self;
        while part != "" && intrinsic::ends_with(rest, part) { rest = rest[..rest.len() - part.len()]; }
        rest
    }
    fn trim_matches(&self, part) { self.trim_start_matches(part).trim_end_matches(part) }
    fn replace(&self, old, new) { intrinsic::replace(self, old, new, true) }
    fn replacen(&self, old, new, count) {
        let pieces = intrinsic::split(self, old, count + 1);
        intrinsic::join(pieces, new)
    }
    fn split(&self, separator) { intrinsic::split(self, separator) }
    fn splitn(&self, count, separator) { intrinsic::split(self, separator, count) }
    fn split_whitespace(&self) { intrinsic::split(intrinsic::trim(self, (), "both"), " ") }
    fn lines(&self) { intrinsic::split(self, "\n") }
    fn split_once(&self, separator) {
        let at = intrinsic::index_of(self, separator);
        if at < 0 { None } else { Some((self[..at], self[at + separator.len()..])) }
    }
    fn rsplit_once(&self, separator) {
        let at = intrinsic::last_index_of(self, separator);
        if at < 0 { None } else { Some((self[..at], self[at + separator.len()..])) }
    }
    fn rsplit(&self, separator) { intrinsic::split(self, separator).rev() }
    fn starts_with(&self, part) { intrinsic::starts_with(self, part) }
    fn ends_with(&self, part) { intrinsic::ends_with(self, part) }
    fn contains(&self, part) { intrinsic::includes(self, part) }
    fn find(&self, part) {
        let at = intrinsic::index_of(self, part);
        if at < 0 { None } else { Some(at) }
    }
    fn strip_prefix(&self, part) {
        if intrinsic::starts_with(self, part) { Some(self[part.len()..]) } else { None }
    }
    fn strip_suffix(&self, part) {
        if intrinsic::ends_with(self, part) { Some(self[..self.len() - part.len()]) } else { None }
    }
    fn repeat(&self, count) { intrinsic::repeat(self, count) }
    fn chars(&self) { intrinsic::list(self) }
    fn char_indices(&self) { intrinsic::list(self).enumerate() }
    fn bytes(&self) { intrinsic::list(self) }
    fn is_uppercase(&self) { intrinsic::upper(self) == self && intrinsic::lower(self) != self }
    fn is_lowercase(&self) { intrinsic::lower(self) == self && intrinsic::upper(self) != self }
    fn is_ascii_uppercase(&self) { self.is_uppercase() }
    fn is_ascii_lowercase(&self) { self.is_lowercase() }
    fn is_alphanumeric(&self) { intrinsic::matches(self, "^[A-Za-z0-9]$").len() > 0 }
    fn is_ascii_alphanumeric(&self) { self.is_alphanumeric() }
    fn eq_ignore_ascii_case(&self, other) { intrinsic::lower(self) == intrinsic::lower(other) }
    fn parse(&self) { intrinsic::unknown("a text that is parsed") }
    fn cmp(&self, other) { if self < other { -1 } else if self == other { 0 } else { 1 } }
    fn fmt(&self, formatter) { formatter.write_str(self) }
    fn push_str(&mut self, text) { intrinsic::concat(self, text) }
    fn push(&mut self, text) { intrinsic::concat(self, text) }
    fn write_str(&mut self, text) { intrinsic::concat(self, text) }
    fn insert_str(&mut self, at, text) { intrinsic::concat(self[..at], text, self[at..]) }
    fn clear(&mut self) { "" }
    fn as_object(&self) { None }
    fn as_array(&self) { None }
}

use String as str;

struct Number {}

impl Number {
    fn to_string(&self) { intrinsic::number_text(self) }
    fn clone(&self) { self }
    fn default() { 0 }
    fn from(value) { value }
    fn max(self, other) { if self > other { self } else { other } }
    fn min(self, other) { if self < other { self } else { other } }
    fn fmt(&self, formatter) { formatter.write_str(intrinsic::number_text(self)) }
}

use Number as u8;
use Number as u16;
use Number as u32;
use Number as u64;
use Number as usize;
use Number as i8;
use Number as i16;
use Number as i32;
use Number as i64;
use Number as isize;
use Number as f32;
use Number as f64;

struct Boolean {}

impl Boolean {
    fn to_string(&self) { if self { "true" } else { "false" } }
    fn clone(&self) { self }
    fn default() { false }
    fn then(self, make) { if self { Some(make()) } else { None } }
    fn then_some(self, value) { if self { Some(value) } else { None } }
}

use Boolean as bool;
