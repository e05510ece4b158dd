// The page's modules that know no document, by node's own runner.
import {test} from 'node:test';
import assert from 'node:assert/strict';

const modules = process.env.LAPSCOPE_PAGE || new URL('../../../reports/html/page', import.meta.url).pathname;
const {formatNs, ticksIn, shortName, formatBytes} = await import(`${modules}/words.js`);
const {rowsOf, makeTrack, makeTracks, firstFrom, entryAt} = await import(`${modules}/tracks.js`);
const {levelOf, wideFrom} = await import(`${modules}/levels.js`);
const {busyUntil, movedUntil, meansOver} = await import(`${modules}/sums.js`);
const {clamped, zoomed, panned, around, showing, middleSeen, parseHash, formatHash} = await import(`${modules}/view.js`);
const {matchingNames, countMatches, nextMatch, gapsOf, nextGap, locate, alongTrack, acrossTracks} = await import(`${modules}/find.js`);
const {parseColour, shadeOf, shadeIndex, luminance, textOn} = await import(`${modules}/theme.js`);
const {scaleEnd, readout} = await import(`${modules}/charts.js`);
const {thinningNote} = await import(`${modules}/timeline.js`);

// A run of equal letters is an entry, '.' is nothing, a character a ns; letters are names.
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

// The same sequence every time.
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
  assert.equal(formatNs(12704), '12.704 us');
  assert.equal(formatNs(23733333), '23.733 ms');
  assert.equal(formatNs(999999999), '1.000 s');
  assert.equal(formatBytes(1536), '1.5 KiB');
});

test('ticks are round numbers in one unit, and no more than asked for', () => {
  assert.deepEqual(ticksIn(0, 1e6, 5).map((t) => t.label), ['0 us', '200 us', '400 us', '600 us', '800 us', '1000 us']);
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

// Brute force: every pixel of every zoom, by adding up what lies in it.
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
      // A copy that takes no time moves its bytes in that instant: the sum has them, inside or not.
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
  // Longer than the view: as it is while something of it is seen, else from its beginning.
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
  assert.equal(countMatches([track('AAA..BBCC.'), track('.B.B..')], flags), 3);
});

test('the next match is the next in time over all tracks, and goes round', () => {
  const one = track('B...C...B.');
  const two = track('.....B....');
  const flags = Uint8Array.from([0, 1, 0]);
  const times = [];
  let at = -1;
  for (let k = 0; k < 4; ++k) {
    const found = nextMatch([one, two], flags, at, 1);
    at = found.track.start[found.i];
    times.push(at);
  }
  assert.deepEqual(times, [0, 5, 8, 0]);
  const before = nextMatch([one, two], flags, 0, -1);
  assert.equal(before.track.start[before.i], 8);
  assert.equal(nextMatch([one, two], Uint8Array.from([0, 0, 0]), 0, 1), null);
});

test('gaps are where no track has anything', () => {
  //                  012345678901234
  const tracks = [track('AAA..BB.....CC'), track('..AAA.........')];
  assert.deepEqual(gapsOf(tracks, 1), [{start: 7, end: 12}]);
  assert.deepEqual(gapsOf([tracks[0]], 1), [{start: 3, end: 5}, {start: 7, end: 12}]);
  assert.deepEqual(gapsOf([tracks[0]], 3), [{start: 7, end: 12}]);
  const gaps = gapsOf([tracks[0]], 1);
  assert.equal(nextGap(gaps, 0, 1).start, 3);
  assert.equal(nextGap(gaps, 3, 1).start, 7);
  assert.equal(nextGap(gaps, 7, 1).start, 3);
  assert.equal(nextGap(gaps, 3, -1).start, 7);
  assert.equal(nextGap([], 3, 1), null);
});

test('an interval of a finding is found by its times', () => {
  const one = track('AAA..BB');
  const two = track('.....BB');
  assert.deepEqual(locate([one, two], 5, 7, (t) => t === two), {track: two, i: 0});
  assert.deepEqual(locate([one, two], 5, 7, () => false), {track: one, i: 1});
  assert.equal(locate([one, two], 5, 6), null);
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
  // Across an empty track; at 4 D, which has ended, is nearer than E, at 6 E is.
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

test('scales end at round numbers', () => {
  assert.deepEqual([0, 0.4, 1, 1.2, 7, 52.9e9].map(scaleEnd), [1, 0.5, 1, 2, 10, 1e11]);
});

test('what is thinned out is said, and nothing else', () => {
  assert.equal(thinningNote({entries: 5, kept: 5, shorterOp: 0, shorterSpan: 0}), '');
  assert.match(thinningNote({entries: 5000, kept: 40, shorterOp: 2000, shorterSpan: 0}), /5,000 .* as 40; neighbouring ops shorter than 2\.000 us are joined/);
});

test('what a chart shows at a place is told with its units', () => {
  assert.equal(readout('active', ['compute', 'h2d'], [1, 0.254]), 'compute 1.00 · to device 0.25');
  assert.equal(readout('rate', ['d2h'], [52.94e9]), 'to host 52.9 GB/s');
});
