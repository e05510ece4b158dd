// Pages in a real browser. LAPSCOPE_COMMAND and LAPSCOPE_SAMPLE_PAGE are the programs that make them.
import {test, before, after} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {startBrowser} from './browser.mjs';

const traces = process.env.LAPSCOPE_TEST_TRACES;
const folder = mkdtempSync(join(tmpdir(), 'lapscope-page-'));
const fileOf = (name) => join(folder, name);
const urlOf = (name, hash = '') => pathToFileURL(fileOf(name)).href + hash;
let browser;

before(() => {
  for (const which of ['findings', 'hostile']) {
    writeFileSync(fileOf(`${which}.html`), execFileSync(process.env.LAPSCOPE_SAMPLE_PAGE, [which], {maxBuffer: 1 << 28}));
  }
  for (const trace of ['stream_pipeline-overlapped', 'nccl-all-reduce-broken']) {
    execFileSync(process.env.LAPSCOPE_COMMAND, ['report', `${traces}/${trace}.sqlite`, '-o', fileOf(`${trace}.html`)], {stdio: 'ignore'});
  }
  execFileSync(process.env.LAPSCOPE_COMMAND, ['report', `${traces}/stream_pipeline-default-stream.sqlite`, `${traces}/stream_pipeline-overlapped.sqlite`, '-o', fileOf('two.html')], {stdio: 'ignore'});
  execFileSync(process.env.LAPSCOPE_COMMAND, ['diff', `${traces}/stream_pipeline-default-stream.sqlite`, `${traces}/stream_pipeline-overlapped.sqlite`, '-o', fileOf('diff.html')], {stdio: 'ignore'});
  writeFileSync(fileOf('hostile-diff.html'), execFileSync(process.env.LAPSCOPE_SAMPLE_PAGE, ['hostile', 'html', 'diff'], {maxBuffer: 1 << 28}));
  browser = startBrowser();
});
after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
});

// A page that has been looked at and must have kept quiet: no error, no request but for itself.
async function quietPage(name, options, look, hash = '') {
  const page = await browser.open(urlOf(name, hash), options);
  if (!options || options.scripts !== false) await page.ready();
  const result = await look(page);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(urlOf(name))), []);
  assert.ok(page.requests.length > 0);
  return result;
}

const timeline = 'document.lapscopeTimelines[0]';
const viewOf = (page) => page.value(`${timeline}.view`);
const focus = (page) => page.value(`${timeline}.parts.tracks.focus()`);

// How many different colours a canvas shows: 1 when nothing is drawn.
const coloursOf = (page, part) => page.value(`(() => {
  const part = ${timeline}.parts.${part};
  const canvas = part.querySelector('canvas') || part;
  const data = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return new Set(data).size;
})()`);

for (const [width, dark] of [[1280, false], [1280, true], [380, false], [380, true]]) {
  test(`a page draws its timeline, ${width} wide, ${dark ? 'dark' : 'light'}`, () =>
    quietPage('nccl-all-reduce-broken.html', {width, dark}, async (page) => {
      for (const canvas of ['tracks', 'overview', 'charts']) assert.ok(await coloursOf(page, canvas) > 4, canvas);
      const background = await page.value('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, dark ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)');
      // Nothing is wider than the screen, so that a page scrolls one way only.
      assert.ok(await page.value('document.documentElement.scrollWidth') <= width);
    }));
}

test('the timeline has every op and call of the trace, and each op its call', () =>
  quietPage('stream_pipeline-overlapped.html', {}, async (page) => {
    const report = JSON.parse(execFileSync(process.env.LAPSCOPE_COMMAND, ['analyze', '--format', 'json', `${traces}/stream_pipeline-overlapped.sqlite`]));
    const device = report.devices[0];
    const found = await page.value(`(() => {
      const {model} = ${timeline};
      const ops = model.tracks.filter((t) => t.kind === 'op');
      const calls = new Set(model.tracks.filter((t) => t.kind === 'call').flatMap((t) => [...t.number]));
      return {
        ops: ops.reduce((n, t) => n + t.start.length, 0),
        sum: ops.reduce((n, t) => n + t.busy[t.start.length], 0),
        first: model.origin + Math.min(...ops.map((t) => t.start[0])),
        bytes: ops.reduce((n, t) => n + t.bytes.reduce((a, b) => a + b, 0), 0),
        called: ops.every((t) => t.call.every((number) => calls.has(number))),
      };
    })()`);
    assert.equal(found.ops, device.ops);
    assert.equal(found.sum, device.measures.sum.value);
    assert.equal(found.first, device.window.start);
    assert.equal(found.bytes, device.op_groups.reduce((n, group) => n + group.bytes, 0));
    assert.ok(found.called);
  }));

