// Pages for the tests of a file, in one browser. Each page is made once, when it is first needed. LAPSCOPE_COMMAND and
// LAPSCOPE_SAMPLE_PAGE are the programs that make them. LAPSCOPE_TEST_TRACES has the traces.
import {before, after} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {startBrowser, watchedPage, drawn, settled} from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'lapscope-page-'));
let browser;
let shared;
before(async () => {
  browser = await startBrowser();
  shared = await watchedPage(browser);
});
after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
});

export const trace = (name) => `${process.env.LAPSCOPE_TEST_TRACES}/${name}.sqlite`;
const run = (program, ...words) => execFileSync(program, words, {maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe']});
export const lapscope = (...words) => run(process.env.LAPSCOPE_COMMAND, ...words);
const sample = (...words) => (file) => writeFileSync(file, run(process.env.LAPSCOPE_SAMPLE_PAGE, ...words));
const page = (...words) => (file) => lapscope(...words, '-o', file);
const pair = [trace('stream_pipeline-default-stream'), trace('stream_pipeline-overlapped')];
const makers = {
  findings: sample('findings'),
  hostile: sample('hostile'),
  thinned: sample('thinned', 'tiny-kernels-broken'),
  'hostile-diff': sample('hostile', 'html', 'diff'),
  overlapped: page('report', pair[1]),
  // If JSON is also requested, the whole run is explained, and not only its steady state.
  explained: (file) => lapscope('report', pair[1], '--format', 'html,json', '-o', file.replace(/\.html$/, '')),
  nccl: page('report', trace('nccl-all-reduce-broken')),
  'kernel-barrier': page('report', trace('default-stream-kernel-broken')),
  host: page('report', trace('host/two_functions')),
  two: page('report', ...pair),
  brackets: page('report', trace('pipeline-broken')),
  diff: page('diff', ...pair),
  'brackets-diff': page('diff', trace('pipeline-broken'), trace('pipeline-fixed')),
};

export function fileOf(name) {
  const file = join(folder, `${name}.html`);
  if (!existsSync(file)) makers[name](file);
  return file;
}

// Writes a page of a test's own, for openFile().
export function writePage(name, text) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, text);
  return file;
}

// Opens a file in a new page, which the caller must close.
export async function openFile(file, {hash = '', scripts = true} = {}) {
  const watched = await watchedPage(browser, {scripts});
  await watched.open(pathToFileURL(file).href + hash);
  return watched;
}

function assertQuiet({complaints, requests}, file) {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, [pathToFileURL(file).href]);
}

// Calls look(page, timeline). The page must not complain meanwhile, and must request nothing but itself.
export async function quietPage(name, {hash = '', ...options}, look) {
  const file = fileOf(name);
  await shared.open(pathToFileURL(file).href + hash, options);
  await drawn(shared.page);
  await look(shared.page, await timelineOf(shared.page));
  await settled(shared.page);
  assertQuiet(shared, file);
}

export async function quietPageWithoutScripts(name, look) {
  const file = fileOf(name);
  const watched = await openFile(file, {scripts: false});
  await look(watched.page);
  assertQuiet(watched, file);
  await watched.page.close();
}

// Waits up to 5 s until has() is true.
export async function eventually(has) {
  for (let k = 0; k < 250 && !has(); ++k) await new Promise((done) => setTimeout(done, 20));
  return has();
}

// The page's object of one timeline, for timeline.evaluate((t) => …).
export const timelineOf = (opened, which = 0) => opened.evaluateHandle((k) => document.lapscopeTimelines[k], which);
export const viewOf = (timeline) => timeline.evaluate((t) => t.view);
export const detailsOf = (timeline) => timeline.evaluate((t) => t.parts.details.textContent);

// The elements that people point at.
export const tracksOf = (opened, which = 0) => opened.getByRole('application', {name: /^timeline of ops/}).nth(which);

export async function press(opened, ...keys) {
  for (const key of keys) {
    await opened.keyboard.press(key);
    await settled(opened);
  }
}

// Turns the wheel at a place of the tracks until the view has changed. The place is in CSS pixels from their corner.
// Vertical turns are made with Ctrl, which zooms.
export async function turnWheel(opened, timeline, tracks, position, dx, dy) {
  const before = await viewOf(timeline);
  await tracks.hover({position});
  if (dy) await opened.keyboard.down('Control');
  await opened.mouse.wheel(dx, dy);
  if (dy) await opened.keyboard.up('Control');
  await opened.waitForFunction(([t, {from, to}]) => t.view.from !== from || t.view.to !== to, [timeline, before]);
  await settled(opened);
}

// Returns how many colours a canvas shows: 1 if nothing is drawn.
export const coloursOf = (timeline, part) => timeline.evaluate((t, name) => {
  const canvas = t.parts[name].querySelector('canvas') || t.parts[name];
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}, part);

// Returns the arrows over the tracks. For each: the share of its line that has its colour, outside of frames and bars.
export const arrowsOf = (timeline) => timeline.evaluate((t) => {
  const shapes = t.marks(t.lastScene);
  const canvas = t.parts.tracks;
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const ratio = window.devicePixelRatio;
  const isOutside = (x, y) => x > t.lastScene.gutter && x < t.lastScene.width - 2 && y > 22 && y < t.lastScene.height - 2 && shapes.every(
      ({shape, left, top, width, height}) => shape === 'arrow' || x < left - 4 || x > left + width + 4 || y < top - 4 || y > top + height + 4);
  const has = (x, y, wanted) => [-1, 0, 1].some((dx) => [-1, 0, 1].some((dy) => {
    const at = 4 * ((Math.round(y * ratio) + dy) * canvas.width + Math.round(x * ratio) + dx);
    return wanted.every((part, k) => Math.abs(data[at + k] - part) < 40);
  }));
  return shapes.filter(({shape}) => shape === 'arrow').map(({colour, from, to, bend}) => {
    const wanted = [1, 3, 5].map((at) => parseInt(t.theme[colour].slice(at, at + 2), 16));
    const [xs, ys] = [[from.x, from.x + bend, to.x - bend, to.x - 2], [from.y, from.y, to.y, to.y]];
    const onCurve = (p, s) => (1 - s) ** 3 * p[0] + 3 * (1 - s) ** 2 * s * p[1] + 3 * (1 - s) * s ** 2 * p[2] + s ** 3 * p[3];
    const points = Array.from({length: 200}, (_, k) => [onCurve(xs, k / 199), onCurve(ys, k / 199)]).filter(([x, y]) => isOutside(x, y));
    return {colour, points: points.length, drawn: points.filter(([x, y]) => has(x, y, wanted)).length / points.length};
  });
});
