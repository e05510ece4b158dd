// Time and bytes up to an instant, exact from sums over the entries before: means over any stretch
// are differences of two of them, at every zoom. Within an entry of several ops that were joined they
// are spread evenly.
import {firstFrom, busyWithin} from './tracks.js';

// How long the track was busy until `time`; `next` is the first entry that does not start earlier.
export function busyBefore(track, next, time) {
  return next === 0 ? 0 : track.busy[next - 1] + busyWithin(track, next - 1, time);
}

// The same; all entries before `hint` start earlier.
export function busyUntil(track, time, hint = 0) {
  return busyBefore(track, firstFrom(track.start, time, hint), time);
}

// How many bytes it had moved, each copy as if evenly over its time.
export function movedUntil(track, time, hint = 0) {
  const i = firstFrom(track.start, time, hint) - 1;
  if (i < 0) return 0;
  const length = track.end[i] - track.start[i];
  const share = length > 0 ? Math.min(time - track.start[i], length) / length : 1;
  return track.moved[i] + track.bytes[i] * share;
}

// The mean of `until`'s increase per ns over each of `width` equal parts of [from, to), of all
// tracks together.
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
