//! The comparisons that a file of tests makes, found by running all of its functions: `assert names == {"read_note"}`,
//! `expect(tools).toHaveLength(3)`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rayon::prelude::*;
use smol_str::SmolStr;

use super::Ground;
use crate::found::{Place, Traced};
use crate::machine::{
    self, Body, Effects, Entry, Handled, Machine, ObjectId, Outside, OutsideCall, Passed, Slot, Value,
};
use crate::text::{FileId, Span};
use crate::workspace::{Files, Snapshot, Stop};

/// The maximum number of steps of a test file.
const STEPS: u64 = 400_000;
/// The maximum number of comparisons of a file that are recorded.
const MOST: usize = 4_000;
/// The maximum number of values of a list or table that are inspected, and their maximum depth.
const MOST_VALUES: usize = 4_000;
const DEEPEST: usize = 8;

/// A comparison of two values for equality.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// The place in its file of the comparison, or of the call that makes it.
    pub(crate) span: Span,
    pub(crate) sides: [Compared; 2],
}

/// One side of a comparison.
#[derive(Debug, Clone)]
pub(crate) enum Compared {
    Number(usize),
    Text(Text),
    /// A list, set or table that is known completely.
    Known(Known),
    /// Another known value, as text.
    Other(String),
    /// The names that an unknown value comes from, from the outermost to the innermost.
    Unknown(Vec<SmolStr>),
}

/// The effects of a test file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    pub(crate) comparisons: Vec<Comparison>,
    /// The statements that throw an exception for certain, such as assertions that fail, each with the literals of the
    /// texts that it looks for in something, with their files.
    pub(crate) thrown: BTreeMap<Span, BTreeSet<(FileId, Span)>>,
    /// The literals that are equal to the name of a function, or by which a function was found in its module, each with
    /// its file and the place of that name in the definition.
    pub(crate) named: Vec<((FileId, Span), Place)>,
}

/// A list, set or table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The value as text; the same for equal values.
    pub(crate) shape: String,
    /// The number of elements or entries.
    pub(crate) length: usize,
    /// The texts in it, without keys, each with the literal that it is.
    pub(crate) texts: Vec<Text>,
    /// The texts that are its keys.
    pub(crate) keys: Vec<Text>,
}

/// A text in a list, set or table.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) text: SmolStr,
    /// The file and the span of the literal that the whole text is, without its quotes.
    pub(crate) literal: Option<(FileId, Span)>,
}

impl Compared {
    /// The value, if it is known completely and contains others.
    pub(crate) fn known(&self) -> Option<&Known> {
        match self {
            Compared::Known(known) => Some(known),
            _ => None,
        }
    }

    /// The value as text, the same for equal values; `None` if it is unknown.
    pub(crate) fn shape(&self) -> Option<Cow<'_, str>> {
        match self {
            Compared::Number(number) => Some(number.to_string().into()),
            Compared::Text(text) => Some(format!("{:?}", text.text).into()),
            Compared::Known(known) => Some(known.shape.as_str().into()),
            Compared::Other(shape) => Some(shape.as_str().into()),
            Compared::Unknown(_) => None,
        }
    }

    /// The texts in the value, or the text that it is.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Text> {
        let own = match self {
            Compared::Text(text) => Some(text),
            _ => None,
        };
        own.into_iter().chain(self.known().into_iter().flat_map(|known| known.texts.iter().chain(&known.keys)))
    }
}

impl Snapshot {
    /// What each of these files does when all of its functions run. Of this snapshot, only the files matter: if it is a
    /// copy with edits, nothing else of it is computed.
    pub(crate) fn observed(&self, files: &[FileId]) -> Vec<Observed> {
        let analysis = self.previous.as_ref().unwrap_or_else(|| self.analysis());
        machine::on_large_stacks(|| {
            let observed = files.par_iter().map(|file| {
                let family = self.files.family(*file)?;
                let graph = &analysis.ran.get(&family)?.graph;
                let stop = Stop::default();
                let ground = Ground::whole(&self.files, graph, &stop);
                let mut observer = Observer::new(&self.files, *file);
                let mut machine = Machine::new(&ground, &mut observer, *file);
                machine.allow(STEPS);
                machine.start(&Entry::of_file(*file));
                machine.run_tables();
                machine.force_file(*file);
                let named = machine.named().to_vec();
                drop(machine);
                let named =
                    named.into_iter().filter_map(|(literal, name)| Some((span_of(&self.files, literal)?, name)));
                observer.seen.named = named.collect();
                Some(observer.seen)
            });
            observed.map(Option::unwrap_or_default).collect()
        })
    }
}

