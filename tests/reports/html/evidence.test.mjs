// The page draws each piece of evidence of every recorded trace. LAPSCOPE_COMMAND makes the pages.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {modelsOf} from './support/models.mjs';

const modules = process.env.LAPSCOPE_PAGE || new URL('../../../reports/html/page', import.meta.url).pathname;
const {evidenceAt, viewOfEvidence} = await import(`${modules}/evidence.js`);
const {layOut} = await import(`${modules}/draw.js`);
const {marksOf} = await import(`${modules}/marks.js`);

const traces = process.env.LAPSCOPE_TEST_TRACES;
const files = readdirSync(traces).filter((name) => name.endsWith('.sqlite')).map((name) => `${traces}/${name}`);

test('every piece of evidence has its op, what held that up, and an arrow from there, or a reason', async () => {
  const models = [];
  for (const judged of [[], ['--whole']]) {
    const page = execFileSync(process.env.LAPSCOPE_COMMAND, ['report', ...judged, '--format', 'html', '-o', '-', ...files], {maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore']});
    models.push(...await modelsOf(page.toString()));
  }
  assert.equal(models.length, 2 * files.length);
  const told = {arrows: 0, late: 0, reasons: new Set()};
  models.forEach((model, trace) => {
    const layout = layOut(model);
    model.findings.forEach(({evidence}, finding) => evidence.forEach((shown, instance) => {
      const what = `${files[trace % files.length]}, evidence ${finding}.${instance}`;
      const found = evidenceAt(model, finding, instance);
      assert.ok(found.op, `${what}: its op is not found`);
      assert.ok(found.op.track.start.includes(found.op.start), `${what}: its op has no entry`);
      const scene = {layout, view: viewOfEvidence(found, model.length), width: 1280, height: layout.height, gutter: 168, scroll: 0};
      const shapes = marksOf(scene, {selected: null, pairs: [], evidence: found});
      const row = (track) => layout.rows.find((one) => one.track === track);
      const inRow = ({top, height}, y) => top <= y && y < top + height;
      assert.ok(shapes.some(({shape, top}) => shape === 'frame' && top === row(found.op.track).top), `${what}: no frame`);
      assert.equal(shapes.some(({shape}) => shape === 'bar'), shown.waiting[0] < shown.waiting[1], what);
      const arrows = shapes.filter(({shape}) => shape === 'arrow');
      if (found.why) {
        told.reasons.add(found.why);
        assert.deepEqual(arrows, [], what);
        return;
      }
      told.arrows += 1;
      told.late += shown.waiting[1] > 2 ** 24;
      assert.equal(arrows.length, 1, `${what}: no arrow`);
      const [{from, to}] = arrows;
      // The arrow ends where the op starts, and does not go back in time.
      const x = 168 + (found.op.start - scene.view.from) / (scene.view.to - scene.view.from) * (1280 - 168);
      assert.ok(Math.abs(to.x - x) < 1e-6 && inRow(row(found.op.track), to.y), what);
      assert.ok(from.x <= to.x && inRow(row(found.holder.track), from.y), what);
    }));
  });
  assert.ok(told.arrows > 300 && told.late > 180, JSON.stringify(told));
  assert.deepEqual([...told.reasons], ['that is the op itself']);
});