test('keys zoom and move, and the address keeps what is seen', () =>
  quietPage('stream_pipeline-overlapped.html', {}, async (page) => {
    await focus(page);
    const whole = await viewOf(page);
    await page.press('w');
    const closer = await viewOf(page);
    assert.ok(closer.to - closer.from < 0.75 * (whole.to - whole.from));
    await page.press('d');
    assert.ok((await viewOf(page)).from > closer.from);
    await page.press('ArrowLeft');
    await page.press('-');
    await page.press('+');
    const seen = await viewOf(page);
    await page.value('new Promise((done) => setTimeout(done, 450))');
    const hash = await page.value('location.hash');
    assert.match(hash, /t=\d+-\d+/);
    await page.press('0');
    assert.deepEqual(await viewOf(page), whole);
    const again = await browser.open(urlOf('stream_pipeline-overlapped.html', hash));
    await again.ready();
    const restored = await viewOf(again);
    assert.ok(Math.abs(restored.from - seen.from) <= 1 && Math.abs(restored.to - seen.to) <= 1);
  }));

test('the wheel zooms to the pointer, and a drag moves', () =>
  quietPage('stream_pipeline-overlapped.html', {height: 2400}, async (page) => {
    const box = await page.value(`(() => { const b = ${timeline}.parts.tracks.getBoundingClientRect(); return {x: b.x, y: b.y, width: b.width}; })()`);
    const x = box.x + 700;
    const y = box.y + 60;
    const under = () => page.value(`${timeline}.timeAt(700)`);
    const time = await under();
    await page.mouse('mouseWheel', x, y, {deltaX: 0, deltaY: -600});
    await page.value('new Promise((done) => setTimeout(done, 100))');
    const zoomed = await viewOf(page);
    assert.ok(zoomed.to - zoomed.from < 0.6 * await page.value(`${timeline}.model.length`));
    const pixel = await page.value(`${timeline}.model.length / (${timeline}.lastScene.width - ${timeline}.lastScene.gutter)`);
    assert.ok(Math.abs(await under() - time) < pixel, 'the instant under the pointer stays there');
    await page.mouse('mousePressed', x, y);
    await page.mouse('mouseMoved', x - 100, y, {buttons: 1, button: 'left'});
    await page.mouse('mouseReleased', x - 100, y);
    await page.settled();
    assert.ok((await viewOf(page)).from > zoomed.from);
  }));

test('a click tells what an op is and shows its call', () =>
  quietPage('stream_pipeline-overlapped.html', {height: 2400}, async (page) => {
    const place = await page.value(`(() => {
      const t = ${timeline};
      const row = t.layout.rows.find((r) => r.track && r.track.engine === 'h2d');
      const i = Math.floor(row.track.start.length / 2);
      const b = t.parts.tracks.getBoundingClientRect();
      const scene = t.lastScene;
      const time = (row.track.start[i] + row.track.end[i]) / 2;
      return {x: b.x + scene.gutter + (time - t.view.from) / (t.view.to - t.view.from) * (scene.width - scene.gutter), y: b.y + row.top + row.height / 2};
    })()`);
    await page.click(place.x, place.y);
    const details = await page.value(`${timeline}.parts.details.textContent`);
    assert.match(details, /^copy h2d\n/);
    assert.match(details, /GB\/s/);
    assert.match(details, /issued by cudaMemcpyAsync\S* on thread \d+/);
    assert.equal(await page.value(`${timeline}.correlated().length`), 1);
    await page.mouse('mouseMoved', place.x, place.y);
    await page.settled();
    assert.equal(await page.value(`${timeline}.parts.tip.hidden`), false);
  }));

