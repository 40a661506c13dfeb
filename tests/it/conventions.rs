//! Every name that the five documents behind the profiles judge is judged and repaired as the document says.

use std::fmt::Write;

use expect_test::expect_file;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use toolnames::testing::convention::{Breach, Context, Convention, infer};
use toolnames::testing::diagnostic::Severity;

const EXAMPLES: &str = include_str!("../data/conventions.toml");

/// What a profile reports and proposes for one name.
struct Said {
    breaches: Vec<Breach>,
    fixes: Vec<String>,
}

fn judge(convention: &Convention, kind: &str, name: &str) -> Said {
    match kind {
        "tool" => Said { breaches: convention.judge(name), fixes: convention.propose(name, Context::default()) },
        "uri" => Said { breaches: convention.judge_uri(name), fixes: convention.propose_uri(name) },
        "permission" | "state" => match convention.judge_permission(name, &[]) {
            Some((breach, fixes)) => Said { breaches: vec![breach], fixes },
            None => Said { breaches: Vec::new(), fixes: Vec::new() },
        },
        "callsite" => {
            let (breaches, fixes) = convention.judge_short(name);
            Said { breaches, fixes }
        }
        other => panic!("no such kind: {other}"),
    }
}

#[test]
fn the_documents_examples_are_judged_and_repaired_as_they_say() {
    let documents: toml::Table = toml::from_str(EXAMPLES).expect("the examples are TOML");
    let mut table = String::new();
    let mut wrong = String::new();
    for (profile, groups) in &documents {
        for group in groups.as_array().expect("groups") {
            let text =
                |value: &toml::Value, key: &str| value.get(key).and_then(toml::Value::as_str).map(str::to_string);
            let kind = text(group, "kind").expect("a kind");
            let mut convention = Convention::profile(profile).expect("a profile");
            if let Some(namespace) = text(group, "namespace") {
                convention.set("namespace", &namespace).expect("a parameter");
            }
            let names = group.get("names").and_then(toml::Value::as_array).cloned().unwrap_or_default();
            let cases = group.get("cases").and_then(toml::Value::as_array).cloned().unwrap_or_default();
            let named =
                names.into_iter().map(|name| toml::Value::Table([("name".to_string(), name)].into_iter().collect()));
            for case in named.chain(cases) {
                let name = ["name", "short", "slug", "tool"].iter().find_map(|key| text(&case, key)).expect("a name");
                let mut say =
                    |wrong_because: String| writeln!(wrong, "{profile} {kind} {name}: {wrong_because}").unwrap();
                if kind == "namespace" {
                    assert_eq!(convention.namespace_of(&name), text(&case, "namespace"));
                    writeln!(table, "{profile} {kind} {name} -> {}", text(&case, "namespace").unwrap()).unwrap();
                    continue;
                }
                if kind == "forward" {
                    let forward = convention.forward(&name).expect("it is routed");
                    assert_eq!(
                        (Some(forward.pool), Some(forward.forwards)),
                        (text(&case, "pool"), text(&case, "forwards"))
                    );
                    continue;
                }
                let said = judge(&convention, &kind, &name);
                let telling = said.breaches.iter().filter(|breach| breach.severity >= Severity::Warning).count();
                let is_hint = text(&case, "severity").as_deref() == Some("hint");
                match text(group, "verdict").as_deref() {
                    Some("ok") if telling > 0 => say(format!("is right, and called wrong: {:?}", said.breaches)),
                    Some("bad") if is_hint && (telling > 0 || said.breaches.is_empty()) => {
                        say("is worth a hint".into())
                    }
                    Some("bad") if !is_hint && telling == 0 => say("is wrong, and called right".into()),
                    _ => {}
                }
                if let Some(fix) = text(&case, "fix")
                    && said.fixes.first() != Some(&fix)
                {
                    say(format!("is repaired by {fix}, not by {:?}", said.fixes));
                }
                if let Some(fixes) = case.get("fixes").and_then(toml::Value::as_array) {
                    let mut expected: Vec<&str> = fixes.iter().filter_map(toml::Value::as_str).collect();
                    let mut found: Vec<&str> = said.fixes.iter().map(String::as_str).collect();
                    expected.sort_unstable();
                    found.sort_unstable();
                    if expected != found {
                        say(format!("is repaired by {expected:?}, not by {found:?}"));
                    }
                }
                if !said.breaches.is_empty() {
                    writeln!(table, "{profile} {kind} {name}").unwrap();
                    if let Some(why) = text(&case, "why") {
                        writeln!(table, "    why: {why}").unwrap();
                    }
                    for breach in &said.breaches {
                        writeln!(table, "    {}[{}]: {}", breach.severity.as_str(), breach.rule, breach.message)
                            .unwrap();
                    }
                    if !said.fixes.is_empty() {
                        writeln!(table, "    better: {}", said.fixes.join(", ")).unwrap();
                    }
                }
            }
        }
    }
    expect_file!["../data/conventions.txt"].assert_eq(&table);
    assert!(wrong.is_empty(), "{wrong}");
}

