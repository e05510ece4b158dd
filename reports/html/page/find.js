// What is looked for in a timeline: names, gaps, what is beside an entry, and where an interval of a finding lies.
import {firstFrom, firstAfter, entryAt} from './tracks.js';

// Which names hold all words of a query, whatever their case: a flag for each; null for no query. The last
// names may be those of joined entries: such a one matches when one of the names in it does, which
// `joined` lists, or by its text where it lists none.
export function matchingNames(names, query, joined = []) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const flags = new Uint8Array(names.length);
  const own = names.length - joined.length;
  names.forEach((name, i) => {
    const within = i < own ? [] : joined[i - own];
    const lower = name.toLowerCase();
    flags[i] = within.length > 0 ? within.some((one) => flags[one]) : words.every((word) => lower.includes(word));
  });
  return flags;
}

// How many match, {all, joined}: ops, calls and ranges, and those of them that are not drawn by themselves.
// `counts` tells by name how many there were before any were joined; it is empty where none were. What hosts did between
// calls counts as it is drawn.
export function countMatches(tracks, flags, counts = []) {
  let single = 0;
  let between = 0;
  for (const {kind, name, others} of tracks) {
    let found = 0;
    for (let i = 0; i < name.length; ++i) if (!others || others[i] === 0) found += flags[name[i]];
    if (kind === 'host') between += found; else single += found;
  }
  const all = counts.length > 0 ? counts.reduce((sum, count, name) => sum + count * flags[name], 0) : single;
  return {all: all + between, joined: all - single};
}

// The entry with a matching name that comes next after `at`, or before it (direction -1), going round
// at the end: {track, i}, or null when nothing matches. `at` is {time}, or {track, i} of an entry; of
// those that start at one instant, tracks follow one another.
export function nextMatch(tracks, flags, at, direction) {
  const here = at.track ? tracks.indexOf(at.track) : -1;
  const time = at.track ? at.track.start[at.i] : at.time;
  const firstOf = (start, k) => {
    if (k === here) return at.i + direction;
    const isAfter = here >= 0 && k > here;  // what starts with it, too
    if (direction > 0) return isAfter ? firstFrom(start, time) : firstAfter(start, time);
    return (here < 0 || isAfter ? firstFrom(start, time) : firstAfter(start, time)) - 1;
  };
  const search = (first) => {
    let best = null;
    tracks.forEach((track, k) => {
      const {start, name} = track;
      let i = first(start, k);
      while (i >= 0 && i < start.length && !flags[name[i]]) i += direction;
      if (i < 0 || i >= start.length) return;
      const sooner = best && direction * (start[i] - best.track.start[best.i]);
      if (!best || sooner < 0 || (sooner === 0 && direction < 0)) best = {track, i};
    });
    return best;
  };
  return search(firstOf) || search((start) => (direction > 0 ? 0 : start.length - 1));
}

// The stretches of at least `shortest` ns in which none of the tracks has an entry, between the
// first start and the last end: a gap lies where as many entries have ended as have started.
export function gapsOf(tracks, shortest) {
  const size = tracks.reduce((sum, track) => sum + track.start.length, 0);
  const starts = new Float64Array(size);
  const ends = new Float64Array(size);
  let at = 0;
  for (const track of tracks) {
    starts.set(track.start, at);
    ends.set(track.end, at);
    at += track.start.length;
  }
  starts.sort();
  ends.sort();
  const gaps = [];
  for (let k = 1; k < size; ++k) {
    if (starts[k] - ends[k - 1] >= shortest) gaps.push({start: ends[k - 1], end: starts[k]});
  }
  return gaps;
}

// The longest first; those that reach into a stretch before all others.
export function byLength(gaps, {from, to}) {
  const isIn = (gap) => gap.start < to && gap.end > from;
  return gaps.map((gap) => gap).sort((a, b) => isIn(b) - isIn(a) || (b.end - b.start) - (a.end - a.start));
}

// What comes after one of a list (or before it), going round; without one the first, or the last. Null of an empty one.
export function nextInList(list, one, direction) {
  if (list.length === 0) return null;
  const at = one ? list.indexOf(one) : direction > 0 ? -1 : 0;
  return list[(at + direction + list.length) % list.length];
}

// The entry after one of a track, or before it (direction -1): {track, i}, or null at the end.
export function alongTrack({track, i}, direction) {
  const next = i + direction;
  return next >= 0 && next < track.start.length ? {track, i: next} : null;
}

// In the next track below one, or above it (direction -1), the entry at an instant or nearest to it: {track, i}, or
// null when no track that way has any.
export function acrossTracks(tracks, from, direction, time) {
  for (let k = from + direction; k >= 0 && k < tracks.length; k += direction) {
    const i = entryAt(tracks[k], time, Infinity);
    if (i >= 0) return {track: tracks[k], i};
  }
  return null;
}

// The entry with exactly these times, one that `fits` where there are several; null when none has.
export function locate(tracks, start, end, fits = () => true) {
  let found = null;
  for (const track of tracks) {
    for (let i = firstFrom(track.start, start); i < track.start.length && track.start[i] === start; ++i) {
      if (track.end[i] !== end) continue;
      if (fits(track)) return {track, i};
      found = found || {track, i};
    }
  }
  return found;
}

// The entry that a stretch lies within: one that it was joined to, say; or null.
export function entryAround(tracks, start, end) {
  for (const track of tracks) {
    const i = firstAfter(track.start, start) - 1;
    if (i >= 0 && track.end[i] >= end) return {track, i};
  }
  return null;
}
