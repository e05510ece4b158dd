// The timeline of a page in a browser, used with wheel, drags, clicks and keys.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {quietPage, openFile, fileOf, trace, lapscope, timelineOf, tracksOf, viewOf, detailsOf, press, turnWheel, coloursOf, arrowsOf} from '../support/pages.mjs';
import {drawn, settled} from '../support/browser.mjs';

const sizeOf = ({from, to}) => to - from;

// Asserts that the canvas shows one arrow of this colour.
async function assertArrow(timeline, wanted) {
  const arrows = (await arrowsOf(timeline)).filter(({colour}) => colour === wanted);
  assert.equal(arrows.length, 1);
  assert.ok(arrows[0].points > 20 && arrows[0].drawn > 0.95, JSON.stringify(arrows));
}

// Returns where the middle op of an engine's first track is, in CSS pixels from the corner of the tracks.
const placeOfOp = (timeline, engine) => timeline.evaluate((t, wanted) => {
  const {track, top, height} = t.layout.rows.find((row) => row.track && row.track.engine === wanted);
  const i = Math.floor(track.start.length / 2);
  const {gutter, width} = t.lastScene;
  const share = ((track.start[i] + track.end[i]) / 2 - t.view.from) / (t.view.to - t.view.from);
  return {x: gutter + share * (width - gutter), y: top + height / 2};
}, engine);

for (const [width, dark] of [[1280, false], [1280, true], [380, false], [380, true]]) {
  test(`a page draws its timeline, ${width} wide, ${dark ? 'dark' : 'light'}`, () =>
    quietPage('nccl', {width, dark}, async (page, timeline) => {
      for (const canvas of ['tracks', 'overview', 'charts']) assert.ok(await coloursOf(timeline, canvas) > 4, canvas);
      const seen = await page.evaluate(() => ({back: getComputedStyle(document.body).backgroundColor, wide: document.documentElement.scrollWidth}));
      assert.equal(seen.back, dark ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)');
      // A page must scroll in one direction only, so nothing is wider than the screen.
      assert.ok(seen.wide <= width);
      const covered = await timeline.evaluate((t) => t.charts
          .map(({name, plot}) => ({text: name.textContent, right: name.getBoundingClientRect().right, plot: plot.over.getBoundingClientRect().left}))
          .filter(({right, plot}) => right > plot));
      assert.deepEqual(covered, [], 'names of charts are beside them');
    }));
}

test('the timeline has every op and call of the trace, and each op its call', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const [device] = JSON.parse(lapscope('analyze', '--format', 'json', trace('stream_pipeline-overlapped'))).devices;
    const found = await timeline.evaluate(({model}) => {
      const ops = model.tracks.filter((t) => t.kind === 'op');
      const calls = new Set(model.tracks.filter((t) => t.kind === 'call').flatMap((t) => [...t.number]));
      return {
        ops: ops.reduce((n, t) => n + t.start.length, 0),
        sum: ops.reduce((n, t) => n + t.busy[t.start.length], 0),
        first: model.origin + Math.min(...ops.map((t) => t.start[0])),
        bytes: ops.reduce((n, t) => n + t.bytes.reduce((a, b) => a + b, 0), 0),
        called: ops.every((t) => t.call.every((number) => calls.has(number))),
      };
    });
    assert.deepEqual(found, {
      ops: device.ops, sum: device.measures.sum.value, first: device.window.start,
      bytes: device.op_groups.reduce((n, group) => n + group.bytes, 0), called: true,
    });
  }));

test('keys zoom and move, and the address keeps what is seen', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    await tracksOf(page).focus();
    const whole = await viewOf(timeline);
    await press(page, 'w');
    const closer = await viewOf(timeline);
    assert.ok(sizeOf(closer) < 0.75 * sizeOf(whole));
    await press(page, 'd');
    assert.ok((await viewOf(timeline)).from > closer.from);
    await press(page, 'ArrowLeft', '-', '+');
    const seen = await viewOf(timeline);
    const hash = `#r=0&t=${Math.floor(seen.from)}-${Math.ceil(seen.to)}`;
    await page.waitForFunction((text) => location.hash === text, hash);
    await press(page, '0');
    assert.deepEqual(await viewOf(timeline), whole);
    const again = await openFile(fileOf('overlapped'), {hash});
    await drawn(again.page);
    const restored = await viewOf(await timelineOf(again.page));
    assert.ok(Math.abs(restored.from - seen.from) <= 1 && Math.abs(restored.to - seen.to) <= 1);
    await again.page.close();
  }));

