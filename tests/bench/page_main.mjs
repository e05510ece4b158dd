// node page_main.mjs PAGE.html: how long a page takes to open and to draw a frame, in ms, in headless
// Chromium without a GPU (Skia on the CPU: slower than on a desktop).
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {withBrowser} from '../reports/html/browser.mjs';

const file = resolve(process.argv[2]);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

await withBrowser(async (browser) => {
  const opened = [];
  let page;
  for (let round = 0; round < 5; ++round) {
    const begin = performance.now();
    page = await browser.open(pathToFileURL(file).href, {width: 1920, height: 1080});
    await page.ready();
    opened.push(performance.now() - begin);
    if (round < 4) await page.send('Page.close');
  }
  // Frames are timed in the page: what the script takes, and what the browser makes of it.
  const frames = await page.value(`(async () => {
    const timeline = document.lapscopeTimelines[0];
    const result = {};
    const next = () => new Promise((done) => requestAnimationFrame(done));
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
  })()`);
  console.log(`${(statSync(file).size / 1e6).toFixed(2)} MB, opened and drawn in ${median(opened).toFixed(0)} ms (median of ${opened.length}: ${opened.map((ms) => ms.toFixed(0)).join(' ')})`);
  for (const [name, {script, whole}] of Object.entries(frames)) {
    const most = [...script].sort((a, b) => a - b)[Math.floor(script.length * 0.95)];
    console.log(`panning, ${name} in view: script ${median(script).toFixed(1)} ms a frame (95 %: ${most.toFixed(1)}), frames every ${median(whole).toFixed(1)} ms`);
  }
});
