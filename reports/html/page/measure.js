// Sums up a measured interval: ops, busy time and bytes of each engine, and the threads' CUDA calls.
import {makeTrack, firstFrom, entriesIn} from './tracks.js';
import {busyUntil, movedUntil} from './sums.js';
import {gapsOf} from './find.js';
import {engineWords} from './draw.js';
import {formatNs, formatInstant, formatBytes, formatRate, formatShare} from './words.js';

// Returns a track whose entries are the times at which any of these tracks was busy.
export function unionOfTracks(tracks) {
  const filled = tracks.filter((track) => track.start.length > 0);
  if (filled.length === 0) return makeTrack({}, {start: new Float64Array(0), end: new Float64Array(0)});
  const gaps = gapsOf(filled, 1);
  const first = filled.reduce((least, {start}) => Math.min(least, start[0]), Infinity);
  const last = filled.reduce((most, {end}) => Math.max(most, end[end.length - 1]), 0);
  return makeTrack({}, {
    start: Float64Array.from([first, ...gaps.map(({end}) => end)]),
    end: Float64Array.from([...gaps.map(({start}) => start), last]),
  });
}

// Returns the tracks that are summed up together, from top to bottom: those of each device, of each engine, and
// the calls of each thread.
export function groupsOf({tracks}) {
  const groups = new Map();
  const add = (key, kind, label, track) => {
    if (!groups.has(key)) groups.set(key, {label, kind, tracks: [], union: null});
    groups.get(key).tracks.push(track);
  };
  for (const track of tracks) {
    if (track.kind === 'op') {
      add(`${track.device}`, 'device', `device ${track.device}`, track);
      add(`${track.device} ${track.engine}`, track.engine === 'compute' ? 'compute' : 'copies', `  ${engineWords[track.engine]}`, track);
    } else if (track.kind === 'call') {
      const label = `thread ${track.tid} of process ${track.pid}`;
      add(label, 'thread', label, track);
    }
  }
  return [...groups.values()];
}

// Returns the union of a group's tracks. It is computed once, as it sorts all entries.
export function unionOf(group) {
  group.union = group.union || unionOfTracks(group.tracks);
  return group.union;
}

function countIn({start, end, others}, from, to) {
  let first = firstFrom(start, from);
  if (first > 0 && end[first - 1] > from) --first;
  const last = firstFrom(start, to);
  if (!others) return Math.max(last - first, 0);
  let count = 0;
  for (let i = first; i < last; ++i) count += entriesIn({others}, i);
  return count;
}

// Returns, for a group in [from, to): the number of entries that overlap it, the time in which at least one was
// active, and the bytes. A copy across an edge counts with the part inside. For joined ops, the time is limited
// to that of the ops themselves.
export function sumsIn(group, from, to) {
  const total = (f) => group.tracks.reduce((sum, track) => sum + f(track), 0);
  const inside = (track, until) => until(track, to) - until(track, from);
  return {
    count: total((track) => countIn(track, from, to)),
    busy: Math.min(inside(unionOf(group), busyUntil), total((track) => inside(track, busyUntil))),
    bytes: total((track) => (track.moved ? inside(track, movedUntil) : 0)),
  };
}

function lineOf({label, kind}, {count, busy, bytes}, length) {
  const many = (what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
  if (kind === 'thread') return `${label}: ${many('CUDA call')}, in them for ${formatNs(busy)}`;
  // A rate says nothing if kernels take most of the time.
  const rate = kind === 'copies' && busy > 0 ? `, ${formatRate(bytes / busy * 1e9)} while busy` : '';
  const moved = kind !== 'device' && bytes >= 1 ? `, ${formatBytes(Math.round(bytes))}${rate}` : '';
  return `${label}: ${many('op')}, busy for ${formatNs(busy)} (${formatShare(busy, length)})${moved}`;
}

// Describes an interval in lines: its length, its --window option, and its content. `first` is the first op's
// start.
export function describeInterval(groups, {from, to}, first) {
  const length = to - from;
  const ms = (ns) => (ns / 1e6).toFixed(6);
  const lines = [`measured ${formatNs(length)}, from ${formatInstant(from - first)} to ${formatInstant(to - first)}` +
      (from >= first ? ` (--window ${ms(from - first)} ${ms(to - first)})` : '')];
  for (const group of groups) {
    const sums = sumsIn(group, from, to);
    if (sums.count > 0) lines.push(lineOf(group, sums, length));
  }
  return lines;
}