test('the wheel alone scrolls the page, keys work anywhere on it, and ? lists them', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const whole = await viewOf(timeline);
    await tracksOf(page).hover({position: {x: 700, y: 60}});
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => scrollY > 0);
    assert.deepEqual(await viewOf(timeline), whole);
    await page.locator('h1').first().click();
    await press(page, 'w');
    assert.ok(sizeOf(await viewOf(timeline)) < sizeOf(whole));
    await press(page, '?');
    assert.ok(await page.locator('dialog.keys').isVisible());
    await page.locator('dialog.keys button').click();
    assert.ok(!await page.locator('dialog.keys').isVisible());
  }));

test('Ctrl with the wheel zooms to the pointer, and a drag with Shift moves', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const tracks = tracksOf(page);
    const under = () => timeline.evaluate((t) => t.timeAt(700));
    const time = await under();
    await turnWheel(page, timeline, tracks, {x: 700, y: 60}, 0, -600);
    const zoomed = await viewOf(timeline);
    const {length, perPixel} = await timeline.evaluate(({model, lastScene}) => ({length: model.length, perPixel: model.length / (lastScene.width - lastScene.gutter)}));
    assert.ok(sizeOf(zoomed) < 0.6 * length);
    assert.ok(Math.abs(await under() - time) < perPixel, 'the instant under the pointer stays there');
    const {x, y} = await tracks.boundingBox();
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x + 600, y + 60, {steps: 4});
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled(page);
    const dragged = await viewOf(timeline);
    assert.ok(dragged.from > zoomed.from);
    assert.ok(Math.abs(await timeline.evaluate((t) => t.timeAt(600)) - time) < perPixel, 'and goes where the pointer goes');
    // Touchpads scroll sideways.
    await turnWheel(page, timeline, tracks, {x: 700, y: 60}, -200, 0);
    const panned = await viewOf(timeline);
    assert.ok(panned.from < dragged.from);
    assert.ok(Math.abs(sizeOf(panned) - sizeOf(dragged)) < 1);
  }));

test('a drag measures an interval and adds up what lies in it', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const whole = await viewOf(timeline);
    const {x, y} = await tracksOf(page).boundingBox();
    const dragTo = async (from, to) => {
      await page.mouse.move(x + from, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + to, y + 70, {steps: 4});
      await page.mouse.up();
      await settled(page);
    };
    // A drag backwards works, too.
    await dragTo(900, 400);
    const [from, to] = await timeline.evaluate((t) => [t.timeAt(400), t.timeAt(900)].map(Math.round));
    assert.deepEqual(await timeline.evaluate((t) => t.measured), {from, to});
    assert.deepEqual(await viewOf(timeline), whole, 'the view stays');
    // Adds up the ops of the model one by one.
    const sums = await timeline.evaluate((t, [begin, end]) => {
      const of = (engine) => {
        let [count, bytes] = [0, 0];
        const busy = new Uint8Array(Math.ceil((end - begin) / 1000));
        for (const {start, end: ends, bytes: moved} of t.ops.filter((track) => track.engine === engine)) {
          for (let i = 0; i < start.length; ++i) {
            const [a, b] = [Math.max(start[i], begin), Math.min(ends[i], end)];
            if (a >= b) continue;
            count += 1;
            bytes += moved[i] * (b - a) / (ends[i] - start[i]);
            busy.fill(1, Math.floor((a - begin) / 1000), Math.ceil((b - begin) / 1000));
          }
        }
        return {count, bytes, busy: busy.reduce((n, one) => n + one, 0) * 1000};
      };
      return {compute: of('compute'), h2d: of('h2d'), d2h: of('d2h')};
    }, [from, to]);
    const details = await detailsOf(timeline);
    const first = await timeline.evaluate((t) => t.model.first);
    const ms = (ns) => ((ns - first) / 1e6).toFixed(6);
    assert.ok(details.startsWith(`measured ${((to - from) / 1e6).toFixed(2)} ms, from `), details);
    assert.ok(details.includes(` (--window ${ms(from)} ${ms(to)})\n`), details);
    for (const [engine, label] of [['compute', 'compute'], ['h2d', 'to device'], ['d2h', 'to host']]) {
      const line = new RegExp(`^  ${label}: (\\d+) ops?, busy for ([\\d.]+) ms \\([\\d.]+ %\\)(?:, ([\\d.]+) MiB)?`, 'm').exec(details);
      assert.ok(line, `${label} in ${details}`);
      assert.equal(Number(line[1]), sums[engine].count, label);
      assert.ok(Math.abs(Number(line[2]) * 1e6 - sums[engine].busy) < 2000 * (sums[engine].count + 1), `${line[0]} instead of ${sums[engine].busy}`);
      if (engine !== 'compute') assert.ok(Math.abs(Number(line[3]) - sums[engine].bytes / 2 ** 20) < 0.06, `${line[0]} instead of ${sums[engine].bytes}`);
    }
    assert.match(details, /^thread \d+ of process \d+: \d+ CUDA calls?, in them for /m);
    const band = await timeline.evaluate((t) => t.marks(t.lastScene).find(({shape}) => shape === 'band'));
    assert.ok(Math.abs(band.left - 400) < 1 && Math.abs(band.width - 500) < 1, JSON.stringify(band));
    // The sums of the whole run are those of the tables.
    await timeline.evaluate((t) => t.measure(0, t.model.length));
    const [device] = JSON.parse(lapscope('analyze', '--format', 'json', trace('stream_pipeline-overlapped'))).devices;
    assert.match(await detailsOf(timeline), new RegExp(`^device 0: ${device.ops} ops, `, 'm'));
    await timeline.evaluate((t, [a, b]) => t.measure(a, b), [from, to]);
    await press(page, 'Enter');
    const seen = await viewOf(timeline);
    assert.ok(Math.abs(seen.from - from) <= 1 && Math.abs(seen.to - to) <= 1, 'Enter zooms to it');
    await press(page, 'Escape');
    assert.equal(await timeline.evaluate((t) => t.measured), null);
    assert.equal(await detailsOf(timeline), '');
  }));