test('charts are on the axis of the tracks, follow it, and tell what they show', () =>
  quietPage('stream_pipeline-overlapped.html', {height: 2400}, async (page) => {
    const seen = () => page.value(`(() => {
      const t = ${timeline};
      return {view: t.view, gutter: t.lastScene.gutter, charts: t.charts.map(({plot, host}) => ({
        from: plot.scales.x.min, to: plot.scales.x.max, most: plot.scales.y.max, left: plot.bbox.left / devicePixelRatio, right: plot.bbox.width / devicePixelRatio + plot.bbox.left / devicePixelRatio,
        mean: plot.data[1].slice(0, -1).reduce((a, b) => a + b, 0) / (plot.data[1].length - 1), shown: !host.hidden,
      })), width: t.lastScene.width, compute: t.ops.filter((track) => track.engine === 'compute').reduce((sum, track) => sum + track.busy[track.start.length], 0) / t.model.length};
    })()`);
    const whole = await seen();
    assert.ok(Math.abs(whole.charts[0].mean - whole.compute) < 1e-9, 'the mean of all steps is that of the whole time');
    await focus(page);
    await page.press('w');
    const closer = await seen();
    for (const {view, gutter, width, charts} of [whole, closer]) {
      assert.equal(charts.length, 2);
      for (const chart of charts) {
        assert.deepEqual([chart.from, chart.to, chart.left, chart.right, chart.shown], [view.from, view.to, gutter, width, true]);
      }
    }
    assert.equal(whole.charts[1].most, 1e11);
    assert.ok(closer.view.to < whole.view.to);
    const box = await page.value(`(() => { const b = ${timeline}.charts[0].plot.over.getBoundingClientRect(); return {x: b.x, y: b.y, height: b.height}; })()`);
    await page.mouse('mouseMoved', box.x + 300, box.y + box.height / 2);
    await page.settled();
    assert.match(await page.value(`${timeline}.charts[0].told.textContent`), /^compute \d\.\d\d · to device \d\.\d\d · to host \d\.\d\d$/);
  }));

test('search finds by name, and n goes on to the next', () =>
  quietPage('stream_pipeline-overlapped.html', {}, async (page) => {
    await focus(page);
    await page.press('/');
    assert.equal(await page.value('document.activeElement.type'), 'search');
    for (const letter of 'stamp') await page.press(letter);
    assert.equal(await page.value(`${timeline}.parts.found.textContent`), '24 found');
    await page.press('Enter');
    const first = await page.value(`${timeline}.selected.track.start[${timeline}.selected.i]`);
    await focus(page);
    await page.press('n');
    const next = await page.value(`${timeline}.selected.track.start[${timeline}.selected.i]`);
    assert.ok(next > first);
    assert.match(await page.value(`${timeline}.parts.details.textContent`), /^stamp_tile/);
  }));

test('g goes to gaps, one after the other', () =>
  quietPage('stream_pipeline-overlapped.html', {}, async (page) => {
    await focus(page);
    const gaps = [];
    for (let k = 0; k < 3; ++k) {
      await page.press('g');
      gaps.push(await page.value(`${timeline}.gap`));
    }
    assert.equal(new Set(gaps.map((gap) => gap.start)).size, 3);
    assert.match(await page.value(`${timeline}.parts.details.textContent`), /^idle for /);
  }));

test('a finding leads to its evidence, with the constraint drawn', () =>
  quietPage('findings.html', {height: 2400}, async (page) => {
    assert.equal(await page.value('document.querySelectorAll(".finding-list > li").length'), 2);
    const before = await viewOf(page);
    await page.value('document.querySelector(".finding-list a").click()');
    await page.settled();
    const after = await viewOf(page);
    assert.ok(after.to - after.from < (before.to - before.from) / 4);
    const evidence = await page.value(`(() => { const e = ${timeline}.evidence(); return {op: !!e.op, holder: !!e.holder, from: e.waiting[0], to: e.waiting[1]}; })()`);
    assert.ok(evidence.op && evidence.holder);
    assert.ok(after.from < evidence.from && evidence.to < after.to);
    // The arrow has a colour of its own.
    const red = await page.value(`(() => {
      const canvas = ${timeline}.parts.tracks;
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === 0xb3 && data[i + 1] === 0x26 && data[i + 2] === 0x1e) ++count;
      return count;
    })()`);
    assert.ok(red > 100, `${red}`);
    await focus(page);
    await page.press('f');
    assert.deepEqual(await page.value(`${timeline}.finding`), [0, 1]);
  }));

