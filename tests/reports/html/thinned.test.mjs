// Compares thinned timelines with complete ones of the same recordings. LAPSCOPE_SAMPLE_PAGE makes them.
import {test, before} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {modelsOf} from './support/models.mjs';

const modules = process.env.LAPSCOPE_PAGE || new URL('../../../reports/html/page', import.meta.url).pathname;
const {seriesOf} = await import(`${modules}/charts.js`);
const {matchingNames, countMatches, nextMatch, gapsOf} = await import(`${modules}/find.js`);
const {evidenceAt} = await import(`${modules}/evidence.js`);
const {entriesIn} = await import(`${modules}/tracks.js`);

const traces = ['tiny-kernels-broken', 'stream_pipeline-overlapped', 'nccl-all-reduce-broken', 'multi-gpu-fan-out-broken'];
const pairs = [];  // {name, whole, thinned, report}

before(async () => {
  const run = (program, ...args) => execFileSync(program, args, {maxBuffer: 1 << 28}).toString();
  const models = await modelsOf(run(process.env.LAPSCOPE_SAMPLE_PAGE, 'thinned', ...traces));
  traces.forEach((name, k) => pairs.push({
    name, whole: models[2 * k], thinned: models[2 * k + 1],
    report: JSON.parse(run(process.env.LAPSCOPE_COMMAND, 'analyze', '--format', 'json', `${process.env.LAPSCOPE_TEST_TRACES}/${name}.sqlite`)),
  }));
});

const ofKind = ({tracks}, kind) => tracks.filter((track) => track.kind === kind);
const entries = (model, kind) => ofKind(model, kind).reduce((sum, track) => sum + track.start.length, 0);
const searched = (model, query) => matchingNames(model.names, query, model.thinned.names);

test('one of each is thinned out, the other is not', () => {
  const joined = [0, 0];
  for (const {name, whole, thinned} of pairs) {
    assert.equal(whole.thinned.shorterOp + whole.thinned.shorterSpan, 0, name);
    ['op', 'call'].forEach((kind, k) => {
      const isJoined = [thinned.thinned.shorterOp, thinned.thinned.shorterSpan][k] > 0;
      assert.equal(entries(thinned, kind) < 0.8 * entries(whole, kind), isJoined, `${name}, ${kind}`);
      joined[k] += isJoined;
    });
  }
  assert.deepEqual(joined, [1, 4]);
});

test('what charts draw adds up to how long ops ran, as tables have it, and to what they moved', () => {
  for (const {name, whole, thinned, report} of pairs) {
    for (const {id, measures, op_groups: groups} of report.devices) {
      const bytes = groups.filter(({engine}) => engine !== 'compute').reduce((sum, group) => sum + group.bytes, 0);
      for (const model of [whole, thinned]) {
        for (const count of [1, 7, 300]) {
          const integral = (kind) => seriesOf(model, id, kind, {from: 0, to: model.length}, count)
              .reduce((sum, {values}) => sum + values.reduce((a, b) => a + b, 0) * model.length / count, 0);
          const near = (is, expected) => assert.ok(Math.abs(is - expected) <= 1e-9 * expected, `${name}, device ${id}: ${is} instead of ${expected}`);
          near(integral('active'), measures.sum.value);
          near(integral('rate') / 1e9, bytes);
        }
      }
    }
  }
});

test('a joined entry is short beside what is seen, and charts differ by no more than that', () => {
  const {whole, thinned} = pairs[0];
  const longest = 2 * thinned.thinned.shorterOp;  // of a joined entry
  const count = 20;
  const [a, b] = [whole, thinned].map((model) => seriesOf(model, 0, 'active', {from: 0, to: model.length}, count));
  assert.deepEqual(a.map(({engine}) => engine), b.map(({engine}) => engine));
  // Each end of a step may lie in a joined entry.
  const most = 2 * longest / (whole.length / count);
  assert.ok(most < 0.5, `${most}`);
  a.forEach(({values}, line) => values.forEach((value, step) => assert.ok(Math.abs(value - b[line].values[step]) <= most, `${step}`)));
});

test('search counts ops, calls and ranges, joined or not, and reaches every entry that holds one', () => {
  for (const {name, whole, thinned} of pairs) {
    for (const query of ['cuda', 'copy', 'all', 'chain', 'nothing of this name']) {
      const [a, b] = [whole, thinned].map((model) => countMatches(model.tracks, searched(model, query), model.thinned.counts));
      assert.equal(a.all, b.all, `${name}: ${query}`);
      assert.equal(a.joined, 0);
    }
    const flags = searched(thinned, 'a');
    const matching = thinned.tracks.reduce((sum, track) => sum + track.name.reduce((n, one) => n + flags[one], 0), 0);
    const seen = new Set();
    let at = {time: -1e12};
    for (let k = 0; k < matching; ++k) {
      at = nextMatch(thinned.tracks, flags, at, 1);
      seen.add(`${thinned.tracks.indexOf(at.track)}.${at.i}`);
    }
    assert.ok(matching > 20, `${name}: ${matching}`);
    assert.equal(seen.size, matching, name);
  }
});

test('entries say how many they are', () => {
  for (const {name, whole, thinned} of pairs) {
    for (const kind of ['op', 'call', 'range']) {
      const all = ofKind(thinned, kind).reduce((sum, track) => sum + track.start.reduce((n, _, i) => n + entriesIn(track, i), 0), 0);
      assert.equal(all, entries(whole, kind), `${name}, ${kind}`);
    }
  }
});

test('idle gaps from the length on that ops are joined below are the same', () => {
  let found = 0;
  for (const {name, whole, thinned} of pairs) {
    for (const {id} of whole.devices) {
      const [a, b] = [whole, thinned].map((model) => gapsOf(ofKind(model, 'op').filter(({device}) => device === id), thinned.thinned.shorterOp));
      assert.deepEqual(b, a, name);
      found += a.length;
    }
  }
  assert.ok(found > 5, `${found}`);
});

test('findings lead to what they led to', () => {
  let all = 0;
  for (const {name, whole, thinned} of pairs) {
    whole.findings.forEach(({evidence}, finding) => evidence.forEach((_, instance) => {
      const [a, b] = [whole, thinned].map((model) => evidenceAt(model, finding, instance));
      const told = ({op, holder, why}) => [op.start, op.end, op.track.stream, op.track.engine, holder && [holder.start, holder.end, holder.track.kind], why];
      assert.deepEqual(told(b), told(a), name);
      assert.ok(b.op.track.start.includes(b.op.start), name);
      ++all;
    }));
  }
  assert.ok(all > 20, `${all}`);
});
