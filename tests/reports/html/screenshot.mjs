// node screenshot.mjs PAGE.html OUT.png [WIDTH HEIGHT [dark] [#hash]]: what a page looks like.
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {withBrowser} from './browser.mjs';

const [file, out, width = '1280', height = '900', ...rest] = process.argv.slice(2);
const hash = rest.find((word) => word.startsWith('#')) || '';
await withBrowser(async (browser) => {
  const page = await browser.open(pathToFileURL(resolve(file)).href + hash, {width: +width, height: +height, dark: rest.includes('dark')});
  await page.ready();
  writeFileSync(out, await page.screenshot());
  for (const complaint of page.complaints) console.error(complaint);
});
