// Creates the timelines from the page's data, and connects them to pointer, keys and address.
import {Timeline} from './timeline.js';
import {coloursOfKernels} from './legend.js';
import {groupOf} from './draw.js';
import {savePerfetto} from './perfetto.js';
import {bindPaper} from './paper.js';
import {parseHash, formatHash} from './view.js';

// The help on keys and pointer: for each group the lines [input, effect].
const help = [
  ['Move', [['a d ← →', 'left, right'], ['w s + −', 'zoom in, out'], ['0', 'show all'], ['↑ ↓', 'scroll the tracks']]],
  ['Go to', [['f F', 'next, previous finding'], ['g G', 'next shorter, longer gap'], ['/', 'search names'], ['n N', 'next, previous found']]],
  ['Select', [['Shift ← →', 'before, after the selection'], ['Shift ↑ ↓', 'in the track above, below'], ['Enter', 'zoom to it'], ['Esc', 'clear']]],
  ['Tracks', [['c', 'collapse the device or thread of the selection'], ['C', 'collapse all, or none']]],
  ['Pointer', [['drag', 'measure'], ['Shift drag', 'move'], ['Ctrl wheel', 'zoom'], ['click', 'select; of a heading, collapse its tracks'],
               ['wheel', 'scroll the tracks once they were clicked, else the page']]],
];
const helpLine = 'Drag to measure. Ctrl with the wheel zooms, w a s d move, f goes to the next finding; ? lists all keys.';
const helpText = help.map(([group, lines]) => `${group}: ${lines.map((line) => line.join(' ')).join(', ')}`).join('. ');