test('buttons and the overview do what keys do', () =>
  quietPage('findings', {}, async (page, timeline) => {
    const whole = await viewOf(timeline);
    const click = async (name) => {
      await page.getByRole('button', {name, exact: true}).click();
      await settled(page);
      return viewOf(timeline);
    };
    const closer = await click('zoom in');
    assert.ok(sizeOf(closer) < sizeOf(whole));
    assert.ok(Math.abs(sizeOf(await click('zoom out')) - sizeOf(whole)) < 1);
    await click('zoom in');
    const overview = page.locator('canvas.overview');
    const {width} = await overview.boundingBox();
    await overview.click({position: {x: width - 2, y: 20}});
    await settled(page);
    assert.equal((await viewOf(timeline)).to, whole.to, 'the end of time is at the right');
    assert.deepEqual(await click('show all'), whole);
    await click('next idle gap');
    assert.match(await detailsOf(timeline), /^idle for /);
    await click('next finding');
    assert.deepEqual(await timeline.evaluate((t) => t.finding), [0, 0]);
  }));

test('a click tells what an op is and shows its call; a double click goes there', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const position = await placeOfOp(timeline, 'h2d');
    const tracks = tracksOf(page);
    await tracks.click({position});
    await settled(page);
    const details = await detailsOf(timeline);
    assert.match(details, /^copy h2d\n/);
    assert.match(details, /GB\/s/);
    assert.match(details, /issued by cudaMemcpyAsync\S* on thread \d+/);
    assert.equal(await timeline.evaluate((t) => t.correlated().length), 1);
    await assertArrow(timeline, 'accent');
    await tracks.hover({position: {x: position.x + 1, y: position.y}});
    await settled(page);
    assert.equal(await page.locator('.tip').innerText(), details);
    await turnWheel(page, timeline, tracks, {x: position.x, y: position.y}, 0, -900);
    await page.getByRole('button', {name: 'show all'}).click();
    await tracks.dblclick({position});
    await settled(page);
    assert.equal(await detailsOf(timeline), details);
  }));

