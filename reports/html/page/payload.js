// Reads the data that encode_timeline.cpp wrote: a JSON text, followed by columns in planes of bytes.
import {makeTracks, firstFrom} from './tracks.js';

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export async function inflated(base64) {
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  // Errors in the data are reported by the reading end of the stream.
  for (const written of [writer.write(bytesOf(base64.trim())), writer.close()]) written.catch(() => {});
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

// Reads columns one after the other. Each has its number of planes in a byte, then the lowest byte of all
// values, the next byte of all values, and so on. Numbers are up to 2^53.
function columnsIn(bytes, from) {
  let at = from;
  let zeros = new Uint8Array(0);
  // Returns all planes of a column, at least four; missing ones are zeros.
  return function next(size) {
    const count = bytes[at++];
    if (!(at + count * size <= bytes.length)) throw new Error('the data of this page is cut short');
    if (zeros.length < size) zeros = new Uint8Array(size);
    const planes = Array.from({length: Math.max(count, 4)}, (_, k) => (k < count ? bytes.subarray(at + k * size, at + (k + 1) * size) : zeros));
    at += count * size;
    return {count, planes};
  };
}

// A loop over four planes at once, without intermediate arrays, lets large pages open quickly. The few values
// beyond 32 bits are corrected afterwards.
function numbersOf({count, planes}, size) {
  if (count <= 1) return count === 1 ? planes[0] : new Uint8Array(size);
  const [a, b, c, d] = planes;
  const column = count <= 4 ? new Uint32Array(size) : new Float64Array(size);
  for (let i = 0; i < size; ++i) column[i] = (a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24) >>> 0;
  for (let k = 4, scale = 2 ** 32; k < count; ++k, scale *= 256) {
    for (let i = 0; i < size; ++i) column[i] += planes[k][i] * scale;
  }
  return column;
}

// Zigzag: even numbers stand for 0 and above, odd ones for -1 and below.
function signed(zigzag) {
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
}

// A start is stored as the difference from the previous end, an end as the difference from its start.
function readTimes(next, size) {
  const start = new Float64Array(size);
  const end = new Float64Array(size);
  const [after, length] = [next(size), next(size)];
  let time = 0;
  if (after.count > 4 || length.count > 4) {
    const [steps, lengths] = [after, length].map((column) => numbersOf(column, size));
    for (let i = 0; i < size; ++i) {
      start[i] = time += signed(steps[i]);
      end[i] = time += lengths[i];
    }
    return {start, end};
  }
  const [a, b, c, d] = after.planes;
  const [e, f, g, h] = length.planes;
  for (let i = 0; i < size; ++i) {
    const zigzag = a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24;
    start[i] = time += zigzag >>> 1 ^ -(zigzag & 1);
    end[i] = time += (e[i] | f[i] << 8 | g[i] << 16 | h[i] << 24) >>> 0;
  }
  return {start, end};
}

function readSpans(next, size) {
  const {start, end} = readTimes(next, size);
  return {start, end, name: numbersOf(next(size), size)};
}

// Returns null if nothing was joined.
function readOthers(next, size) {
  const column = next(size);
  return column.count > 0 ? numbersOf(column, size) : null;
}

// Returns an index for each entry, -1 for none; null if no entry has one. The stored value 0 means the index
// of the previous entry with this name, 1 none.
function readChanges(column, size, name) {
  if (column.count === 0) return null;
  const stored = numbersOf(column, size);
  const last = new Int32Array(name.reduce((most, one) => Math.max(most, one), 0) + 1).fill(-1);
  const index = new Int32Array(size);
  for (let i = 0; i < size; ++i) index[i] = last[name[i]] = stored[i] === 0 ? last[name[i]] : stored[i] - 2;
  return index;
}

function readLane(next, size) {
  const columns = readSpans(next, size);
  columns.bytes = numbersOf(next(size), size);
  const {planes: [a, b, c, d]} = next(size);
  columns.call = new Int32Array(size);
  let call = -1;
  for (let i = 0; i < size; ++i) {
    const zigzag = a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24;
    columns.call[i] = call += zigzag >>> 1 ^ -(zigzag & 1);
  }
  columns.others = readOthers(next, size);
  const idle = next(size);
  columns.idle = idle.count > 0 ? Float64Array.from(numbersOf(idle, size), signed) : null;
  columns.geometry = readChanges(next(size), size, columns.name);
  const causes = next(size);
  columns.gapCause = causes.count > 0 ? numbersOf(causes, size) : null;
  return columns;
}

function partOf(spans, from, to) {
  const part = {};
  for (const [name, column] of Object.entries(spans)) part[name] = column && column.subarray(from, to);
  return part;
}

// Calls are stored in two ascending runs: first the outermost calls, then those inside another. Returns the
// index of the second run.
function firstInner({start}) {
  let inner = 1;
  while (inner < start.length && start[inner] >= start[inner - 1]) ++inner;
  return Math.min(inner, start.length);
}

function callTracks(facts, spans, firstNumber) {
  const count = spans.start.length;
  const number = new Uint32Array(count);
  for (let i = 0; i < count; ++i) number[i] = firstNumber + i;
  const inner = firstInner(spans);
  const tracks = [];
  for (const [from, to] of [[0, inner], [inner, count]]) {
    if (from >= to) continue;
    tracks.push(...makeTracks(facts, {...partOf(spans, from, to), number: number.subarray(from, to)}));
  }
  return tracks;
}

// Returns the sampled work of a thread between its calls: the intervals without its outermost calls. Joined
// calls are not cut out, because the work between them would be lost.
export function betweenCalls(seen, calls) {
  const outermost = firstInner(calls);
  const pieces = {start: [], end: [], name: [], work: []};
  let call = 0;
  seen.start.forEach((start, i) => {
    let from = start;
    const addUntil = (until) => {
      if (from >= until) return;
      for (const [column, value] of [['start', from], ['end', until], ['name', seen.name[i]], ['work', seen.work[i]]]) pieces[column].push(value);
    };
    while (call < outermost && calls.end[call] <= from) ++call;
    for (; call < outermost && calls.start[call] < seen.end[i]; ++call) {
      if (!calls.others || calls.others[call] === 0) {
        addUntil(calls.start[call]);
        from = Math.max(from, calls.end[call]);
      }
      if (calls.end[call] > seen.end[i]) break;  // this call reaches into the next interval, too
    }
    addUntil(seen.end[i]);
  });
  return {start: Float64Array.from(pieces.start), end: Float64Array.from(pieces.end), name: Uint32Array.from(pieces.name), work: Uint32Array.from(pieces.work)};
}

// Returns the content of the JSON and all tracks of a timeline, from top to bottom.
export function decode(bytes) {
  const size = bytes[0] + bytes[1] * 0x100 + bytes[2] * 0x10000 + bytes[3] * 0x1000000;
  const model = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const next = columnsIn(bytes, 4 + size);
  model.tracks = [];
  model.hostWork = (model.hostWork || []).map(([kind, words]) => ({kind, words}));
  for (const lane of model.lanes) model.tracks.push(...makeTracks({kind: 'op', ...lane}, readLane(next, lane.count)));
  let firstNumber = 0;
  for (const thread of model.threads) {
    const facts = {pid: thread.pid, tid: thread.tid};
    const spans = (count) => ({...readSpans(next, count), others: readOthers(next, count)});
    const calls = spans(thread.calls);
    calls.site = readChanges(next(thread.calls), thread.calls, calls.name);
    const ranges = spans(thread.ranges);
    if (thread.ranges > 0) model.tracks.push(...makeTracks({kind: 'range', ...facts}, ranges));
    model.tracks.push(...callTracks({kind: 'call', ...facts}, calls, firstNumber));
    firstNumber += thread.calls;
    if (!thread.seen) continue;
    const seen = {...readSpans(next, thread.seen), work: numbersOf(next(thread.seen), thread.seen)};
    model.tracks.push(...makeTracks({kind: 'host', ...facts}, betweenCalls(seen, calls)));
  }
  return model;
}

// Returns the place of a call by its number: {track, i}, or null if it is not drawn.
export function placeOfCall(model, number) {
  if (number < 0) return null;
  for (const track of model.tracks) {
    if (track.kind !== 'call') continue;
    const i = firstFrom(track.number, number);
    if (i < track.number.length && track.number[i] === number) return {track, i};
  }
  return null;
}
