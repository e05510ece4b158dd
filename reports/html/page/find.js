// Searches a timeline for names, gaps, neighbours of an entry, and intervals of findings.
import {firstFrom, firstAfter, entryAt} from './tracks.js';

// Returns a flag for each name that contains all words of a query, ignoring case; null without a query. The
// last names may be those of joined entries. `joined` lists the names in each: it matches if one of these does.
// If its list is empty, its own text must match.
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

// Returns the number of matches {all, joined}: ops, calls and ranges, and those of them inside joined entries.
// `counts` has the number of entries by name before joining; empty if nothing was joined. Host work counts as
// drawn.
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

// Returns the next entry with a matching name after `at`, or before it (direction -1): {track, i}, or null if
// nothing matches. Wraps around at the end. `at` is {time}, or an entry {track, i}. Entries with equal starts
// are ordered by their tracks.
export function nextMatch(tracks, flags, at, direction) {
  const here = at.track ? tracks.indexOf(at.track) : -1;
  const time = at.track ? at.track.start[at.i] : at.time;
  const firstOf = (start, k) => {
    if (k === here) return at.i + direction;
    const isAfter = here >= 0 && k > here;  // also finds entries with the same start
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

// Returns the intervals of at least `shortest` ns, between the first start and the last end, in which no track
// has an entry. In a gap, as many entries have ended as have started.
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

// Sorts gaps by length, the longest first. Gaps that overlap [from, to) come before all others.
export function byLength(gaps, {from, to}) {
  const isIn = (gap) => gap.start < to && gap.end > from;
  return gaps.map((gap) => gap).sort((a, b) => isIn(b) - isIn(a) || (b.end - b.start) - (a.end - a.start));
}

// Returns the item after `one` in a list, or before it (direction -1), wrapping around. Without `one`, returns
// the first, or the last. Null if the list is empty.
export function nextInList(list, one, direction) {
  if (list.length === 0) return null;
  const at = one ? list.indexOf(one) : direction > 0 ? -1 : 0;
  return list[(at + direction + list.length) % list.length];
}

// Returns the next entry of a track, or the previous one (direction -1): {track, i}, or null at the end.
export function alongTrack({track, i}, direction) {
  const next = i + direction;
  return next >= 0 && next < track.start.length ? {track, i: next} : null;
}

// Returns the entry at `time` or nearest to it, in the next lower track that has one, or the next upper one
// (direction -1): {track, i}. Null if there is none.
export function acrossTracks(tracks, from, direction, time) {
  for (let k = from + direction; k >= 0 && k < tracks.length; k += direction) {
    const i = entryAt(tracks[k], time, Infinity);
    if (i >= 0) return {track: tracks[k], i};
  }
  return null;
}

// Returns the entry with exactly these times, or null. If there are several, one that `fits` is preferred.
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

// Returns an entry that contains the interval, for example one that it was joined to; or null.
export function entryAround(tracks, start, end) {
  for (const track of tracks) {
    const i = firstAfter(track.start, start) - 1;
    if (i >= 0 && track.end[i] >= end) return {track, i};
  }
  return null;
}
