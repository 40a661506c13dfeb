// JSON as values.

use std::HashMap as Map;

enum Value { Null, Bool(T), Number(T), String(T), Array(T), Object(T) }

impl Value {
    fn Object(table) { table }
    fn Array(list) { list }
    fn String(text) { text }
    fn Bool(holds) { holds }
    fn default() { intrinsic::unknown("a value of JSON") }
}

fn to_value(value) { Ok(value) }
fn from_value(value) { Ok(value) }
fn to_string(value) { Ok(intrinsic::unknown("JSON as text")) }
fn to_string_pretty(value) { Ok(intrinsic::unknown("JSON as text")) }
fn to_vec(value) { Ok(intrinsic::unknown("JSON as text")) }
fn from_str(text) { Ok(intrinsic::json(text)) }
fn from_slice(text) { Ok(intrinsic::json(text)) }