// One kernel of the trace has 132 blocks of 1024 threads, and the other has one block of one thread.
test('details have how a kernel was launched, its stream, and the cause of the gap before', () =>
  quietPage('explained', {}, async (page, timeline) => {
    const describe = (name) => timeline.evaluate((t, wanted) => {
      const track = t.ops.find(({engine, name: names}) => engine === 'compute' && t.model.names[names[0]].startsWith(wanted));
      return t.describe({track, i: track.start.length - 1}).join('\n');
    }, name);
    for (const [name, launch] of [
      ['iterate_affine', 'grid of 132 blocks, block of 1,024 threads, 22 registers per thread, 0 B shared memory per block'],
      ['stamp_tile', 'grid of 1 block, block of 1 thread, 16 registers per thread, 0 B shared memory per block'],
    ]) {
      const details = await describe(name);
      assert.match(details, /^device 0, compute, stream \d+ \((blocking|non-blocking|legacy-default)\)$/m);
      assert.ok(details.includes(`\n${launch}\n`), details);
    }
    const copy = await timeline.evaluate((t) => t.describe({track: t.ops.find(({engine}) => engine === 'h2d'), i: 0}).join('\n'));
    assert.doesNotMatch(copy, /grid of/);
    // The page shows the longest gaps of the tables.
    const [device] = JSON.parse(lapscope('analyze', '--format', 'json', trace('stream_pipeline-overlapped'))).devices;
    assert.ok(device.gaps.top.length > 1);
    for (const {start, end, parts} of device.gaps.top) {
      const times = new Map();
      for (const {code, ns} of parts) times.set(code, (times.get(code) || 0) + ns);
      const [cause] = [...times].reduce((a, b) => (b[1] > a[1] ? b : a));
      const details = await timeline.evaluate((t, at) => {
        const track = t.ops.find((one) => one.start.includes(at - t.model.origin));
        t.select({track, i: track.start.indexOf(at - t.model.origin)});
        return t.parts.details.textContent;
      }, end);
      const idle = /^device idle for ([\d.]+) (us|ms) before it; largest cause: (\S+)$/m.exec(details);
      assert.ok(idle, details);
      assert.equal(idle[3], cause);
      assert.equal(Number(idle[1]), Number(((end - start) / (idle[2] === 'us' ? 1e3 : 1e6)).toFixed(2)));
    }
  }));

