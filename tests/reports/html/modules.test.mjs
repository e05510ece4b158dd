// Modules of the page that use no document, in node's test runner.
import {test} from 'node:test';
import assert from 'node:assert/strict';

const modules = process.env.LAPSCOPE_PAGE || new URL('../../../reports/html/page', import.meta.url).pathname;
const {formatNs, ticksIn, shortName, formatBytes, formatShare} = await import(`${modules}/words.js`);
const {rowsOf, makeTrack, makeTracks, firstFrom, firstAfter, entryAt} = await import(`${modules}/tracks.js`);
const {levelOf, wideFrom} = await import(`${modules}/levels.js`);
const {busyUntil, movedUntil, meansOver} = await import(`${modules}/sums.js`);
const {clamped, zoomed, panned, around, showing, middleSeen, parseHash, formatHash} = await import(`${modules}/view.js`);
const {matchingNames, countMatches, nextMatch, gapsOf, byLength, nextInList, locate, entryAround, alongTrack, acrossTracks} = await import(`${modules}/find.js`);
const {parseColour, shadeOf, shadeIndex, luminance, textOn} = await import(`${modules}/theme.js`);
const {scaleEnd, readout} = await import(`${modules}/charts.js`);
const {coloursOfKernels, coloursByNumber, legendOf, colouredKernels} = await import(`${modules}/legend.js`);
const {layOut, paintOf} = await import(`${modules}/draw.js`);
const {evidenceAt, viewOfEvidence} = await import(`${modules}/evidence.js`);
const {marksOf, curveOf} = await import(`${modules}/marks.js`);
const {decode, betweenCalls} = await import(`${modules}/payload.js`);
const {describeEntry} = await import(`${modules}/details.js`);
const {perfettoEvents} = await import(`${modules}/perfetto.js`);
const {thinningNote, foundNote} = await import(`${modules}/timeline.js`);

// A run of equal letters is an entry, '.' is nothing, and a character is 1 ns. The letters are names.
//   AAA..BBCC.     A is [0,3), B is [5,7), and C, which touches it, [7,9)
function drawn(...pictures) {
  const entries = [];
  for (const picture of pictures) {
    for (const run of picture.matchAll(/([A-Z])\1*/g)) {
      entries.push({start: run.index, end: run.index + run[0].length, name: run[1].charCodeAt(0) - 65});
    }
  }
  entries.sort((a, b) => a.start - b.start);
  return {
    start: Float64Array.from(entries, (e) => e.start), end: Float64Array.from(entries, (e) => e.end),
    name: Uint32Array.from(entries, (e) => e.name), bytes: Float64Array.from(entries, (e) => e.name * 100),
  };
}
const track = (...pictures) => makeTrack({kind: 'op'}, drawn(...pictures));

// Makes the same sequence for the same seed.
function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}
function randomTrack(random, count, longest) {
  const columns = {start: new Float64Array(count), end: new Float64Array(count), name: new Uint32Array(count), bytes: new Float64Array(count)};
  let time = random(50);
  for (let i = 0; i < count; ++i) {
    columns.start[i] = time;
    columns.end[i] = time + random(longest);
    columns.bytes[i] = random(1000);
    time = columns.end[i] + random(3) * random(longest);
  }
  return makeTrack({kind: 'op'}, columns);
}

test('durations have the units of the tables', () => {
  assert.equal(formatNs(0), '0 ns');
  assert.equal(formatNs(999), '999 ns');
  assert.equal(formatNs(12704), '12.70 us');
  assert.equal(formatNs(23733333), '23.73 ms');
  assert.equal(formatNs(999999999), '1.00 s');
  assert.equal(formatBytes(1536), '1.5 KiB');
  assert.deepEqual([0, 1, 5000, 9999, 10000].map((part) => formatShare(part, 10000)),
                   ['0.0 %', '<0.1 %', '50.0 %', '>99.9 %', '100.0 %']);
});

test('ticks are round numbers in ms, and no more than asked for', () => {
  assert.deepEqual(ticksIn(0, 1e6, 5).map((t) => t.label), ['0.0 ms', '0.2 ms', '0.4 ms', '0.6 ms', '0.8 ms', '1.0 ms']);
  for (const [from, to] of [[0, 7], [123456789, 123456999], [1e9, 6e11], [0.5, 20.25]]) {
    const ticks = ticksIn(from, to, 6);
    assert.ok(ticks.length <= 7 && ticks.length > 0, `${from} ${to}`);
    assert.ok(ticks.every(({at}) => at >= from && at <= to && Number.isInteger(at)));
  }
  assert.deepEqual(ticksIn(5, 5, 6), []);
});

