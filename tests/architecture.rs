//! The plan of the house, enforced on the sources: who may use whom, how large things get, and what the core never does.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors of the house, bottom first. A module uses only modules of lower floors: never sideways, never up.
const FLOORS: [&[&str]; 9] = [
    &["score", "memory"],
    &["board"],
    &["game", "eval", "table", "book", "clock", "stats"],
    &["search"],
    &["engine"],
    &["files"],
    &["protocol"],
    &["solve", "analysis", "convert", "arena", "train", "study", "web", "bench"],
    &["cli"],
];

/// The modules below `files`: they print nothing, end nothing, wait for nothing and read no files.
const SILENT_FLOORS: usize = 5;

/// The only files that may hold unsafe code. Each has a safe twin and a test that both agree.
const UNSAFE_LEAVES: [&str; 6] = [
    "board/flip/avx2.rs",
    "board/flip/avx512.rs",
    "board/last_flip/bmi2.rs",
    "board/mobility/avx2.rs",
    "eval/lanes/avx2.rs",
    "memory.rs",
];

/// Modules whose answers must be the same on every machine: nothing that depends on `ahash` comes near them.
const REPRODUCIBLE: [&str; 5] = ["score", "board", "eval", "table", "search"];

const MAX_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 100;
const MAX_MAIN_LINES: usize = 20;

#[test]
fn modules_use_only_what_stands_below_them() {
    let faults = faults(|source| {
        let Some(own_floor) = floor(&source.module) else {
            return vec![format!("`{}` stands on no floor: add it to the plan", source.module)];
        };
        let used = source.uses().into_iter().filter(|used| *used != source.module);
        used.filter_map(|used| match floor(&used) {
            Some(floor) if floor < own_floor => None,
            Some(_) => Some(format!("`{}` must not use `{used}`", source.module)),
            None => Some(format!("`{used}` stands on no floor: add it to the plan")),
        })
        .collect()
    });
    assert_eq!(faults, "");
}

#[test]
fn files_and_functions_stay_within_their_budgets() {
    let faults = faults(|source| {
        let max = if source.name == "main.rs" { MAX_MAIN_LINES } else { MAX_FILE_LINES };
        let mut faults = Vec::new();
        if source.lines.len() > max {
            faults.push(format!("{} lines without its tests, more than {max}", source.lines.len()));
        }
        for (name, length) in source.functions() {
            if length > MAX_FUNCTION_LINES {
                faults.push(format!("`{name}` has {length} lines, more than {MAX_FUNCTION_LINES}"));
            }
        }
        faults
    });
    assert_eq!(faults, "");
}

#[test]
fn every_file_says_what_it_is() {
    let faults = faults(|source| {
        let said = source.lines.first().is_some_and(|line| line.starts_with("//! "));
        if said { vec![] } else { vec!["does not open with `//!`".to_owned()] }
    });
    assert_eq!(faults, "");
}

#[test]
fn the_core_is_silent() {
    const NOISES: [&str; 14] = [
        "print!",
        "println!",
        "dbg!",
        "stdout(",
        "stderr(",
        "stdin(",
        "process::",
        "sleep(",
        "std::fs",
        "fs::",
        "File::open",
        "File::create",
        "env::",
        "SystemTime",
    ];
    let faults = faults(|source| {
        if floor(&source.module).is_none_or(|floor| floor >= SILENT_FLOORS) {
            return vec![];
        }
        NOISES
            .into_iter()
            .filter(|noise| source.mentions(noise))
            .map(|noise| format!("the core has no `{noise}`"))
            .collect()
    });
    assert_eq!(faults, "");
}

#[test]
fn in_the_core_only_the_clock_looks_at_the_clock() {
    let faults = faults(|source| {
        // Clients of other programs, above the core, wait for them in real time.
        let in_core = floor(&source.module).is_some_and(|floor| floor < SILENT_FLOORS);
        let looks = in_core && source.name != "clock/mod.rs" && source.mentions("Instant::now");
        if looks { vec!["in the core, `Instant::now` belongs to clock/mod.rs".to_owned()] } else { vec![] }
    });
    assert_eq!(faults, "");
}

#[test]
fn unsafe_code_stays_in_its_leaves() {
    let faults = faults(|source| {
        let fenced = UNSAFE_LEAVES.contains(&source.name.as_str());
        let has_unsafe = source.code().any(|line| words(line).any(|word| word == "unsafe" || word == "unsafe_code"));
        if has_unsafe && !fenced { vec!["unsafe code outside the named leaves".to_owned()] } else { vec![] }
    });
    assert_eq!(faults, "");
}

#[test]
fn unstable_hashes_reach_nothing_that_must_be_reproducible() {
    let faults = faults(|source| {
        let mut faults = Vec::new();
        if REPRODUCIBLE.contains(&source.module.as_str()) && source.mentions("ahash") {
            faults.push("`ahash` differs between machines".to_owned());
        }
        // Maps elsewhere are fine; taking the hash itself out of them is not.
        for leak in ["AHasher", "RandomState", "hash_one"] {
            if source.mentions(leak) {
                faults.push(format!("`{leak}` lets a hash out that differs between machines"));
            }
        }
        faults
    });
    assert_eq!(faults, "");
}

