// Where a piece of a finding's evidence lies among the tracks: what waited, what held it up, and the
// constraint between them. Places are {track, start, end} in ns: what held an op up may be host code
// between calls, or a call before the time that is drawn, of which no track has an entry.
import {locate, entryAround} from './find.js';
import {around} from './view.js';

// Calls of the thread named as in the tables, of that process where two have threads of one number.
function trackOfThread(tracks, thread, pid) {
  const named = tracks.filter((track) => track.kind === 'call' && `thread ${track.tid}` === thread);
  return named.find((track) => track.pid === pid) || named[0] || null;
}

function placeOfOp(tracks, finding, {stream, waiting, end}) {
  const lanes = tracks.filter((track) => track.kind === 'op' && track.device === finding.device && track.stream === stream);
  const start = waiting[1];
  const entry = locate(lanes, start, end) || entryAround(lanes, start, end);
  const track = entry ? entry.track : lanes[0];  // of a host function: that of its stream
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

// Why nothing leads to what waited; empty where something does.
function reasonFor(op, holder, shown) {
  if (!shown.holder) return 'what held it up is not in the trace';
  if (!op) return 'its stream is not drawn';
  if (!holder) return 'the thread that held it up is not drawn';
  if (holder.track === op.track && holder.start === op.start && holder.end === op.end) return 'that is the op itself';
  return '';
}

// The evidence of this number of a finding, or null: the finding, the text that names what held the op
// up, the stretch [from, to] that it waited, both places (or null), and an arrow {from, to} between
// {time, track}, or else why there is none.
export function evidenceAt(model, index, instance) {
  const finding = model.findings[index];
  const shown = finding && finding.evidence[instance];
  if (!shown) return null;
  const op = placeOfOp(model.tracks, finding, shown);
  const holder = placeOfHolder(model.tracks, finding, shown, op && op.track.pid);
  const why = reasonFor(op, holder, shown);
  // What ended before the op started let it go by ending; what lasted on let it go by starting.
  const letGo = holder && (holder.end <= op?.start ? holder.end : holder.start);
  const arrow = why ? null : {from: {time: letGo, track: holder.track}, to: {time: op.start, track: op.track}};
  return {finding, heldBy: shown.heldBy, waiting: shown.waiting, op, holder, arrow, why};
}

// So much of the time that both are seen; what began before the time that is drawn comes in from its edge.
export function viewOfEvidence({op, holder, waiting}, limit) {
  const start = Math.max(Math.min(waiting[0], holder ? holder.start : waiting[0]), 0);
  return around(start, Math.max(op ? op.end : waiting[1], start), limit, 0.4);
}
