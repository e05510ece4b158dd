// What is looked for in a timeline: names, gaps, what is beside an entry, and where an interval of a finding lies.
import {firstFrom, entryAt} from './tracks.js';

// Which names hold all words of a query, whatever their case: a flag for each; null for no query.
export function matchingNames(names, query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const flags = new Uint8Array(names.length);
  names.forEach((name, i) => {
    const lower = name.toLowerCase();
    if (words.every((word) => lower.includes(word))) flags[i] = 1;
  });
  return flags;
}

export function countMatches(tracks, flags) {
  let count = 0;
  for (const track of tracks) for (let i = 0; i < track.name.length; ++i) count += flags[track.name[i]];
  return count;
}

// The entry with a matching name that starts next after `time`, or before it (direction -1), going
// round at the end: {track, i}, or null when nothing matches.
export function nextMatch(tracks, flags, time, direction) {
  let best = null;
  let round = null;
  const nearer = (a, b) => b === null || direction * (a.track.start[a.i] - b.track.start[b.i]) < 0;
  for (const track of tracks) {
    const {start, name} = track;
    const size = start.length;
    if (size === 0) continue;
    const first = direction > 0 ? firstFrom(start, time + 1e-6) : firstFrom(start, time) - 1;
    for (let i = first; i >= 0 && i < size; i += direction) {
      if (!flags[name[i]]) continue;
      if (nearer({track, i}, best)) best = {track, i};
      break;
    }
    if (best !== null) continue;
    for (let i = direction > 0 ? 0 : size - 1; i >= 0 && i < size; i += direction) {
      if (!flags[name[i]]) continue;
      if (nearer({track, i}, round)) round = {track, i};
      break;
    }
  }
  return best || round;
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

// The gap that comes next after an instant (or before it), going round.
export function nextGap(gaps, time, direction) {
  if (gaps.length === 0) return null;
  const starts = Float64Array.from(gaps, (gap) => gap.start);
  const i = direction > 0 ? firstFrom(starts, time + 1e-6) : firstFrom(starts, time) - 1;
  return gaps[(i + gaps.length) % gaps.length];
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