// Returns the colour of the middle op of each name on the screen, and the colours of the legend.
const coloursOfKernels = (opened, which = 0) => opened.evaluate((k) => {
  const t = document.lapscopeTimelines[k];
  const canvas = t.parts.tracks;
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const {gutter, width} = t.lastScene;
  const pixelOf = (time) => gutter + (time - t.view.from) / (t.view.to - t.view.from) * (width - gutter);
  const drawn = {};
  for (const {track, top, height} of t.layout.rows.filter((row) => row.track && row.track.engine === 'compute')) {
    track.start.forEach((start, i) => {
      const [left, right] = [pixelOf(start), pixelOf(track.end[i])];
      // A place near the upper edge of a whole rectangle, because text is in its middle.
      if (right - left < 4 || left < gutter || right > width) return;
      const at = 4 * ((top + 2) * canvas.width + Math.round((left + right) / 2));
      const [r, g, b] = data.subarray(at, at + 3);
      const name = t.model.names[track.name[i]].replace(/\(.*/, '');
      (drawn[name] = drawn[name] || new Set()).add(`rgb(${r}, ${g}, ${b})`);
    });
  }
  const legend = {};
  for (const row of t.parts.legend.children) {
    legend[row.textContent.replace(/ [\d.]+ %$/, '')] = getComputedStyle(row.querySelector('span')).backgroundColor;
  }
  return {drawn: Object.fromEntries(Object.entries(drawn).map(([name, colours]) => [name, [...colours]])), legend};
}, which);

for (const dark of [false, true]) {
  test(`kernels have colours by name, which the legend has, ${dark ? 'dark' : 'light'}`, () =>
    quietPage('findings', {dark}, async (page, timeline) => {
      await timeline.evaluate((t) => t.show(t.view.from, t.view.from + (t.view.to - t.view.from) / 20));
      await settled(page);
      const {drawn: shown, legend} = await coloursOfKernels(page);
      assert.deepEqual(Object.keys(legend).sort(), ['iterate_affine', 'stamp_tile']);
      assert.notEqual(legend.iterate_affine, legend.stamp_tile);
      assert.ok(shown.iterate_affine, JSON.stringify(shown));
      for (const [name, colours] of Object.entries(shown)) assert.deepEqual(colours, [legend[name]], name);
    }));
}

test('a kernel has one colour on a page, whatever takes most time in each of its timelines', () =>
  quietPage('two', {}, async (page) => {
    const shown = await page.evaluate(() => document.lapscopeTimelines.map(({model, kernel}) =>
        Object.fromEntries(model.names.map((name, k) => [name, kernel[k]]).filter(([name]) => /affine|stamp/.test(name)))));
    assert.equal(Object.keys(shown[0]).length, 2);
    assert.deepEqual(shown[0], shown[1]);
  }));

test('tracks collapse under their heading, and open for what is gone to', () =>
  quietPage('findings', {}, async (page, timeline) => {
    const shown = () => timeline.evaluate(({layout, lastScene}) => ({
      kinds: [...new Set(layout.rows.filter(({track}) => track).map(({track}) => track.kind))],
      headings: layout.rows.filter(({heading}) => heading).map(({heading, top}) => ({heading, top})), height: lastScene.height,
    }));
    const whole = await shown();
    assert.deepEqual(whole.kinds, ['op', 'range', 'call']);
    const clickHeading = async (wanted) => {
      const {top} = (await shown()).headings.find(({heading}) => wanted.test(heading));
      await tracksOf(page).click({position: {x: 40, y: top + 8}});
      await settled(page);
    };
    await clickHeading(/^thread/);
    const folded = await shown();
    assert.deepEqual(folded.kinds, ['op']);
    assert.equal(folded.headings.length, whole.headings.length);
    assert.ok(folded.height < whole.height);
    await clickHeading(/^device/);
    assert.deepEqual((await shown()).kinds, []);
    await clickHeading(/^device/);
    assert.deepEqual((await shown()).kinds, ['op']);
    // Calls of a folded thread are at its heading.
    const position = await placeOfOp(timeline, 'h2d');
    await tracksOf(page).click({position});
    await settled(page);
    assert.match(await detailsOf(timeline), /^copy h2d\n/);
    const {arrow, thread} = await timeline.evaluate((t) => ({
      arrow: t.marks(t.lastScene).find(({shape}) => shape === 'arrow'), thread: t.layout.rows.find(({heading}) => /^thread/.test(heading)),
    }));
    assert.ok(thread.top < arrow.from.y && arrow.from.y < thread.top + thread.height, JSON.stringify({arrow, thread}));
    // A printed page shows everything.
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.deepEqual((await shown()).kinds, whole.kinds);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.deepEqual((await shown()).kinds, ['op']);
    // Keys fold the group of the selection, or all groups.
    await press(page, 'c');
    assert.deepEqual((await shown()).kinds, []);
    await press(page, 'C');
    assert.deepEqual(await shown(), whole);
    await press(page, 'C');
    assert.deepEqual((await shown()).kinds, []);
    await press(page, 'f');
    assert.ok((await shown()).kinds.includes('op'), 'a finding opens what it leads to');
    await assertArrow(timeline, 'alarm');
  }));

test('a button saves what is drawn for Perfetto: every entry, and a flow from each call to its ops', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'), page.getByRole('button', {name: /ui\.perfetto\.dev/}).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'stream_pipeline-overlapped.sqlite.perfetto.json');
    const {traceEvents: events} = JSON.parse(readFileSync(await download.path(), 'utf8'));
    const drawnEntries = await timeline.evaluate(({model}) => model.tracks.flatMap((track) => Array.from(track.start, (start, i) => ({
      name: model.names[track.name[i]], cat: track.kind, start: model.origin + start, end: model.origin + track.end[i],
    }))));
    const order = (a, b) => a.start - b.start || a.end - b.end || (a.name < b.name ? -1 : 1);
    const saved = events.filter(({ph}) => ph === 'X').map(({name, cat, ts, dur}) => {
      const start = Math.round(ts * 1000);
      return {name, cat, start, end: start + Math.round(dur * 1000)};
    });
    assert.deepEqual(saved.sort(order), drawnEntries.sort(order));
    const ops = saved.filter(({cat}) => cat === 'op').length;
    for (const ph of ['s', 'f']) assert.equal(new Set(events.filter((event) => event.ph === ph).map(({id}) => id)).size, ops, ph);
    // A flow leaves within its call and arrives at the begin of its op.
    const isAt = ({pid, tid, ts}) => events.some((event) => event.ph === 'X' && event.pid === pid && event.tid === tid && event.ts === ts);
    assert.ok(events.filter(({ph}) => ph === 's' || ph === 'f').every(isAt));
    // Slices of one thread must not overlap, because each would end the other.
    const last = new Map();
    for (const {pid, tid, ts, dur} of events.filter(({ph}) => ph === 'X').sort((a, b) => a.ts - b.ts)) {
      const key = `${pid} ${tid}`;
      assert.ok(ts >= (last.get(key) ?? 0) - 1e-4);
      last.set(key, ts + dur);
    }
    const names = events.filter(({name}) => name === 'thread_name').map(({args}) => args.name);
    for (const name of [/^compute, stream \d+/, /^to device, stream \d+/, /^thread \d+, CUDA calls$/, /^thread \d+, NVTX$/]) assert.ok(names.some((one) => name.test(one)), `${name} in ${names}`);
    assert.ok(events.some(({name, args}) => name.startsWith('iterate_affine') && args.blocks === 132 && args.threadsPerBlock === 1024));
  }));