/// Names as people write them: words from every profile and other words, in every case, with every separator.
fn names() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        select(vec!["firefly", "photoshop", "generate", "image", "browser", "click", "myproject", "chora", "mp", "v2"]),
        select(vec!["lightdash", "tools", "list", "Projects", "serena", "find", "Symbol", "get", "HTTP", "3d", "é"]),
    ];
    let separator = select(vec!["_", "__", "-", ".", ":", "", "/", " "]);
    let edge = || select(vec!["", "", "", "_", "-", ":"]);
    (edge(), vec((word, separator), 0..6), edge()).prop_map(|(front, words, end)| {
        let mut name = front.to_string();
        for (index, (word, separator)) in words.iter().enumerate() {
            if index > 0 {
                name.push_str(separator);
            }
            name.push_str(word);
        }
        name + end
    })
}

fn conventions() -> Vec<Convention> {
    let profiles = Convention::profiles().filter_map(Convention::profile);
    let mut all: Vec<Convention> = profiles.collect();
    let with = |parameters: &[(&str, &str)]| {
        let mut convention = Convention::profile("mcp").unwrap();
        parameters.iter().for_each(|(key, value)| convention.set(key, value).unwrap());
        convention
    };
    all.push(with(&[("prefix", "acme-"), ("case", "kebab")]));
    all.push(with(&[("prefix", "acme_")]));
    all.push(with(&[("case", "camel")]));
    all.push(with(&[("case", "pascal")]));
    let mut chora = Convention::profile("chora").unwrap();
    chora.set("namespace", "myproject").unwrap();
    all.push(chora);
    all
}

