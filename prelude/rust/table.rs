// Tables and sets. An object of JSON is a table, too.

struct HashMap {}

impl HashMap {
    fn new() { intrinsic::table([]) }
    fn with_capacity(size) { intrinsic::table([]) }
    fn default() { intrinsic::table([]) }
    fn from(pairs) { intrinsic::table(pairs) }
    fn from_iter(pairs) { intrinsic::table(pairs) }
    fn clone(&self) { intrinsic::table(self) }
    fn to_owned(&self) { intrinsic::table(self) }
    fn len(&self) { self.keys().len() }
    fn is_empty(&self) { self.keys().len() == 0 }
    fn is_object(&self) { true }
    fn as_object(&self) { Some(self) }
    fn as_object_mut(&self) { Some(self) }
    fn as_array(&self) { None }
    fn insert(&mut self, key, value) {
        let old = self.get(key);
        intrinsic::put(self, key, value);
        old
    }
    fn get(&self, key) { if intrinsic::has(self, key) { Some(intrinsic::get(self, key)) } else { None } }
    fn get_mut(&self, key) { self.get(key) }
    fn get_key_value(&self, key) { self.get(key).map(|value| (key, value)) }
    fn contains_key(&self, key) { intrinsic::has(self, key) }
    fn remove(&mut self, key) {
        let old = self.get(key);
        intrinsic::remove(self, key);
        old
    }
    fn shift_remove(&mut self, key) { self.remove(key) }
    fn clear(&mut self) { intrinsic::clear(self) }
    fn extend(&mut self, pairs) { for (key, value) in pairs { intrinsic::put(self, key, value); } }
    fn keys(&self) { intrinsic::list(self).map(|pair| pair.0) }
    fn into_keys(self) { self.keys() }
    fn values(&self) { intrinsic::list(self).map(|pair| pair.1) }
    fn values_mut(&mut self) { self.values() }
    fn into_values(self) { self.values() }
    fn iter(&self) { intrinsic::list(self) }
    fn iter_mut(&mut self) { intrinsic::list(self) }
    fn into_iter(self) { intrinsic::list(self) }
    fn drain(&mut self) { intrinsic::list(self) }
    fn retain(&mut self, keeps) {
        for (key, value) in intrinsic::list(self) { if !keeps(key, value) { intrinsic::remove(self, key); } }
    }
    fn entry(&mut self, key) { Entry { table: self, key: key } }
    fn pointer(&self, path) { intrinsic::unknown("a part of JSON") }
}

use HashMap as BTreeMap;
use HashMap as IndexMap;
use HashMap as FxHashMap;
use HashMap as AHashMap;
use HashMap as DashMap;
use HashMap as Map;
use HashMap as JsonObject;

struct Entry {}

impl Entry {
    fn or_insert(self, value) {
        if !intrinsic::has(self.table, self.key) { intrinsic::put(self.table, self.key, value); }
        intrinsic::get(self.table, self.key)
    }
    fn or_insert_with(self, make) {
        if !intrinsic::has(self.table, self.key) { intrinsic::put(self.table, self.key, make()); }
        intrinsic::get(self.table, self.key)
    }
    fn or_default(self) { self.or_insert([]) }
    fn and_modify(self, change) {
        if intrinsic::has(self.table, self.key) { change(intrinsic::get(self.table, self.key)); }
        self
    }
}

struct HashSet {}

impl HashSet {
    fn new() { intrinsic::set([]) }
    fn with_capacity(size) { intrinsic::set([]) }
    fn default() { intrinsic::set([]) }
    fn from(values) { intrinsic::set(values) }
    fn from_iter(values) { intrinsic::set(values) }
    fn clone(&self) { intrinsic::set(self) }
    fn len(&self) { intrinsic::list(self).len() }
    fn is_empty(&self) { intrinsic::list(self).len() == 0 }
    fn insert(&mut self, value) {
        let is_new = !intrinsic::contains(self, value);
        intrinsic::add(self, value);
        is_new
    }
    fn contains(&self, value) { intrinsic::contains(self, value) }
    fn remove(&mut self, value) { intrinsic::remove(self, value) }
    fn extend(&mut self, values) { for value in values { intrinsic::add(self, value); } }
    fn iter(&self) { intrinsic::list(self) }
    fn into_iter(self) { intrinsic::list(self) }
    fn union(&self, other) { intrinsic::set(intrinsic::list(self).chain(other)) }
}

use HashSet as BTreeSet;
use HashSet as IndexSet;
use HashSet as FxHashSet;
