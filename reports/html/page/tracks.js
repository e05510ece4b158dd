// A track is one row of the drawing. Its entries do not overlap and are sorted by start. Each property is a
// column:
// start, end: Float64Array (ns). name: Uint32Array. busy: busy time of all entries before this one.
// Ops: bytes; moved (bytes of all entries before; null without bytes); call; geometry (-1: none); gapCause (1 +
// the cause; 0: unknown). geometry and gapCause are null if no entry has one.
// Calls: number; site (-1: unknown; null if no call has one).
// Host work between calls: work, an index into the model's hostWork.
// Joined entries: others (how many were joined to each) and idle (time in the entry without any of its ops;
// negative if several ran at a time). Both are null if nothing was joined.

// Returns for each entry, by start, the first row on which it overlaps no other.
export function rowsOf(start, end) {
  const rows = new Uint16Array(start.length);
  const free = [];
  for (let i = 0; i < start.length; ++i) {
    let row = 0;
    while (row < free.length && free[row] > start[i]) ++row;
    if (row === free.length) free.push(0);
    free[row] = end[i];
    rows[i] = Math.min(row, 65535);
  }
  return {rows, count: free.length};
}

function overlap(start, end) {
  for (let i = 1; i < start.length; ++i) if (start[i] < end[i - 1]) return true;
  return false;
}

function busySums({start, end, idle}) {
  const size = start.length;
  const sums = new Float64Array(size + 1);
  for (let i = 0; i < size; ++i) sums[i + 1] = sums[i] + end[i] - start[i];
  if (!idle) return sums;
  for (let i = 0, all = 0; i < size; ++i) sums[i + 1] -= all += idle[i];
  return sums;
}

// Returns null if no entry has bytes.
function movedSums(bytes) {
  let first = 0;
  while (first < bytes.length && bytes[first] === 0) ++first;
  if (first === bytes.length) return null;
  const sums = new Float64Array(bytes.length + 1);
  for (let i = first; i < bytes.length; ++i) sums[i + 1] = sums[i] + bytes[i];
  return sums;
}

export function makeTrack(facts, columns) {
  return {...facts, ...columns, busy: busySums(columns), moved: columns.bytes ? movedSums(columns.bytes) : null};
}

// Returns how long an entry's ops ran from its start until `time`. A joined entry counts at a constant rate.
export function busyWithin({start, end, idle, busy}, i, time) {
  const inside = Math.min(time, end[i]) - start[i];
  return idle && idle[i] !== 0 ? inside / (end[i] - start[i]) * (busy[i + 1] - busy[i]) : inside;
}

// Returns the number of ops, calls or ranges in an entry.
export function entriesIn({others}, i) {
  return others ? others[i] + 1 : 1;
}

function gathered(column, picked) {
  const result = new column.constructor(picked.length);
  for (let i = 0; i < picked.length; ++i) result[i] = column[picked[i]];
  return result;
}

// Makes one track for each row of columns that may overlap.
export function makeTracks(facts, columns) {
  if (!overlap(columns.start, columns.end)) return [makeTrack({...facts, row: 0, rows: 1}, columns)];
  const {rows, count} = rowsOf(columns.start, columns.end);
  const sizes = new Uint32Array(count);
  for (let i = 0; i < rows.length; ++i) ++sizes[rows[i]];
  const places = Array.from(sizes, (size) => new Uint32Array(size));
  sizes.fill(0);
  for (let i = 0; i < rows.length; ++i) places[rows[i]][sizes[rows[i]]++] = i;
  const tracks = [];
  for (const [row, picked] of places.entries()) {
    const own = {};
    for (const [name, column] of Object.entries(columns)) own[name] = column && gathered(column, picked);
    tracks.push(makeTrack({...facts, row, rows: count}, own));
  }
  return tracks;
}

// Returns the first entry from `low` on that starts at `time` or later. Doubles its steps, then bisects, so
// that a near entry is found quickly.
export function firstFrom(start, time, low = 0) {
  let high = low;
  for (let step = 1; high < start.length && start[high] < time; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, start.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (start[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

// Returns the first entry that starts after `time`. Starts are integers; `time` need not be one.
export function firstAfter(start, time) {
  return firstFrom(start, Math.floor(time) + 1);
}

// Returns the entry at an instant, or the nearest one within `reach`; -1 if there is none.
export function entryAt(track, time, reach) {
  const after = firstAfter(track.start, time);
  if (after > 0 && track.end[after - 1] >= time) return after - 1;
  let best = -1;
  let distance = reach;
  if (after > 0 && time - track.end[after - 1] <= distance) {
    best = after - 1;
    distance = time - track.end[after - 1];
  }
  if (after < track.start.length && track.start[after] - time < distance) best = after;
  return best;
}
