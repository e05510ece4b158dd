// Reads the data that encode_timeline.cpp wrote: columns in planes of bytes behind a JSON text.
import {makeTracks, firstFrom} from './tracks.js';

export async function inflated(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads columns one after the other: a byte that says how many planes there are, then the lowest
// bytes of all values, the next ones, and so on. Numbers are up to 2^53. Gives null for all zeros.
function columnsIn(bytes, from) {
  let at = from;
  return function next(size) {
    const planes = bytes[at++];
    if (!(at + planes * size <= bytes.length)) throw new Error('the data of this page is cut short');
    const plane = (k) => bytes.subarray(at + k * size, at + (k + 1) * size);
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => (k < planes ? plane(k) : null));
    const column = planes <= 4 ? new Uint32Array(planes > 0 ? size : 0) : new Float64Array(size);
    if (planes === 1) column.set(a);
    else if (planes === 2) for (let i = 0; i < size; ++i) column[i] = a[i] | b[i] << 8;
    else if (planes === 3) for (let i = 0; i < size; ++i) column[i] = a[i] | b[i] << 8 | c[i] << 16;
    else if (planes >= 4) for (let i = 0; i < size; ++i) column[i] = (a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24) >>> 0;
    for (let k = 4, scale = 2 ** 32; k < planes; ++k, scale *= 256) {
      const higher = plane(k);
      for (let i = 0; i < size; ++i) column[i] += higher[i] * scale;
    }
    at += planes * size;
    return planes > 0 ? column : null;
  };
}

// Zigzag: even numbers stand for those from 0 up, odd ones for those from -1 down.
function signed(zigzag) {
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
}

// Starts are told as later than the end before, ends as later than the start.
function readSpans(next, count) {
  const after = next(count) || new Uint32Array(count);
  const length = next(count) || new Uint32Array(count);
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  let time = 0;
  for (let i = 0; i < count; ++i) {
    start[i] = time += signed(after[i]);
    end[i] = time += length[i];
  }
  return {start, end, name: next(count) || new Uint32Array(count)};
}

function readLane(next, count) {
  const columns = readSpans(next, count);
  columns.bytes = next(count) || new Uint32Array(count);
  const steps = next(count) || new Uint32Array(count);
  columns.call = new Float64Array(count);
  let call = -1;
  for (let i = 0; i < count; ++i) columns.call[i] = call += signed(steps[i]);
  columns.others = next(count);
  const idle = next(count);
  columns.idle = idle && Float64Array.from(idle, signed);
  return columns;
}

function partOf(spans, from, to) {
  const part = {};
  for (const [name, column] of Object.entries(spans)) part[name] = column && column.subarray(from, to);
  return part;
}

// Calls stand as those in no other one, then those inside another: two ascending runs.
function callTracks(facts, spans, firstNumber) {
  const count = spans.start.length;
  const number = new Uint32Array(count);
  for (let i = 0; i < count; ++i) number[i] = firstNumber + i;
  let inner = 1;
  while (inner < count && spans.start[inner] >= spans.start[inner - 1]) ++inner;
  const tracks = [];
  for (const [from, to] of [[0, Math.min(inner, count)], [inner, count]]) {
    if (from >= to) continue;
    tracks.push(...makeTracks(facts, {...partOf(spans, from, to), number: number.subarray(from, to)}));
  }
  return tracks;
}

// All tracks of a timeline, from top to bottom, and what its JSON tells.
export function decode(bytes) {
  const size = bytes[0] + bytes[1] * 0x100 + bytes[2] * 0x10000 + bytes[3] * 0x1000000;
  const model = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const next = columnsIn(bytes, 4 + size);
  model.tracks = [];
  for (const lane of model.lanes) model.tracks.push(...makeTracks({kind: 'op', ...lane}, readLane(next, lane.count)));
  let firstNumber = 0;
  for (const thread of model.threads) {
    const facts = {pid: thread.pid, tid: thread.tid};
    const [calls, ranges] = [thread.calls, thread.ranges].map((count) => ({...readSpans(next, count), others: next(count)}));
    if (thread.ranges > 0) model.tracks.push(...makeTracks({kind: 'range', ...facts}, ranges));
    model.tracks.push(...callTracks({kind: 'call', ...facts}, calls, firstNumber));
    firstNumber += thread.calls;
  }
  return model;
}

// Where the call of this number is: {track, i}; null when it is not shown.
export function placeOfCall(model, number) {
  if (number < 0) return null;
  for (const track of model.tracks) {
    if (track.kind !== 'call') continue;
    const i = firstFrom(track.number, number);
    if (i < track.number.length && track.number[i] === number) return {track, i};
  }
  return null;
}
