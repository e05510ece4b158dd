// A track is what is drawn in one line: entries that do not overlap, by start, a column each.
// start, end: Float64Array (ns); name: Uint32Array; busy: time that entries before this one took.
// Tracks of ops have bytes, moved (bytes of the entries before; null where there are none), call, geometry (-1: none;
// null where no entry has one) and gapCause (1 more than the cause; 0: not known; null likewise); those of calls number and
// site (-1: not known; null likewise); those of what hosts did between calls work, in the model's hostWork.
// Where entries were joined, others says how many to each, and idle for how long none of an entry's ops
// ran from its start to its end, below 0 where several did at a time; else both are null.

// On which row each entry of columns by start can lie without overlapping: the first that is free.
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

// Null where nothing is moved.
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

// How long an entry's ops ran from its start until `time`: as if evenly, where several were joined.
export function busyWithin({start, end, idle, busy}, i, time) {
  const inside = Math.min(time, end[i]) - start[i];
  return idle && idle[i] !== 0 ? inside / (end[i] - start[i]) * (busy[i + 1] - busy[i]) : inside;
}

// How many ops, calls or ranges an entry is.
export function entriesIn({others}, i) {
  return others ? others[i] + 1 : 1;
}

function gathered(column, picked) {
  const result = new column.constructor(picked.length);
  for (let i = 0; i < picked.length; ++i) result[i] = column[picked[i]];
  return result;
}

// The tracks of columns that may overlap: one for each row.
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

// The first entry from `low` on whose start is at `time` or later: in steps that double, and then by
// halving, so that near ones are found at once.
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

// The first entry that starts after `time`, which need be no whole number, as starts are.
export function firstAfter(start, time) {
  return firstFrom(start, Math.floor(time) + 1);
}

// The entry at an instant, or the next one within `reach` of it; -1 when there is none.
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
