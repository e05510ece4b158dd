// The timeline of a notebook in a browser: how it draws a recorded trace and reacts to the mouse. LAPSCOPE_COMMAND
// reads the trace.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {settled, withBrowser} from '../../reports/html/support/browser.mjs';

const root = new URL('../../..', import.meta.url).pathname;
const source = readFileSync(`${root}/python/lapscope/timeline.js`);
const script = `data:text/javascript;base64,${source.toString('base64')}`;
const {duration, instant, zoomed} = await import(script);
const program = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
import lapscope
from lapscope._timeline import columns_of
trace = lapscope.read(sys.argv[2])
columns = {name: base64.b64encode(value).decode() if isinstance(value, bytes) else value for name, value in columns_of(trace.analysis, None).items()}
print(json.dumps({"columns": columns, "ops": trace.ops.rows(), "first": min(row[5] for row in trace.ops.rows())}))
`;
const trace = `${root}/tests/traces/pipeline-fixed.sqlite`;
const {columns, ops, first} = JSON.parse(execFileSync('/usr/bin/python3', ['-c', program, `${root}/python`, trace], {maxBuffer: 1 << 28}));
const GREEN = [43, 132, 83], BLUE = [59, 111, 212], VIOLET = [166, 74, 201], WHITE = [255, 255, 255];
const COLOURS = {compute: GREEN, h2d: BLUE, d2h: VIOLET};

test('times have the digits in which they differ', () => {
  assert.deepEqual([duration(0.5), duration(1234.5), duration(1.5e6), duration(0)], ['0.500 us', '1.234 ms', '1.500 s', '0.000 us']);
  assert.deepEqual([instant(78000, 500), instant(78012.5, 0.5), instant(0, 20), instant(2e6, 1e6)], ['78.0 ms', '78.0125 ms', '0 us', '2 s']);
});

test('zooming keeps the instant under the mouse and has ends', () => {
  assert.deepEqual(zoomed([0, 100], 25, 0.5, 1000), [12.5, 62.5]);
  assert.equal(zoomed([0, 100], 50, 1e9, 1000)[1] - zoomed([0, 100], 50, 1e9, 1000)[0], 1100);
  const [from, to] = zoomed([0, 100], 50, 1e-9, 1000);
  assert.ok(to - from > 0.0099 && to - from < 0.0101);
});

test('ops are drawn where they are, in the colour of their engine, and are named', () => withBrowser(async (browser) => {
  const page = await browser.newPage({viewport: {width: 1000, height: 300}});
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.emulateMedia({colorScheme: 'light'});
  await page.setContent('<body style="margin: 0"><div id="widget"></div>');
  await page.evaluate(async ([script, columns]) => {
    const widget = (await import(script)).default, listeners = new Set(), data = {...columns, width: 930, height: 0};
    for (const name of ['begin', 'length', 'lane', 'name', 'engine']) {
      // A message of Jupyter may place the bytes at any offset, not a multiple of eight.
      const bytes = Uint8Array.from(`   ${atob(data[name])}`, (c) => c.charCodeAt(0));
      data[name] = new DataView(bytes.buffer, 3);
    }
    window.model = {get: (name) => data[name], save_changes() {}, on: (_, f) => listeners.add(f), off: (_, f) => listeners.delete(f),
      set: (name, value) => { data[name] = value; listeners.forEach((f) => f()); }};
    window.end = widget.render({model: window.model, el: document.querySelector('#widget')});
    window.listeners = listeners;
  }, [script, columns]);
  await settled(page);
  const view = () => page.evaluate(() => window.model.get('view'));
  const pixel = (x, y) => page.evaluate(([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3), [x, y]);
  const xOf = ([from, to], us) => 130 + (us - from) / (to - from) * 800;
  const yOf = (stream) => 22 + 22 * columns.lanes.indexOf(`stream ${stream}`) + 11;

  const shown = await view();
  let drawn = 0;
  for (const [, stream, , engine, , start, end] of ops) {
    const [from, to] = [(start - first) / 1e3, (end - first) / 1e3];
    if (from < shown[0] || to > shown[1]) continue;
    assert.deepEqual(await pixel(Math.floor(xOf(shown, (from + to) / 2)), yOf(stream)), COLOURS[engine], `${stream} ${from}`);
    drawn += 1;
  }
  assert.equal(drawn, 36);
  assert.deepEqual(await pixel(500, yOf(20)), WHITE);

  const op = ops.find((row) => row[2] === 'kernel' && (row[5] - first) / 1e3 > shown[0] + 500);
  const at = [xOf(shown, ((op[5] + op[6]) / 2 - first) / 1e3), yOf(op[1])];
  await page.mouse.move(...at);
  assert.match(await page.innerText('#widget'), new RegExp(`iterate_affine\nkernel, stream ${op[1]}\n${duration((op[6] - op[5]) / 1e3)} from `));
  const under = shown[0] + (at[0] - 130) / 800 * (shown[1] - shown[0]);
  await page.mouse.wheel(0, -400);
  const near = await view();
  assert.ok(near[1] - near[0] < (shown[1] - shown[0]) / 2);
  assert.ok(Math.abs(near[0] + (at[0] - 130) / 800 * (near[1] - near[0]) - under) < 1);
  await page.mouse.down();
  await page.mouse.move(at[0] + 80, at[1]);
  await page.mouse.up();
  const moved = await view();
  assert.ok(Math.abs(near[0] - moved[0] - (near[1] - near[0]) / 10) < 0.01);
  await page.mouse.dblclick(...at);
  const all = await view();
  assert.equal(all[0], 0);
  assert.ok(Math.abs(all[1] - Math.max(...ops.map((row) => (row[6] - first) / 1e3))) < 0.1);
  await page.focus('canvas');
  await page.keyboard.press('+');
  assert.ok((await view())[0] > 0);
  await page.evaluate(() => window.end());
  assert.equal(await page.evaluate(() => window.listeners.size), 0);
  assert.deepEqual(complaints, []);
}));
