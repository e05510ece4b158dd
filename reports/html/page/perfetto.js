// Saves what a page draws as a file for ui.perfetto.dev. The page has no network, so it cannot hand the data
// over itself. The file has complete events in Chrome's JSON format. `lapscope report --format perfetto` also
// writes what the page does not draw.
import {siteOf, workOf} from './details.js';
import {placeOfCall} from './payload.js';
import {entriesIn} from './tracks.js';
import {groupOf, labelOf, engineWords} from './draw.js';

// Formats ns as us with three decimals. `ns` counts from the session start, so it is never negative.
function microseconds(ns) {
  return `${Math.floor(ns / 1000)}.${String(ns % 1000).padStart(3, '0')}`;
}

function trackName(track) {
  const row = track.row > 0 ? ` (${track.row + 1})` : '';
  if (track.kind === 'op') return `${engineWords[track.engine]}, stream ${track.stream}${row}`;
  return `thread ${track.tid}, ${labelOf({...track, row: 0})}${row}`;
}

function argumentsOf(model, track, i) {
  const args = {};
  if (entriesIn(track, i) > 1) args.joined = entriesIn(track, i);
  const site = siteOf(model, track, i);
  if (site) args.at = site;
  const work = workOf(model, track, i);
  if (work) args.work = work;
  if (track.kind !== 'op') return args;
  Object.assign(args, {stream: track.stream, streamKind: track.streamKind});
  if (track.bytes[i] > 0) args.bytes = track.bytes[i];
  if (track.geometry && track.geometry[i] >= 0) {
    [args.blocks, args.threadsPerBlock, args.registersPerThread, args.sharedMemoryPerBlock] = model.geometries[track.geometry[i]];
  }
  return args;
}

// Each track becomes a thread of the file, since its entries do not overlap. Devices become processes, with IDs
// that no process of the program has.
export function* perfettoEvents(model) {
  const free = model.tracks.reduce((most, {pid}) => Math.max(most, pid || 0), 0) + 1;
  const at = new Map(model.tracks.map((track, k) => [track, {pid: track.kind === 'op' ? free + model.devices.findIndex(({id}) => id === track.device) : track.pid, tid: k + 1}]));
  const event = (facts, time) => JSON.stringify(facts).replace(/}$/, `,"ts":${microseconds(model.origin + time)}}`);
  const seen = new Set();
  for (const [track, {pid, tid}] of at) {
    if (!seen.has(pid)) {
      yield JSON.stringify({ph: 'M', name: 'process_name', pid, args: {name: track.kind === 'op' ? groupOf(track) : `process ${pid}`}});
      seen.add(pid);
    }
    yield JSON.stringify({ph: 'M', name: 'thread_name', pid, tid, args: {name: trackName(track)}});
    yield JSON.stringify({ph: 'M', name: 'thread_sort_index', pid, tid, args: {sort_index: tid}});
  }
  let flow = 0;
  for (const [track, {pid, tid}] of at) {
    for (let i = 0; i < track.start.length; ++i) {
      const dur = (track.end[i] - track.start[i]) / 1000;
      yield event({ph: 'X', name: model.names[track.name[i]], cat: track.kind, pid, tid, dur, args: argumentsOf(model, track, i)}, track.start[i]);
      const call = track.kind === 'op' ? placeOfCall(model, track.call[i]) : null;
      if (!call) continue;
      const from = at.get(call.track);
      flow += 1;
      yield event({ph: 's', id: flow, name: 'issued', cat: 'issued', ...from}, call.track.start[call.i]);
      yield event({ph: 'f', bp: 'e', id: flow, name: 'issued', cat: 'issued', pid, tid}, track.start[i]);
    }
  }
}

// Builds the file in pieces, since one string could exceed a browser's limit.
export function perfettoFile(model) {
  const pieces = ['{"displayTimeUnit":"ns","traceEvents":[\n'];
  let lines = [];
  for (const line of perfettoEvents(model)) {
    if (lines.length === 4096) {
      pieces.push(lines.join(',\n') + ',\n');
      lines = [];
    }
    lines.push(line);
  }
  pieces.push(lines.join(',\n') + '\n]}\n');
  return new Blob(pieces, {type: 'application/json'});
}

// Offers the file as a download.
export function savePerfetto(model, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(perfettoFile(model));
  link.download = `${name.replace(/[^\w.-]+/g, '_').slice(0, 100)}.perfetto.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
