// The stretch of time that is seen, {from, to} in ns, and the page's address, which tells it.

const shortest = 20;  // ns

// Keeps a stretch inside [0, length], its length unchanged where it fits.
export function clamped({from, to}, length) {
  const size = Math.min(Math.max(to - from, Math.min(shortest, length)), length);
  const start = Math.min(Math.max(from, 0), length - size);
  return {from: start, to: start + size};
}

// `factor` below 1 zooms in; what is at `at` stays where it is.
export function zoomed({from, to}, factor, at, length) {
  const size = Math.min(Math.max((to - from) * factor, Math.min(shortest, length)), length);
  const place = (at - from) / (to - from);
  return clamped({from: at - place * size, to: at + (1 - place) * size}, length);
}

export function panned({from, to}, by, length) {
  return clamped({from: from + by, to: to + by}, length);
}

// So that an interval is seen with as much on each side as `room` of its length.
export function around(start, end, length, room = 1) {
  const size = Math.max(end - start, shortest);
  return clamped({from: start - room * size, to: end + room * size}, length);
}

// Moved, at the same zoom and no farther than it must, so that an interval is seen with a little room beside it; the
// beginning of one that is too long, and nothing is moved where such a one is seen already.
export function showing({from, to}, start, end, length) {
  const room = (to - from) / 20;
  const fits = end - start <= to - from - 2 * room;
  if (!fits && start < to && end > from) return {from, to};
  if (!fits || start - room < from) return panned({from, to}, start - room - from, length);
  return panned({from, to}, Math.max(end + room - to, 0), length);
}

// The middle of what is seen of an interval; its own where nothing is.
export function middleSeen({from, to}, start, end) {
  const left = Math.max(from, start);
  const right = Math.min(to, end);
  return left <= right ? (left + right) / 2 : (start + end) / 2;
}

// What "1-2" says, as {from, to}; null for anything else.
export function parseView(text) {
  const found = /^(-?\d{1,16})-(\d{1,16})$/.exec(text || '');
  return found && Number(found[1]) < Number(found[2]) ? {from: Number(found[1]), to: Number(found[2])} : null;
}

// What "#r=0&t=1-2&sel=3.4&find=0.1&q=gemm" says; parts that are not well formed are left out.
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