test('charts are on the axis of the tracks, follow it, and tell what they show', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const seen = () => timeline.evaluate((t) => ({
      view: t.view, gutter: t.lastScene.gutter, width: t.lastScene.width,
      charts: t.charts.map(({plot, host}) => ({
        from: plot.scales.x.min, to: plot.scales.x.max, most: plot.scales.y.max, left: plot.bbox.left / devicePixelRatio,
        right: (plot.bbox.width + plot.bbox.left) / devicePixelRatio, shown: !host.hidden,
        mean: plot.data[1].slice(0, -1).reduce((a, b) => a + b, 0) / (plot.data[1].length - 1),
      })),
      compute: t.ops.filter((track) => track.engine === 'compute').reduce((sum, track) => sum + track.busy[track.start.length], 0) / t.model.length,
    }));
    const whole = await seen();
    assert.ok(Math.abs(whole.charts[0].mean - whole.compute) < 1e-9, 'the mean of all steps is that of the whole time');
    await tracksOf(page).focus();
    await press(page, 'w');
    const closer = await seen();
    for (const {view, gutter, width, charts} of [whole, closer]) {
      assert.equal(charts.length, 2);
      for (const chart of charts) {
        assert.deepEqual([chart.from, chart.to, chart.left, chart.right, chart.shown], [view.from, view.to, gutter, width, true]);
      }
    }
    assert.equal(whole.charts[1].most, 1e11);
    assert.ok(closer.view.to < whole.view.to);
    const plot = page.locator('.charts .u-over').first();
    const {height} = await plot.boundingBox();
    await plot.hover({position: {x: 300, y: height / 2}});
    await settled(page);
    assert.match(await timeline.evaluate((t) => t.charts[0].readout.textContent), /^compute \d\.\d\d · to device \d\.\d\d · to host \d\.\d\d$/);
  }));

test('a timeline that is thinned out says so, and its charts and search have everything', () =>
  quietPage('thinned', {}, async (page) => {
    const told = await page.evaluate(() => document.lapscopeTimelines.map((t) => {
      t.search('chain');
      const entries = t.ops.reduce((sum, {start}) => sum + start.length, 0);
      const {plot} = t.charts[0];
      const area = plot.data.slice(1).reduce((sum, line) => sum + line.slice(0, -1).reduce((a, b) => a + b, 0), 0) / (plot.data[0].length - 1);
      const all = t.model.tracks.reduce((sum, {start}) => sum + start.length, 0);
      return {entries, all, area, note: t.parts.note.textContent, found: t.parts.found.textContent};
    }));
    const [whole, thinned] = told;
    assert.ok(thinned.entries < 0.6 * whole.entries);
    assert.ok(whole.area > 0 && Math.abs(thinned.area - whole.area) < 1e-9 * whole.area, `${thinned.area} instead of ${whole.area}`);
    assert.equal(whole.note, '');
    assert.match(thinned.note.replaceAll(',', ''), new RegExp(`^Thinned out: ${whole.all} ops calls and ranges are drawn as ${thinned.all}; neighbouring ops shorter than`));
    assert.match(whole.found, /^\d+ found$/);
    assert.match(thinned.found, new RegExp(`^${whole.found}, \\d+ of them joined with others$`));
  }));

test('search finds by name, and n goes on to the next', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const startOfSelected = () => timeline.evaluate(({selected}) => selected.track.start[selected.i]);
    const search = page.getByRole('searchbox', {name: 'search names'});
    await tracksOf(page).focus();
    await press(page, '/');
    assert.ok(await search.evaluate((box) => box === document.activeElement));
    await page.keyboard.type('stamp');
    assert.equal(await search.inputValue(), 'stamp');
    assert.equal(await timeline.evaluate((t) => t.parts.found.textContent), '24 found');
    await press(page, 'Enter');
    const first = await startOfSelected();
    await tracksOf(page).focus();
    await press(page, 'n');
    assert.ok(await startOfSelected() > first);
    assert.match(await detailsOf(timeline), /^stamp_tile/);
    await press(page, 'N');
    assert.equal(await startOfSelected(), first);
    await search.fill('no such name');
    assert.equal(await timeline.evaluate((t) => t.parts.found.textContent), '0 found');
  }));