test('a short name says what differs', () => {
  assert.equal(shortName('void at::native::elementwise_kernel<128, 4>(int, char*)', 40), 'elementwise_kernel');
  assert.equal(shortName('gemm', 3), 'ge…');
  assert.equal(shortName('gemm', 0), '');
  // The direction of a copy stays when its name is shortened.
  assert.deepEqual([8, 7, 3, 2].map((letters) => shortName('copy h2d', letters)), ['copy h2d', 'h2d', 'h2d', 'h…']);
});

test('what overlaps gets rows, and rows have all entries once', () => {
  const columns = drawn('AAAA....', '..BBBB..', '.CC...DD');
  assert.deepEqual(rowsOf(columns.start, columns.end).count, 3);
  const touching = drawn('AAA..BB', '...CC..');
  assert.equal(rowsOf(touching.start, touching.end).count, 1);
  const tracks = makeTracks({}, columns);
  assert.deepEqual(tracks.map((t) => [...t.name]).flat().sort(), [0, 1, 2, 3]);
  for (const {start, end} of tracks) for (let i = 1; i < start.length; ++i) assert.ok(start[i] >= end[i - 1]);
});

test('the entry at an instant is found, or the nearest within reach', () => {
  const t = track('AAA..BBCC.');
  assert.equal(entryAt(t, 1, 0), 0);
  assert.equal(entryAt(t, 7.5, 0), 2);
  assert.equal(entryAt(t, 3.4, 1), 0);
  assert.equal(entryAt(t, 4.4, 1), 1);
  assert.equal(entryAt(t, 30, 1), -1);
  assert.equal(firstFrom(t.start, 5), 1);
});

// Compares with brute force: adds up what lies in each pixel, at every zoom.
test('every pixel shows the share of its time that was busy, at every zoom', () => {
  for (let seed = 1; seed <= 60; ++seed) {
    const random = randomOf(seed);
    const t = randomTrack(random, 200, 1 + random(40));
    const last = t.end[t.end.length - 1];
    for (let view = 0; view < 6; ++view) {
      const from = random(last);
      const to = from + 1 + random(last - from + 10);
      const width = 1 + random(200);
      const pixel = (to - from) / width;
      const shown = new Float64Array(width);
      const done = new Set();
      levelOf(t, from, to, width, (i, left, right) => {
        assert.ok(!done.has(i), `seed ${seed}: entry ${i} is drawn twice`);
        done.add(i);
        assert.ok((t.end[i] - t.start[i]) / pixel >= wideFrom - 1e-9);
        for (let x = Math.floor(left); x < right; ++x) shown[x] = 1;
      }, (x, share, i) => {
        assert.ok(x >= 0 && x < width && share >= 0 && share <= 1 && i >= 0 && i < t.start.length);
        shown[x] = Math.max(shown[x], share);
      });
      for (let x = 0; x < width; ++x) {
        const a = from + x * pixel;
        const b = a + pixel;
        let busy = 0;
        let wide = false;
        for (let i = 0; i < t.start.length; ++i) {
          const inside = Math.min(b, t.end[i]) - Math.max(a, t.start[i]);
          if (inside > 0) busy += inside;
          if (inside > 0 && (t.end[i] - t.start[i]) / pixel >= wideFrom) wide = true;
        }
        const share = busy / pixel;
        const what = `seed ${seed}, view ${from}-${to}, pixel ${x} of ${width}`;
        if (share > 1e-6) assert.ok(shown[x] > 0, `${what}: something is drawn as nothing`);
        if (share < 1e-9) assert.ok(shown[x] < 1e-6, `${what}: nothing is drawn as something`);
        if (!wide) assert.ok(Math.abs(shown[x] - share) < 1e-6, `${what}: ${shown[x]} instead of ${share}`);
      }
    }
  }
});

test('the work of a level is that of the pixels', () => {
  const t = randomTrack(randomOf(7), 300000, 20);
  let drawn = 0;
  const begin = performance.now();
  levelOf(t, 0, t.end[t.end.length - 1], 1000, () => ++drawn, () => ++drawn);
  assert.ok(drawn <= 1001, `${drawn}`);
  assert.ok(performance.now() - begin < 100);
});

