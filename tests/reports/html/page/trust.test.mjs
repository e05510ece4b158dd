// What a page must not do, whatever names are in the trace.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {quietPage, fileOf, openFile, writePage, tracksOf, detailsOf, press, coloursOf, eventually} from '../support/pages.mjs';
import {drawn} from '../support/browser.mjs';

// Asserts that no name has become markup, that the only script is lapscope's, and that no character moves or hides
// text.
async function assertOnlyText(page, name) {
  assert.equal(await page.locator('img, iframe, object, link, base').count(), 0);
  assert.equal(await page.locator('script').count(), 1);
  assert.doesNotMatch(readFileSync(fileOf(name), 'utf8'), /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/);
}

test('hostile names stay text, wherever they are', () =>
  quietPage('hostile', {}, async (page, timeline) => {
    await assertOnlyText(page, 'hostile');
    assert.ok((await page.getByRole('heading', {level: 1}).textContent()).startsWith('</script><script>'));
    for (const canvas of ['tracks', 'charts']) assert.ok(await coloursOf(timeline, canvas) > 4, canvas);
    await page.getByRole('searchbox', {name: 'search names'}).fill('script');
    await tracksOf(page).focus();
    await press(page, 'f', 'g', 'w', 'n');
    assert.match(await detailsOf(timeline), /script/);
    await assertOnlyText(page, 'hostile');
  }));

test('a name of 10 kB is cut in tables, told whole by the timeline, and makes nothing wider than the screen', () =>
  quietPage('hostile', {}, async (page, timeline) => {
    const shown = page.locator('code[title^="void x"]').first();
    assert.match(await shown.getAttribute('title'), /^void x{3000,4000}…$/);
    assert.match(await shown.textContent(), /^void x{50,100}…/);
    await page.getByRole('searchbox', {name: 'search names'}).fill('y'.repeat(200));
    await press(page, 'Enter');
    assert.ok((await detailsOf(timeline)).includes('y'.repeat(10_000)));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
  }));

test('hostile names stay text in a comparison', () =>
  quietPage('hostile-diff', {}, async (page, timeline) => {
    await assertOnlyText(page, 'hostile-diff');
    for (const canvas of ['tracks', 'charts']) assert.ok(await coloursOf(timeline, canvas) > 4, canvas);
  }));

test('an injected script would not run, and nothing can be loaded', async () => {
  const {page, complaints} = await openFile(fileOf('findings'));
  await drawn(page);
  await page.evaluate(async () => {
    document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x.png" onerror="window.hit = 1">');
    const script = document.createElement('script');
    script.textContent = 'window.hit = 2';
    document.body.append(script);
    await fetch('http://127.0.0.1:9/').then(() => { window.hit = 3; }, () => {});
    try {
      new WebSocket('ws://127.0.0.1:9/').onopen = () => { window.hit = 4; };
    } catch { /* refused at once */ }
  });
  for (const refused of [/inline event handler/, /Executing inline script/, /Loading the image/, /Connecting to 'http:/, /Connecting to 'ws:/]) {
    const told = () => complaints.some((text) => refused.test(text) && /Content Security Policy/.test(text));
    assert.ok(await eventually(told), `${refused} in ${complaints}`);
  }
  assert.equal(await page.evaluate(() => typeof window.hit), 'undefined');
  await page.close();
});

// Makes sure that the watch finds faults.
test('the watch over pages sees what a page says and asks for', async () => {
  const other = pathToFileURL(fileOf('findings')).href;
  const file = writePage('loud', `<!doctype html><script>
    console.warn('a warning');
    console.error('an error');
    console.assert(false, 'an assertion');
    alert('a question');
    setTimeout(() => { throw new Error('an exception'); });
    new WebSocket('ws://127.0.0.1:9/');
    fetch('http://127.0.0.1:9/fetched').catch(() => {});
    </script><img src="http://127.0.0.1:9/image"><iframe src="${other}"></iframe>`);
  const {page, complaints, requests} = await openFile(file);
  for (const said of ['a warning', 'an error', 'an assertion', 'a question', 'an exception']) {
    assert.ok(await eventually(() => complaints.some((text) => text.includes(said))), `${said} in ${complaints}`);
  }
  const asked = [pathToFileURL(file).href, 'ws://127.0.0.1:9/', 'http://127.0.0.1:9/fetched', 'http://127.0.0.1:9/image', other];
  await eventually(() => requests.length >= asked.length);
  assert.deepEqual([...requests].sort(), asked.sort());
  assert.equal(page.frames().some((frame) => frame.url() === other), false, 'and lets none of it through');
  await page.close();
});
