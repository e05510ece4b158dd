// Locates a finding's evidence on the tracks: the op that waited, what blocked it (its holder), and the arrow
// between them. A place is {track, start, end} in ns. The holder may have no entry on its track: it may be host
// code between calls, or a call before the drawn time.
import {locate, entryAround} from './find.js';
import {around} from './view.js';

// Returns the calls of a thread, which has its name from the tables. If two processes have a thread with this
// ID, `pid` decides.
function trackOfThread(tracks, thread, pid) {
  const named = tracks.filter((track) => track.kind === 'call' && `thread ${track.tid}` === thread);
  return named.find((track) => track.pid === pid) || named[0] || null;
}

function placeOfOp(tracks, finding, {stream, waiting, end}) {
  const lanes = tracks.filter((track) => track.kind === 'op' && track.device === finding.device && track.stream === stream);
  const start = waiting[1];
  const entry = locate(lanes, start, end) || entryAround(lanes, start, end);
  const track = entry ? entry.track : lanes[0];  // for a host function: the track of its stream
  return track ? {track, start, end} : null;
}

function placeOfHolder(tracks, finding, {holder, thread}, pid) {
  if (!holder) return null;
  const [start, end] = holder;
  const entry = locate(tracks.filter((track) => track.kind === 'op'), start, end, (track) => track.device === finding.device) ||
      locate(tracks.filter((track) => track.kind === 'call'), start, end, (track) => `thread ${track.tid}` === thread);
  const track = entry ? entry.track : trackOfThread(tracks, thread, pid);
  return track ? {track, start, end} : null;
}

// Returns why there is no arrow; empty if there is one.
function reasonFor(op, holder, shown) {
  if (!shown.holder) return 'what held it up is not in the trace';
  if (!op) return 'its stream is not drawn';
  if (!holder) return 'the thread that held it up is not drawn';
  if (holder.track === op.track && holder.start === op.start && holder.end === op.end) return 'that is the op itself';
  return '';
}

// Returns evidence number `instance` of a finding, or null. It has the finding, the text for the holder, the
// interval in which the op waited, and both places (or null). It also has an arrow {from, to} between {time,
// track}, or the reason why there is none.
export function evidenceAt(model, index, instance) {
  const finding = model.findings[index];
  const shown = finding && finding.evidence[instance];
  if (!shown) return null;
  const op = placeOfOp(model.tracks, finding, shown);
  const holder = placeOfHolder(model.tracks, finding, shown, op && op.track.pid);
  const why = reasonFor(op, holder, shown);
  // A holder that ended before the op started released it by its end, any other by its start.
  const letGo = holder && (holder.end <= op?.start ? holder.end : holder.start);
  const arrow = why ? null : {from: {time: letGo, track: holder.track}, to: {time: op.start, track: op.track}};
  return {finding, heldBy: shown.heldBy, waiting: shown.waiting, op, holder, arrow, why};
}

// Returns a view that contains both places. A start before the drawn time is moved to its edge.
export function viewOfEvidence({op, holder, waiting}, limit) {
  const start = Math.max(Math.min(waiting[0], holder ? holder.start : waiting[0]), 0);
  return around(start, Math.max(op ? op.end : waiting[1], start), limit, 0.4);
}