test('means are what is added up by ns', () => {
  for (let seed = 1; seed <= 40; ++seed) {
    const random = randomOf(seed);
    const tracks = [randomTrack(random, 80, 12), randomTrack(random, 50, 30)];
    const from = random(100);
    const to = from + 10 + random(600);
    const width = 1 + random(60);
    const busy = meansOver(tracks, busyUntil, from, to, width);
    const moved = meansOver(tracks, movedUntil, from, to, width);
    for (let x = 0; x < width; ++x) {
      const a = from + x * (to - from) / width;
      const b = from + (x + 1) * (to - from) / width;
      let expected = 0;
      let bytes = 0;
      for (const t of tracks) {
        for (let i = 0; i < t.start.length; ++i) {
          const inside = Math.max(Math.min(b, t.end[i]) - Math.max(a, t.start[i]), 0);
          expected += inside;
          if (inside > 0) bytes += t.bytes[i] * inside / (t.end[i] - t.start[i]);
        }
      }
      assert.ok(Math.abs(busy[x] - expected / (b - a)) < 1e-6, `seed ${seed}, ${x}`);
      // A copy of 0 ns moves its bytes at one instant, which may lie on a border of the pixel.
      const instants = tracks.some((t) => t.start.some((s, i) => s === t.end[i] && t.bytes[i] > 0 && s >= a - 1e-9 && s <= b + 1e-9));
      if (!instants) assert.ok(Math.abs(moved[x] - bytes / (b - a)) < 1e-6, `seed ${seed}, ${x}`);
    }
  }
});

test('zooming keeps what is under the pointer, and stays inside', () => {
  const view = zoomed({from: 100, to: 300}, 0.5, 150, 1000);
  assert.deepEqual(view, {from: 125, to: 225});
  assert.deepEqual(zoomed(view, 1e9, 150, 1000), {from: 0, to: 1000});
  assert.equal(zoomed(view, 1e-9, 150, 1000).to - zoomed(view, 1e-9, 150, 1000).from, 20);
  assert.deepEqual(panned({from: 900, to: 990}, 500, 1000), {from: 910, to: 1000});
  assert.deepEqual(clamped({from: -50, to: 20}, 1000), {from: 0, to: 70});
  assert.deepEqual(around(400, 500, 1000), {from: 300, to: 600});
  assert.deepEqual(clamped({from: 0, to: 3}, 3), {from: 0, to: 3});  // shorter than the shortest view
});

test('a view is moved as little as shows an interval, at the same zoom', () => {
  const view = {from: 400, to: 600};
  assert.deepEqual(showing(view, 450, 500, 1000), view);
  assert.deepEqual(showing(view, 380, 420, 1000), {from: 370, to: 570});
  assert.deepEqual(showing(view, 590, 620, 1000), {from: 430, to: 630});
  assert.deepEqual(showing(view, 2, 5, 1000), {from: 0, to: 200});
  // An interval longer than the view: the view stays if it shows a part of it, else it moves to the beginning.
  assert.deepEqual(showing(view, 300, 900, 1000), view);
  assert.deepEqual(showing(view, 650, 900, 1000), {from: 640, to: 840});
});

test('the middle of what is seen of an interval lies in the view', () => {
  assert.equal(middleSeen({from: 400, to: 600}, 0, 500), 450);
  assert.equal(middleSeen({from: 400, to: 600}, 0, 1000), 500);
  assert.equal(middleSeen({from: 400, to: 600}, 700, 800), 750);
});

test('the address tells the state, and a wrong one tells nothing', () => {
  const state = {report: 2, time: {from: 10, to: 2000}, selected: [3, 44], finding: [1, 0], query: 'a&b=<c> é'};
  assert.deepEqual(parseHash(formatHash(state)), state);
  assert.deepEqual(parseHash(''), {report: 0});
  assert.deepEqual(parseHash('#find=7'), {report: 0, finding: [7, 0]});
  for (const wrong of ['#t=9-3', '#t=a-b', '#sel=1', '#find=x', '#q=%', '#r=-1', '#t=1-99999999999999999999']) {
    assert.deepEqual(parseHash(wrong), {report: 0}, wrong);
  }
});

test('names are searched by their words, whatever their case', () => {
  const names = ['void gemm_Kernel<float>', 'copy h2d', 'reduce'];
  assert.equal(matchingNames(names, '  '), null);
  assert.deepEqual([...matchingNames(names, 'FLOAT gemm')], [1, 0, 0]);
  const flags = matchingNames(['a', 'b', 'c'], 'b');
  assert.deepEqual(countMatches([track('AAA..BBCC.'), track('.B.B..')], flags), {all: 3, joined: 0});
});

