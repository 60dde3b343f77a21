//! Reads a model from disk. Whatever is wrong with a path becomes a problem, never a crash.

use std::path::{Path, PathBuf};

use motet_workbench::{
    CLAIMS_EXTENSIONS, InputFault, Problems, Sources, Span, input_problem, model_extensions, suggest,
};

/// Larger files are data that got the wrong name.
const LIMIT_BYTES: u64 = 8 << 20;
/// Nets that programs write are larger: a coloured net may spell out every colour.
const LIMIT_BYTES_NET: u64 = 512 << 20;
/// Traces tell every situation of every run.
const LIMIT_BYTES_TRACE: u64 = 128 << 20;
/// More files than this are not one model.
const LIMIT_FILES: usize = 2_000;
/// Where Jason projects keep their agents.
const AGENT_FOLDERS: &[&str] = &["asl", "src/asl", "src/agt"];
/// Brahms packages and sEnglish agents are folders; deeper ones are not part of one model.
const LIMIT_DEPTH: usize = 8;
/// What a model's author says about it beside the texts: rules, bounds, stubs.
const SIDECAR: &str = "motet.toml";

/// Everything that belongs to the model at a path, and what was wrong with reading it.
pub(crate) fn read_model(path: &Path) -> (Sources, Problems) {
    let mut reader = Reader { sources: Sources::new(), problems: Problems::new() };
    if path.is_dir() {
        let files = folder_files(path);
        let models = files.iter().filter(|file| is_model(file)).count();
        if models == 0 {
            reader.fault(InputFault::NoModel, path, "");
        } else {
            files.iter().for_each(|file| reader.read(file));
        }
    } else if path.exists() {
        file_with_company(path).iter().for_each(|file| reader.read(file));
    } else {
        reader.fault(InputFault::Missing, path, &nearest(path).unwrap_or_default());
    }
    (reader.sources, reader.problems)
}

/// One file, as it is.
pub(crate) fn read_file(path: &Path) -> (Sources, Problems) {
    let mut reader = Reader { sources: Sources::new(), problems: Problems::new() };
    if path.exists() {
        reader.read(path);
    } else {
        reader.fault(InputFault::Missing, path, &nearest(path).unwrap_or_default());
    }
    (reader.sources, reader.problems)
}

/// The files of a folder with these extensions, in the order of their names.
pub(crate) fn read_folder(folder: &Path, extensions: &[&str]) -> (Sources, Problems) {
    let mut reader = Reader { sources: Sources::new(), problems: Problems::new() };
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && has_extension(path, extensions))
        .collect();
    files.sort();
    files.iter().take(LIMIT_FILES).for_each(|file| reader.read(file));
    (reader.sources, reader.problems)
}

/// The claims files at a path: itself, or those in a folder.
pub(crate) fn claims_files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        return folder_files(path)
            .into_iter()
            .filter(|file| has_extension(file, CLAIMS_EXTENSIONS))
            .collect();
    }
    vec![path.to_path_buf()]
}

/// A team file comes with the agents and claims beside it; a single agent with the claims of the same name; a claims
/// file with the model beside it.
fn file_with_company(path: &Path) -> Vec<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut files: Vec<PathBuf> = folder_files(folder)
        .into_iter()
        .map(|file| file.strip_prefix(".").map(Path::to_path_buf).unwrap_or(file))
        .filter(|file| file != path)
        .collect();
    let claims = |file: &PathBuf| has_extension(file, CLAIMS_EXTENSIONS);
    if has_extension(path, CLAIMS_EXTENSIONS) {
        files.retain(|file| !claims(file));
    } else if is_team(path) {
        files.retain(|file| !is_team(file));
    } else {
        let packaged = is_brahms(path) && speaks_of_packages(path);
        files.retain(|file| {
            let own_claims = claims(file) && file.file_stem() == path.file_stem();
            let skills = is_senglish(path) && is_senglish(file) && !has_extension(file, &["sej"]);
            own_claims || skills || (is_brahms(path) && is_sidecar(file)) || (packaged && is_brahms(file))
        });
    }
    files.push(path.to_path_buf());
    files.sort();
    files
}

