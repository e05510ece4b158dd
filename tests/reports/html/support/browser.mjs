// The system's Chromium, headless, driven by playwright-core, which brings no browser of its own.
import {existsSync} from 'node:fs';
import {chromium} from 'playwright-core';

// The first of those that run.sh looks for.
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome', process.env.LAPSCOPE_CHROMIUM || ''].find((path) => path && existsSync(path));

// To be ended with close(). Root, whom containers run as, gets no sandbox from Chromium; pages are ours.
export function startBrowser() {
  return chromium.launch({executablePath, chromiumSandbox: false, args: ['--disable-dev-shm-usage']});
}

// Runs f(browser) and ends the browser, whatever happens.
export async function withBrowser(f) {
  const browser = await startBrowser();
  try {
    return await f(browser);
  } finally {
    await browser.close();
  }
}

// A page that can load itself and nothing else. It tells what it complained of and which URLs it asked for since
// open(), those that its own policy refused included. One page is opened again and again: a new one costs Chromium
// more than most pages do.
export async function watchedPage(browser, {scripts = true} = {}) {
  const page = await browser.newPage({javaScriptEnabled: scripts});
  const watched = {page, complaints: [], requests: []};
  const complain = (text) => watched.complaints.push(text);
  page.on('pageerror', (error) => complain(error.stack || String(error)));
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) complain(message.text());
  });
  page.on('crash', () => complain('it crashed'));
  page.on('popup', (popup) => complain(`a window: ${popup.url()}`));
  page.on('dialog', (dialog) => {
    complain(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('websocket', (socket) => watched.requests.push(socket.url()));
  let itself = '';
  await page.route('**', (route) => (route.request().url() === itself ? route.continue() : route.abort()));
  watched.open = async (url, {width = 1280, height = 900, dark = false} = {}) => {
    // From one place in a page to another nothing would be loaded.
    await page.goto('about:blank');
    await page.setViewportSize({width, height});
    await page.emulateMedia({media: null, colorScheme: dark ? 'dark' : 'light'});
    Object.assign(watched, {complaints: [], requests: []});
    itself = url.replace(/#.*/s, '');
    await page.goto(url);
  };
  return watched;
}

// After what was asked for has been drawn.
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

// After all timelines of a page have been read and drawn.
export async function drawn(page) {
  await page.evaluate(() => Promise.all(document.lapscopeTimelines.map((timeline) => timeline.ready)));
  await settled(page);
}