// 'gemm and others' has the names gemm and reduce. 'copy and others' has more names than the page lists.
test('what was joined is counted as what it was, and found by every name in it that is told', () => {
  const names = ['gemm', 'reduce', 'copy', 'gemm and others, joined', 'copy and others, joined'];
  const joined = [[0, 1], []];
  const counts = [10, 22, 4];
  const t = {name: [0, 3, 1, 4], others: [0, 2, 0, 7]};
  const flags = (query) => matchingNames(names, query, joined);
  assert.deepEqual([...flags('reduce')], [0, 1, 0, 1, 0]);
  assert.deepEqual([...flags('gemm')], [1, 0, 0, 1, 0]);
  assert.deepEqual([...flags('copy')], [0, 0, 1, 0, 1]);
  assert.deepEqual([...flags('others')], [0, 0, 0, 0, 1]);
  assert.deepEqual(countMatches([t], flags('gemm'), counts), {all: 10, joined: 9});
  assert.deepEqual(countMatches([t], flags('reduce'), counts), {all: 22, joined: 21});
  assert.deepEqual(countMatches([t], flags('copy'), counts), {all: 4, joined: 4});
  assert.equal(foundNote({all: 35283, joined: 0}), '35,283 found');
  assert.equal(foundNote({all: 35283, joined: 30498}), '35,283 found, 30,498 of them joined with others');
});

test('an entry of several ops was busy for as long as they were, as if evenly', () => {
  //                              01234567890123456789
  const columns = drawn('.AAAAAAAAAA..BB..CC.');
  const t = makeTrack({kind: 'op'}, {...columns, others: Uint32Array.of(3, 0, 1), idle: Float64Array.of(6, 0, -2)});
  assert.deepEqual([0, 1, 6, 11, 12, 14, 20].map((time) => busyUntil(t, time)), [0, 0, 2, 4, 4, 5, 10]);
  assert.deepEqual([...meansOver([t], busyUntil, 0, 20, 2)].map((mean) => +mean.toFixed(9)), [0.36, 0.64]);
  const shares = [];
  levelOf(t, 0, 20, 20, () => {}, (x, share) => shares.push([x, share]));
  assert.deepEqual(shares, [[13, 1], [14, 1], [17, 1], [18, 1]]);
  const column = [];
  levelOf(t, 0, 20, 2, () => {}, (x, share) => column.push(share));
  assert.deepEqual(column.map((share) => +share.toFixed(9)), [0.36, 0.64]);
});

// Returns the track and start of each entry that repeated presses of n (or N) lead to.
function walked(tracks, flags, at, direction, steps) {
  const found = [];
  for (let k = 0; k < steps; ++k) {
    at = nextMatch(tracks, flags, at, direction);
    found.push([tracks.indexOf(at.track), at.track.start[at.i]]);
  }
  return found;
}

test('the next match is the next in time over all tracks, and goes round', () => {
  const tracks = [track('B...C...B.'), track('.....B....')];
  const flags = Uint8Array.from([0, 1, 0]);
  assert.deepEqual(walked(tracks, flags, {time: -1}, 1, 4), [[0, 0], [1, 5], [0, 8], [0, 0]]);
  assert.deepEqual(walked(tracks, flags, {time: 2.5}, 1, 1), [[1, 5]]);
  assert.deepEqual(walked(tracks, flags, {time: 5}, -1, 3), [[0, 0], [0, 8], [1, 5]]);
  assert.deepEqual(walked(tracks, flags, {track: tracks[0], i: 0}, -1, 1), [[0, 8]]);
  assert.equal(nextMatch(tracks, Uint8Array.from([0, 0, 0]), {time: 0}, 1), null);
});

test('what starts at one instant is walked through track by track, both ways', () => {
  const tracks = [track('B...B.'), track('B.....'), track('.B..B.')];
  const flags = Uint8Array.from([0, 1]);
  const all = [[0, 0], [1, 0], [2, 1], [0, 4], [2, 4]];
  assert.deepEqual(walked(tracks, flags, {time: -1}, 1, 6), [...all, all[0]]);
  assert.deepEqual(walked(tracks, flags, {time: 9}, -1, 6), [...all].reverse().concat([all[4]]));
});

