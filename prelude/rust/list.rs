// Lists, and the iterators over them, which are lists, too.

struct Vec {}

impl Vec {
    fn new() { [] }
    fn with_capacity(size) { [] }
    fn default() { [] }
    fn from(values) { intrinsic::list(values) }
    fn from_iter(values) { intrinsic::list(values) }
    fn clone(&self) { intrinsic::list(self) }
    fn to_vec(&self) { intrinsic::list(self) }
    fn to_owned(&self) { intrinsic::list(self) }
    fn into_vec(self) { self }
    fn into_boxed_slice(self) { self }
    fn as_slice(&self) { self }
    fn as_mut_slice(&self) { self }
    fn as_array(&self) { Some(self) }
    fn as_array_mut(&self) { Some(self) }
    fn as_object(&self) { None }
    fn len(&self) { intrinsic::length(self) }
    fn is_empty(&self) { intrinsic::length(self) == 0 }
    fn push(&mut self, value) { intrinsic::push(self, value) }
    fn push_back(&mut self, value) { intrinsic::push(self, value) }
    fn push_front(&mut self, value) { intrinsic::insert(self, 0, value) }
    fn pop(&mut self) { if self.is_empty() { None } else { Some(intrinsic::remove_at(self, -1)) } }
    fn insert(&mut self, at, value) { intrinsic::insert(self, at, value) }
    fn remove(&mut self, at) { intrinsic::remove_at(self, at) }
    fn swap_remove(&mut self, at) { intrinsic::remove_at(self, at) }
    fn clear(&mut self) { intrinsic::clear(self) }
    fn extend(&mut self, values) { for value in values { intrinsic::push(self, value); } }
    fn extend_from_slice(&mut self, values) { self.extend(values) }
    fn append(&mut self, values) { self.extend(values) }
    fn drain(&mut self, range) {
        let all = intrinsic::list(self);
        intrinsic::clear(self);
        all
    }
    fn retain(&mut self, keeps) { intrinsic::replace_all(self, self.filter(keeps)) }
    fn sort(&mut self) { intrinsic::replace_all(self, intrinsic::sorted(self)) }
    fn sort_by(&mut self, compare) { intrinsic::replace_all(self, intrinsic::sorted(self, compare)) }
    fn sort_by_key(&mut self, key) { self.sort_by(|a, b| key(a).cmp(key(b))) }
    fn sort_unstable(&mut self) { self.sort() }
    fn sort_unstable_by(&mut self, compare) { self.sort_by(compare) }
    fn dedup(&mut self) {}
    fn reverse(&mut self) { intrinsic::replace_all(self, self.rev()) }
    fn truncate(&mut self, count) { intrinsic::replace_all(self, intrinsic::slice(self, 0, count)) }
    fn get(&self, at) { if at < self.len() { Some(self[at]) } else { None } }
    fn get_mut(&self, at) { self.get(at) }
    fn first(&self) { self.get(0) }
    fn last(&self) { if self.is_empty() { None } else { Some(self[self.len() - 1]) } }
    fn last_mut(&self) { self.last() }
    fn contains(&self, value) { intrinsic::contains(self, value) }
    fn join(&self, separator) { intrinsic::join(self, separator) }
    fn concat(&self) {
        let mut all = [];
        let mut is_text = false;
        for part in self {
            match intrinsic::kind(part) {
                "text" => is_text = true,
                _ => all.extend(part),
            }
        }
        if is_text { intrinsic::join(self, "") } else { all }
    }
    fn iter(&self) { intrinsic::list(self) }
    fn iter_mut(&mut self) { intrinsic::list(self) }
    fn into_iter(self) { intrinsic::list(self) }
    fn stream(self) { intrinsic::list(self) }
    fn into_par_iter(self) { intrinsic::list(self) }
    fn map(self, change) {
        let all = [];
        for value in self { intrinsic::push(all, change(value)); }
        all
    }
    fn then(self, change) { self.map(change) }
    fn filter(self, keeps) {
        let all = [];
        for value in self { if keeps(value) { intrinsic::push(all, value); } }
        all
    }
    fn filter_map(self, change) {
        let all = [];
        for value in self { if let Some(made) = change(value) { intrinsic::push(all, made); } }
        all
    }
    fn flat_map(self, change) {
        let all = [];
        for value in self { for inner in change(value) { intrinsic::push(all, inner); } }
        all
    }
    fn flatten(self) {
        let all = [];
        for value in self { for inner in value { intrinsic::push(all, inner); } }
        all
    }
    fn for_each(self, run) { for value in self { run(value); } }
    fn try_for_each(self, run) {
        for value in self { run(value)?; }
        Ok(())
    }
    fn fold(self, first, step) {
        let mut result = first;
        for value in self { result = step(result, value); }
        result
    }
    fn try_fold(self, first, step) {
        let mut result = first;
        for value in self { result = step(result, value)?; }
        Ok(result)
    }
    fn reduce(self, step) {
        let mut result = None;
        for value in self {
            result = match result { Some(known) => Some(step(known, value)), None => Some(value) };
        }
        result
    }
    fn enumerate(self) {
        let all = [];
        let mut index = 0;
        for value in self {
            intrinsic::push(all, (index, value));
            index += 1;
        }
        all
    }
    fn zip(self, other) {
        let all = [];
        let others = intrinsic::list(other);
        for (index, value) in self.enumerate() {
            if index < others.len() { intrinsic::push(all, (value, others[index])); }
        }
        all
    }
    fn unzip(self) { (self.map(|pair| pair.0), self.map(|pair| pair.1)) }
    fn chain(self, other) {
        let all = intrinsic::list(self);
        for value in other { intrinsic::push(all, value); }
        all
    }
    fn rev(self) { intrinsic::reversed(self) }
    fn skip(self, count) { intrinsic::slice(self, count) }
    fn take(self, count) { intrinsic::slice(self, 0, count) }
    fn step_by(self, count) { intrinsic::unknown("a list with steps") }
    fn take_while(self, test) {
        let all = [];
        for value in self { if test(value) { intrinsic::push(all, value); } else { break; } }
        all
    }
    fn skip_while(self, test) { self.filter(|value| !test(value)) }
    fn map_while(self, change) {
        let all = [];
        for value in self { match change(value) { Some(made) => intrinsic::push(all, made), None => break } }
        all
    }
    fn cloned(self) { self }
    fn copied(self) { self }
    fn peekable(self) { self }
    fn fuse(self) { self }
    fn inspect(self, run) { self }
    fn buffered(self, count) { self }
    fn sorted(self) { intrinsic::sorted(self) }
    fn sorted_by(self, compare) { intrinsic::sorted(self, compare) }
    fn unique(self) { intrinsic::list(intrinsic::set(self)) }
    fn collect_vec(self) { intrinsic::list(self) }
    fn collect(self) { intrinsic::list(self) }
    fn count(self) { self.len() }
    fn next(&mut self) { if self.is_empty() { None } else { Some(intrinsic::remove_at(self, 0)) } }
    fn nth(&mut self, at) { self.get(at) }
    fn find(self, test) {
        for value in self { if test(value) { return Some(value); } }
        None
    }
    fn find_map(self, change) {
        for value in self { if let Some(made) = change(value) { return Some(made); } }
        None
    }
    fn position(self, test) {
        for (index, value) in self.enumerate() { if test(value) { return Some(index); } }
        None
    }
    fn any(self, test) {
        for value in self { if test(value) { return true; } }
        false
    }
    fn all(self, test) {
        for value in self { if !test(value) { return false; } }
        true
    }
    fn sum(self) { self.fold(0, |sum, value| sum + value) }
    fn max(self) { intrinsic::unknown("the largest of a list") }
    fn min(self) { intrinsic::unknown("the smallest of a list") }
    fn chunks(&self, size) { [self] }
    fn partition(self, test) { (self.filter(test), self.filter(|value| !test(value))) }
}

use Vec as VecDeque;
use Vec as SmallVec;
use Vec as LinkedList;
use Vec as BinaryHeap;