function element(name, attributes = {}, text = '') {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function buildParts(section) {
  const bar = element('div', {class: 'bar', role: 'toolbar', 'aria-label': 'timeline controls'});
  const search = element('input', {type: 'search', placeholder: 'search names', 'aria-label': 'search names', maxlength: '200'});
  const found = element('span', {class: 'faint', 'aria-live': 'polite'});
  const button = (text, label) => element('button', {type: 'button', 'aria-label': label, title: label}, text);
  const buttons = {
    closer: button('+', 'zoom in'), farther: button('−', 'zoom out'), all: button('all', 'show all'),
    gap: button('next gap', 'next idle gap'), finding: button('next finding', 'next finding'),
    perfetto: button('save for Perfetto', 'save what this timeline draws as a file for ui.perfetto.dev'),
  };
  const device = element('select', {'aria-label': 'device of the overview, the charts and the gaps', hidden: ''});
  const together = element('label', {hidden: ''});
  const linked = element('input', {type: 'checkbox', 'aria-label': 'all timelines of this page move together'});
  together.append(linked, ' move together');
  bar.append(search, found, device, ...Object.values(buttons), together);
  const overview = element('canvas', {class: 'overview', 'aria-hidden': 'true'});
  const tracks = element('canvas', {
    class: 'tracks', tabindex: '0', role: 'application', 'aria-label': `timeline of ops, calls and ranges; all figures are in the tables of this page. ${helpText}`,
  });
  const legend = element('ul', {class: 'legend', 'aria-label': 'colours of kernels, and their shares of the time of all ops on compute engines'});
  const charts = element('div', {class: 'charts', role: 'img', 'aria-label': 'ops at a time and bytes per second over time'});
  const tip = element('div', {class: 'tip', hidden: ''});
  const details = element('pre', {class: 'details', 'aria-live': 'polite'});
  const note = element('p', {class: 'health info note'});
  const keys = element('dialog', {class: 'keys', 'aria-label': 'keys'});
  for (const [group, lines] of help) {
    const list = element('dl');
    for (const [pressed, does] of lines) {
      const term = element('dt');
      term.append(...pressed.split(' ').flatMap((key) => [element('kbd', {}, key), ' ']));
      list.append(term, element('dd', {}, does));
    }
    keys.append(element('h3', {}, group), list);
  }
  const close = element('form', {method: 'dialog'});
  close.append(element('button', {'aria-label': 'close the list of keys', title: 'close the list of keys'}, 'close'));
  keys.append(close);
  // An element as high as all tracks, in a box as high as the visible part. The browser then draws and moves
  // the scroll bar.
  const scroller = element('div', {class: 'scroller', 'aria-hidden': 'true', tabindex: '-1'});
  const all = element('div');
  scroller.append(all);
  const seen = element('div', {class: 'seen'});
  seen.append(tracks, scroller);
  section.append(note, bar, overview, seen, legend, charts, details, element('p', {class: 'faint help'}, helpLine), tip, keys);
  return {keys, section, search, found, device, together, linked, buttons, overview, tracks, scroller, all, legend, charts, tip, details, note};
}

// Reports drags on a canvas. started(event) may return a function, which is called for each move.
function onDrag(canvas, started) {
  canvas.addEventListener('pointerdown', (down) => {
    const moved = started(down);
    if (!moved) return;
    canvas.setPointerCapture(down.pointerId);
    const move = (event) => moved(event.clientX - down.clientX, event.clientY - down.clientY, event);
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', () => canvas.removeEventListener('pointermove', move), {once: true});
    canvas.addEventListener('pointercancel', () => canvas.removeEventListener('pointermove', move), {once: true});
  });
}

function bindPointer(timeline, parts) {
  const place = (event) => {
    const box = parts.tracks.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  parts.tracks.addEventListener('wheel', (event) => {
    // Without a modifier, the wheel scrolls the page. If the timeline has the focus, it scrolls the tracks
    // until their end.
    const zooms = event.ctrlKey || event.metaKey;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const scrolls = event.shiftKey || (!zooms && !isSideways && document.activeElement === parts.tracks && timeline.canScroll(event.deltaY));
    if (!zooms && !scrolls && !isSideways) return;
    event.preventDefault();
    if (scrolls) {
      timeline.scroll += event.deltaY || event.deltaX;
      timeline.change(false);
    } else if (isSideways) {
      timeline.pan(event.deltaX / parts.tracks.clientWidth);
    } else {
      timeline.zoom(Math.exp(event.deltaY * 0.0015), timeline.timeAt(place(event)[0]));
    }
  }, {passive: false});
  let dragged = false;
  onDrag(parts.tracks, (down) => {
    dragged = false;
    if (!down.shiftKey && down.pointerType !== 'touch' && down.button === 0) {
      const start = timeline.timeAt(Math.max(place(down)[0], timeline.lastScene.gutter));
      return (dx, dy, event) => {
        dragged = dragged || Math.abs(dx) > 3;
        if (dragged) timeline.measure(start, timeline.timeAt(Math.max(place(event)[0], timeline.lastScene.gutter)));
      };
    }
    const {from, to} = timeline.view;
    const {scroll} = timeline;
    const perPixel = (to - from) / (timeline.lastScene.width - timeline.lastScene.gutter);
    return (dx, dy) => {
      dragged = dragged || Math.abs(dx) + Math.abs(dy) > 3;
      timeline.scroll = scroll - dy;
      timeline.show(from - dx * perPixel, to - dx * perPixel);
    };
  });
  parts.tracks.addEventListener('click', (event) => {
    parts.tracks.focus();
    if (dragged) return;
    const heading = timeline.headingAt(place(event)[1]);
    if (heading) timeline.toggle(heading);
    else timeline.select(timeline.entryAtPoint(...place(event)));
  });
  parts.tracks.addEventListener('dblclick', (event) => timeline.selectAndReveal(timeline.entryAtPoint(...place(event))));
  parts.tracks.addEventListener('pointermove', (event) => {
    parts.tracks.classList.toggle('over-heading', !event.buttons && timeline.headingAt(place(event)[1]) !== undefined);
    const entry = event.buttons ? null : timeline.entryAtPoint(...place(event));
    parts.tip.hidden = !entry;
    if (!entry) return;
    parts.tip.textContent = timeline.describe(entry).map((line) => line.slice(0, 400)).join('\n');
    const box = parts.section.getBoundingClientRect();
    const left = Math.min(event.clientX - box.left + 14, box.width - parts.tip.offsetWidth - 4);
    parts.tip.style.left = `${Math.max(left, 0)}px`;
    parts.tip.style.top = `${event.clientY - box.top + 16}px`;
  });
  parts.tracks.addEventListener('pointerleave', () => { parts.tip.hidden = true; });
  parts.scroller.addEventListener('scroll', () => timeline.scrolled(parts.scroller.scrollTop));
  onDrag(parts.overview, (down) => {
    const box = parts.overview.getBoundingClientRect();
    const {gutter, width} = timeline.lastScene;
    const timeOf = (x) => (x - box.left - gutter) / (width - gutter) * timeline.limit;
    const size = timeline.view.to - timeline.view.from;
    const centre = (x) => timeline.show(timeOf(x) - size / 2, timeOf(x) + size / 2);
    centre(down.clientX);
    return (dx) => centre(down.clientX + dx);
  });
}

// Returns the action of a key; undefined for keys without one.
function actionOf(timeline, parts, key) {
  const actions = {
    'w': () => timeline.zoom(0.7), '+': () => timeline.zoom(0.7), '=': () => timeline.zoom(0.7),
    's': () => timeline.zoom(1 / 0.7), '-': () => timeline.zoom(1 / 0.7),
    'a': () => timeline.pan(-0.2), 'ArrowLeft': () => timeline.pan(-0.2),
    'd': () => timeline.pan(0.2), 'ArrowRight': () => timeline.pan(0.2),
    'ArrowUp': () => { timeline.scroll -= 40; timeline.change(false); },
    'ArrowDown': () => { timeline.scroll += 40; timeline.change(false); },
    'Shift+ArrowLeft': () => timeline.step(-1, 0), 'Shift+ArrowRight': () => timeline.step(1, 0),
    'Shift+ArrowUp': () => timeline.step(0, -1), 'Shift+ArrowDown': () => timeline.step(0, 1),
    '0': () => timeline.show(0, timeline.limit),
    'g': () => timeline.nextGap(1), 'G': () => timeline.nextGap(-1),
    'f': () => timeline.nextFinding(1), 'F': () => timeline.nextFinding(-1),
    'n': () => timeline.nextFound(1), 'N': () => timeline.nextFound(-1),
    'c': () => timeline.selected && timeline.toggle(groupOf(timeline.selected.track)), 'C': () => timeline.toggleAll(),
    '/': () => parts.search.focus(),
    '?': () => parts.keys.showModal(),
    'Enter': () => timeline.zoomToMarked(),
    'Escape': () => timeline.clear(),
  };
  return actions[key];
}

// Keys that have a meaning for the page or for the focused element.
const pageKeys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter']);

// Binds keys to the timeline that was used last. Keys do not act while the user types.
function bindPageKeys(timelines) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || pageKeys.has(event.key)) return;
    if (event.target.closest('input, select, textarea, button, dialog, summary')) return;
    const drawn = timelines.filter((timeline) => timeline.model);
    const timeline = drawn.find(({parts}) => parts.section.dataset.used) || drawn[0];
    const action = timeline && actionOf(timeline, timeline.parts, event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function bindKeys(timeline, parts) {
  parts.tracks.addEventListener('focus', () => {
    for (const other of document.querySelectorAll('section.timeline')) delete other.dataset.used;
    parts.section.dataset.used = 'yes';
  });
  parts.tracks.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const action = actionOf(timeline, parts, key);
    if (!action) return;
    event.preventDefault();
    action();
  });
  parts.search.addEventListener('input', () => timeline.search(parts.search.value));
  parts.search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') timeline.nextFound(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') parts.tracks.focus();
  });
  parts.buttons.closer.addEventListener('click', () => timeline.zoom(0.5));
  parts.buttons.farther.addEventListener('click', () => timeline.zoom(2));
  parts.buttons.all.addEventListener('click', () => timeline.show(0, timeline.limit));
  parts.buttons.gap.addEventListener('click', () => timeline.nextGap(1));
  parts.buttons.finding.addEventListener('click', () => timeline.nextFinding(1));
  const perfettoName = `${document.title.replace(/ · lapscope$/, '').replace(/^.*[\\/]/, '')}${document.querySelectorAll('section.timeline').length > 1 ? ` ${parts.section.dataset.report}` : ''}`;
  parts.buttons.perfetto.addEventListener('click', () => savePerfetto(timeline.model, perfettoName));
  const {devices} = timeline.model;
  parts.device.hidden = devices.length < 2;
  parts.device.append(...devices.map(({id}) => element('option', {value: id}, `device ${id}`)));
  parts.device.addEventListener('change', () => timeline.showDevice(Number(parts.device.value)));
  if (timeline.model.findings.length === 0) parts.buttons.finding.remove();
}