// After days, a number of ns has no fractions.
test('times are whole: up to 2^52 ns nothing is skipped, and nothing found twice', () => {
  for (const power of [0, 24, 34, 44, 52]) {
    const from = power === 0 ? 0 : 2 ** power - 6;
    const t = track('.AAA.BBCC.B');
    for (const column of [t.start, t.end]) column.forEach((time, i) => { column[i] = time + from; });
    //                                       0  1  2  3  4  5  6  7  8  9 10
    const entries = [-1, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3];  // an entry includes its end
    assert.deepEqual(entries.map((_, at) => entryAt(t, from + at, 0)), entries, `2^${power}`);
    assert.deepEqual([0, 1, 2, 7, 10].map((at) => firstAfter(t.start, from + at)), [0, 1, 1, 3, 4]);
    assert.deepEqual(walked([t], Uint8Array.from([0, 1]), {time: from}, 1, 3), [[0, from + 5], [0, from + 10], [0, from + 5]]);
    assert.deepEqual(walked([t], Uint8Array.from([0, 1]), {time: from + 5}, 1, 1), [[0, from + 10]]);
    assert.deepEqual(walked([t], Uint8Array.from([0, 1]), {time: from + 10}, -1, 2), [[0, from + 5], [0, from + 10]]);
    const gaps = gapsOf([t], 1);
    assert.deepEqual(gaps.map(({start, end}) => [start - from, end - from]), [[4, 5], [9, 10]]);
    assert.deepEqual(locate([t], from + 7, from + 9), {track: t, i: 2});
    const busy = meansOver([t], busyUntil, from, from + 10, 10);
    assert.deepEqual([...busy], [0, 1, 1, 1, 0, 1, 1, 1, 1, 0], `2^${power}`);
  }
});

test('gaps are where no track has anything', () => {
  //                  012345678901234
  const tracks = [track('AAA..BB.....CC'), track('..AAA.........')];
  assert.deepEqual(gapsOf(tracks, 1), [{start: 7, end: 12}]);
  assert.deepEqual(gapsOf([tracks[0]], 1), [{start: 3, end: 5}, {start: 7, end: 12}]);
  assert.deepEqual(gapsOf([tracks[0]], 3), [{start: 7, end: 12}]);
  assert.deepEqual(byLength(gapsOf([tracks[0]], 1), {from: 0, to: 14}), [{start: 7, end: 12}, {start: 3, end: 5}]);
  assert.deepEqual(byLength(gapsOf([tracks[0]], 1), {from: 0, to: 6}), [{start: 3, end: 5}, {start: 7, end: 12}]);
});

test('a list is walked through from its first or last, and goes round', () => {
  const list = ['a', 'b', 'c'];
  assert.deepEqual([null, 'a', 'c'].map((one) => nextInList(list, one, 1)), ['a', 'b', 'a']);
  assert.deepEqual([null, 'a', 'c'].map((one) => nextInList(list, one, -1)), ['c', 'c', 'b']);
  assert.equal(nextInList([], null, 1), null);
});

test('an interval of a finding is found by its times', () => {
  const one = track('AAA..BB');
  const two = track('.....BB');
  assert.deepEqual(locate([one, two], 5, 7, (t) => t === two), {track: two, i: 0});
  assert.deepEqual(locate([one, two], 5, 7, () => false), {track: one, i: 1});
  assert.equal(locate([one, two], 5, 6), null);
  assert.deepEqual(entryAround([one, two], 5, 6), {track: one, i: 1});
  assert.equal(entryAround([one, two], 3, 5), null);
});

//              0         1
//              01234567890123456789
//   calls      .AA....BBBB.........
//   stream 7   ....CCCC............
//   stream 8   ...DD......EE..FF...     E waited from 5 on
function evidenceModel(shown) {
  const model = {
    devices: [{id: 0}], length: 20, findings: [{device: 0, code: 'x', evidence: [{waiting: [5, 11], end: 13, stream: 8, thread: 'thread 3', heldBy: 'it', ...shown}]}],
  };
  model.tracks = [
    makeTrack({kind: 'op', device: 0, stream: 7, engine: 'compute', row: 0}, drawn('....CCCC............')),
    makeTrack({kind: 'op', device: 0, stream: 8, engine: 'compute', row: 0}, drawn('...DD......EE..FF...')),
    makeTrack({kind: 'call', tid: 3, row: 0}, drawn('.AA....BBBB.........')),
  ];
  return model;
}

// The scene begins at pixel 100 and has 10 pixels per ns.
function sceneOf(model, view = {from: 0, to: model.length}) {
  return {layout: layOut(model), view, gutter: 100, width: 300, height: 200, scroll: 0};
}

