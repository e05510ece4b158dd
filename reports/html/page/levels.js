// What of a track is seen at a zoom: entries that are wide enough one by one, the rest as columns of
// one pixel that tell which share of their time was busy. The work is that of the pixels, not of the
// entries.
import {firstFrom} from './tracks.js';
import {busyUntil, busyBefore} from './sums.js';

export const wideFrom = 3;  // pixels

// Calls wide(i, left, right) and column(x, share, i), in pixels of [0, width). `i` of a column is
// the entry that the column's first busy instant belongs to.
export function levelOf(track, from, to, width, wide, column) {
  const {start, end} = track;
  const scale = width / (to - from);
  const pixel = 1 / scale;
  let i = firstFrom(start, from);
  if (i > 0 && end[i - 1] > from) --i;
  let x = 0;  // columns before it are done
  let busy = -1;  // until the column of this number, where that is known
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
    // What reaches into the next column goes on there, and what is wide is drawn as such.
    if (end[i - 1] > edge) --i;
  }
}
