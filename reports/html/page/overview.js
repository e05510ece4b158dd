// The overview above the tracks, which shows the whole time.
import {busyUntil, meansOver} from './sums.js';

const engines = ['compute', 'h2d', 'd2h', 'other', 'comm'];

// Returns the engines of a device that have ops, with their tracks.
export function enginesOf(model, device) {
  return engines
      .map((engine) => ({engine, tracks: model.tracks.filter((t) => t.kind === 'op' && t.device === device && t.engine === engine)}))
      .filter(({tracks}) => tracks.length > 0);
}

// Draws the whole time as a strip with one row per engine.
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