test('evidence leads from what held an op up to its start', () => {
  const held = (shown) => {
    const model = evidenceModel(shown);
    const {op, holder, arrow, why} = evidenceAt(model, 0, 0);
    const nameOf = (track) => ({7: 's7', 8: 's8'}[track.stream] || 'calls');
    return why || [nameOf(op.track), op.start, op.end, nameOf(holder.track), nameOf(arrow.from.track), arrow.from.time, arrow.to.time];
  };
  assert.deepEqual(held({holder: [4, 8]}), ['s8', 11, 13, 's7', 's7', 8, 11]);
  assert.deepEqual(held({holder: [7, 11]}), ['s8', 11, 13, 'calls', 'calls', 11, 11]);
  // The holder lies between calls, or before everything drawn. The arrow starts in the row of its thread.
  assert.deepEqual(held({holder: [3, 7]}), ['s8', 11, 13, 'calls', 'calls', 7, 11]);
  assert.deepEqual(held({holder: [-2000, -1000]}), ['s8', 11, 13, 'calls', 'calls', -1000, 11]);
  // A holder that outlasts the start of the op released it by its own start.
  assert.deepEqual(held({holder: [10, 14]}), ['s8', 11, 13, 'calls', 'calls', 10, 11]);
  assert.equal(held({holder: [11, 13]}), 'that is the op itself');
  assert.equal(held({holder: null}), 'what held it up is not in the trace');
  assert.equal(held({holder: [3, 7], thread: 'thread 4'}), 'the thread that held it up is not drawn');
  // A host function has no entry, but it has a stream.
  assert.deepEqual(held({holder: [4, 8], waiting: [5, 9], end: 10}), ['s8', 9, 10, 's7', 's7', 8, 9]);
  assert.equal(held({holder: [3, 7], stream: 9}), 'its stream is not drawn');
  assert.equal(evidenceAt(evidenceModel({}), 0, 1), null);
  assert.equal(evidenceAt(evidenceModel({}), 1, 0), null);
});

test('evidence is drawn as frames, a bar and an arrow, each where its times are', () => {
  const model = evidenceModel({holder: [4, 8]});
  const scene = sceneOf(model);
  const [{top: first}, {top: second}] = scene.layout.rows.filter((row) => row.track);
  const shapes = marksOf(scene, {selected: null, pairs: [], evidence: evidenceAt(model, 0, 0)});
  assert.deepEqual(shapes, [
    {shape: 'bar', colour: 'alarm', left: 150, top: second + 6, width: 60, height: 6},
    {shape: 'frame', colour: 'alarm', left: 209, top: second, width: 21, height: 18},
    {shape: 'frame', colour: 'alarm', left: 139, top: first, width: 41, height: 18},
    {shape: 'arrow', colour: 'alarm', from: {x: 180, y: first + 9}, to: {x: 210, y: second + 9}, bend: 18},
  ]);
  assert.deepEqual(curveOf(shapes[3]), [[180, first + 9], [198, first + 9], [192, second + 9], [208, second + 9]]);
});

test('an arrow from far outside comes in from the edge, and one that is not seen is not drawn', () => {
  const model = evidenceModel({holder: [-2e9, -1e9]});
  const drawnAt = (view) => marksOf(sceneOf(model, view), {selected: null, pairs: [], evidence: evidenceAt(model, 0, 0)});
  const [arrow] = drawnAt({from: 0, to: 20}).filter(({shape}) => shape === 'arrow');
  assert.deepEqual([arrow.from.x, arrow.to.x], [60, 210]);
  assert.deepEqual(drawnAt({from: 0, to: 20}).filter(({shape}) => shape === 'frame').length, 1);
  assert.deepEqual(drawnAt({from: 13.5, to: 20}), []);
  assert.deepEqual(viewOfEvidence(evidenceAt(model, 0, 0), 20), {from: 0, to: 20});
});

test('what is selected has a frame, and an arrow from its call to its start', () => {
  const model = evidenceModel({});
  const scene = sceneOf(model);
  const [, stream, calls] = model.tracks;
  const [op, call] = [{track: stream, i: 1}, {track: calls, i: 1}];
  const shapes = marksOf(scene, {selected: op, pairs: [{call, op}], evidence: null});
  const middle = (track) => scene.layout.rows.filter((row) => row.track === track).map(({top, height}) => top + height / 2)[0];
  assert.deepEqual(shapes, [
    {shape: 'arrow', colour: 'accent', from: {x: 170, y: middle(calls)}, to: {x: 210, y: middle(stream)}, bend: 20},
    {shape: 'frame', colour: 'accent', left: 209, top: middle(stream) - 9, width: 21, height: 18},
  ]);
});