test('two traces of one page move together when asked to, on one scale', () =>
  quietPage('two.html', {height: 2400}, async (page) => {
    const views = () => page.value('document.lapscopeTimelines.map((t) => t.view)');
    const [one, two] = await views();
    assert.notDeepEqual(one, two);
    await page.value('document.lapscopeTimelines[1].parts.linked.click()');
    await page.settled();
    const [a, b] = await views();
    assert.deepEqual(a, b);
    assert.equal(a.to, Math.max(one.to, two.to));
    await focus(page);
    await page.press('w');
    const [closer, other] = await views();
    assert.ok(closer.to - closer.from < a.to - a.from);
    assert.deepEqual(other, closer);
    await page.value('document.lapscopeTimelines[0].parts.linked.click()');
    await page.press('w');
    assert.notDeepEqual((await views())[0], (await views())[1]);
  }));

test('a comparison shows both runs, aligned at their first op, on one scale, and moves both', () =>
  quietPage('diff.html', {height: 2400}, async (page) => {
    const views = () => page.value('document.lapscopeTimelines.map((t) => t.view)');
    const [one, two] = await views();
    assert.deepEqual(one, two);
    assert.equal(one.from, 0);
    const runs = await page.value(`document.lapscopeTimelines.map(({model, parts}) => ({
      first: Math.min(...model.tracks.filter((t) => t.kind === 'op').map((t) => t.start[0])), length: model.length,
      heading: parts.section.querySelector('h3').textContent, gutter: parts.tracks.getBoundingClientRect().x,
    }))`);
    assert.equal(runs[0].first, runs[1].first);
    assert.equal(one.to, Math.max(runs[0].length, runs[1].length));
    assert.equal(runs[0].gutter, runs[1].gutter);
    assert.deepEqual(runs.map(({heading}) => heading), ['A, before: stream_pipeline-default-stream.sqlite', 'B, after: stream_pipeline-overlapped.sqlite']
        .map((text) => text.replace(': ', `: ${traces}/`)));
    const box = await page.value(`(() => { const b = document.lapscopeTimelines[1].parts.tracks.getBoundingClientRect(); return {x: b.x, y: b.y}; })()`);
    await page.mouse('mouseWheel', box.x + 500, box.y + 60, {deltaX: 0, deltaY: -600});
    await page.value('new Promise((done) => setTimeout(done, 100))');
    const [closer, other] = await views();
    assert.ok(closer.to - closer.from < 0.6 * (one.to - one.from));
    assert.deepEqual(closer, other);
    const ends = await page.value('document.lapscopeTimelines.map((t) => t.charts.map(({plot}) => plot.scales.y.max))');
    assert.deepEqual(ends[0], ends[1]);
    // What is looked for in one is looked for in both.
    await page.value(`${timeline}.search('stamp')`);
    await page.settled();
    assert.deepEqual(await page.value('document.lapscopeTimelines.map((t) => t.parts.found.textContent)'), ['24 found', '24 found']);
    // A finding that is gone leads to where it was.
    await page.value('document.querySelector(".finding-list a").click()');
    await page.settled();
    assert.deepEqual(await page.value(`${timeline}.finding`), [0, 0]);
    assert.deepEqual((await views())[0], (await views())[1]);
    assert.ok(await page.value('document.documentElement.scrollWidth') <= 1280);
  }));

test('the address of a comparison leads to the stretch in both', () =>
  quietPage('diff.html', {}, async (page) => {
    assert.deepEqual(await page.value('document.lapscopeTimelines.map((t) => t.view)'), Array(2).fill({from: 1000000, to: 3000000}));
  }, '#r=1&t=1000000-3000000'));

test('without scripts a comparison has its tables', () =>
  quietPage('diff.html', {scripts: false}, async (page) => {
    const text = await page.value('document.body.innerText');
    for (const part of ['default-stream-barrier', 'overlap_ratio', '-0.029', '0.621', 'idle time by cause', 'stamp_tile', 'needs JavaScript']) {
      assert.ok(text.includes(part), part);
    }
  }));

