// Reduces a track to what is visible at a zoom. Wide entries are drawn one by one. The others become columns of
// one pixel with a busy share. The cost depends on the number of pixels, not of entries.
import {firstFrom} from './tracks.js';
import {busyUntil, busyBefore} from './sums.js';

export const wideFrom = 3;  // pixels

// Calls wide(i, left, right) for a wide entry, and column(x, share, i) for a column. Positions are pixels in
// [0, width). The `i` of a column is the entry at its first busy instant.
export function levelOf(track, from, to, width, wide, column) {
  const {start, end} = track;
  const scale = width / (to - from);
  const pixel = 1 / scale;
  let i = firstFrom(start, from);
  if (i > 0 && end[i - 1] > from) --i;
  let x = 0;  // columns to the left are done
  let busy = -1;  // busy time until column x; -1: unknown
  while (i < start.length && x < width) {
    const left = (start[i] - from) * scale;
    if (left >= width) return;
    const right = (end[i] - from) * scale;
    if (right - left >= wideFrom) {
      wide(i, Math.max(left, 0), Math.min(right, width));
      x = Math.max(x, Math.floor(Math.min(right, width)));
      busy = -1;
      ++i;
      continue;
    }
    const at = Math.max(x, Math.floor(left));
    if (at >= width) return;
    const near = Math.max(i - 1, 0);
    if (at > x || busy < 0) busy = busyUntil(track, from + at * pixel, near);
    const edge = from + (at + 1) * pixel;
    const next = firstFrom(start, edge, near);
    const before = busy;
    busy = busyBefore(track, next, edge);
    column(at, Math.min(Math.max((busy - before) * scale, 0), 1), i);
    x = at + 1;
    i = Math.max(next, i + 1);
    // An entry that reaches into the next column continues there, or is drawn as a wide entry.
    if (end[i - 1] > edge) --i;
  }
}