test('beside an entry are its neighbours in the track, and in other tracks what is nearest', () => {
  const tracks = [
    track('AAA..BBCC.'),
    track('..........'),
    track('.DD....EE.'),
  ];
  assert.deepEqual(alongTrack({track: tracks[0], i: 1}, 1), {track: tracks[0], i: 2});
  assert.deepEqual(alongTrack({track: tracks[0], i: 1}, -1), {track: tracks[0], i: 0});
  assert.equal(alongTrack({track: tracks[0], i: 2}, 1), null);
  assert.equal(alongTrack({track: tracks[0], i: 0}, -1), null);
  // The empty track is skipped. At 4, D is the nearest, although it has ended. At 6, E is the nearest.
  assert.deepEqual(acrossTracks(tracks, 0, 1, 4), {track: tracks[2], i: 0});
  assert.deepEqual(acrossTracks(tracks, 0, 1, 6), {track: tracks[2], i: 1});
  assert.deepEqual(acrossTracks(tracks, 2, -1, 8), {track: tracks[0], i: 2});
  assert.equal(acrossTracks(tracks, 2, 1, 8), null);
  assert.deepEqual(acrossTracks(tracks, -1, 1, 0), {track: tracks[0], i: 0});
});

test('shades keep an engine apart from others, and are the same every time', () => {
  assert.deepEqual(parseColour(' #0b57d0'), [11, 87, 208]);
  assert.deepEqual(parseColour('nonsense'), [128, 128, 128]);
  assert.ok(shadeOf([0, 0, 255], 0)[2] < 255 && shadeOf([0, 0, 255], 5)[0] > 0);
  assert.equal(shadeIndex('gemm'), shadeIndex('gemm'));
});

test('text on any colour stands out from it', () => {
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  assert.equal(contrast(luminance([255, 255, 255]), luminance([0, 0, 0])), 21);
  for (let k = 0; k < 4096; ++k) {
    const rgb = [k >> 8, (k >> 4) & 15, k & 15].map((part) => part * 17);
    assert.ok(contrast(luminance(parseColour(textOn(rgb))), luminance(rgb)) >= 4.5, `${rgb}`);
  }
});

test('a joined entry is the paler the less it was busy, with a text that stands out', () => {
  const theme = {lane: '#ffffff', kernel: [0], kernels: [{rgb: [0, 80, 0], css: 'rgb(0,80,0)', text: '#ffffff'}]};
  const t = makeTrack({kind: 'op', engine: 'compute'}, {
    start: Float64Array.of(0, 10, 20), end: Float64Array.of(10, 20, 30), name: Uint32Array.of(0, 0, 0), bytes: new Uint32Array(3),
    others: Uint32Array.of(0, 2, 5), idle: Float64Array.of(0, 5, 10),
  });
  assert.deepEqual(paintOf(theme, t, 0), theme.kernels[0]);
  assert.deepEqual(paintOf(theme, t, 1), {rgb: [89, 141, 89], css: 'rgb(89,141,89)', text: '#000000'});
  assert.deepEqual(paintOf(theme, t, 2).rgb, [179, 203, 179]);
});

test('the kernels that take most time have a colour each, the others one together', () => {
  const names = ['copy', ...Array.from({length: 11}, (_, k) => `kernel ${k}`), 'kernel 3, joined', 'kernel 0 and others, joined'];
  // Kernel k takes 100 - k. Kernel 3 also has joined entries, which make it the first.
  const compute = Array.from({length: 11}, (_, k) => ({name: k + 1, ns: 100 - k})).concat({name: 12, ns: 50}, {name: 13, ns: 7});
  const trackOf = (engine, entries) => {
    let time = 0;
    const start = Float64Array.from(entries, ({ns}) => (time += ns) - ns);
    return makeTrack({kind: 'op', engine}, {
      start, end: Float64Array.from(entries, ({ns}, i) => start[i] + ns), name: Uint32Array.from(entries, ({name}) => name), bytes: new Uint32Array(entries.length),
    });
  };
  const model = {tracks: [trackOf('compute', compute), trackOf('h2d', [{name: 0, ns: 1000}])], names, thinned: {names: [[4], [1, 2]]}};
  const colours = coloursOfKernels([model]);
  assert.equal(colours.size, colouredKernels);
  assert.deepEqual([colours.get('kernel 3'), colours.get('kernel 0'), colours.get('kernel 10'), colours.get('copy')], [0, 1, undefined, undefined]);
  const numbers = coloursByNumber(model, colours);
  assert.deepEqual([numbers[4], numbers[12], numbers[13], numbers[11]], [0, 0, colouredKernels, colouredKernels]);
  const legend = legendOf(model, colours);
  assert.deepEqual([legend[0], legend.length], [{name: 'kernel 3', colour: 0, ns: 147}, colouredKernels + 1]);
  assert.deepEqual(legend[colouredKernels], {name: '', colour: colouredKernels, ns: 92 + 91 + 90 + 7});
});

test('scales end at round numbers', () => {
  assert.deepEqual([0, 0.4, 1, 1.2, 7, 52.9e9].map(scaleEnd), [1, 0.5, 1, 2, 10, 1e11]);
});

