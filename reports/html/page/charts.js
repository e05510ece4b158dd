// Charts over time below the tracks, on the same axis: how many ops each engine runs, and what copies
// move. uPlot draws them. In every frame it is given what is seen as means over a few pixels, which are
// exact at every zoom.
/* global uPlot */
import {enginesOf} from './overview.js';
import {engineWords} from './draw.js';
import {busyUntil, movedUntil, meansOver} from './sums.js';
import {formatRate} from './words.js';

const height = 58;
// Lines with a corner in every pixel, wider ones than a pixel, and areas below them take a browser without
// a GPU several times as long: more than a frame.
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

// A round number that a scale may end at.
export function scaleEnd(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= value * 0.999999);
}

// What a chart shows at one place, in words.
export function readout(kind, engines, values) {
  return engines.map((engine, k) => `${engineWords[engine]} ${kind === 'rate' ? formatRate(values[k]) : values[k].toFixed(2)}`).join(' · ');
}

// kind: 'active' or 'rate'.
export class Chart {
  constructor(host, kind) {
    this.kind = kind;
    this.end = 0;  // where the scale would end by itself
    this.host = document.createElement('div');
    this.host.className = 'chart';
    this.name = document.createElement('span');
    this.readout = document.createElement('span');
    this.readout.className = 'readout';
    this.host.append(this.name, this.readout);
    host.append(this.host);
  }

  // The scale ends at `least` or later.
  draw(scene, device, least) {
    const count = Math.max(Math.round((scene.width - scene.gutter) / pixelsPerValue), 1);
    const series = seriesOf(scene.model, device, this.kind, scene.view, count);
    this.host.hidden = series.length === 0;
    this.end = scaleEnd(Math.max(...series.map(({values}) => values.reduce((a, b) => Math.max(a, b), 0)), 0));
    if (series.length === 0) return;
    this.scene = scene;
    // Each holds from its start to the next one's; the last to the end.
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

  // Anew when its width or its lines change; colours are read in every frame.
  make(key, count) {
    if (this.plot) this.plot.destroy();
    this.key = key;
    this.times = new Float64Array(count + 1);
    const {width, gutter} = this.scene;
    const rate = gutter < 120 ? 'bytes/s' : 'bytes per second';  // on a narrow screen the longer one has no room
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
    this.plot.ctx.canvas.setAttribute('aria-hidden', 'true');  // what all charts show is named together
  }

  tell(index) {
    const isOver = index !== null && index !== undefined;
    this.readout.textContent = isOver ? readout(this.kind, this.series.map(({engine}) => engine), this.series.map(({steps}) => steps[index])) : '';
  }
}
