// The system's Chromium without a window, driven by playwright-core, which contains no browser.
import {existsSync} from 'node:fs';
import {chromium} from 'playwright-core';

// The first that exists, in the order of run.sh.
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome', process.env.LAPSCOPE_CHROMIUM || ''].find((path) => path && existsSync(path));

// The caller must close() it. Chromium has no sandbox for root, the user of containers. The pages are our own.
export function startBrowser() {
  return chromium.launch({executablePath, chromiumSandbox: false, args: ['--disable-dev-shm-usage']});
}

// Runs f(browser), and always ends the browser.
export async function withBrowser(f) {
  const browser = await startBrowser();
  try {
    return await f(browser);
  } finally {
    await browser.close();
  }
}

// A page that may load only itself. It collects its complaints and the URLs that it requested since open(), also those
// that its policy refused. All tests share it, because a new page costs Chromium more time than most tests.
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
    // A goto() within one page would load nothing.
    await page.goto('about:blank');
    await page.setViewportSize({width, height});
    await page.emulateMedia({media: null, colorScheme: dark ? 'dark' : 'light'});
    Object.assign(watched, {complaints: [], requests: []});
    itself = url.replace(/#.*/s, '');
    await page.goto(url);
  };
  return watched;
}

// Waits until the browser has drawn.
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

// Waits until all timelines of a page are read and drawn.
export async function drawn(page) {
  await page.evaluate(() => Promise.all(document.lapscopeTimelines.map((timeline) => timeline.ready)));
  await settled(page);
}