test('Shift and arrows walk from op to op, in view and at the same zoom', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    const selected = () => timeline.evaluate(({selected: {track, i}, model, view}) => ({
      track: model.tracks.indexOf(track), i, start: track.start[i], end: track.end[i], seen: track.start[i] >= view.from && track.end[i] <= view.to,
    }));
    await tracksOf(page).focus();
    await press(page, 'w', 'w', 'w', 'w', 'w', 'w');
    const size = sizeOf(await viewOf(timeline));
    await press(page, 'Shift+ArrowRight');
    const first = await selected();
    assert.equal(first.track, 0);
    let last = first;
    for (let k = 1; k <= 5; ++k) {
      await press(page, 'Shift+ArrowRight');
      const next = await selected();
      assert.deepEqual([next.track, next.i, next.seen], [0, first.i + k, true]);
      assert.ok(next.start >= last.end);
      last = next;
    }
    await press(page, 'Shift+ArrowLeft');
    assert.equal((await selected()).i, last.i - 1);
    await press(page, 'Shift+ArrowDown');
    const below = await selected();
    assert.deepEqual([below.track, below.seen], [1, true]);
    assert.match(await detailsOf(timeline), /^\S.*\n.*\ndevice 0, compute, stream \d+ /);
    await press(page, 'Shift+ArrowUp');
    assert.equal((await selected()).track, 0);
    await press(page, 'Shift+ArrowUp');
    assert.equal((await selected()).track, 0, 'there is nothing above');
    assert.ok(Math.abs(sizeOf(await viewOf(timeline)) - size) < 1);
    // The last track is scrolled into view.
    const {length} = await timeline.evaluate(({model}) => model.tracks);
    await press(page, ...Array(length).fill('Shift+ArrowDown'));
    assert.equal((await selected()).track, length - 1);
    assert.match(await detailsOf(timeline), /thread \d+ of process \d+$/);
    // Without Shift, arrows move the view.
    const before = {view: await viewOf(timeline), selected: await selected()};
    await press(page, 'ArrowRight');
    assert.ok((await viewOf(timeline)).from > before.view.from);
    assert.equal((await selected()).i, before.selected.i);
  }));

test('g goes to gaps, the longest first', () =>
  quietPage('overlapped', {}, async (page, timeline) => {
    await tracksOf(page).focus();
    const lengths = [];
    for (let k = 0; k < 3; ++k) {
      await press(page, 'g');
      lengths.push(await timeline.evaluate(({gap}) => gap.end - gap.start));
    }
    assert.ok(lengths[0] >= lengths[1] && lengths[1] >= lengths[2]);
    assert.match(await detailsOf(timeline), /^idle for .*, 3 of \d+ by length/);
    await press(page, 'G');
    assert.equal(await timeline.evaluate(({gap}) => gap.end - gap.start), lengths[1]);
  }));

test('evidence of a recording has its arrow, late as it is', () =>
  quietPage('kernel-barrier', {hash: '#r=0&find=0'}, async (page, timeline) => {
    const [from, to] = await timeline.evaluate((t) => t.evidence().waiting);
    assert.ok(to > 2 ** 24);
    const {from: first, to: last} = await viewOf(timeline);
    assert.ok(first < from && to < last && last - first < 10 * (to - from));
    await assertArrow(timeline, 'alarm');
    assert.match(await detailsOf(timeline), /^default-stream-barrier: [^]*blocked by /);
  }));

test('a finding leads to its evidence, with the constraint drawn', () =>
  quietPage('findings', {}, async (page, timeline) => {
    const findings = page.locator('.finding-list');
    assert.equal(await findings.locator('> li').count(), 2);
    const before = await viewOf(timeline);
    await findings.getByRole('link').first().click();
    await settled(page);
    const after = await viewOf(timeline);
    assert.ok(sizeOf(after) < sizeOf(before) / 4);
    const evidence = await timeline.evaluate((t) => {
      const {op, holder, waiting} = t.evidence();
      return {op: !!op, holder: !!holder, from: waiting[0], to: waiting[1]};
    });
    assert.ok(evidence.op && evidence.holder);
    assert.ok(after.from < evidence.from && evidence.to < after.to);
    const box = await tracksOf(page).boundingBox();
    assert.ok(box.y >= 0 && box.y < 900, 'the timeline is on the screen');
    await assertArrow(timeline, 'alarm');
    await tracksOf(page).focus();
    await press(page, 'f');
    assert.deepEqual(await timeline.evaluate((t) => t.finding), [0, 1]);
  }));

