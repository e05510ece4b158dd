// The marks over the tracks: the measured interval, the selection with its flows, and the constraint of a
// finding. They are returned as shapes in CSS pixels of the tracks' canvas.
import {heights, pixelOf, rowOfTrack} from './draw.js';

function rowOf(scene, track) {
  const row = rowOfTrack(scene.layout, track);
  return {top: row.top - scene.scroll, height: row.height, middle: row.top - scene.scroll + row.height / 2};
}

// Returns a frame around a place, even a narrow one; no shapes if it is not visible.
export function frameOf(scene, {track, start, end}, colour) {
  const left = Math.max(pixelOf(scene, start), scene.gutter - 2);
  const right = Math.min(pixelOf(scene, end), scene.width + 2);
  if (right < scene.gutter || left > scene.width) return [];
  const {top, height} = rowOf(scene, track);
  return [{shape: 'frame', colour, left: left - 1, top, width: Math.max(right - left + 1, 3), height}];
}

// Returns a bar in a track over the time that an op waited.
function barOf(scene, track, [start, end], colour) {
  const left = Math.max(pixelOf(scene, start), scene.gutter);
  const right = Math.min(pixelOf(scene, end), scene.width);
  return right > left ? [{shape: 'bar', colour, left, top: rowOf(scene, track).middle - 3, width: right - left, height: 6}] : [];
}

// Returns an arrow from one {time, track} to another; no shapes if both are outside the same edge of the view.
// Ends far outside are moved to just outside, because a canvas loses precision with large coordinates.
export function arrowOf(scene, from, to, colour) {
  const outside = 40;
  const placeOf = ({time, track}) => {
    const x = pixelOf(scene, time);
    return {x: Math.min(Math.max(x, scene.gutter - outside), scene.width + outside), y: rowOf(scene, track).middle};
  };
  const [a, b] = [placeOf(from), placeOf(to)];
  if (Math.max(a.x, b.x) < scene.gutter || Math.min(a.x, b.x) > scene.width) return [];
  return [{shape: 'arrow', colour, from: a, to: b, bend: Math.max(Math.min(Math.abs(b.x - a.x) / 2, 60), 18)}];
}

function placeOfEntry({track, i}) {
  return {track, start: track.start[i], end: track.end[i]};
}

// Returns a band over all tracks for an interval, cut at the edges of the view.
export function bandOf(scene, {from, to}, colour) {
  const left = Math.max(pixelOf(scene, from), scene.gutter);
  const right = Math.min(pixelOf(scene, to), scene.width);
  return right > left ? [{shape: 'band', colour, left, top: heights.axis, width: right - left, height: scene.height - heights.axis}] : [];
}

// `measured` is {from, to} in ns or null, `selected` an entry or null. `pairs` has {call, op} with entries.
// `evidence` is a result of evidenceAt(), or null.
export function marksOf(scene, {measured = null, selected, pairs, evidence}) {
  const shapes = measured ? bandOf(scene, measured, 'accent') : [];
  for (const {call, op} of pairs) {
    shapes.push(...arrowOf(scene, {time: call.track.start[call.i], track: call.track}, {time: op.track.start[op.i], track: op.track}, 'accent'));
  }
  if (selected) shapes.push(...frameOf(scene, placeOfEntry(selected), 'accent'));
  if (!evidence) return shapes;
  const {op, holder, waiting, arrow} = evidence;
  if (op) shapes.push(...barOf(scene, op.track, waiting, 'alarm'));
  for (const place of [op, holder]) if (place) shapes.push(...frameOf(scene, place, 'alarm'));
  if (arrow) shapes.push(...arrowOf(scene, arrow.from, arrow.to, 'alarm'));
  return shapes;
}

// Returns the four points [x, y] of an arrow's curve.
export function curveOf({from, to, bend}) {
  return [[from.x, from.y], [from.x + bend, from.y], [to.x - bend, to.y], [to.x - 2, to.y]];
}

function drawArrow(context, arrow) {
  const {to} = arrow;
  const [begin, ...rest] = curveOf(arrow);
  context.lineWidth = 1.75;
  context.beginPath();
  context.moveTo(...begin);
  context.bezierCurveTo(...rest.flat());
  context.stroke();
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - 8, to.y - 4);
  context.lineTo(to.x - 8, to.y + 4);
  context.fill();
}

export function drawMarks(context, {gutter, width, height, theme}, shapes) {
  context.save();
  context.beginPath();
  context.rect(gutter - 2, heights.axis, width - gutter + 2, height);
  context.clip();
  for (const shape of shapes) {
    context.strokeStyle = context.fillStyle = theme[shape.colour];
    const {left, top, width: wide, height: high} = shape;
    if (shape.shape === 'arrow') {
      drawArrow(context, shape);
    } else if (shape.shape === 'frame') {
      context.lineWidth = 2;
      context.strokeRect(left, top, wide, high);
    } else {
      context.globalAlpha = shape.shape === 'band' ? 0.18 : 0.35;
      context.fillRect(left, top, wide, high);
      context.globalAlpha = 1;
      if (shape.shape === 'band') for (const x of [left, left + wide - 1]) context.fillRect(x, top, 1, high);
    }
  }
  context.restore();
}