/// What the checks themselves understand of a source.
#[test]
fn the_reader_of_sources_sees_what_it_should() {
    let text = "//! Doc of crate::doc.\nuse crate::board::{self, Square};\nuse crate::{eval::Eval, game};\n// crate::comment\nfn one() { crate::table::x() }\nfn two(\n    a: u8,\n) -> u8 {\n    a\n}\n\n#[cfg(test)]\nmod tests {\n    use crate::search::Limits;\n}\n";
    let source = Source::new("search/mod.rs", text);
    assert_eq!(source.module, "search");
    assert_eq!(source.uses(), ["board", "eval", "game", "table"]);
    assert_eq!(source.functions(), [("one".to_owned(), 1), ("two".to_owned(), 5)]);
    assert_eq!(source.lines.len(), 11);
    assert!(source.mentions("Square") && !source.mentions("Limits") && !source.mentions("comment"));
    assert_eq!(Source::new("eval/mod.rs", "use super::search::Level;\n").uses(), ["search"]);
}

/// A file under `src`, without its unit tests.
struct Source {
    /// Path under `src`, with `/`.
    name: String,
    /// The top-level module it belongs to.
    module: String,
    lines: Vec<String>,
}

impl Source {
    fn new(name: &str, text: &str) -> Self {
        let module = name.split('/').next().unwrap_or(name).trim_end_matches(".rs").to_owned();
        Self { name: name.to_owned(), module, lines: without_tests(text) }
    }

    /// The lines without their comments.
    fn code(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.split_once("//").map_or(line.as_str(), |(code, _)| code))
    }

    fn mentions(&self, what: &str) -> bool {
        self.code().any(|line| line.contains(what))
    }

    /// The top-level modules it names: after `crate::`, in `crate::{…}`, or by `super::` from a top-level file.
    fn uses(&self) -> Vec<String> {
        let code: String = self.code().fold(String::new(), |code, line| code + line + "\n");
        let mut used = Vec::new();
        for (at, path) in code.match_indices("crate::") {
            let rest = &code[at + path.len()..];
            match rest.strip_prefix('{') {
                Some(group) => used.extend(names_in_group(group)),
                None => used.extend(words(rest).next().map(str::to_owned)),
            }
        }
        if self.name.ends_with("/mod.rs") && self.name.matches('/').count() == 1 || !self.name.contains('/') {
            let siblings =
                code.match_indices("super::").filter_map(|(at, path)| words(&code[at + path.len()..]).next());
            used.extend(siblings.filter(|name| floor(name).is_some()).map(str::to_owned));
        }
        used.sort();
        used.dedup();
        used
    }

    /// Each function with the number of its lines, as laid out by rustfmt.
    fn functions(&self) -> Vec<(String, usize)> {
        let mut functions = Vec::new();
        for (start, line) in self.lines.iter().enumerate() {
            let Some(name) = function_name(line) else { continue };
            let indent = &line[..line.len() - line.trim_start().len()];
            let one_line = line.ends_with('}') || line.ends_with(';');
            let ends = |line: &String| {
                line.strip_prefix(indent)
                    .is_some_and(|rest| rest == "}" || rest == ");" || (rest.starts_with(')') && rest.ends_with(';')))
            };
            let length = if one_line { Some(0) } else { self.lines[start..].iter().position(ends) };
            functions.push((name.to_owned(), length.unwrap_or(self.lines.len() - start) + 1));
        }
        functions
    }
}

/// The first names of the paths in a group, up to its closing brace.
fn names_in_group(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut fresh) = (0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if c.is_alphabetic() && fresh => {
                names.extend(words(&group[at..]).next().map(str::to_owned));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

/// The name of the function that a line begins to define.
fn function_name(line: &str) -> Option<&str> {
    let mut before = words(line).take_while(|word| *word != "fn");
    let qualifiers = ["pub", "crate", "super", "const", "unsafe", "async", "extern", "C", "in"];
    let is_definition = line.contains("fn ") && before.all(|word| qualifiers.contains(&word));
    if is_definition { words(line).skip_while(|word| *word != "fn").nth(1) } else { None }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The lines outside modules that are compiled for tests only.
fn without_tests(text: &str) -> Vec<String> {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let for_tests = line.starts_with("#[cfg(") && words(line).any(|word| word == "test");
        let is_module = lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'));
        if for_tests && is_module {
            lines.by_ref().find(|line| *line == "}");
        } else {
            kept.push(line.to_owned());
        }
    }
    kept
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Every fault that `check` finds in the sources, one a line.
fn faults(check: impl Fn(&Source) -> Vec<String>) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut report = String::new();
    for path in rust_files(&root) {
        let name = path.strip_prefix(&root).expect("files lie under their root").to_string_lossy().replace('\\', "/");
        let source = Source::new(&name, &fs::read_to_string(&path).expect("sources can be read"));
        let is_root = name == "lib.rs" || name == "main.rs";
        for fault in check(&source) {
            if !(is_root && fault.contains("stands on no floor")) {
                writeln!(report, "src/{name}: {fault}").expect("a string can be written to");
            }
        }
    }
    report
}

/// The sources below a folder, without files of unit tests.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