test('hostile names stay text in a comparison', () =>
  quietPage('hostile-diff.html', {height: 2400}, async (page) => {
    assert.equal(await page.value('document.querySelectorAll("img, iframe, object, link, base").length'), 0);
    assert.equal(await page.value('document.querySelectorAll("script").length'), 1);
    for (const canvas of ['tracks', 'charts']) assert.ok(await coloursOf(page, canvas) > 4, canvas);
    const raw = readFileSync(fileOf('hostile-diff.html'), 'utf8');
    assert.ok(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/.test(raw));
  }));

test('without scripts, figures, findings and the picture are there', () =>
  quietPage('findings.html', {scripts: false}, async (page) => {
    // Scripts of the page do not run; what is asked here does.
    assert.equal(await page.value('typeof document.lapscopeTimelines'), 'undefined');
    const text = await page.value('document.body.innerText');
    for (const part of ['default-stream-barrier', '14.846 ms', 'cudaStreamNonBlocking', 'overlap_ratio', 'launch-latency', 'needs JavaScript']) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(await page.value('document.querySelector(".strip svg path").getBoundingClientRect().width') > 100);
  }));

test('hostile names stay text, wherever they are', () =>
  quietPage('hostile.html', {height: 2400}, async (page) => {
    assert.equal(await page.value('document.querySelectorAll("img, iframe, object, link, base").length'), 0);
    // Ours: the data and the script.
    assert.equal(await page.value('document.querySelectorAll("script").length'), 1);
    assert.ok((await page.value('document.querySelector("h1").textContent')).startsWith('</script><script>'));
    for (const canvas of ['tracks', 'charts']) assert.ok(await coloursOf(page, canvas) > 4, canvas);
    await focus(page);
    for (const key of ['f', 'g', 'w']) await page.press(key);
    await page.value(`${timeline}.search('script')`);
    await page.press('n');
    assert.match(await page.value(`${timeline}.parts.details.textContent`), /script/);
    const raw = readFileSync(fileOf('hostile.html'), 'utf8');
    assert.ok(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/.test(raw));
  }));

