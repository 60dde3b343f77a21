//! Reads a model from disk. Whatever is wrong with a path becomes a problem, never a crash.

use std::path::{Path, PathBuf};

use motet_workbench::{
    CLAIMS_EXTENSIONS, InputFault, Problems, Sources, Span, input_problem, model_extensions, suggest,
};

/// Larger files are data that got the wrong name.
const LIMIT_BYTES: u64 = 8 << 20;
/// More files than this are not one model.
const LIMIT_FILES: usize = 2_000;
/// Where Jason projects keep their agents.
const AGENT_FOLDERS: &[&str] = &["asl", "src/asl", "src/agt"];

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
        files.retain(|file| claims(file) && file.file_stem() == path.file_stem());
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
        let wanted =
            |path: &PathBuf| path.is_file() && (is_model(path) || has_extension(path, CLAIMS_EXTENSIONS));
        let mut found: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(wanted).collect();
        found.sort();
        files.extend(found);
    }
    files.truncate(LIMIT_FILES);
    files
}

fn is_model(path: &Path) -> bool {
    has_extension(path, &model_extensions())
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
        if size > LIMIT_BYTES {
            return self.fault(InputFault::TooLarge, path, &motet_render::bytes(size));
        }
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.fault(InputFault::Unreadable, path, &error.to_string()),
        };
        match String::from_utf8(bytes) {
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
