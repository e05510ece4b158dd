// Returns time and bytes until an instant, from prefix sums over the entries. The mean over any interval is an
// exact difference of two such values, at every zoom. Within a joined entry, time is spread evenly.
import {firstFrom, busyWithin} from './tracks.js';

// Returns how long the track was busy until `time`. `next` is the first entry that starts at `time` or later.
export function busyBefore(track, next, time) {
  return next === 0 ? 0 : track.busy[next - 1] + busyWithin(track, next - 1, time);
}

// Likewise, without `next`. All entries before `hint` must start before `time`.
export function busyUntil(track, time, hint = 0) {
  return busyBefore(track, firstFrom(track.start, time, hint), time);
}

// Returns how many bytes the track had moved until `time`. A copy counts at a constant rate.
export function movedUntil(track, time, hint = 0) {
  const i = firstFrom(track.start, time, hint) - 1;
  if (i < 0) return 0;
  const length = track.end[i] - track.start[i];
  const share = length > 0 ? Math.min(time - track.start[i], length) / length : 1;
  return track.moved[i] + track.bytes[i] * share;
}

// Divides [from, to) into `width` equal parts. Returns for each the mean increase of `until` per ns, summed
// over all tracks.
export function meansOver(tracks, until, from, to, width) {
  const means = new Float64Array(width);
  const step = (to - from) / width;
  for (const track of tracks) {
    let before = until(track, from);
    let hint = firstFrom(track.start, from);
    for (let x = 0; x < width; ++x) {
      const time = from + (x + 1) * step;
      hint = firstFrom(track.start, time, hint);
      const now = until(track, time, hint);
      means[x] += (now - before) / step;
      before = now;
    }
  }
  return means;
}
