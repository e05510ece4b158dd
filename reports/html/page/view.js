// The visible interval {from, to} in ns, and the page's address, which contains it.

const shortest = 20;  // ns

// Moves an interval into [0, length]. Its length stays the same if it fits.
export function clamped({from, to}, length) {
  const size = Math.min(Math.max(to - from, Math.min(shortest, length)), length);
  const start = Math.min(Math.max(from, 0), length - size);
  return {from: start, to: start + size};
}

// A `factor` below 1 zooms in. The instant `at` keeps its place on the screen.
export function zoomed({from, to}, factor, at, length) {
  const size = Math.min(Math.max((to - from) * factor, Math.min(shortest, length)), length);
  const place = (at - from) / (to - from);
  return clamped({from: at - place * size, to: at + (1 - place) * size}, length);
}

export function panned({from, to}, by, length) {
  return clamped({from: from + by, to: to + by}, length);
}

// Returns a view of an interval, with a margin of `room` times its length on each side.
export function around(start, end, length, room = 1) {
  const size = Math.max(end - start, shortest);
  return clamped({from: start - room * size, to: end + room * size}, length);
}

// Moves a view at the same zoom, and no farther than necessary, so that an interval is visible with a margin.
// If the interval is too long, moves to its beginning, unless a part of it is already visible.
export function showing({from, to}, start, end, length) {
  const room = (to - from) / 20;
  const fits = end - start <= to - from - 2 * room;
  if (!fits && start < to && end > from) return {from, to};
  if (!fits || start - room < from) return panned({from, to}, start - room - from, length);
  return panned({from, to}, Math.max(end + room - to, 0), length);
}

// Returns the middle of an interval's visible part, or of the interval if none is visible.
export function middleSeen({from, to}, start, end) {
  const left = Math.max(from, start);
  const right = Math.min(to, end);
  return left <= right ? (left + right) / 2 : (start + end) / 2;
}

// Parses "1-2" as {from, to}; null for anything else.
export function parseView(text) {
  const found = /^(-?\d{1,16})-(\d{1,16})$/.exec(text || '');
  return found && Number(found[1]) < Number(found[2]) ? {from: Number(found[1]), to: Number(found[2])} : null;
}

// Parses "#r=0&t=1-2&sel=3.4&find=0.1&q=gemm". Malformed parts are left out.
export function parseHash(hash) {
  const parts = new Map();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at > 0) parts.set(part.slice(0, at), part.slice(at + 1));
  }
  const numbers = (name, pattern) => {
    const found = pattern.exec(parts.get(name) || '');
    return found ? found.slice(1).filter((n) => n !== undefined).map(Number) : null;
  };
  const state = {report: (numbers('r', /^(\d{1,6})$/) || [0])[0]};
  const time = parseView(parts.get('t'));
  if (time) state.time = time;
  const selected = numbers('sel', /^(\d{1,9})\.(\d{1,9})$/);
  if (selected) state.selected = selected;
  const finding = numbers('find', /^(\d{1,6})(?:\.(\d{1,6}))?$/);
  if (finding) state.finding = [finding[0], finding[1] || 0];
  if (parts.has('q')) {
    try {
      state.query = decodeURIComponent(parts.get('q'));
    } catch { /* no text: nothing is searched for */ }
  }
  return state;
}

export function formatHash({report, time, selected, finding, query}) {
  const parts = [`r=${report}`, `t=${Math.floor(time.from)}-${Math.ceil(time.to)}`];
  if (selected) parts.push(`sel=${selected[0]}.${selected[1]}`);
  if (finding) parts.push(`find=${finding[0]}.${finding[1]}`);
  if (query) parts.push(`q=${encodeURIComponent(query)}`);
  return '#' + parts.join('&');
}
