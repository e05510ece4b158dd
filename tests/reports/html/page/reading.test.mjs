// Pages on paper, without scripts, without a mouse, and for people who see colours differently.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {quietPage, quietPageWithoutScripts, tracksOf, detailsOf, press} from '../support/pages.mjs';
import {settled} from '../support/browser.mjs';

test('without scripts, figures, findings and the picture are there', () =>
  quietPageWithoutScripts('findings', async (page) => {
    // The page's own scripts do not run, but evaluate() does.
    assert.equal(await page.evaluate(() => typeof document.lapscopeTimelines), 'undefined');
    const text = await page.locator('body').innerText();
    for (const part of ['default-stream-barrier', '14.85 ms', 'cudaStreamNonBlocking', 'overlap_ratio', 'launch-latency', 'needs JavaScript']) {
      assert.ok(text.includes(part), part);
    }
    assert.ok((await page.locator('.strip svg path').first().boundingBox()).width > 100);
  }));

test('on paper a page is black on white and whole, and the screen is as before afterwards', () =>
  quietPage('findings', {dark: true}, async (page, timeline) => {
    await tracksOf(page).focus();
    await press(page, 'w');
    const screen = () => timeline.evaluate((t) => ({view: t.view, width: t.lastScene.width, open: document.querySelectorAll('details[open]').length}));
    const before = await screen();
    // The print dialog does this, at the width of a sheet.
    await page.setViewportSize({width: 717, height: 1000});
    await page.emulateMedia({media: 'print'});
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await settled(page);
    const paper = await timeline.evaluate((t) => {
      const seen = (query) => [...document.querySelectorAll(query)].filter((e) => e.getClientRects().length > 0).length;
      const style = getComputedStyle(document.body);
      return {
        text: style.color, back: style.backgroundColor, controls: seen('button, input, select, .keys'), wide: document.documentElement.scrollWidth <= 717,
        evidence: seen('.finding-list table tbody tr') >= 11,  // of two findings
        tables: document.querySelectorAll('table').length - seen('table'),
        canvas: t.parts.tracks.clientWidth, rows: t.lastScene.height - t.layout.height, label: t.theme.back, links: seen('a') > 5,
      };
    });
    assert.deepEqual(paper, {
      text: 'rgb(0, 0, 0)', back: 'rgb(255, 255, 255)', controls: 0, wide: true, evidence: true, tables: 0, canvas: 700, rows: 0, label: '#ffffff', links: true,
    });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({media: null});
    await page.setViewportSize({width: 1280, height: 900});
    await settled(page);
    // When a browser prints, it sends the event itself.
    await timeline.evaluate((t) => window.addEventListener('beforeprint', () => { window.printed = t.lastScene.width; }));
    const pdf = await page.pdf({printBackground: true});
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.equal(await page.evaluate(() => window.printed), 700);
    await settled(page);
    assert.deepEqual(await screen(), before);
  }));

test('controls have names, and the tables tell what the picture does', () =>
  quietPage('findings', {}, async (page) => {
    const nameless = 'button, input, canvas:not([aria-hidden]), svg';
    assert.ok(await page.locator(nameless).count() > 8);
    assert.deepEqual(await page.locator(nameless).evaluateAll((all) => all.filter((e) => !e.getAttribute('aria-label')).map((e) => e.outerHTML)), []);
    assert.ok(await page.locator('table caption').count() >= 3);
  }));

// Returns the contrast of two colours [r, g, b] by the definition of WCAG.
function contrast(...colours) {
  const [darker, lighter] = colours.map((rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }).sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

// Runs in a page. Returns each text, folded ones too, with its colour and its background.
function colouredTexts() {
  for (const details of document.querySelectorAll('details')) details.open = true;
  const rgba = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return {rgb: [r, g, b], a}; };
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
    const {color} = getComputedStyle(element, element.placeholder ? '::placeholder' : null);
    texts.push({what: (element.placeholder || element.textContent).slice(0, 30), colours: [rgba(color).rgb, behind(element)], least: 4.5});
  }
  return texts;
}

// Runs in a page. Returns what is drawn, and the rows of the strip, with their background.
function colouredDrawings({theme}) {
  const colour = (name) => {
    const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  };
  const kinds = ['compute', 'h2d', 'd2h', 'other', 'call', 'range'];
  const drawn = kinds.flatMap((what) => [{what, rgb: colour(what)}, ...theme[what].map(({rgb}) => ({what, rgb}))]);
  return [...drawn, {what: 'idle', rgb: colour('idle')}].map(({what, rgb}) => ({what, colours: [rgb, colour('lane')], least: 3}));
}

