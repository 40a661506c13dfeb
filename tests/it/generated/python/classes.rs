//! Classes: where a value may be kept and how it is inherited.

use super::{Form, Py, Value, class, def, suite_of};

pub(super) const FORMS: &[Form] = &[
    ("class attribute", Py::by_class_attribute),
    ("instance attribute", Py::by_instance_attribute),
    ("classmethod", Py::by_classmethod),
    ("staticmethod", Py::by_staticmethod),
    ("property", Py::by_property),
    ("property setter", Py::by_setter),
    ("inherited method", Py::by_inherited),
    ("overridden method", Py::by_overridden),
    ("overridden attribute", Py::by_overridden_attribute),
    ("super()", Py::by_super),
    ("super().__init__", Py::by_super_init),
    ("multiple inheritance", Py::by_multiple),
    ("cooperative super", Py::by_cooperative),
    ("mixin", Py::by_mixin),
    ("__init_subclass__", Py::by_init_subclass),
    ("__init_subclass__ with argument", Py::by_init_subclass_argument),
    ("__call__", Py::by_call),
    ("__getitem__", Py::by_getitem),
    ("__getattr__", Py::by_getattr_method),
    ("__iter__", Py::by_iter),
    ("__str__", Py::by_str),
    ("abstract method", Py::by_abstract),
    ("class decorator", Py::by_class_decorator),
    ("metaclass", Py::by_metaclass),
    ("__new__", Py::by_new),
    ("__post_init__", Py::by_post_init),
    ("cached_property", Py::by_cached_property),
    ("nested class", Py::by_nested_class),
    ("self.__class__", Py::by_own_class),
    ("private name", Py::by_private),
    ("descriptor", Py::by_descriptor),
    ("__slots__", Py::by_slots),
    ("context manager class", Py::by_context_class),
    ("class factory", Py::by_factory),
    ("method kept in variable", Py::by_bound_method),
];

const CLASSES: &[&str] = &["Base", "Tool", "Service", "Registry", "Store", "Feature", "Plugin", "Source"];

impl Py {
    fn class_name(&mut self) -> String {
        self.fresh(CLASSES)
    }

    fn method(&mut self, name: &str, params: &str, value: &Value, depth: u32) -> String {
        let suite = self.returning(false, |py| py.value(value, depth));
        def(name, params, &suite)
    }

    fn by_class_attribute(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let member = self.pick(&["current = TEXT", "current: object = TEXT", "first, current = 0, TEXT"]);
        self.emit(class(&name, "", &[member.replace("TEXT", &super::operand(&text))]));
        Some(if self.chance(70) { format!("{name}.current") } else { format!("{name}().current") })
    }

