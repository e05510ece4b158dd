// Reads the timelines of a page with the page's own scripts, without a browser.
const modules = process.env.LAPSCOPE_PAGE || new URL('../../../../reports/html/page', import.meta.url).pathname;
const {inflated, decode} = await import(`${modules}/payload.js`);

export function modelsOf(page) {
  const data = [...page.matchAll(/class="data">([^<]*)</g)].map((found) => found[1]);
  return Promise.all(data.map(async (base64) => decode(await inflated(base64))));
}
