// A headless Chromium, spoken to in its own protocol over a pipe: no package is needed for it.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome', process.env.LAPSCOPE_CHROMIUM || ''].find((path) => path && existsSync(path));

// A browser that is to be ended with close().
export function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'lapscope-chromium-'));
  const child = spawn(chromium, [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run',
    '--disable-background-networking', '--disable-extensions', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank',
  ], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
  const ended = new Promise((done) => child.on('exit', done));
  const browser = new Browser(child);
  browser.close = async () => {
    // Asked to, it ends all its processes, and nothing writes to the profile any more.
    browser.send('Browser.close').catch(() => {});
    const killer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(killer);
    rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
  };
  return browser;
}

// Runs f(browser) and ends the browser, whatever happens.
export async function withBrowser(f) {
  const browser = startBrowser();
  try {
    return await f(browser);
  } finally {
    await browser.close();
  }
}

class Browser {
  constructor(child) {
    this.pipe = child.stdio[3];
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    let rest = '';
    child.stdio[4].setEncoding('utf8');
    child.stdio[4].on('data', (data) => {
      const messages = (rest + data).split('\0');
      rest = messages.pop();
      for (const message of messages) this.take(JSON.parse(message));
    });
    child.on('exit', () => {
      for (const {fail} of this.waiting.values()) fail(new Error('the browser ended'));
    });
  }

  take(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.error) waiting.fail(new Error(`${waiting.method}: ${message.error.message}`)); else waiting.done(message.result);
    } else {
      for (const listener of this.listeners) listener(message);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.pipe.write(JSON.stringify({id, method, params, sessionId}) + '\0');
    return new Promise((done, fail) => this.waiting.set(id, {done, fail, method}));
  }

  // A page of this size, with what it complained of and asked for.
  async open(url, {width = 1280, height = 900, dark = false, scripts = true} = {}) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, sessionId);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await page.send('Emulation.setScriptExecutionDisabled', {value: !scripts});
    await page.go(url);
    return page;
  }
}

class Page {
  constructor(browser, sessionId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.complaints = [];
    this.requests = [];
    this.loaded = () => {};
    browser.listeners.push((message) => message.sessionId === sessionId && this.hear(message));
  }

  hear({method, params}) {
    if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(params.entry.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) this.complaints.push(JSON.stringify(params.args));
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Page.javascriptDialogOpening') this.complaints.push(`a dialog: ${params.message}`);
    if (method === 'Page.loadEventFired') this.loaded();
  }

  send(method, params = {}) { return this.browser.send(method, params, this.sessionId); }

  async go(url) {
    const loaded = new Promise((done) => { this.loaded = done; });
    await this.send('Page.navigate', {url});
    await loaded;
  }

  // The value of an expression in the page; awaited when it is a promise.
  async value(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  async ready() {
    await this.value('Promise.all(document.lapscopeTimelines.map((t) => t.ready))');
    await this.settled();
  }

  // After what was asked for has been drawn.
  settled() { return this.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))'); }

  async press(key) {
    for (const type of ['keyDown', 'keyUp']) await this.send('Input.dispatchKeyEvent', {type, key, text: key.length === 1 && type === 'keyDown' ? key : undefined});
    await this.settled();
  }

  async mouse(type, x, y, more = {}) {
    await this.send('Input.dispatchMouseEvent', {type, x, y, button: type === 'mouseMoved' || type === 'mouseWheel' ? 'none' : 'left', clickCount: 1, ...more});
  }

  async click(x, y) {
    await this.mouse('mousePressed', x, y);
    await this.mouse('mouseReleased', x, y);
    await this.settled();
  }

  async screenshot(whole = false) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: whole});
    return Buffer.from(data, 'base64');
  }
}
