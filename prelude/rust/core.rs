// What every value can do, options and results.

struct Any {}

impl Any {
    fn clone(&self) { self }
    fn to_owned(&self) { self }
    fn into(self) { self }
    fn try_into(self) { Ok(self) }
    fn as_ref(&self) { self }
    fn as_mut(&mut self) { self }
    fn as_deref(&self) { self }
    fn borrow(&self) { self }
    fn borrow_mut(&self) { self }
    fn by_ref(&self) { self }
    fn as_any(&self) { self }
    fn into_inner(self) { self }
    fn boxed(self) { self }
    fn from(value) { value }

    // Of locks and cells, which are what they hold.
    fn lock(&self) { self }
    fn try_lock(&self) { Ok(self) }
    fn read(&self) { self }
    fn write(&self) { self }
    fn load(&self) { self }
    fn load_full(&self) { self }
    fn get_or_init(&self, make) { make() }

    // Of what may fail, if it does not show whether it does.
    fn unwrap(self) { self }
    fn expect(self, message) { self }
    fn unwrap_or(self, other) { self }
    fn unwrap_or_else(self, make) { self }
    fn unwrap_or_default(self) { self }
    fn context(self, message) { self }
    fn with_context(self, make) { self }
    fn wrap_err(self, message) { self }
    fn map_err(self, change) { self }
    fn ok(self) { self }
    fn ok_or(self, error) { self }
    fn ok_or_else(self, make) { self }

    // Of an instance with `Display`.
    fn to_string(&self) {
        let formatter = Formatter { text: "" };
        self.fmt(formatter);
        formatter.text
    }
}

struct Formatter {}

impl Formatter {
    fn write_str(&mut self, text) {
        self.text = intrinsic::concat(self.text, text);
        Ok(())
    }
    fn write_fmt(&mut self, text) { self.write_str(text) }
    fn write_char(&mut self, text) { self.write_str(text) }
    fn pad(&mut self, text) { self.write_str(text) }
}

struct Unit {}
struct Tuple {}

struct Function {}

impl Function {
    fn call(self, argument) { self(argument) }
}

enum Option { Some(T), None }

impl Option {
    fn is_some(&self) { match self { Some(_) => true, None => false } }
    fn is_none(&self) { match self { Some(_) => false, None => true } }
    fn is_some_and(self, test) { match self { Some(value) => test(value), None => false } }
    fn unwrap(self) { match self { Some(value) => value, None => panic!("`unwrap` of `None`") } }
    fn expect(self, message) { match self { Some(value) => value, None => panic!("`expect` of `None`") } }
    fn unwrap_or(self, other) { match self { Some(value) => value, None => other } }
    fn unwrap_or_else(self, make) { match self { Some(value) => value, None => make() } }
    fn unwrap_or_default(self) { match self { Some(value) => value, None => intrinsic::unknown("a default value") } }
    fn map(self, change) { match self { Some(value) => Some(change(value)), None => None } }
    fn inspect(self, run) { if let Some(value) = self { run(value); } self }
    fn map_or(self, other, change) { match self { Some(value) => change(value), None => other } }
    fn map_or_else(self, make, change) { match self { Some(value) => change(value), None => make() } }
    fn and_then(self, change) { match self { Some(value) => change(value), None => None } }
    fn and(self, other) { match self { Some(_) => other, None => None } }
    fn or(self, other) { match self { Some(_) => self, None => other } }
    fn or_else(self, make) { match self { Some(_) => self, None => make() } }
    fn ok_or(self, error) { match self { Some(value) => Ok(value), None => Err(error) } }
    fn ok_or_else(self, make) { match self { Some(value) => Ok(value), None => Err(make()) } }
    fn context(self, message) { match self { Some(value) => Ok(value), None => Err(message) } }
    fn with_context(self, make) { match self { Some(value) => Ok(value), None => Err(make()) } }
    fn filter(self, test) {
        match self {
            Some(value) => if test(value) { self } else { None },
            None => None,
        }
    }
    fn flatten(self) { match self { Some(value) => value, None => None } }
    fn zip(self, other) { self.and_then(|a| other.map(|b| (a, b))) }
    fn as_ref(&self) { self }
    fn cloned(self) { self }
    fn copied(self) { self }
    fn iter(&self) { match self { Some(value) => [value], None => [] } }
    fn into_iter(self) { self.iter() }
    fn take(&mut self) { self }
    fn default() { None }
}

enum Result { Ok(T), Err(E) }