for (const name of ['findings', 'diff']) {
  test(`all of the page of ${name} stands out from what is behind it as WCAG asks, in both schemes`, () =>
    quietPage(name, {}, async (page, timeline) => {
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme});
        await settled(page);
        const found = [...await page.evaluate(colouredTexts), ...await timeline.evaluate(colouredDrawings)];
        assert.ok(found.length > 100);
        assert.deepEqual(found.filter(({colours, least}) => contrast(...colours) < least), [], colorScheme);
      }
    }));
}

test('whatever the mouse does, the keyboard does', () =>
  quietPage('findings', {}, async (page, timeline) => {
    // Tab alone leads from the top of the page to the finding's link, the controls and the timeline.
    const reached = [];
    for (let k = 0; k < 40; ++k) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent));
    }
    for (const name of ['default-stream-barrier', 'search names', 'zoom in', 'next idle gap', 'next finding']) assert.ok(reached.includes(name), name);
    assert.ok(reached.some((name) => name.startsWith('timeline of ops')));
    await tracksOf(page).focus();
    await press(page, 'f', 'w', 'n');
    assert.match(await detailsOf(timeline), /^default-stream-barrier/);
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
    await press(page, 'Escape');
    assert.equal(await timeline.evaluate((t) => t.finding), null);
  }));

test('findings come before the figures, and figures have words', () =>
  quietPage('findings', {}, async (page) => {
    const places = await page.evaluate(() => ['.finding-list', '.tiles'].map((part) => document.querySelector(part).getBoundingClientRect().top));
    assert.ok(places[0] < places[1]);
    const words = await page.locator('.tiles dt').allTextContents();
    assert.ok(words.length > 0 && words.every((text) => !text.includes('_')), words.join());
    const figures = await page.locator('.tiles').first().locator('div').allInnerTexts();
    const [busy, idle] = ['GPU busy', 'GPU idle'].map((what) => figures.find((text) => text.startsWith(what)).match(/([\d.]+) %$/)[1]);
    assert.ok(Math.abs(Number(busy) + Number(idle) - 100) < 0.15, `${busy} ${idle}`);
    assert.ok(figures.some((text) => /^copies hidden\s+[\d.]+ %$/.test(text)) && figures.some((text) => /^overlap ratio\s+-?[\d.]+$/.test(text)), figures.join());
  }));

test('a page of several traces begins with a list of them, the one with most to gain first', () =>
  quietPage('two', {}, async (page) => {
    assert.equal(await page.title(), '2 traces · lapscope');
    const rows = await page.locator('nav tbody tr').allTextContents();
    assert.equal(rows.length, 2);
    assert.match(rows[0], /stream_pipeline-default-stream\.sqlitefindingsdefault-stream-barrier: .*14\.24 ms62\.3 %/);
    assert.match(rows[1], /stream_pipeline-overlapped\.sqlite/);
    await page.locator('nav a').nth(1).click();
    await page.waitForFunction(() => location.hash === '#trace-1');
    const top = await page.locator('#trace-1').evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(Math.abs(top) < 50, 'it leads there');
  }));

test('a link to a view leads there again after a visit to another trace', () =>
  quietPage('two', {}, async (page) => {
    const click = async (query) => {
      await page.locator(query).first().evaluate((one) => one.click());
      await page.waitForTimeout(500);  // the page writes its address meanwhile
    };
    const top = () => page.locator('section.timeline[data-report="0"]').evaluate((one) => one.getBoundingClientRect().top);
    await click('a[href^="#r=0&t="]');
    const before = await top();
    assert.ok(before > -50 && before < 900, `${before}`);
    await click('nav a[href="#trace-1"]');
    assert.ok(Math.abs(await top() - before) > 1000);
    await click('a[href^="#r=0&t="]');
    assert.ok(await top() > -50 && await top() < 900, `${await top()}`);
  }));

test('keys are listed in groups, each with what it does', () =>
  quietPage('overlapped', {}, async (page) => {
    await page.keyboard.press('?');
    const dialog = page.locator('dialog.keys');
    assert.deepEqual(await dialog.locator('h3').allTextContents(), ['Move', 'Go to', 'Select', 'Tracks', 'Pointer']);
    assert.ok(await dialog.locator('kbd').count() > 20);
    const pairs = await dialog.evaluate((one) => [one.querySelectorAll('dt').length, one.querySelectorAll('dd').length]);
    assert.equal(pairs[0], pairs[1]);
    await dialog.locator('button').click();
  }));