/// Files of a model's folder in the order of their names.
fn folder_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let agent_folders = AGENT_FOLDERS.iter().map(|inner| folder.join(inner));
    for place in std::iter::once(folder.to_path_buf()).chain(agent_folders) {
        let Ok(entries) = std::fs::read_dir(&place) else { continue };
        let wanted = |path: &PathBuf| {
            path.is_file() && (is_model(path) || is_sidecar(path) || has_extension(path, CLAIMS_EXTENSIONS))
        };
        let mut found: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(wanted).collect();
        found.sort();
        files.extend(found);
    }
    if files.iter().any(|file| speaks_of_packages(file)) || !files.iter().any(|file| is_model(file)) {
        inner_files(folder, LIMIT_DEPTH, is_brahms, &mut files);
    }
    if files.iter().any(|file| is_senglish(file)) || !files.iter().any(|file| is_model(file)) {
        inner_files(folder, LIMIT_DEPTH, is_senglish, &mut files);
    }
    files.truncate(LIMIT_FILES);
    files
}

/// Adds the files of one language in the folders inside: packages of Brahms, agents and skills of sEnglish.
fn inner_files(folder: &Path, depth: usize, wanted: fn(&Path) -> bool, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut inner: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_package(path)).collect();
    inner.sort();
    for folder in inner.into_iter().take(LIMIT_FILES) {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let new = |path: &PathBuf| path.is_file() && wanted(path) && !files.contains(path);
        let mut found: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(new).collect();
        found.sort();
        files.extend(found);
        if depth > 1 && files.len() < LIMIT_FILES {
            inner_files(&folder, depth - 1, wanted, files);
        }
    }
}

/// A folder that can be a package: links could lead in circles, and hidden folders hold no models.
fn is_package(path: &Path) -> bool {
    let named = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| !name.starts_with('.'));
    named && path.is_dir() && !path.is_symlink()
}

/// Whether a Brahms file may need others: it imports something, or is part of a package.
fn speaks_of_packages(path: &Path) -> bool {
    let small = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LIMIT_BYTES);
    let speaks = |bytes: Vec<u8>| {
        let text = String::from_utf8_lossy(&bytes);
        text.lines().any(|line| {
            let line = line.trim_start();
            ["import ", "import\t", "package ", "package\t"].iter().any(|word| line.starts_with(word))
        })
    };
    is_brahms(path) && small && std::fs::read(path).is_ok_and(speaks)
}

fn is_model(path: &Path) -> bool {
    has_extension(path, &model_extensions())
}

fn is_brahms(path: &Path) -> bool {
    has_extension(path, &["b"])
}

fn is_senglish(path: &Path) -> bool {
    has_extension(path, &["sej", "sep", "ont"])
}

fn is_sidecar(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == SIDECAR)
}

fn is_team(path: &Path) -> bool {
    has_extension(path, &["team", "mas2j"])
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let found = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension))
}

/// The path beside a missing one whose name is nearest.
fn nearest(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(LIMIT_FILES)
        .collect();
    names.sort();
    let near = suggest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

struct Reader {
    sources: Sources,
    problems: Problems,
}

impl Reader {
    fn read(&mut self, path: &Path) {
        let size = match std::fs::metadata(path) {
            // Reading a pipe or a device might never end.
            Ok(metadata) if !metadata.is_file() => {
                return self.fault(InputFault::Unreadable, path, "it is not a regular file");
            }
            Ok(metadata) => metadata.len(),
            Err(error) => return self.fault(InputFault::Unreadable, path, &error.to_string()),
        };
        let limit = match path {
            path if has_extension(path, &["pnml", "net"]) => LIMIT_BYTES_NET,
            path if has_extension(path, &["json"]) => LIMIT_BYTES_TRACE,
            _ => LIMIT_BYTES,
        };
        if size > limit {
            return self.fault(InputFault::TooLarge, path, &motet_render::bytes(size));
        }
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.fault(InputFault::Unreadable, path, &error.to_string()),
        };
        let text = String::from_utf8(bytes).or_else(|error| {
            // Brahms models of the nineties are Latin-1, where every byte is the character of its number.
            let bytes = error.into_bytes();
            if is_brahms(path) { Ok(bytes.into_iter().map(char::from).collect()) } else { Err(()) }
        });
        match text {
            Ok(text) if !text.contains('\0') => {
                let path = path.strip_prefix(".").unwrap_or(path);
                self.sources.add(path.display().to_string(), text);
            }
            _ => self.fault(InputFault::NotText, path, ""),
        }
    }

    /// A problem is shown at a file, so a path without a readable one gets an empty text.
    fn fault(&mut self, fault: InputFault, path: &Path, detail: &str) {
        let path = path.display().to_string();
        let file = self.sources.add(path.clone(), "");
        self.problems.push(input_problem(fault, Span::new(file, 0, 0), &path, detail));
    }
}