/// Watches a file of tests.
struct Observer<'f> {
    files: &'f Files,
    file: FileId,
    seen: Observed,
    /// The texts that were looked for in something: the place of the expression, and the literal.
    searched: Vec<(Span, (FileId, Span))>,
    /// Functions that a test framework calls once for each row of a table, with these arguments.
    tabled: Vec<(Value, Vec<Vec<Passed>>)>,
}

impl<'f> Observer<'f> {
    fn new(files: &'f Files, file: FileId) -> Observer<'f> {
        Observer { files, file, seen: Observed::default(), searched: Vec::new(), tabled: Vec::new() }
    }

    fn note(&mut self, machine: &mut Machine<'_>, (a, b): (&Value, &Value), place: Place) {
        let span =
            span_of(self.files, place).filter(|(file, _)| *file == self.file && self.seen.comparisons.len() < MOST);
        if let Some((_, span)) = span {
            let sides = [self.side(machine, a), self.side(machine, b)];
            self.seen.comparisons.push(Comparison { span, sides });
        }
    }

    fn side(&self, machine: &mut Machine<'_>, value: &Value) -> Compared {
        match value {
            Value::Number(number) if *number >= 0.0 && number.fract() == 0.0 => Compared::Number(*number as usize),
            Value::Text(text) if text.unknown().is_none() => Compared::Text(text_of(self.files, text)),
            Value::Text(_) => Compared::Unknown(Vec::new()),
            Value::Undefined | Value::Null => Compared::Other("null".to_string()),
            Value::Bool(holds) => Compared::Other(holds.to_string()),
            Value::Number(number) => Compared::Other(number.to_string()),
            Value::OneOf(_) | Value::Unknown(_) => Compared::Unknown(machine.sources_of(value)),
            Value::Object(id) => {
                let mut reading = Reading { files: self.files, known: Known::default(), length: None, values: 0 };
                let shape = reading.shape(machine, value, 0);
                match (shape, &machine.object(*id).body) {
                    (Some(shape), Body::List(_) | Body::Tuple(_) | Body::Set(_) | Body::Table(_) | Body::Plain) => {
                        let length = reading.length.unwrap_or_default();
                        Compared::Known(Known { shape, length, ..reading.known })
                    }
                    (Some(shape), _) => Compared::Other(shape),
                    (None, _) => Compared::Unknown(machine.sources_of(value)),
                }
            }
        }
    }
}

impl Effects for Observer<'_> {
    fn called(&mut self, machine: &mut Machine<'_>, call: &Rc<OutsideCall>, _: ObjectId) -> Handled {
        if let (Some(sides), Some(place)) = (asserted(machine, call), call.stack.first()) {
            self.note(machine, (&sides.0, &sides.1), *place);
        }
        let tabled = rows(machine, call);
        self.tabled.extend(tabled);
        // A decorated function belongs to the decorator, and needs definitions that follow it.
        if call.decorates { Handled::Run } else { Handled::Now }
    }

    fn compared(&mut self, machine: &mut Machine<'_>, a: &Value, b: &Value, place: Place) {
        self.note(machine, (a, b), place);
    }

    fn searched(&mut self, value: &Value, place: Place) {
        if let Value::Text(text) = value
            && let Some(literal) = text_of(self.files, text).literal
            && let Some((_, span)) = span_of(self.files, place).filter(|(file, _)| *file == self.file)
            && self.searched.len() < MOST
        {
            self.searched.push((span, literal));
        }
    }