test('a page opens on what it is about, with the whole in the overview', () =>
  quietPage('brackets', {}, async (page, timeline) => {
    const {devices: [device]} = JSON.parse(lapscope('analyze', '--format', 'json', trace('pipeline-broken')));
    const {window} = device.steady;
    const {view, origin, length} = await timeline.evaluate(({view, model}) => ({view, origin: model.origin, length: model.length}));
    assert.ok(origin + view.from <= window.start && window.end <= origin + view.to);
    assert.ok(sizeOf(view) < 1.1 * (window.end - window.start) && sizeOf(view) < length / 5);
    await tracksOf(page).focus();
    await press(page, '0');
    assert.deepEqual(await viewOf(timeline), {from: 0, to: length});
  }));

test('tracks that do not fit are reached by a scroll bar, and by the wheel once they have the focus', () =>
  quietPage('nccl', {height: 500}, async (page, timeline) => {
    const bar = page.locator('.scroller').first();
    const {inside, all} = await bar.evaluate((one) => ({inside: one.clientHeight, all: one.scrollHeight}));
    assert.ok(all > inside + 50);
    await bar.evaluate((one) => { one.scrollTop = 80; });
    await page.waitForFunction((t) => t.lastScene.scroll === 80, timeline);
    await tracksOf(page).focus();
    const before = await page.evaluate(() => scrollY);
    await tracksOf(page).hover({position: {x: 400, y: 100}});
    await page.mouse.wheel(0, 60);
    await page.waitForFunction((t) => t.lastScene.scroll === 140, timeline);
    assert.equal(await bar.evaluate((one) => one.scrollTop), 140);
    assert.equal(await page.evaluate(() => scrollY), before, 'the page stays where it is');
    // At the end of the tracks, the wheel scrolls the page.
    await page.mouse.wheel(0, 100000);
    await page.waitForFunction((t) => !t.canScroll(1), timeline);
    await page.mouse.wheel(0, 200);
    await page.waitForFunction((was) => scrollY > was, before);
  }));

test('what is told of an op under the pointer goes when the selection moves', () =>
  quietPage('findings', {}, async (page, timeline) => {
    const place = await placeOfOp(timeline, 'compute');
    await tracksOf(page).hover({position: place});
    await page.waitForFunction((t) => !t.parts.tip.hidden, timeline);
    await tracksOf(page).focus();
    await press(page, 'f');
    assert.ok(await timeline.evaluate((t) => t.parts.tip.hidden));
  }));

test('what a thread did between its calls has a track, in the colours of the flame graphs', () =>
  quietPage('host', {}, async (page, timeline) => {
    const found = await timeline.evaluate((t) => {
      const [calls, host] = ['call', 'host'].map((kind) => t.model.tracks.find((track) => track.kind === kind && track.row === 0));
      const isIn = (i) => calls.start.some((start, k) => start < host.end[i] && calls.end[k] > host.start[i]);
      const user = t.model.hostWork.findIndex(({kind}) => kind === 'user');
      return {
        label: t.layout.rows.find((row) => row.track === host).label, heading: t.layout.rows.filter((row) => row.heading).length,
        slices: host.start.length > 300, inCalls: [...host.start.keys()].filter(isIn), tells: t.model.hostWork.every(({words}) => words !== ''),
        colour: t.theme.work[user].css, graph: getComputedStyle(document.querySelector('.flame rect.k-user')).fill.replaceAll(' ', ''),
      };
    });
    const {colour, graph, ...facts} = found;
    assert.deepEqual(facts, {label: 'host', heading: 2, slices: true, inCalls: [], tells: true});
    assert.equal(colour, graph);
  }));

test('a slice of the host tells the function, its line and caller, the kind and the state', () =>
  quietPage('host', {}, async (page, timeline) => {
    const at = await timeline.evaluate((t) => {
      const {track, top, height} = t.layout.rows.find((row) => row.track && row.track.kind === 'host');
      const i = [...track.start.keys()].reduce((a, b) => (track.end[b] - track.start[b] > track.end[a] - track.start[a] ? b : a));
      t.show(track.start[i] - 1e6, track.end[i] + 1e6);
      return {x: (t.lastScene.gutter + t.lastScene.width) / 2, y: top + height / 2};
    });
    await settled(page);
    await tracksOf(page).click({position: at});
    await settled(page);
    const lines = (await detailsOf(timeline)).split('\n');
    assert.equal(lines[0], 'spin');
    assert.match(lines[3], /^host_time\.py:\d+ ← long_work, the program's own code, runs$/);
  }));
