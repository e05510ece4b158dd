// Usage: node screenshot.mjs PAGE.html OUT.png [WIDTH HEIGHT [dark] [#hash]]. Takes a picture of a page.
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {withBrowser, watchedPage, drawn} from './support/browser.mjs';

const [file, path, width = '1280', height = '900', ...rest] = process.argv.slice(2);
const hash = rest.find((word) => word.startsWith('#')) || '';
await withBrowser(async (browser) => {
  const watched = await watchedPage(browser);
  await watched.open(pathToFileURL(resolve(file)).href + hash, {width: +width, height: +height, dark: rest.includes('dark')});
  await drawn(watched.page);
  await watched.page.screenshot({path});
  for (const complaint of watched.complaints) console.error(complaint);
});