    fn thrown(&mut self, place: Place) {
        if let Some((_, span)) = span_of(self.files, place).filter(|(file, _)| *file == self.file) {
            // The last one: an assertion in a loop fails for the text that it looked for then.
            let literal = self.searched.iter().rev().find(|(at, _)| span.contains(*at)).map(|(_, literal)| *literal);
            self.seen.thrown.entry(span).or_default().extend(literal);
        }
    }

    fn tabled(&mut self) -> Vec<(Value, Vec<Vec<Passed>>)> {
        std::mem::take(&mut self.tabled)
    }
}

/// The function that a test framework calls with each row of a table, with the arguments that it gets then:
/// `@pytest.mark.parametrize("name", […])`, `it.each([…])("…", test)`.
fn rows(machine: &mut Machine<'_>, call: &OutsideCall) -> Option<(Value, Vec<Vec<Passed>>)> {
    /// The maximum number of rows that are run.
    const MOST_ROWS: usize = 64;
    let Body::Outside(outside) = &machine.object(call.callee).body else { return None };
    let Outside::Result(table) = &**outside else { return None };
    let table = Rc::clone(table);
    let function = call.args.iter().map(|arg| &arg.value).rfind(|value| machine.is_function(value))?.clone();
    let place = call.stack.first().copied()?;
    let passed = |name: Option<&SmolStr>, value: Value| Passed { name: name.cloned(), value, place };
    let (names, values) = match machine.chain_of(table.callee).last()?.as_str() {
        "each" => (Vec::new(), table.args.first()?.value.clone()),
        "parametrize" => {
            let names = match table.args.first()?.value.as_text() {
                Some(names) => names.split(',').map(|name| SmolStr::from(name.trim())).collect(),
                None => {
                    let (names, _) = machine.elements(&table.args.first()?.value);
                    names.iter().filter_map(|slot| slot.value.as_text().map(SmolStr::from)).collect()
                }
            };
            (names, table.args.get(1)?.value.clone())
        }
        _ => return None,
    };
    let (found, _) = machine.elements(&values);
    let rows = found.into_iter().take(MOST_ROWS).map(|row| {
        let is_several = names.len() > 1 || names.is_empty() && machine.is_list(&row.value);
        let values: Vec<Value> = match is_several {
            true => machine.elements(&row.value).0.into_iter().map(|slot| slot.value).collect(),
            false => vec![row.value],
        };
        let named = values.into_iter().enumerate().map(|(index, value)| passed(names.get(index), value));
        named.collect()
    });
    Some((function, rows.collect()))
}

/// The values that a call asserts to be equal: `expect(a).toEqual(b)`, `assert.equal(a, b)`.
fn asserted(machine: &Machine<'_>, call: &OutsideCall) -> Option<(Value, Value)> {
    /// The beginnings of names that assert something.
    const ASSERTING: [&str; 2] = ["assert", "expect"];
    /// Words of assertions that hold for values that are not equal.
    const UNEQUAL: [&str; 11] =
        ["not", "greater", "less", "least", "most", "above", "below", "contain", "include", "match", "throw"];
    let names = machine.chain_of(call.callee);
    let mut words = names.iter().map(|name| name.to_lowercase());
    if words.any(|word| UNEQUAL.iter().any(|part| word.contains(part))) {
        return None;
    }
    let (made, module) = beginning(machine, call.callee);
    let is_asserting = |name: &str| ASSERTING.iter().any(|start| name.to_lowercase().contains(start));
    if !names.iter().any(|name| is_asserting(name)) && !module.is_some_and(|module| is_asserting(&module)) {
        return None;
    }
    let passed = |args: &[Passed], index: usize| args.get(index).map(|arg| arg.value.clone());
    match made {
        Some(first) => Some((passed(&first.args, 0)?, passed(&call.args, 0)?)),
        None => Some((passed(&call.args, 0)?, passed(&call.args, 1)?)),
    }
}