impl Result {
    fn is_ok(&self) { match self { Ok(_) => true, Err(_) => false } }
    fn is_err(&self) { match self { Ok(_) => false, Err(_) => true } }
    fn ok(self) { match self { Ok(value) => Some(value), Err(_) => None } }
    fn err(self) { match self { Ok(_) => None, Err(error) => Some(error) } }
    fn unwrap(self) { match self { Ok(value) => value, Err(_) => panic!("`unwrap` of an error") } }
    fn expect(self, message) { match self { Ok(value) => value, Err(_) => panic!("`expect` of an error") } }
    fn unwrap_err(self) { match self { Ok(_) => panic!("no error"), Err(error) => error } }
    fn unwrap_or(self, other) { match self { Ok(value) => value, Err(_) => other } }
    fn unwrap_or_else(self, make) { match self { Ok(value) => value, Err(error) => make(error) } }
    fn unwrap_or_default(self) { match self { Ok(value) => value, Err(_) => intrinsic::unknown("a default value") } }
    fn map(self, change) { match self { Ok(value) => Ok(change(value)), Err(_) => self } }
    fn map_err(self, change) { match self { Ok(_) => self, Err(error) => Err(change(error)) } }
    fn map_or(self, other, change) { match self { Ok(value) => change(value), Err(_) => other } }
    fn and_then(self, change) { match self { Ok(value) => change(value), Err(_) => self } }
    fn or_else(self, make) { match self { Ok(_) => self, Err(error) => make(error) } }
    fn inspect(self, run) { self }
    fn inspect_err(self, run) { self }
    fn context(self, message) { self }
    fn with_context(self, make) { self }
    fn as_ref(&self) { self }
    fn iter(&self) { match self { Ok(value) => [value], Err(_) => [] } }
    fn into_iter(self) { self.iter() }
}

use Option::{Some, None};
use Result::{Ok, Err};

// ── Pointers ─────────────────────────────────────────────────────────────────────────────────────────────

// What several own: its copies are the same.
struct Arc {}

impl Arc {
    fn new(value) { Arc { value: value } }
    fn from(value) { Arc { value: value } }
    fn default() { Arc { value: intrinsic::unknown("a default value") } }
    fn clone(&self) { self }
    fn downgrade(&self) { self }
    fn upgrade(&self) { Some(self) }
    fn as_ref(&self) { self.value }
    fn into_inner(self) { Some(self.value) }
    fn try_unwrap(self) { Ok(self.value) }
    fn unwrap_or_clone(self) { self.value }
    fn make_mut(&mut self) { self.value }
    fn get_mut(&mut self) { Some(self.value) }
    fn deref(&self) { self.value }
}

struct Rc {}

impl Rc {
    fn new(value) { Arc { value: value } }
    fn from(value) { Arc { value: value } }
    fn clone(&self) { self }
}

// What has one owner is what it holds.
struct Holder {}

impl Holder {
    fn new(value) { value }
    fn from(value) { value }
    fn pin(value) { value }
    fn const_new(value) { value }
    fn from_pointee(value) { value }
    fn Borrowed(value) { value }
    fn Owned(value) { value }
    fn default() { intrinsic::unknown("a default value") }
}

use Holder as Box;
use Holder as Mutex;
use Holder as RwLock;
use Holder as RefCell;
use Holder as Cell;
use Holder as Cow;
use Holder as Pin;
use Holder as ArcSwap;

// What is made when it is first used.
struct LazyLock {}

impl LazyLock {
    fn new(make) { make() }
    fn force(value) { value }
}

use LazyLock as Lazy;
use LazyLock as LazyCell;

struct OnceLock {}

impl OnceLock {
    fn new() { OnceLock { value: None } }
    fn const_new() { OnceLock { value: None } }
    fn get(&self) { self.value }
    fn set(&self, value) { self.value = Some(value); Ok(()) }
    fn get_or_init(&self, make) {
        if self.value.is_none() { self.value = Some(make()); }
        self.value.unwrap()
    }
    fn get_or_try_init(&self, make) { make() }
}

use OnceLock as OnceCell;

fn range(from, to) { intrinsic::range(from, to) }

fn drop(value) {}

// Of `std::future`.
fn ready(value) { value }

fn include_str(path) { intrinsic::text_beside(path) }

trait Default {
    fn default() { intrinsic::unknown("a default value") }
}

trait Deref {}
trait Display {}
trait Debug {}
trait Clone {}
trait Iterator {}
trait IntoIterator {}
trait From {}
trait Into {}
trait AsRef {}
trait ToString {}
trait Send {}
trait Sync {}
trait Sized {}
trait FromStr {}
trait Error {}
trait Fn {}
trait FnOnce {}
trait FnMut {}
