// What of a track is seen at a zoom: entries that are wide enough one by one, the rest as columns of
// one pixel that tell which share of their time was busy. The work is that of the pixels, not of the
// entries.
import {firstFrom} from './tracks.js';
import {busyUntil} from './sums.js';

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
  while (i < start.length && x < width) {
    const left = (start[i] - from) * scale;
    if (left >= width) return;
    const right = (end[i] - from) * scale;
    if (right - left >= wideFrom) {
      wide(i, Math.max(left, 0), Math.min(right, width));
      x = Math.max(x, Math.floor(Math.min(right, width)));
      ++i;
      continue;
    }
    if (left < x && right <= x) {  // inside a column that is done: on to what begins behind it
      i = Math.max(i + 1, firstFrom(start, from + x * pixel, i));
      // the one before may reach into the next column
      if (end[i - 1] > from + x * pixel && (end[i - 1] - start[i - 1]) * scale < wideFrom) --i;
      if ((end[i] - from) * scale <= x) ++i;
      continue;
    }
    const at = Math.max(x, Math.floor(left));
    const near = Math.max(i - 1, 0);
    const share = (busyUntil(track, from + (at + 1) * pixel, near) - busyUntil(track, from + at * pixel, near)) * scale;
    if (at < width) column(at, Math.min(Math.max(share, 0), 1), i);
    x = at + 1;
    const behind = firstFrom(start, from + x * pixel, i + 1);
    // A wide one may begin in this column: it is drawn as such, over what is left of it.
    if (behind - 1 > i && (end[behind - 1] - start[behind - 1]) * scale >= wideFrom) {
      i = behind - 1;
    } else if (end[behind - 1] > from + x * pixel) {
      i = behind - 1;
    } else {
      i = behind;
    }
  }
}