function stateOf(timeline, report) {
  const {view, selected, finding, query, model} = timeline;
  return {
    report, time: view, finding, query,
    selected: selected && [model.tracks.indexOf(selected.track), selected.i],
  };
}

function applyState(timeline, state, parts) {
  if (state.query !== undefined) {
    parts.search.value = state.query;
    timeline.search(state.query, false);
  }
  if (state.selected) {
    const track = timeline.model.tracks[state.selected[0]];
    if (track && state.selected[1] < track.start.length) timeline.select({track, i: state.selected[1]}, false);
  }
  if (state.finding) timeline.follow(state.finding, false, !state.time);
  if (state.time) timeline.view = {...state.time};
  timeline.show(timeline.view.from, timeline.view.to);
}

// Lets the timelines of a page move together while the box of one is ticked. All then show the same interval
// since their own beginnings, on the same scale. Timelines of a comparison are linked from the start.
function linkTimelines(timelines) {
  const drawn = timelines.filter((timeline) => timeline.model);
  if (drawn.length < 2) return;
  const longest = Math.max(...drawn.map((timeline) => timeline.model.length));
  const seen = {from: Math.min(...drawn.map(({first}) => first.from)), to: Math.max(...drawn.map(({first}) => first.to))};
  const link = (linked, tell) => {
    for (const other of drawn) {
      other.parts.linked.checked = linked;
      other.limit = linked ? longest : other.model.length;
      const {from, to} = linked ? seen : other.view;
      other.show(from, to, tell);
    }
  };
  for (const timeline of drawn) {
    timeline.parts.together.hidden = false;
    timeline.parts.linked.addEventListener('change', () => link(timeline.parts.linked.checked, true));
  }
  if (drawn.every(({parts}) => parts.section.dataset.together !== undefined)) {
    for (const timeline of drawn) timeline.compared = drawn.filter((other) => other !== timeline);
    link(true, false);
  }
}