test('what is thinned out is said, and nothing else', () => {
  assert.equal(thinningNote({entries: 5, kept: 5, shorterOp: 0, shorterSpan: 0, names: []}), '');
  const ops = thinningNote({entries: 5000, kept: 40, shorterOp: 2000, shorterSpan: 0, names: [[0, 1]]});
  assert.match(ops, /5,000 .* as 40; neighbouring ops shorter than 2\.00 us are joined/);
  assert.match(ops, /gaps shorter than 2\.00 us may lie inside joined ops/);
  assert.doesNotMatch(ops, /first name/);
  const calls = thinningNote({entries: 5000, kept: 40, shorterOp: 0, shorterSpan: 1000, names: [[0, 1], []]});
  assert.match(calls, /calls and ranges shorter than 1\.00 us are joined/);
  assert.doesNotMatch(calls, /gaps|Charts/);
  assert.match(calls, /first name/);
});

test('what a chart shows at a place is told with its units', () => {
  assert.equal(readout('active', ['compute', 'h2d'], [1, 0.254]), 'compute 1.00 · to device 0.25');
  assert.equal(readout('rate', ['d2h'], [52.94e9]), 'to host 52.9 GB/s');
});

// The format of encode_timeline.cpp: the length of the JSON text, this text, and columns of byte planes.
function dataOf(description, columns) {
  const text = new TextEncoder().encode(JSON.stringify(description));
  const bytes = [0, 8, 16, 24].map((shift) => text.length >>> shift & 255).concat([...text]);
  for (const column of columns) bytes.push(...(column.every((value) => value === 0) ? [0] : [1, ...column]));
  return Uint8Array.from(bytes);
}

test('a call says where it was made, and so does what saves it for Perfetto', () => {
  const description = {
    names: ['cudaLaunchKernel', 'cudaDeviceSynchronize'], sites: ['a.cu:12 in run', 'a.cu:40 in wait'], devices: [], lanes: [],
    threads: [{pid: 1, tid: 2, calls: 5, ranges: 0}], first: 0, origin: 0, geometries: [],
  };
  const model = decode(dataOf(description, [[0, 10, 10, 10, 10], [5, 5, 5, 5, 5], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0], [2, 0, 1, 3, 0], [], [], [], []]));
  const [calls] = model.tracks;
  assert.deepEqual([...calls.site], [0, 0, -1, 1, -1]);
  const line = (i) => describeEntry(model, {track: calls, i}, 0).filter((one) => one.startsWith('at '));
  assert.deepEqual([0, 1, 2, 3, 4].map(line), [['at a.cu:12 in run'], ['at a.cu:12 in run'], [], ['at a.cu:40 in wait'], []]);
  const saved = [...perfettoEvents(model)].map((one) => JSON.parse(one)).filter(({ph}) => ph === 'X');
  assert.deepEqual(saved.map(({args}) => args.at), ['a.cu:12 in run', 'a.cu:12 in run', undefined, 'a.cu:40 in wait', undefined]);
});

test('calls of a trace without call stacks have no line', () => {
  const description = {names: ['cudaMalloc'], sites: [], devices: [], lanes: [], threads: [{pid: 1, tid: 2, calls: 1, ranges: 0}], first: 0, origin: 0, geometries: []};
  const model = decode(dataOf(description, [[0], [5], [0], [0], [0], [], [], [], []]));
  assert.equal(model.tracks[0].site, null);
  assert.equal(describeEntry(model, {track: model.tracks[0], i: 0}, 0).length, 3);
});

test('what a thread was seen to do is cut by its outermost calls, but for those that were joined', () => {
  const seen = {...drawn('..AAAAAAAABBBB'), work: Uint32Array.from([3, 5])};
  const lines = (calls) => {
    const {start, end, name, work} = betweenCalls(seen, calls);
    return Array.from(start, (at, i) => `${'AB'[name[i]]}${work[i]} ${at}-${end[i]}`);
  };
  const calls = drawn('CCC.C...CCCC');
  assert.deepEqual(lines(calls), ['A3 3-4', 'A3 5-8', 'B5 12-14']);
  assert.deepEqual(lines({...calls, others: Uint32Array.from([0, 4, 0])}), ['A3 3-8', 'B5 12-14']);
  // Calls inside other calls follow the outermost ones.
  const inner = drawn('.C');
  const both = Object.fromEntries(['start', 'end', 'name'].map((key) => [key, calls[key].constructor.from([...calls[key], ...inner[key]])]));
  assert.deepEqual(lines(both), lines(calls));
  assert.deepEqual(lines(drawn('')), ['A3 2-10', 'B5 10-14']);
});
