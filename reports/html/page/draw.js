// Draws tracks. Entries narrower than a few pixels are drawn into an image with one row per track, which is
// then stretched. The cost depends on the number of pixels, not on the number of ops.
import {levelOf} from './levels.js';
import {busyWithin} from './tracks.js';
import {ticksIn, shortName} from './words.js';
import {parseColour, textOn} from './theme.js';

export const heights = {op: 18, call: 13, range: 13, host: 13, device: 20, thread: 20, axis: 20};
const faded = 0.18;  // opacity of entries that do not match a search

// Returns the colour strength for a share of busy time.
function strengthOf(share) {
  return 0.3 + 0.7 * Math.min(share, 1);
}

// Tracks of one device or thread have a common heading and collapse together.
export function groupOf(track) {
  return track.kind === 'op' ? `device ${track.device}` : `thread ${track.tid} of ${track.pid}`;
}

// Returns the rows from top to bottom, headings and tracks, each with its position. A group in `collapsed` has
// only its heading, no rows for its tracks.
export function layOut(model, collapsed = new Set()) {
  const rows = [];
  let top = heights.axis;
  const add = (row, height) => {
    rows.push({...row, top, height});
    top += height;
  };
  let group = null;
  for (const track of model.tracks) {
    if (groupOf(track) !== group) {
      group = groupOf(track);
      const device = model.devices.find((d) => track.kind === 'op' && d.id === track.device);
      const name = track.kind === 'op' ? group : `thread ${track.tid}`;
      add({heading: device && device.name ? `${name}, ${device.name}` : name, group, collapsed: collapsed.has(group)}, heights[track.kind === 'op' ? 'device' : 'thread']);
    }
    if (!collapsed.has(group)) add({track, label: labelOf(track)}, heights[track.kind]);
  }
  return {rows, height: top + 6};
}

// Returns the row of a track, or of the heading of its collapsed group.
export function rowOfTrack({rows}, track) {
  return rows.find((row) => row.track === track) || rows.find((row) => row.collapsed && row.group === groupOf(track));
}

export const engineWords = {compute: 'compute', h2d: 'to device', d2h: 'to host', other: 'other copies', comm: 'communication'};

export function labelOf(track) {
  if (track.row > 0) return '';
  if (track.kind === 'call') return 'CUDA calls';
  if (track.kind === 'range') return 'NVTX';
  if (track.kind === 'host') return 'host';
  return `${engineWords[track.engine]}, stream ${track.stream}`;
}

// Returns the colour of an entry. A kernel has the colour of its name, host work that of its kind. Other
// entries have a shade of the colour of their engine or kind.
export function colourOf(theme, track, i) {
  const name = track.name[i];
  if (track.work) return theme.work[track.work[i]];
  if (track.engine === 'compute') return theme.kernels[theme.kernel[name]];
  return theme[track.kind === 'op' ? track.engine : track.kind][theme.shade[name]];
}

// Creates the image for narrow entries: one row of pixels for each visible track.
function narrowImage(width, rows) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.max(rows, 1);
  const context = canvas.getContext('2d');
  return {canvas, context, image: context.createImageData(width, Math.max(rows, 1))};
}

// `scene` has model, layout, theme, view, gutter, width, height, scroll and matches (flags by name, or null).
export function drawTracks(context, scene) {
  const {layout, theme, view, gutter, width, height, scroll, matches} = scene;
  const inner = Math.max(Math.round(width - gutter), 1);
  const seen = layout.rows.filter((row) => row.top + row.height > scroll + heights.axis && row.top < scroll + height);
  const tracks = seen.filter((row) => row.track);
  const narrow = narrowImage(inner, tracks.length);
  const pixels = new Uint32Array(narrow.image.data.buffer);
  const wides = [];
  tracks.forEach((row, line) => {
    const {track} = row;
    levelOf(track, view.from, view.to, inner, (i, left, right) => wides.push({row, i, left, right}), (x, share, i) => {
      const name = track.name[i];
      const {rgb} = colourOf(theme, track, i);
      const strength = strengthOf(share) * (matches && !matches[name] ? faded : 1);
      pixels[line * inner + x] = (Math.round(255 * strength) << 24 | rgb[2] << 16 | rgb[1] << 8 | rgb[0]) >>> 0;
    });
  });
  narrow.context.putImageData(narrow.image, 0, 0);
  context.save();
  context.beginPath();
  context.rect(0, heights.axis, width, height - heights.axis);
  context.clip();
  drawGrid(context, scene);
  context.imageSmoothingEnabled = false;
  tracks.forEach((row, line) => {
    const top = row.top - scroll;
    context.fillStyle = theme.lane;
    context.fillRect(gutter, top + 1, inner, row.height - 2);
    context.drawImage(narrow.canvas, 0, line, inner, 1, gutter, top + 1, inner, row.height - 2);
  });
  drawWides(context, scene, wides);
  drawLabels(context, scene, seen);
  context.restore();
  drawAxis(context, scene);
}