/// The first call of the chain that a callee is the end of, and the module that the chain begins with.
fn beginning(machine: &Machine<'_>, callee: ObjectId) -> (Option<Rc<OutsideCall>>, Option<SmolStr>) {
    /// The maximum number of members and calls that are followed.
    const LONGEST: usize = 16;
    let (mut first, mut next) = (None, callee);
    for _ in 0..LONGEST {
        let Body::Outside(outside) = &machine.object(next).body else { break };
        next = match &**outside {
            Outside::Member { of, .. } => *of,
            Outside::Result(call) => {
                first = Some(Rc::clone(call));
                call.callee
            }
            Outside::Export { module, .. } => return (first, Some(module.clone())),
            Outside::Given { .. } => break,
        };
    }
    (first, None)
}

/// The file and span of a place in a program.
fn span_of(files: &Files, place: Place) -> Option<(FileId, Span)> {
    let code = files.get(place.file)?.code.as_ref()?;
    Some((place.file, place.span.shifted(code.items.get(place.item as usize)?.start)))
}

fn text_of(files: &Files, text: &Traced) -> Text {
    let literal = text.written_at().and_then(|place| span_of(files, place));
    Text { text: text.text().into(), literal }
}

/// Reads a list, set or table.
struct Reading<'f> {
    files: &'f Files,
    known: Known,
    length: Option<usize>,
    values: usize,
}

impl Reading<'_> {
    /// A value as text, the same for equal values; `None` if not all of it is known.
    fn shape(&mut self, machine: &Machine<'_>, value: &Value, depth: usize) -> Option<String> {
        self.values += 1;
        if self.values > MOST_VALUES || depth > DEEPEST {
            return None;
        }
        Some(match value {
            Value::Undefined | Value::Null => "null".to_string(),
            Value::Bool(holds) => holds.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => {
                let whole = value.as_text()?;
                let shape = format!("{whole:?}");
                self.known.texts.push(text_of(self.files, text));
                shape
            }
            Value::OneOf(_) | Value::Unknown(_) => return None,
            Value::Object(id) => {
                let object = machine.object(*id);
                if object.more.is_some() {
                    return None;
                }
                let slots = |slots: &mut dyn Iterator<Item = &Slot>| -> Option<Vec<Slot>> {
                    slots.map(|slot| (!slot.perhaps).then(|| slot.clone())).collect()
                };
                match &object.body {
                    Body::List(list) | Body::Tuple(list) => {
                        let all = slots(&mut list.iter())?;
                        self.length.get_or_insert(all.len());
                        let shapes: Option<Vec<String>> =
                            all.iter().map(|slot| self.shape(machine, &slot.value, depth + 1)).collect();
                        format!("[{}]", shapes?.join(", "))
                    }
                    Body::Set(table) => {
                        let all = slots(&mut table.values())?;
                        self.length.get_or_insert(all.len());
                        let shapes: Option<BTreeSet<String>> =
                            all.iter().map(|slot| self.shape(machine, &slot.value, depth + 1)).collect();
                        format!("{{{}}}", shapes?.into_iter().collect::<Vec<_>>().join(", "))
                    }
                    Body::Table(table) => {
                        let all = slots(&mut table.values())?;
                        self.entries(machine, &all, depth)?
                    }
                    Body::Plain if object.parent.is_none() || object.literal.is_some() => {
                        let all = slots(&mut object.props.values())?;
                        self.entries(machine, &all, depth)?
                    }
                    Body::Function(_) | Body::Class(_) | Body::Native(_) => format!("#{id:?}"),
                    _ => return None,
                }
            }
        })
    }

    fn entries(&mut self, machine: &Machine<'_>, slots: &[Slot], depth: usize) -> Option<String> {
        self.length.get_or_insert(slots.len());
        let mut shapes = BTreeSet::new();
        for slot in slots {
            let key = slot.key.as_ref().filter(|key| key.unknown().is_none())?;
            self.known.keys.push(text_of(self.files, key));
            shapes.insert(format!("{:?}: {}", key.text(), self.shape(machine, &slot.value, depth + 1)?));
        }
        Some(format!("{{{}}}", shapes.into_iter().collect::<Vec<_>>().join(", ")))
    }
}