    fn by_instance_attribute(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|py| {
            let name = py.class_name();
            let init =
                def("__init__", "self, current, other=None", "    self.current = current\n    self.other = other");
            py.emit(class(&name, "", &[init]));
            name
        });
        let text = self.value(value, depth);
        Some(match self.below(3) {
            0 => format!("{name}({text}).current"),
            1 => format!("{name}(other=1, current={text}).current"),
            _ => {
                let object = self.fresh(&["instance", "made"]);
                self.emit(format!("{object} = {name}(None)\n{object}.current = {text}"));
                format!("{object}.current")
            }
        })
    }

    fn by_classmethod(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let method = format!("@classmethod\n{}", def("read", "cls", "    return cls.current"));
        self.emit(class(&name, "", &[format!("current = {text}"), method]));
        Some(if self.chance(70) { format!("{name}.read()") } else { format!("{name}().read()") })
    }

    fn by_staticmethod(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = format!("@staticmethod\n{}", self.method("read", "", value, depth));
        self.emit(class(&name, "", &[method]));
        Some(format!("{name}.read()"))
    }

    fn by_property(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = format!("@property\n{}", self.method("current", "self", value, depth));
        self.emit(class(&name, "", &[method]));
        Some(format!("{name}().current"))
    }

    fn by_setter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.value(value, depth));
        let members = [
            format!("@property\n{}", def("current", "self", "    return self._kept")),
            format!("@current.setter\n{}", def("current", "self, value", "    self._kept = value")),
        ];
        let object = self.fresh(&["instance", "made"]);
        self.emit(format!("{}\n{object} = {name}()\n{object}.current = {text}", class(&name, "", &members)));
        Some(format!("{object}.current"))
    }

    fn by_inherited(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let method = self.method("read", "self", value, depth);
        self.emit(format!("{}\n{}", class(&base, "", &[method]), class(&name, &base, &[])));
        Some(format!("{name}().read()"))
    }

    fn by_overridden(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name, decoy) = (self.class_name(), self.class_name(), self.decoy(value));
        let old = self.method("part", "self", &decoy, depth);
        let read = def("read", "self", "    return self.part()");
        self.emit(class(&base, "", &[old, read]));
        let new = self.method("part", "self", value, depth);
        self.emit(class(&name, &base, &[new]));
        Some(format!("{name}().read()"))
    }

    fn by_overridden_attribute(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name, decoy) = (self.class_name(), self.class_name(), self.decoy(value));
        let (other, text) = (self.still(&decoy, depth), self.still(value, depth));
        let read = def("read", "self", "    return self.current");
        self.emit(class(&base, "", &[format!("current = {other}"), read]));
        self.emit(class(&name, &base, &[format!("current = {text}")]));
        Some(format!("{name}().read()"))
    }

    fn by_super(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let method = self.method("read", "self", value, depth);
        self.emit(class(&base, "", &[method]));
        let body = self.pick(&[
            "    return super().read()",
            "    above = super().read()\n    return above",
            "    return super(OWN, self).read()",
        ]);
        self.emit(class(&name, &base, &[def("read", "self", &body.replace("OWN", &name))]));
        Some(format!("{name}().read()"))
    }

    fn by_super_init(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        self.emit(class(&base, "", &[def("__init__", "self, current", "    self.current = current")]));
        let (mut lines, text) = self.block(false, |py| py.value(value, depth));
        lines.push(format!("super().__init__({text})"));
        self.emit(class(&name, &base, &[def("__init__", "self", &suite_of(&lines))]));
        Some(format!("{name}().current"))
    }

    fn by_multiple(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (first, second, name) = (self.class_name(), self.class_name(), self.class_name());
        let decoy = self.decoy(value);
        let (other, text) = (self.still(&decoy, depth), self.still(value, depth));
        self.emit(class(&first, "", &[format!("current = {text}")]));
        self.emit(class(&second, "", &[format!("current = {other}"), "extra = 1".to_string()]));
        self.emit(class(&name, &format!("{first}, {second}"), &[]));
        Some(format!("{name}.current"))
    }

    fn by_cooperative(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (root, left, right, name) = (self.class_name(), self.class_name(), self.class_name(), self.class_name());
        let method = self.method("read", "self", value, depth);
        self.emit(class(&root, "", &[method]));
        for side in [&left, &right] {
            self.emit(class(side, &root, &[def("read", "self", "    return super().read()")]));
        }
        self.emit(class(&name, &format!("{left}, {right}"), &[]));
        Some(format!("{name}().read()"))
    }

    fn by_mixin(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (mixin, base, name) = (self.fresh(&["NamedMixin", "WithName"]), self.class_name(), self.class_name());
        let method = self.method("part", "self", value, depth);
        self.emit(class(&mixin, "", &[method]));
        self.emit(class(&base, "", &[def("read", "self", "    return self.part()")]));
        self.emit(class(&name, &format!("{mixin}, {base}"), &[]));
        Some(format!("{name}().read()"))
    }

    fn by_init_subclass(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name, text) = (self.class_name(), self.class_name(), self.still(value, depth));
        let hook = def(
            "__init_subclass__",
            "cls, **kwargs",
            "    super().__init_subclass__(**kwargs)\n    cls.registry.append(cls)",
        );
        self.emit(class(&base, "", &["registry = []".to_string(), hook]));
        self.emit(class(&name, &base, &[format!("current = {text}")]));
        Some(format!("{base}.registry[0].current"))
    }

    fn by_init_subclass_argument(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name, text) = (self.class_name(), self.class_name(), self.still(value, depth));
        let hook = def(
            "__init_subclass__",
            "cls, current=None, **kwargs",
            "    super().__init_subclass__(**kwargs)\n    cls.current = current",
        );
        self.emit(class(&base, "", &[hook]));
        self.emit(class(&name, &format!("{base}, current={text}"), &[]));
        Some(format!("{name}.current"))
    }

    fn by_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("__call__", "self, *args", value, depth);
        self.emit(class(&name, "", &[method]));
        Some(format!("{name}()()"))
    }

    fn by_getitem(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let members = [
            def("__init__", "self, table", "    self.table = table"),
            def("__getitem__", "self, key", "    return self.table[key]"),
            def("__contains__", "self, key", "    return key in self.table"),
        ];
        self.emit(class(&name, "", &members));
        let text = self.value(value, depth);
        Some(format!("{name}({{\"it\": {text}}})[\"it\"]"))
    }

    fn by_getattr_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("__getattr__", "self, key", value, depth);
        self.emit(class(&name, "", &[method]));
        Some(format!("{name}().anything"))
    }

    fn by_iter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.class_name(), self.decoy(value));
        let list = self.still(&Value::List(vec![value.clone(), decoy]), depth);
        let body =
            self.pick(&["    yield from LIST", "    return iter(LIST)", "    for it in LIST:\n        yield it"]);
        let list = super::operand(&list).replace('\n', "\n    ");
        self.emit(class(&name, "", &[def("__iter__", "self", &body.replace("LIST", &list))]));
        Some(match self.below(3) {
            0 => format!("list({name}())[0]"),
            1 => format!("[*{name}()][0]"),
            _ => format!("next(iter({name}()))"),
        })
    }

    fn by_str(&mut self, value: &Value, depth: u32) -> Option<String> {
        value.as_text()?;
        let name = self.class_name();
        let method = self.method("__str__", "self", value, depth);
        self.emit(class(&name, "", &[method]));
        Some(match self.below(3) {
            0 => format!("str({name}())"),
            1 => format!("f\"{{{name}()}}\""),
            _ => format!("\"%s\" % {name}()"),
        })
    }

    fn by_abstract(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let (abc, mark) = (self.std("abc", "ABC"), self.std("abc", "abstractmethod"));
        let members =
            [format!("@{mark}\n{}", def("part", "self", "    ...")), def("read", "self", "    return self.part()")];
        self.emit(class(&base, &abc, &members));
        let part = self.method("part", "self", value, depth);
        self.emit(class(&name, &base, &[part]));
        Some(format!("{name}().read()"))
    }

    fn by_class_decorator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decorator, name, text) =
            (self.fresh(&["with_current", "register_class"]), self.class_name(), self.value(value, depth));
        if self.chance(50) {
            let inner = suite_of(&[
                def("decorate", "cls", "    cls.current = value\n    return cls"),
                "return decorate".to_string(),
            ]);
            self.emit(def(&decorator, "value", &inner));
            self.emit(format!("@{decorator}({text})\n{}", class(&name, "", &[])));
            return Some(format!("{name}.current"));
        }
        let kept = self.fresh(&["KEPT", "REGISTERED"]);
        self.emit(format!(
            "{kept} = []\n{}",
            def(&decorator, "cls", &format!("    {kept}.append(cls)\n    return cls"))
        ));
        let text = self.unbound(&text);
        self.emit(format!("@{decorator}\n{}", class(&name, "", &[format!("current = {text}")])));
        Some(format!("{kept}[0].current"))
    }

    fn by_metaclass(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (meta, name, text) = (self.fresh(&["Meta", "RegistryMeta"]), self.class_name(), self.still(value, depth));
        let new = def(
            "__new__",
            "mcs, name, bases, namespace",
            "    made = super().__new__(mcs, name, bases, namespace)\n    mcs.made.append(made)\n    return made",
        );
        self.emit(class(&meta, "type", &["made = []".to_string(), new]));
        self.emit(class(&name, &format!("metaclass={meta}"), &[format!("current = {text}")]));
        Some(format!("{meta}.made[0].current"))
    }

    fn by_new(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.value(value, depth));
        let new = def(
            "__new__",
            "cls, current",
            "    made = super().__new__(cls)\n    made.current = current\n    return made",
        );
        self.emit(class(&name, "", &[new]));
        Some(format!("{name}({text}).current"))
    }

    fn by_post_init(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decorator, name, text) =
            (self.std("dataclasses", "dataclass"), self.class_name(), self.value(value, depth));
        let post = def("__post_init__", "self", "    self.current = self.raw");
        self.emit(format!("@{decorator}\n{}", class(&name, "", &["raw: object".to_string(), post])));
        Some(format!("{name}({text}).current"))
    }

    fn by_cached_property(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (cached, name) = (self.std("functools", "cached_property"), self.class_name());
        let method = format!("@{cached}\n{}", self.method("current", "self", value, depth));
        let object = self.fresh(&["instance", "made"]);
        self.emit(format!("{}\n{object} = {name}()", class(&name, "", &[method])));
        Some(format!("{object}.current"))
    }

    fn by_nested_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        self.emit(class(&name, "", &[class("Meta", "", &[format!("current = {text}")])]));
        Some(format!("{name}.Meta.current"))
    }

    fn by_own_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name, text) = (self.class_name(), self.class_name(), self.still(value, depth));
        let body = self.pick(&["    return self.__class__.current", "    return type(self).current"]);
        self.emit(class(&base, "", &[def("read", "self", body)]));
        self.emit(class(&name, &base, &[format!("current = {text}")]));
        Some(format!("{name}().read()"))
    }

    fn by_private(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.value(value, depth));
        let members = [
            def("__init__", "self, current", "    self.__current = current"),
            def("read", "self", "    return self.__current"),
        ];
        self.emit(class(&name, "", &members));
        Some(format!("{name}({text}).read()"))
    }

    fn by_descriptor(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (descriptor, name, text) =
            (self.fresh(&["Field", "Constant"]), self.class_name(), self.still(value, depth));
        let members = [
            def("__init__", "self, value", "    self.value = value"),
            def("__get__", "self, instance, owner", "    return self.value"),
        ];
        self.emit(class(&descriptor, "", &members));
        self.emit(class(&name, "", &[format!("current = {descriptor}({text})")]));
        Some(format!("{name}().current"))
    }

    fn by_slots(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.value(value, depth));
        let init = def("__init__", "self, it", "    self.it = it");
        self.emit(class(&name, "", &["__slots__ = (\"it\",)".to_string(), init]));
        Some(format!("{name}({text}).it"))
    }

    fn by_context_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text, result) = (self.class_name(), self.value(value, depth), self.name_for(value));
        let members = [
            def("__init__", "self, it", "    self.it = it"),
            def("__enter__", "self", "    return self.it"),
            def("__exit__", "self, *error", "    return False"),
        ];
        self.emit(class(&name, "", &members));
        self.emit(format!("with {name}({text}) as {result}:\n    pass"));
        Some(result)
    }

    fn by_factory(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (make, text) = (self.fresh(&["make_class", "class_for"]), self.value(value, depth));
        let inner = suite_of(&[class("Made", "", &["current = it".to_string()]), "return Made".to_string()]);
        self.emit(def(&make, "it", &inner));
        Some(format!("{make}({text}).current"))
    }

    fn by_bound_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, bound) = (self.class_name(), self.fresh(&["bound", "reader"]));
        let method = self.method("read", "self", value, depth);
        self.emit(format!("{}\n{bound} = {name}().read", class(&name, "", &[method])));
        Some(format!("{bound}()"))
    }
}
