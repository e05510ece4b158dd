// Pages with two timelines in a browser: two reports, and a comparison.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {lapscope, quietPage, quietPageWithoutScripts, trace, timelineOf, tracksOf, press, turnWheel} from '../support/pages.mjs';
import {settled} from '../support/browser.mjs';

const viewsOf = (page) => page.evaluate(() => document.lapscopeTimelines.map((t) => t.view));
const moveTogether = async (page, which) => {
  await page.getByRole('checkbox', {name: 'all timelines of this page move together'}).nth(which).click();
  await settled(page);
};

test('two traces of one page move together when asked to, on one scale', () =>
  quietPage('two', {}, async (page) => {
    const [one, two] = await viewsOf(page);
    assert.notDeepEqual(one, two);
    await moveTogether(page, 1);
    const [a, b] = await viewsOf(page);
    assert.deepEqual(a, b);
    assert.equal(a.to, Math.max(one.to, two.to));
    await tracksOf(page).focus();
    await press(page, 'w');
    const [closer, other] = await viewsOf(page);
    assert.ok(closer.to - closer.from < a.to - a.from);
    assert.deepEqual(other, closer);
    await moveTogether(page, 0);
    await tracksOf(page).focus();
    await press(page, 'w');
    const [alone, left] = await viewsOf(page);
    assert.notDeepEqual(alone, left);
  }));

test('a comparison shows both runs, aligned where their steady states begin, on one scale, and moves both', () =>
  quietPage('diff', {}, async (page, timeline) => {
    const [one, two] = await viewsOf(page);
    assert.deepEqual(one, two);
    assert.equal(one.from, 0);
    const runs = await page.evaluate(() => document.lapscopeTimelines.map(({model, parts}) => ({
      first: Math.min(...model.tracks.filter((t) => t.kind === 'op').map((t) => t.start[0])), length: model.length,
      heading: parts.section.querySelector('h3').textContent, gutter: parts.tracks.getBoundingClientRect().x,
    })));
    const begins = ['default-stream', 'overlapped'].map((name, i) => {
      const [device] = JSON.parse(lapscope('analyze', '--format', 'json', trace(`stream_pipeline-${name}`))).devices;
      return runs[i].first + device.steady.window.start - device.window.start;
    });
    assert.equal(begins[0], begins[1]);
    assert.equal(one.to, Math.max(runs[0].length, runs[1].length));
    assert.equal(runs[0].gutter, runs[1].gutter);
    assert.deepEqual(runs.map(({heading}) => heading), [
      `A, before: ${trace('stream_pipeline-default-stream')}`, `B, after: ${trace('stream_pipeline-overlapped')}`,
    ]);
    await turnWheel(page, await timelineOf(page, 1), tracksOf(page, 1), {x: 500, y: 60}, 0, -600);
    const [closer, other] = await viewsOf(page);
    assert.ok(closer.to - closer.from < 0.6 * (one.to - one.from));
    assert.deepEqual(closer, other);
    const ends = await page.evaluate(() => document.lapscopeTimelines.map((t) => t.charts.map(({plot}) => plot.scales.y.max)));
    assert.deepEqual(ends[0], ends[1]);
    // A search in one timeline searches both.
    await page.getByRole('searchbox').first().fill('stamp');
    await settled(page);
    assert.deepEqual(await page.evaluate(() => document.lapscopeTimelines.map((t) => t.parts.found.textContent)), ['24 found', '24 found']);
    // A finding that only the earlier run has leads to its place there.
    await page.locator('.finding-list').getByRole('link').first().click();
    await page.waitForFunction(() => document.lapscopeTimelines[0].finding, null, {timeout: 5000});
    await settled(page);
    assert.deepEqual(await timeline.evaluate((t) => t.finding), [0, 0]);
    const [here, there] = await viewsOf(page);
    assert.deepEqual(here, there);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
  }));

test('a link that is followed while the address is about to be written counts', () =>
  quietPage('diff', {}, async (page, timeline) => {
    // When the page is free again, two timers are due: first that of the link, then that of the address. The event of
    // the link comes last.
    await page.evaluate(() => {
      const [one] = document.lapscopeTimelines;
      one.show(one.view.from, one.view.to / 2, true);
      setTimeout(() => document.querySelector('.finding-list a').click(), 290);
      for (const begin = performance.now(); performance.now() < begin + 400;);
    });
    await page.waitForFunction(() => document.lapscopeTimelines[0].finding, null, {timeout: 5000});
    assert.deepEqual(await timeline.evaluate((t) => t.finding), [0, 0]);
  }));

test('the address of a comparison leads to the stretch in both', () =>
  quietPage('diff', {hash: '#r=1&t=1000000-3000000'}, async (page) => {
    assert.deepEqual(await viewsOf(page), Array(2).fill({from: 1000000, to: 3000000}));
  }));

test('without scripts a comparison has its tables', () =>
  quietPageWithoutScripts('diff', async (page) => {
    const text = await page.locator('body').innerText();
    const ratios = ['default-stream', 'overlapped'].map((name) => JSON.parse(lapscope('analyze', '--format', 'json', trace(`stream_pipeline-${name}`))).devices[0].steady.measures.overlap_ratio.value.toFixed(3));
    for (const part of ['default-stream-barrier', 'overlap_ratio', ...ratios, 'idle time by cause', 'stamp_tile', 'needs JavaScript']) {
      assert.ok(text.includes(part), part);
    }
  }));

test('a comparison tells findings before its figures, in words, shares of time in percent', () =>
  quietPage('diff', {}, async (page) => {
    const places = await page.evaluate(() => ['.finding-list', '.tiles'].map((part) => document.querySelector(part).getBoundingClientRect().top));
    assert.ok(places[0] < places[1]);
    const figures = (await page.locator('.tiles').first().locator('div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    assert.ok(figures.length >= 5 && figures.every((text) => !text.includes('_')), figures.join());
    const of = (what) => figures.find((text) => text.startsWith(what));
    assert.match(of('GPU busy'), /^GPU busy [\d.]+ % → [\d.]+ % [+-]?[\d.]+ points$/);
    assert.match(of('copies hidden'), /^copies hidden [\d.]+ % → [\d.]+ % \+[\d.]+ points$/);
    assert.match(of('overlap ratio'), /^overlap ratio -?[\d.]+ → [\d.]+ \+[\d.]+$/);
  }));

test('a comparison opens on what both runs are about, on one scale', () =>
  quietPage('brackets-diff', {}, async (page) => {
    const seen = await page.evaluate(() => document.lapscopeTimelines.map(({view, first, model}) => ({view, first, length: model.length})));
    const both = {from: Math.min(...seen.map(({first}) => first.from)), to: Math.max(...seen.map(({first}) => first.to))};
    for (const {view, length} of seen) {
      assert.deepEqual(view, both);
      assert.ok(both.to - both.from < length / 5);
    }
  }));