// Returns the colour of an entry and of its text. Where entries were joined, the track's background shows
// through in proportion to idle time.
export function paintOf(theme, track, i) {
  const paint = colourOf(theme, track, i);
  const strength = strengthOf(busyWithin(track, i, track.end[i]) / (track.end[i] - track.start[i]));
  if (strength === 1) return paint;
  const lane = parseColour(theme.lane);
  const rgb = paint.rgb.map((part, k) => Math.round(lane[k] + (part - lane[k]) * strength));
  return {rgb, css: `rgb(${rgb.join(',')})`, text: textOn(rgb)};
}

function drawWides(context, {theme, gutter, scroll, matches, model}, wides) {
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const {row, i, left, right} of wides) {
    const name = row.track.name[i];
    const {css, text: ink} = paintOf(theme, row.track, i);
    const top = row.top - scroll + 1;
    const wide = right - left;
    context.globalAlpha = matches && !matches[name] ? faded : 1;
    context.fillStyle = css;
    context.fillRect(gutter + left, top, Math.max(wide - 0.5, 1), row.height - 2);
    if (wide > 28) {
      context.fillStyle = ink;
      const text = shortName(model.names[name], Math.floor((wide - 6) / 6.2));
      context.fillText(text, gutter + left + 3, top + (row.height - 2) / 2 + 0.5);
    }
  }
  context.globalAlpha = 1;
}

function drawLabels(context, {theme, gutter, scroll, width}, seen) {
  context.textBaseline = 'middle';
  context.fillStyle = theme.back;
  context.fillRect(0, heights.axis, gutter - 1, context.canvas.height);
  for (const row of seen) {
    const middle = row.top - scroll + row.height / 2 + 0.5;
    if (row.heading) {
      context.fillStyle = theme.back;
      context.fillRect(0, row.top - scroll, width, row.height);
      context.font = 'bold 12px system-ui, sans-serif';
      context.fillStyle = theme.text;
      context.fillText(`${row.collapsed ? '▸' : '▾'} ${row.heading}`, 4, middle);
    } else if (row.label) {
      context.font = '11px system-ui, sans-serif';
      context.fillStyle = theme.text;
      context.fillText(row.label, 10, middle, gutter - 14);
    }
  }
}

function drawGrid(context, {theme, view, gutter, width, height, first}) {
  const inner = width - gutter;
  context.fillStyle = theme.line;
  for (const {at} of ticksIn(view.from - first, view.to - first, inner / 110)) {
    context.fillRect(Math.round(gutter + (at + first - view.from) / (view.to - view.from) * inner), 0, 1, height);
  }
}

function drawAxis(context, {theme, view, gutter, width, first}) {
  const inner = width - gutter;
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = theme.faint;
  for (const {at, label} of ticksIn(view.from - first, view.to - first, inner / 110)) {
    const x = gutter + (at + first - view.from) / (view.to - view.from) * inner;
    if (x + 3 + context.measureText(label).width <= width) context.fillText(label, x + 3, heights.axis / 2);
  }
}

export function pixelOf(scene, time) {
  return scene.gutter + (time - scene.view.from) / (scene.view.to - scene.view.from) * (scene.width - scene.gutter);
}
