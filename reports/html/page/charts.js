// Lines over time below the tracks, on the same axis: how many ops each engine runs, and what copies
// move. Values are means over a pixel, exact at every zoom. Also the overview of the whole time.
import {busyUntil, movedUntil, meansOver} from './sums.js';
import {formatRate} from './words.js';

const engines = ['compute', 'h2d', 'd2h', 'other'];

// The engines of a device that have ops, with their tracks.
export function enginesOf(model, device) {
  return engines
      .map((engine) => ({engine, tracks: model.tracks.filter((t) => t.kind === 'op' && t.device === device && t.engine === engine)}))
      .filter(({tracks}) => tracks.length > 0);
}

export function seriesOf(model, device, kind, view, width) {
  const series = [];
  for (const {engine, tracks} of enginesOf(model, device)) {
    const moving = kind === 'rate' ? tracks.filter((t) => t.moved) : tracks;
    if (moving.length === 0 || (kind === 'rate' && engine === 'compute')) continue;
    const means = meansOver(moving, kind === 'rate' ? movedUntil : busyUntil, view.from, view.to, width);
    series.push({engine, values: kind === 'rate' ? means.map((perNs) => perNs * 1e9) : means});
  }
  return series;
}

// A round number that a scale may end at.
export function scaleEnd(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= value * 0.999999);
}

// A line with a tint below it, pixel by pixel: a path with a corner in every pixel takes a browser
// far longer to fill.
export function paintSeries({data, width, height}, values, most, rgb) {
  const room = height - 3;
  const topOf = (value) => height - 1 - Math.round(Math.min(Math.max(value, 0) / most, 1) * room);
  let before = topOf(values[0]);
  for (let x = 0; x < width; ++x) {
    const top = topOf(values[x]);
    const lineTo = Math.max(top, before - 1);
    for (let y = Math.min(top, before); y < height; ++y) {
      const strength = y >= Math.min(top, before) && y <= Math.max(lineTo, top) ? 1 : 0.22;
      if (strength < 1 && y < top) continue;
      const at = 4 * (y * width + x);
      const below = data[at + 3] / 255 * (1 - strength);
      const alpha = strength + below;
      for (let part = 0; part < 3; ++part) data[at + part] = (rgb[part] * strength + data[at + part] * below) / alpha;
      data[at + 3] = 255 * alpha;
    }
    before = top;
  }
}

export function drawChart(context, scene, {top, height, kind, device}) {
  const {theme, gutter, width} = scene;
  const inner = Math.max(Math.round(width - gutter), 1);
  const series = seriesOf(scene.model, device, kind, scene.view, inner);
  const most = scaleEnd(Math.max(...series.map(({values}) => values.reduce((a, b) => Math.max(a, b), 0)), 0));
  context.fillStyle = theme.lane;
  context.fillRect(gutter, top, inner, height);
  const canvas = document.createElement('canvas');
  canvas.width = inner;
  canvas.height = height;
  const image = canvas.getContext('2d').createImageData(inner, height);
  for (const {engine, values} of series) paintSeries(image, values, most, theme[engine][2].rgb);
  canvas.getContext('2d').putImageData(image, 0, 0);
  context.drawImage(canvas, gutter, top, inner, height);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = theme.text;
  context.fillText(kind === 'rate' ? 'bytes per second' : 'ops at a time', 10, top + height / 2, gutter - 14);
  context.fillStyle = theme.faint;
  const label = kind === 'rate' ? formatRate(most) : String(most);
  context.fillText(label, gutter + 4, top + 8);
}

// The whole time in a strip, engines above one another, with a window at what is seen below.
export function drawOverview(context, scene, device, height) {
  const {theme, gutter, width, model, limit} = scene;
  const inner = Math.max(Math.round(width - gutter), 1);
  const all = enginesOf(model, device);
  const whole = {from: 0, to: limit};
  const band = height / Math.max(all.length, 1);
  all.forEach(({engine, tracks}, line) => {
    const means = meansOver(tracks, busyUntil, whole.from, whole.to, inner);
    context.fillStyle = theme[engine][2].css;
    means.forEach((value, x) => {
      const high = Math.min(value, 1) * (band - 2);
      if (value > 0) context.fillRect(gutter + x, (line + 1) * band - Math.max(high, 1), 1, Math.max(high, 1));
    });
  });
}

export function drawWindow(context, scene, height) {
  const {theme, gutter, width, limit, view} = scene;
  const inner = width - gutter;
  const left = gutter + view.from / limit * inner;
  const wide = Math.max((view.to - view.from) / limit * inner, 2);
  context.fillStyle = theme.back;
  context.globalAlpha = 0.72;
  context.fillRect(gutter, 0, left - gutter, height);
  context.fillRect(left + wide, 0, width - left - wide, height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left, 0.75, wide, height - 1.5);
}
