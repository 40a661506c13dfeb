fn main(){ let mut a=std::env::args().skip(1); let lang=a.next().unwrap(); let text=a.next().unwrap();
 let l=match lang.as_str(){"json"=>toolnames::syntax::Language::Json,"ts"=>toolnames::syntax::Language::TypeScript,"py"=>toolnames::syntax::Language::Python,_=>toolnames::syntax::Language::Rust};
 println!("{}", toolnames::syntax::parse(l,&text,None).unwrap().root_node().to_sexp()); }
