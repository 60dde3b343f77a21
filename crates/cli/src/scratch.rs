//! `--spill`: what does not fit into memory goes into a file without a name.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use motet_render::Spilled;
use motet_workbench::{Spill, Spilling, no_spill};

use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::resume::refuse;

/// Whether something that was put away could not be read. What panics after that is a consequence, and no fault of the tool.
static UNREADABLE: AtomicBool = AtomicBool::new(false);

/// Whether something that was put away could not be read.
pub(crate) fn is_unreadable() -> bool {
    UNREADABLE.load(Ordering::Relaxed)
}

/// A place in this folder, which is made if it is not there.
pub(crate) fn spilling(host: &Host, folder: &Path) -> Result<Spilling, ExitCode> {
    let scratch = Scratch::create(folder);
    scratch.map(|scratch| Spilling::new(Box::new(scratch))).map_err(|error| {
        let path = folder.display().to_string();
        refuse(host, &path, |span| no_spill(span, &path, &error.to_string()))
    })
}

/// What was put away in this folder, if anything was or was to be.
pub(crate) fn spilled(spilling: &Spilling, folder: &Path) -> Option<Spilled> {
    let full = spilling.full().map(str::to_owned);
    let some = spilling.bytes() > 0 || full.is_some();
    some.then(|| Spilled { bytes: spilling.bytes(), folder: folder.display().to_string(), full })
}

/// A file that is gone when the program ends, however it ends.
struct Scratch {
    file: File,
}

impl Scratch {
    fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("motet-{}.spill", std::process::id()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        Ok(Self { file: nameless(&mut options, &path)? })
    }
}

#[cfg(unix)]
fn nameless(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.open(path)?;
    // It stays as long as it is open.
    std::fs::remove_file(path)?;
    Ok(file)
}

#[cfg(windows)]
fn nameless(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE).open(path)
}

impl Spill for Scratch {
    fn write(&self, place: u64, page: &[u8]) -> io::Result<()> {
        write_at(&self.file, page, place)
    }

    fn read(&self, place: u64, out: &mut [u8]) -> io::Result<()> {
        read_at(&self.file, out, place).inspect_err(|_| UNREADABLE.store(true, Ordering::Relaxed))
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, place)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, place)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            done => (bytes, place) = (&bytes[done..], place + done as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, mut out: &mut [u8], mut place: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            done => (out, place) = (&mut out[done..], place + done as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_without_a_name_keeps_what_it_is_given() {
        let folder = std::env::temp_dir().join(format!("motet-scratch-{}", std::process::id()));
        let scratch = Scratch::create(&folder.join("deep")).expect("the folder is made");
        assert_eq!(std::fs::read_dir(folder.join("deep")).expect("it is there").count(), 0);
        for place in [0, 8192, 4096] {
            let page = [u8::try_from(place / 4096).expect("small") + 1; 4096];
            scratch.write(place, &page).expect("there is room");
        }
        let mut out = [0; 8192];
        scratch.read(2048, &mut out).expect("it is there");
        assert_eq!((out[2047], out[2048], out[6143], out[6144]), (1, 2, 2, 3));
        assert!(scratch.read(8192, &mut out).is_err(), "that is behind the end");
        std::fs::remove_dir_all(folder).expect("it is empty");
    }
}