// Gives a kernel the same colour on all timelines of the page.
function shareColours(timelines) {
  const drawn = timelines.filter((timeline) => timeline.model);
  if (drawn.length < 2) return;
  const colours = coloursOfKernels(drawn.map(({model}) => model));
  for (const timeline of drawn) {
    timeline.showKernels(colours);
    timeline.change(false);
  }
}

// Copies the view and the search to the linked timelines.
function followView(timeline, timelines) {
  if (!timeline.parts.linked.checked) return;
  for (const other of timelines) {
    if (other === timeline || !other.model) continue;
    other.view = {...timeline.view};
    if (other.query !== timeline.query) {
      other.parts.search.value = timeline.query;
      other.search(timeline.query, false);
    }
    other.change(false);
  }
}

export function startPage(page) {
  const timelines = [];
  let written = '';
  let timer = 0;
  const numberOf = (timeline) => Number(timeline.parts.section.dataset.report);
  const write = (timeline) => {
    followView(timeline, timelines);
    // Browsers limit changes of the address to about a hundred in half a minute.
    clearTimeout(timer);
    const before = location.hash;
    timer = setTimeout(() => {
      if (location.hash !== before) return;  // the user followed a link meanwhile, which takes precedence
      written = formatHash(stateOf(timeline, numberOf(timeline)));
      history.replaceState(null, '', written);
    }, 300);
  };
  const go = (scroll) => {
    if (!location.hash.includes('=')) return;  // a link to a place of the page
    const state = parseHash(location.hash);
    const timeline = timelines.find((one) => numberOf(one) === state.report);
    if (!timeline || !timeline.model) return;
    applyState(timeline, state, timeline.parts);
    if (scroll) timeline.parts.section.scrollIntoView({block: 'nearest'});
  };
  for (const section of page.querySelectorAll('section.timeline')) {
    const parts = buildParts(section);
    const timeline = new Timeline(parts, section.querySelector('.data').textContent, write);
    timelines.push(timeline);
    timeline.ready.then(() => {
      section.querySelector('.data').remove();
      bindPointer(timeline, parts);
      bindKeys(timeline, parts);
      section.dataset.ready = 'yes';
    }).catch((error) => {
      parts.note.textContent = `The timeline could not be read: ${error.message}. It needs a browser of 2023 or later.`;
      section.dataset.ready = 'no';
    });
    new ResizeObserver(() => timeline.model && timeline.change(false)).observe(section);
  }
  Promise.allSettled(timelines.map((timeline) => timeline.ready)).then(() => {
    linkTimelines(timelines);
    shareColours(timelines);
    if (location.hash) go(false);
  });
  window.addEventListener('hashchange', () => {
    if (location.hash !== written) go(true);
    written = '';  // a later link to the same view must work, too
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const timeline of timelines) {
      if (!timeline.model) continue;
      timeline.readTheme();
      timeline.change(false);
    }
  });
  bindPageKeys(timelines);
  bindPaper(page, timelines);
  page.lapscopeTimelines = timelines;  // for inspection in the browser's console
}
