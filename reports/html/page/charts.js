// Charts below the tracks, on the same time axis: how many ops each engine runs, and the rate of copies. uPlot
// draws them. For each frame, the visible time is divided into parts of a few pixels. Each part shows its exact
// mean at every zoom.
/* global uPlot */
import {enginesOf} from './overview.js';
import {engineWords} from './draw.js';
import {busyUntil, movedUntil, meansOver} from './sums.js';
import {formatRate} from './words.js';

const height = 58;
// Smaller or wider values take a browser without a GPU more than the time of a frame: a corner in every pixel,
// lines wider than a pixel, and filled areas take several times as long.
const pixelsPerValue = 4;
const lineWidth = 1;

export function seriesOf(model, device, kind, view, count) {
  const series = [];
  for (const {engine, tracks} of enginesOf(model, device)) {
    const moving = kind === 'rate' ? tracks.filter((t) => t.moved) : tracks;
    if (moving.length === 0 || (kind === 'rate' && (engine === 'compute' || engine === 'comm'))) continue;
    const means = meansOver(moving, kind === 'rate' ? movedUntil : busyUntil, view.from, view.to, count);
    series.push({engine, values: kind === 'rate' ? means.map((perNs) => perNs * 1e9) : means});
  }
  return series;
}

// Returns the next round number at or above `value`, as the end of a scale.
export function scaleEnd(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= value * 0.999999);
}

// Returns a chart's values at one time as text.
export function readout(kind, engines, values) {
  return engines.map((engine, k) => `${engineWords[engine]} ${kind === 'rate' ? formatRate(values[k]) : values[k].toFixed(2)}`).join(' · ');
}

// `kind` is 'active' or 'rate'.
export class Chart {
  constructor(host, kind) {
    this.kind = kind;
    this.end = 0;  // end of the scale for its own data
    this.host = document.createElement('div');
    this.host.className = 'chart';
    this.name = document.createElement('span');
    this.readout = document.createElement('span');
    this.readout.className = 'readout';
    this.host.append(this.name, this.readout);
    host.append(this.host);
  }

  // The scale ends at `least` or above.
  draw(scene, device, least) {
    const count = Math.max(Math.round((scene.width - scene.gutter) / pixelsPerValue), 1);
    const series = seriesOf(scene.model, device, this.kind, scene.view, count);
    this.host.hidden = series.length === 0;
    this.end = scaleEnd(Math.max(...series.map(({values}) => values.reduce((a, b) => Math.max(a, b), 0)), 0));
    if (series.length === 0) return;
    this.scene = scene;
    // Each value holds until the next one starts, the last until the end.
    this.series = series.map((one) => ({...one, steps: Float64Array.from({length: count + 1}, (_, k) => one.values[Math.min(k, count - 1)])}));
    this.most = Math.max(this.end, least);
    const key = `${scene.width} ${scene.gutter} ${series.map(({engine}) => engine)}`;
    if (key !== this.key) this.make(key, count);
    const {from, to} = scene.view;
    for (let k = 0; k <= count; ++k) this.times[k] = from + k / count * (to - from);
    this.plot.batch(() => {
      this.plot.setData([this.times, ...this.series.map(({steps}) => steps)], false);
      this.plot.setScale('x', {min: from, max: to});
      this.plot.setScale('y', {min: 0, max: this.most});
    });
  }

  // Creates the plot again after its width or its lines have changed. Colours are read for every frame.
  make(key, count) {
    if (this.plot) this.plot.destroy();
    this.key = key;
    this.times = new Float64Array(count + 1);
    const {width, gutter} = this.scene;
    const rate = gutter < 120 ? 'bytes/s' : 'bytes per second';  // short text for narrow screens
    this.name.textContent = this.kind === 'rate' ? rate : 'ops at a time';
    this.readout.style.left = `${gutter + 6}px`;
    const faint = () => this.scene.theme.faint;
    this.plot = new uPlot({
      width, height, padding: [8, 0, 2, 0], pxAlign: 0,
      legend: {show: false},
      cursor: {y: false, points: {show: false}, drag: {x: false, y: false, setScale: false}},
      select: {show: false},
      scales: {x: {time: false, auto: false}, y: {auto: false}},
      axes: [{show: false}, {
        size: gutter, gap: 4, font: '11px system-ui, sans-serif', stroke: faint, ticks: {show: false}, grid: {show: false},
        splits: () => [this.most], values: () => [this.kind === 'rate' ? formatRate(this.most) : String(this.most)],
      }],
      series: [{}, ...this.series.map(({engine}) => ({
        stroke: () => this.scene.theme[engine][2].css, width: lineWidth, points: {show: false}, paths: uPlot.paths.stepped({align: 1}),
      }))],
      hooks: {setCursor: [(plot) => this.tell(plot.cursor.idx)]},
    }, [this.times, ...this.series.map(({steps}) => steps)], this.host);
    this.plot.ctx.canvas.setAttribute('aria-hidden', 'true');  // one label describes all charts
  }

  tell(index) {
    const isOver = index !== null && index !== undefined;
    this.readout.textContent = isOver ? readout(this.kind, this.series.map(({engine}) => engine), this.series.map(({steps}) => steps[index])) : '';
  }
}
