// Describes an op, a call or a range in lines of text.
import {placeOfCall} from './payload.js';
import {entriesIn, firstFrom} from './tracks.js';
import {formatNs, formatInstant, formatBytes, formatRate} from './words.js';

// Returns how long the tracks of `union` were idle before an entry began; 0 if one was busy.
export function idleBefore(union, {track, i}) {
  const k = firstFrom(union.start, track.start[i]);
  return k > 0 && union.start[k] === track.start[i] ? union.start[k] - union.end[k - 1] : 0;
}

// Returns where in the program a call was made; empty if unknown.
export function siteOf(model, {site}, i) {
  return site && site[i] >= 0 ? model.sites[site[i]] : '';
}

// Returns the kind, line and state of host work between calls; empty for other tracks.
export function workOf(model, {work}, i) {
  return work ? model.hostWork[work[i]].words : '';
}

function atLine(model, track, i) {
  if (track.work) return [workOf(model, track, i)];
  const site = siteOf(model, track, i);
  return site ? [`at ${site}`] : [];
}

// Returns the launch geometry of a kernel; no lines if the trace has none.
function launchLine(model, {geometry}, i) {
  if (!geometry || geometry[i] < 0) return [];
  const [blocks, threads, registers, shared] = model.geometries[geometry[i]];
  const many = (count, what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
  return [`grid of ${many(blocks, 'block')}, block of ${many(threads, 'thread')}, ${many(registers, 'register')} per thread, ` +
          `${formatBytes(shared)} shared memory per block`];
}

function opLines(model, {track, i}, busy, idle) {
  const lines = [`device ${track.device}, ${track.engine}, stream ${track.stream} (${track.streamKind})`, ...launchLine(model, track, i)];
  const bytes = track.bytes[i];
  if (bytes > 0) lines.push(`${formatBytes(bytes)}${busy > 0 ? `, ${formatRate(bytes / busy * 1e9)}` : ''}`);
  const call = placeOfCall(model, track.call[i]);
  if (call) {
    lines.push(`issued by ${model.names[call.track.name[call.i]]} on thread ${call.track.tid}, ` +
               `${formatNs(track.start[i] - call.track.start[call.i])} before it started`, ...atLine(model, call.track, call.i));
  }
  if (idle > 0) {
    const cause = track.gapCause && track.gapCause[i];
    lines.push(`device idle for ${formatNs(idle)} before it; ${cause ? `largest cause: ${model.causes[cause - 1]}` : 'cause not analyzed'}`);
  }
  return lines;
}

// `idle` is how long the device was idle before an op.
export function describeEntry(model, entry, idle) {
  const {track, i} = entry;
  const length = track.end[i] - track.start[i];
  const lines = [model.names[track.name[i]], `${formatNs(length)}, from ${formatInstant(track.start[i] - model.first)}`];
  const entries = entriesIn(track, i);
  const busy = track.busy[i + 1] - track.busy[i];
  if (entries > 1) lines.push(`${entries.toLocaleString('en')} ${track.kind}s${track.kind === 'op' ? `, which took ${formatNs(busy)} together` : ''}`);
  return lines.concat(track.kind === 'op' ? opLines(model, entry, busy, idle) : [`thread ${track.tid} of process ${track.pid}`, ...atLine(model, track, i)]);
}