test('on paper a page is black on white and whole, and the screen is as before afterwards', () =>
  quietPage('findings.html', {dark: true, width: 1280}, async (page) => {
    await focus(page);
    await page.press('w');
    const before = await page.value(`({view: ${timeline}.view, width: ${timeline}.lastScene.width, open: document.querySelectorAll('details[open]').length})`);
    // As the print dialog does it, on a sheet's width.
    await page.send('Emulation.setDeviceMetricsOverride', {width: 717, height: 1000, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia', {media: 'print', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    await page.value(`window.dispatchEvent(new Event('beforeprint'))`);
    await page.settled();
    const paper = await page.value(`(() => {
      const seen = (query) => [...document.querySelectorAll(query)].filter((e) => e.getClientRects().length > 0).length;
      const style = getComputedStyle(document.body);
      const data = ${timeline}.parts.tracks.getContext('2d').getImageData(0, 0, 20, 20).data;
      return {
        text: style.color, back: style.backgroundColor, controls: seen('button, input, select, .keys'), wide: document.documentElement.scrollWidth,
        evidence: seen('.finding-list table tbody tr') >= 11,  // of two findings
        tables: [...document.querySelectorAll('table')].length - seen('table'),
        canvas: ${timeline}.parts.tracks.clientWidth, rows: ${timeline}.lastScene.height - ${timeline}.layout.height, label: ${timeline}.theme.back, links: seen('a'),
      };
    })()`);
    assert.deepEqual({...paper, links: paper.links > 5, wide: paper.wide <= 717}, {
      text: 'rgb(0, 0, 0)', back: 'rgb(255, 255, 255)', controls: 0, wide: true, evidence: true, tables: 0, canvas: 700, rows: 0, label: '#ffffff', links: true,
    });
    await page.value(`window.dispatchEvent(new Event('afterprint'))`);
    await page.send('Emulation.setEmulatedMedia', {media: '', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    await page.send('Emulation.setDeviceMetricsOverride', {width: 1280, height: 900, deviceScaleFactor: 1, mobile: false});
    await page.settled();
    // And as the browser prints: it tells the page itself.
    await page.value(`window.addEventListener('beforeprint', () => { window.printed = ${timeline}.lastScene.width; })`);
    const {data} = await page.send('Page.printToPDF', {printBackground: true});
    assert.equal(Buffer.from(data, 'base64').subarray(0, 5).toString(), '%PDF-');
    assert.equal(await page.value('window.printed'), 700);
    await page.settled();
    assert.deepEqual(await page.value(`({view: ${timeline}.view, width: ${timeline}.lastScene.width, open: document.querySelectorAll('details[open]').length})`), before);
  }));

test('an injected script would not run, and nothing can be loaded', () =>
  (async () => {
    const page = await browser.open(urlOf('findings.html'));
    await page.ready();
    await page.value(`document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x.png" onerror="window.hit = 1">')`);
    await page.value(`(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 2'; document.body.append(s); })()`);
    await page.value(`fetch('http://127.0.0.1:9/').catch(() => {})`);
    await page.settled();
    assert.equal(await page.value('typeof window.hit'), 'undefined');
    assert.ok(page.complaints.some((text) => /Content Security Policy/.test(text)));
  })());

test('controls have names, and the tables tell what the picture does', () =>
  quietPage('findings.html', {}, async (page) => {
    const nameless = await page.value(`[...document.querySelectorAll('button, input, canvas:not([aria-hidden]), svg')].filter((e) => !e.getAttribute('aria-label')).length`);
    assert.equal(nameless, 0);
    assert.ok(await page.value('document.querySelectorAll("table caption").length') >= 3);
  }));

// In a page: how far two colours, each [r, g, b], stand apart, as WCAG defines it.
const contrast = `
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };`;

const contrastsOfTexts = `(() => {${contrast}
  for (const details of document.querySelectorAll('details')) details.open = true;
  const rgba = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return {rgb: [r, g, b], a}; };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const {rgb, a} = rgba(getComputedStyle(at).backgroundColor);
      if (a === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const texts = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if ((!own && !element.placeholder) || element.getClientRects().length === 0 || element.closest('noscript, script')) continue;
    const colour = getComputedStyle(element, element.placeholder ? '::placeholder' : null).color;
    texts.push({what: (element.placeholder || element.textContent).slice(0, 30), ratio: contrast(rgba(colour).rgb, behind(element)), least: 4.5});
  }
  return texts;
})()`;

// What is drawn, and the rows of the strip, against their ground.
const contrastsOfDrawings = `(() => {${contrast}
  const colour = (name) => {
    const text = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  };
  const kinds = ['compute', 'h2d', 'd2h', 'other', 'call', 'range'];
  const drawn = kinds.flatMap((what) => [{what, rgb: colour(what)}, ...${timeline}.theme[what].map(({rgb}) => ({what, rgb}))]);
  return [...drawn, {what: 'idle', rgb: colour('idle')}].map(({what, rgb}) => ({what, ratio: contrast(rgb, colour('lane')), least: 3}));
})()`;

for (const name of ['findings.html', 'diff.html']) {
  test(`all of ${name} stands out from what is behind it as WCAG asks, in both schemes`, () =>
    quietPage(name, {}, async (page) => {
      for (const dark of [false, true]) {
        await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
        await page.settled();
        const found = [...await page.value(contrastsOfTexts), ...await page.value(contrastsOfDrawings)];
        assert.ok(found.length > 100);
        assert.deepEqual(found.filter(({ratio, least}) => ratio < least).map((one) => ({...one, dark})), []);
      }
    }));
}

test('whatever the mouse does, the keyboard does', () =>
  quietPage('findings.html', {}, async (page) => {
    // From the top of the page by Tab alone: to the finding's link, the controls and the timeline.
    const reached = [];
    for (let k = 0; k < 40; ++k) {
      for (const type of ['keyDown', 'keyUp']) await page.send('Input.dispatchKeyEvent', {type, key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9});
      reached.push(await page.value(`(() => { const e = document.activeElement; return e.getAttribute('aria-label') || e.textContent; })()`));
    }
    for (const name of ['default-stream-barrier', 'search names', 'zoom in', 'next idle gap', 'next finding']) assert.ok(reached.includes(name), name);
    assert.ok(reached.some((name) => name.startsWith('timeline of ops')));
    await focus(page);
    await page.press('f');
    await page.press('w');
    await page.press('n');
    assert.match(await page.value(`${timeline}.parts.details.textContent`), /^default-stream-barrier/);
    assert.notEqual(await page.value('getComputedStyle(document.activeElement).outlineStyle'), 'none');
    await page.press('Escape');
    assert.equal(await page.value(`${timeline}.finding`), null);
  }));
