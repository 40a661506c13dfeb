//! Sites: the code around a name, as far as an edit needs it. This covers which statement, definition, list, table or
//! condition contains a literal, where code can be inserted next to it, and what to delete to remove that code again.
//!
//! Each file answers one question about a syntax tree, with a query from `queries/` if a pattern of nodes can express
//! it. None of these files knows what a tool is.

mod acting;
mod call;
mod compared;
mod constants;
mod counts;
mod element;
mod given;
mod imports;
mod keyed;
mod keywords;
mod layout;
mod literals;
mod locals;
mod looped;
mod member;
mod methods;
mod positions;
mod predicates;
mod queries;
mod removal;
mod siblings;
mod surroundings;
mod uses;

pub(crate) use self::acting::{acting, asked_names};
pub(crate) use self::call::{Argument, ArgumentKind, CallStatement, ObjectMember, call_statement};
pub(crate) use self::compared::compared_lists;
pub(crate) use self::constants::{behind_element, constant_around};
pub(crate) use self::counts::{added, counts, numbers};
pub(crate) use self::element::{
    Element, NamedDefinition, ObjectEntry, Table, argument_around, beginnings, definition_around, element,
    element_around, elements_with, entry_around, expression_around, held, implementation, keys_beside, keys_to,
    last_member, moves_a_variable, pair_around, statements_taking, sum_around, table_around,
};
pub(crate) use self::given::{declaration, given};
pub(crate) use self::imports::import_place;
pub(crate) use self::keyed::{Keyed, is_identifier, keyed, lookup, record, types_of};
pub(crate) use self::keywords::{Calls, KeywordCall, calls_of_statement, keyword_at};
pub(crate) use self::layout::{LINE_WIDTH, laid_out};
pub(crate) use self::literals::{strings, texts, usual_quote};
pub(crate) use self::looped::{Loop, line_starts};
pub(crate) use self::methods::{MethodUses, method_uses};
pub(crate) use self::positions::{HeldList, list_held, picked};
pub(crate) use self::predicates::{
    Constant, Place, Predicate, Said, Test, constants_offered, joins_alone, predicate_words, predicates, stands_alone,
};
pub(crate) use self::removal::{alternative, beneath, block_around};
pub(crate) use self::siblings::{Siblings, declared_for, gone_through, siblings};
pub(crate) use self::surroundings::{
    Around, BadSite, Branch, Signature, Stretch, Surroundings, branch, function_around, statement_around, stretch,
    surroundings, tests_inside,
};
pub(crate) use self::uses::{Untraceable, called_with, function_uses, imported_uses, is_attribute, is_exported, times};
