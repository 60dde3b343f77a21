//! The chunks of one list that were put away: always the oldest ones.

use super::Spilling;
use super::lines::LINE;

/// What lists are made of.
pub(crate) trait Cell: Copy {
    /// As bytes; their number divides a line.
    type Bytes: AsRef<[u8]>;

    fn to_bytes(self) -> Self::Bytes;

    /// The cell that these bytes were made of.
    fn of_bytes(bytes: &[u8]) -> Self;

    /// The cell at this place of a page.
    fn fetch(spilling: &Spilling, place: u64) -> Self;
}

macro_rules! cells {
    ($($number:ty),*) => {$(
        impl Cell for $number {
            type Bytes = [u8; size_of::<$number>()];

            fn to_bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }

            fn of_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("as many bytes as a cell has"))
            }

            fn fetch(spilling: &Spilling, place: u64) -> Self {
                Self::from_le_bytes(spilling.line(place))
            }
        }
    )*};
}

cells!(u8, u16, u32, u64, u128);

/// Where two numbers are kept together, as one.
impl Cell for [u32; 2] {
    type Bytes = [u8; 8];

    fn to_bytes(self) -> [u8; 8] {
        (u64::from(self[0]) | u64::from(self[1]) << u32::BITS).to_le_bytes()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let (one, two) = bytes.split_at(4);
        [u32::of_bytes(one), u32::of_bytes(two)]
    }

    fn fetch(spilling: &Spilling, place: u64) -> Self {
        Self::of_bytes(&u64::fetch(spilling, place).to_le_bytes())
    }
}

impl Cell for (u64, u32) {
    type Bytes = [u8; 16];

    fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.0) | u128::from(self.1) << u64::BITS).to_le_bytes()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        (u64::of_bytes(&bytes[..8]), u32::of_bytes(&bytes[8..12]))
    }

    fn fetch(spilling: &Spilling, place: u64) -> Self {
        Self::of_bytes(&u128::fetch(spilling, place).to_le_bytes())
    }
}

impl Spilling {
    fn line<const N: usize>(&self, place: u64) -> [u8; N] {
        self.0.lines.get(place, |start, out| self.read(start, out))
    }
}

/// Where the chunks of a list are that were put away, from the first one on.
#[derive(Debug, Default)]
pub(crate) struct Attic {
    places: Vec<u64>,
    /// Bytes per chunk.
    size: usize,
    home: Option<Spilling>,
}

impl Attic {
    /// How many chunks are away.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Where they are.
    pub(crate) fn home(&self) -> Option<&Spilling> {
        self.home.as_ref()
    }

    /// Puts the next chunk away, and says whether there was room for it. All chunks are of the same size.
    pub(crate) fn put<C: Cell>(&mut self, home: &Spilling, cells: impl Iterator<Item = C>) -> bool {
        if home.full().is_some() {
            return false;
        }
        let mut page = Vec::with_capacity(self.size);
        cells.for_each(|cell| page.extend_from_slice(cell.to_bytes().as_ref()));
        page.resize(page.len().next_multiple_of(LINE), 0);
        let Some(place) = home.put(&page) else { return false };
        debug_assert!(self.places.is_empty() || self.size == page.len(), "chunks are of the same size");
        self.places.push(place);
        self.size = page.len();
        self.home.get_or_insert_with(|| home.clone());
        true
    }

    /// A cell of a chunk that is away.
    pub(crate) fn get<C: Cell>(&self, chunk: usize, at: usize) -> C {
        let home = self.home.as_ref().expect("an element that was asked for is in the list");
        C::fetch(home, self.places[chunk] + (at * size_of::<C::Bytes>()) as u64)
    }

    /// Takes back the chunk that was put away last: so many cells of it.
    pub(crate) fn take<C: Cell>(&mut self, cells: usize) -> Option<Vec<C>> {
        let page = self.page(self.places.len().checked_sub(1)?);
        if let (Some(home), Some(place)) = (&self.home, self.places.pop()) {
            home.give_back(place, self.size);
        }
        Some(page.chunks_exact(size_of::<C::Bytes>()).take(cells).map(C::of_bytes).collect())
    }

    /// All bytes of a chunk that is away.
    pub(crate) fn page(&self, chunk: usize) -> Vec<u8> {
        let mut page = vec![0; self.size];
        if let Some(home) = &self.home {
            home.read(self.places[chunk], &mut page);
        }
        page
    }
}

impl Drop for Attic {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            self.places.iter().for_each(|&place| home.give_back(place, self.size));
        }
    }
}
