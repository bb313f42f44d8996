//! Files on disk: one that appears whole or not at all.
//!
//! Owns how things are written so that a crash at any moment leaves the old file or the new one; must not know what is in
//! them. The core uses no files. Start reading at [`AtomicFile`].

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Output to a file that takes the place of an older one only when it is complete: it is written beside it, synced and
/// renamed. Dropped before [`AtomicFile::commit`], it leaves nothing behind and the older file as it was.
///
/// A path that is there but no regular file, such as a pipe, is written to as it is.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    /// Where it is being written and where it will be; `None` once it is there, or if it is written in place.
    pending: Option<(PathBuf, PathBuf)>,
}

impl AtomicFile {
    /// Starts a file that will be at `path`.
    ///
    /// # Errors
    /// If no file can be made beside it.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A link stays one, and what it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let older = fs::metadata(&path).ok();
        if older.as_ref().is_some_and(|older| !older.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self { out: BufWriter::new(file), pending: None });
        }
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let mut unfinished_name = std::ffi::OsString::from(".");
        unfinished_name.push(name);
        unfinished_name.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = path.with_file_name(unfinished_name);
        let file = OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
        let created = Self { out: BufWriter::new(file), pending: Some((unfinished, path)) };
        if let Some(older) = older {
            created.out.get_ref().set_permissions(older.permissions())?;
        }
        Ok(created)
    }

    /// Makes the file appear.
    ///
    /// # Errors
    /// If it cannot be written or renamed; then it does not appear.
    pub fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some((unfinished, path)) = self.pending.clone() {
            self.out.get_ref().sync_all()?;
            fs::rename(unfinished, &path)?;
            self.pending = None;
            sync_folder(&path);
        }
        Ok(())
    }
}

/// Makes the new name last through a loss of power, where the system offers that; the file itself is safe already.
fn sync_folder(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}

/// Writes a whole file, or leaves the older one as it was.
///
/// # Errors
/// What the system says.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = self.pending.take() {
            let _ = fs::remove_file(unfinished);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("オセロ games.txt");
        fs::write(&path, "old").unwrap();

        let mut given_up = AtomicFile::create(&path).unwrap();
        given_up.write_all(b"half").unwrap();
        given_up.flush().unwrap();
        drop(given_up);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");

        let mut done = AtomicFile::create(&path).unwrap();
        done.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        done.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names_in(folder.path()), ["オセロ games.txt"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(AtomicFile::create(&folder.path().join("none/x.txt")).is_err());
        assert!(AtomicFile::create(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    }
}
