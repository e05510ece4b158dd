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
// bytes of all values, the next ones, and so on. Numbers are up to 2^53.
function columnsIn(bytes, from) {
  let at = from;
  return function next(column) {
    const planes = bytes[at++];
    const size = column.length;
    if (!(at + planes * size <= bytes.length)) throw new Error('the data of this page is cut short');
    let scale = 1;
    for (let plane = 0; plane < planes; ++plane, at += size, scale *= 256) {
      for (let i = 0; i < size; ++i) column[i] += bytes[at + i] * scale;
    }
    return column;
  };
}

// Zigzag: even numbers stand for those from 0 up, odd ones for those from -1 down.
function signed(zigzag) {
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
}

function readSpans(next, count) {
  const start = next(new Float64Array(count));
  const end = next(new Float64Array(count));
  const name = next(new Uint32Array(count));
  let before = 0;
  for (let i = 0; i < count; ++i) {
    start[i] = before + signed(start[i]);
    end[i] += start[i];
    before = end[i];
  }
  return {start, end, name};
}

function partOf(spans, from, to) {
  return {
    start: spans.start.subarray(from, to), end: spans.end.subarray(from, to), name: spans.name.subarray(from, to),
  };
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
  for (const lane of model.lanes) {
    const columns = readSpans(next, lane.count);
    columns.bytes = next(new Float64Array(lane.count));
    columns.call = next(new Float64Array(lane.count));
    let before = -1;
    for (let i = 0; i < lane.count; ++i) columns.call[i] = before += signed(columns.call[i]);
    model.tracks.push(...makeTracks({kind: 'op', ...lane}, columns));
  }
  let firstNumber = 0;
  for (const thread of model.threads) {
    const facts = {pid: thread.pid, tid: thread.tid};
    const calls = readSpans(next, thread.calls);
    const ranges = readSpans(next, thread.ranges);
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
