// Usage: node page_main.mjs PAGE.html. Prints how long a page takes to open and to draw a frame, in ms, in headless
// Chromium without a GPU (Skia on the CPU, slower than on a desktop). The page takes all times itself, so they do not
// contain the time of the program that drives the browser. Other work on the machine hardly changes the computing time
// of the page's main thread. The status is 1 if the page is larger than a page may be.
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {withBrowser} from '../reports/html/support/browser.mjs';

const file = resolve(process.argv[2]);
const {size} = statSync(file);
const mostBytes = 10e6;
const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.floor(values.length * share)];
const median = (values) => quantile(values, 0.5);

// Marks the frame after all timelines were drawn.
function markDrawn() {
  document.addEventListener('DOMContentLoaded', async () => {
    await Promise.all(document.lapscopeTimelines.map((timeline) => timeline.ready));
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('drawn')));
  });
}

// Measures from the start of the navigation, which reads the file. Also measures processor time of the main thread.
async function open(browser) {
  const page = await browser.newPage({viewport: {width: 1920, height: 1080}});
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', {timeDomain: 'threadTicks'});
  await page.addInitScript(markDrawn);
  await page.goto(pathToFileURL(file).href);
  const ms = await page.evaluate(async () => {
    while (performance.getEntriesByName('drawn').length === 0) await new Promise((done) => requestAnimationFrame(done));
    return performance.getEntriesByName('drawn')[0].startTime;
  });
  const {metrics} = await protocol.send('Performance.getMetrics');
  return {page, ms, busy: 1000 * metrics.find(({name}) => name === 'TaskDuration').value};
}

// Measures the time of the script and of the browser for a frame, at several zooms.
async function pan() {
  const [timeline] = document.lapscopeTimelines;
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const result = {};
  for (const [name, zoom] of [['whole', 1], ['a tenth', 10], ['a thousandth', 1000], ['1/100,000', 100000]]) {
    const size = timeline.model.length / zoom;
    timeline.show(timeline.model.length * 0.4, timeline.model.length * 0.4 + size);
    await next(); await next();
    const script = [];
    const whole = [];
    let last = performance.now();
    for (let k = 0; k < 60; ++k) {
      timeline.view = {from: timeline.view.from + size / 300, to: timeline.view.to + size / 300};
      const begin = performance.now();
      timeline.draw();
      await null; await null;  // uPlot draws in a microtask
      script.push(performance.now() - begin);
      await next();
      whole.push(performance.now() - last);
      last = performance.now();
    }
    result[name] = {script, whole};
  }
  return result;
}

await withBrowser(async (browser) => {
  const opened = [];
  const computed = [];
  let page;
  for (let round = 0; round < 5; ++round) {
    await page?.close();
    const {page: next, ms, busy} = await open(browser);
    page = next;
    opened.push(ms);
    computed.push(busy);
  }
  const frames = await page.evaluate(pan);
  console.log(`${(size / 1e6).toFixed(2)} MB, opened and drawn in ${median(opened).toFixed(0)} ms (median of ${opened.length}: ${opened.map((ms) => ms.toFixed(0)).join(' ')}), ` +
      `${median(computed).toFixed(0)} ms of processor time in its main thread`);
  for (const [name, {script, whole}] of Object.entries(frames)) {
    console.log(`panning, ${name} in view: script ${median(script).toFixed(1)} ms a frame (95 %: ${quantile(script, 0.95).toFixed(1)}), ` +
        `frames every ${median(whole).toFixed(1)} ms (95 %: ${quantile(whole, 0.95).toFixed(1)})`);
  }
});
if (size > mostBytes) {
  console.error(`${file} is larger than ${mostBytes / 1e6} MB.`);
  process.exitCode = 1;
}