fn is_telling(breach: &Breach) -> bool {
    breach.severity >= Severity::Warning
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_proposed_is_judged_clean_and_needs_no_more_repair(name in names()) {
        for convention in conventions() {
            let breaches = convention.judge(&name);
            for breach in &breaches {
                prop_assert!(name.get(breach.range.clone()).is_some(), "{name:?} under {}: {breach:?}", convention.profile);
            }
            prop_assert_eq!(&breaches, &convention.judge(&name));
            for proposal in convention.propose(&name, Context::default()) {
                let left = convention.judge(&proposal);
                prop_assert!(!left.iter().any(is_telling), "{name:?} -> {proposal:?} under {}: {left:?}", convention.profile);
                let taken = |candidate: &str| candidate == proposal;
                let context = Context { taken: &taken, ..Context::default() };
                prop_assert!(!convention.propose(&name, context).contains(&proposal), "a name that is taken");
            }
            for uri in [name.clone(), format!("myproject://{name}")] {
                for proposal in convention.propose_uri(&uri) {
                    prop_assert!(convention.judge_uri(&proposal).is_empty(), "{uri:?} -> {proposal:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_inferred_holds_for_most_of_the_names(names in vec(names(), 1..12)) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let proposal = infer(&names);
        let wrong = proposal.deviants(&names).len();
        prop_assert!(proposal.profile == "mcp" && proposal.parameters.is_empty() || wrong * 5 <= names.len() * 2);
    }
}

#[test]
fn what_is_said_of_names_that_begin_or_end_too_soon() {
    let said = |profile: &str, name: &str| -> Vec<String> {
        let convention = Convention::profile(profile).expect("a profile");
        let warnings = convention.judge(name).into_iter().filter(|breach| breach.severity >= Severity::Warning);
        let mut said: Vec<String> = warnings.map(|breach| format!("{}: {}", breach.rule, breach.message)).collect();
        said.extend(convention.propose(name, Context::default()));
        said
    };
    assert_eq!(said("chora", "myproject:"), ["name-words: no tool: expected `{namespace}:{tool}`"]);
    assert_eq!(said("chora", ":create"), ["name-prefix: the namespace is missing: expected `{namespace}:{tool}`"]);
    // Half a prefix, and a prefix without a separator after it, are completed rather than doubled.
    for half in ["lightdash_list_spaces", "lightdash_toolslist_spaces", "lightdash_tools_lightdash_tools_list_spaces"] {
        assert_eq!(said("lightdash", half).pop().as_deref(), Some("lightdash_tools__list_spaces"), "{half}");
    }
}

#[test]
fn verbs_that_a_convention_does_not_name_are_verbs_all_the_same() {
    let adobe = Convention::profile("adobe").expect("a profile");
    for name in [
        "firefly_unload_model",
        "photoshop_kill_job",
        "photoshop_lift_subject",
        "photoshop_replay_actions",
        "photoshop_remove_fill",
        "firefly_cancel_upload",
        "photoshop_add_fill",
    ] {
        assert!(adobe.judge(name).iter().all(|breach| breach.severity == Severity::Hint), "{name}");
        assert_eq!(adobe.propose(name, Context::default()), Vec::<String>::new(), "{name}");
    }
    // A verb that is not a word at all is a typo.
    assert_eq!(adobe.propose("firefly_genrate_image", Context::default()), ["firefly_generate_image"]);
}

#[test]
fn a_missing_product_is_that_of_the_package_however_long_the_name_is() {
    let adobe = Convention::profile("adobe").expect("a profile");
    let context = Context { front: Some("photoshop"), ..Context::default() };
    for (name, right) in [
        ("remove_image_background", "photoshop_remove_image_background"),
        ("createLayerMask", "photoshop_create_layer_mask"),
        ("smart_object_replace", "photoshop_smart_object_replace"),
        ("adobe_photoshop_edit_text", "photoshop_edit_text"),
    ] {
        assert_eq!(adobe.propose(name, context), [right], "{name}");
    }
    // Presumably a tool of another product.
    assert_eq!(adobe.propose("acrobat_generate_page", context), Vec::<String>::new());
}

#[test]
fn slots_of_a_teams_own_take_any_word() {
    let mut own = Convention::default();
    own.set("pattern", "{entity}_{action}").expect("a pattern");
    for name in ["note_create", "folder_list", "tag_drop"] {
        assert_eq!(own.judge(name), Vec::<Breach>::new(), "{name}");
        assert_eq!(own.open_front(), None);
    }
}

#[test]
fn parts_that_something_divides_are_cased_each_by_itself() {
    let mut dotted = Convention::default();
    for (key, value) in [("pattern", "{namespace}.{tool}"), ("namespace", "acme"), ("case", "camel")] {
        dotted.set(key, value).expect("a parameter");
    }
    let mut prefixed = Convention::default();
    for (key, value) in [("pattern", "{prefix}{tool}"), ("prefix", "acme_"), ("case", "camel")] {
        prefixed.set(key, value).expect("a parameter");
    }
    for (convention, right, wrong) in
        [(&dotted, "acme.getUser", "acme.get_user"), (&prefixed, "acme_getUser", "acme_get_user")]
    {
        assert_eq!(convention.judge(right), Vec::<Breach>::new(), "{right}");
        assert!(!convention.judge(wrong).is_empty(), "{wrong}");
        assert_eq!(convention.propose(wrong, Context::default()), [right]);
    }
    // The prefix has to match letter by letter.
    let lightdash = Convention::profile("lightdash").expect("a profile");
    assert_eq!(
        lightdash.propose("lightdashtools__list_projects", Context::default()),
        ["lightdash_tools__list_projects"]
    );
}

#[test]
fn no_repair_drops_a_number() {
    let adobe = Convention::profile("adobe").expect("a profile");
    for name in ["fireflyFill3DModel", "fireflyGenerate4kVideo", "firefly_Train2Models"] {
        for proposal in adobe.propose(name, Context::default()) {
            let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
            assert_eq!(digits(&proposal), digits(name), "{name} → {proposal}");
        }
    }
}
