// A timeline on the page: its view, selection and search. It is drawn again when these change.
import {inflated, decode, placeOfCall} from './payload.js';
import {entryAt} from './tracks.js';
import {clamped, parseView, zoomed, panned, around, showing, middleSeen} from './view.js';
import {matchingNames, countMatches, nextMatch, gapsOf, byLength, nextInList, alongTrack, acrossTracks} from './find.js';
import {coloursOfKernels, coloursByNumber, showLegend} from './legend.js';
import {readTheme} from './theme.js';
import {fitCanvas} from './canvas.js';
import {evidenceAt, viewOfEvidence} from './evidence.js';
import {layOut, drawTracks, groupOf, rowOfTrack, heights} from './draw.js';
import {marksOf, drawMarks} from './marks.js';
import {groupsOf, unionOf, describeInterval} from './measure.js';
import {idleBefore, describeEntry} from './details.js';
import {drawOverview, drawWindow} from './overview.js';
import {Chart} from './charts.js';
import {formatNs, formatInstant} from './words.js';

const overviewHeight = 46;
const scrollBar = 14;  // pixels; equal to report.css
const shortestGap = 1000;  // ns; equal to the tables of gaps

// Returns a note if the page does not draw every entry; else "".
export function thinningNote({entries, kept, shorterOp, shorterSpan, names}) {
  const joined = [[shorterOp, 'ops'], [shorterSpan, 'calls and ranges']].filter(([ns]) => ns > 0)
      .map(([ns, what]) => `neighbouring ${what} shorter than ${formatNs(ns)}`);
  if (joined.length === 0) return '';
  const notes = [
    `Thinned out: ${entries.toLocaleString('en')} ops, calls and ranges are drawn as ${kept.toLocaleString('en')}; ${joined.join(' and ')} are joined.`,
    'Figures, tables and search counts include everything.',
  ];
  if (shorterOp > 0) {
    notes.push('Charts include all time and bytes, spread evenly over joined ops.',
               `Idle gaps shorter than ${formatNs(shorterOp)} may lie inside joined ops and are not found.`);
  }
  if (names.some((set) => set.length === 0)) notes.push('Search finds some joined entries only by their first name.');
  return notes.join(' ');
}

// Returns the text for the result of a search.
export function foundNote({all, joined}) {
  return `${all.toLocaleString('en')} found${joined > 0 ? `, ${joined.toLocaleString('en')} of them joined with others` : ''}`;
}

// `parts` are the elements for drawings and texts: see page.js.
export class Timeline {
  constructor(parts, base64, onChange) {
    this.parts = parts;
    this.onChange = onChange;
    this.selected = null;
    this.finding = null;
    this.measured = null;  // {from, to} in ns
    this.query = '';
    this.matches = null;
    this.scroll = 0;
    this.collapsed = new Set();  // groups of tracks
    this.sheet = null;
    this.compared = [];  // timelines that this one is compared with
    this.pending = false;
    this.frames = 0;
    this.ready = inflated(base64).then((bytes) => this.start(decode(bytes)));
  }

  start(model) {
    this.model = model;
    this.ops = model.tracks.filter((track) => track.kind === 'op');
    this.layout = layOut(model);
    const {view, device} = this.parts.section.dataset;
    this.device = model.devices.some(({id}) => id === Number(device)) ? Number(device) : model.devices[0].id;
    this.limit = model.length;  // of views; that of the longest linked timeline
    this.first = clamped(parseView(view) || {from: 0, to: model.length}, model.length);  // the first view
    this.view = this.first;
    this.showKernels(coloursOfKernels([model]));
    this.charts = ['active', 'rate'].map((kind) => new Chart(this.parts.charts, kind));
    this.parts.note.textContent = thinningNote(model.thinned);
    this.draw();
  }

  // Sets the colours of kernels, by name.
  showKernels(colours) {
    this.kernel = coloursByNumber(this.model, colours);
    showLegend(this.parts.legend, this.model, colours);
    this.readTheme();
  }

  readTheme() {
    this.theme = readTheme(this.parts.section, this.model, this.kernel);
    this.overview = null;
  }

  // Schedules one drawing for the next frame, however often it is called.
  change(tell = true) {
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => {
        this.pending = false;
        this.draw();
      });
    }
    this.parts.tip.hidden = true;  // the tooltip belongs to the previous view
    if (tell) this.onChange(this);
  }

  scene() {
    const room = this.sheet ? this.sheet.width : this.parts.section.clientWidth;
    // Two compared timelines must fit the screen together.
    const share = this.parts.section.dataset.together === undefined ? 0.6 : 0.28;
    const most = this.sheet ? this.sheet.height : Math.max(Math.round(window.innerHeight * share), 200);
    const height = Math.min(this.layout.height, most);
    const width = room - (height < this.layout.height && !this.sheet ? scrollBar : 0);
    const gutter = width < 640 ? 96 : 168;
    const {model, layout, theme, view, scroll, matches, limit} = this;
    return {model, layout, theme, view, scroll, matches, limit, width, gutter, height, first: model.first};
  }

  // Whether tracks are hidden below (`by` above 0), or above.
  canScroll(by) {
    return by > 0 ? this.scroll < this.layout.height - this.lastScene.height : this.scroll > 0;
  }

  // Handles the scroll bar. It rounds to whole pixels, and also reports positions that the code has set.
  scrolled(top) {
    if (Math.abs(top - this.scroll) < 1) return;
    this.scroll = top;
    this.change(false);
  }

  showScroll({height}) {
    const {scroller, all} = this.parts;
    scroller.hidden = this.layout.height <= height;
    scroller.style.height = `${height}px`;
    all.style.height = `${this.layout.height}px`;
    if (Math.abs(scroller.scrollTop - this.scroll) >= 1) scroller.scrollTop = this.scroll;
  }

  draw() {
    const scene = this.scene();
    this.scroll = scene.scroll = Math.min(Math.max(this.scroll, 0), Math.max(this.layout.height - scene.height, 0));
    this.lastScene = scene;
    this.drawOverview(scene);
    const context = fitCanvas(this.parts.tracks, scene.width, scene.height);
    drawTracks(context, scene);
    drawMarks(context, scene, this.marks(scene));
    this.showScroll(scene);
    this.drawCharts(scene);
    this.frames += 1;
  }

  // Compared timelines share the scales of their charts. If this one needs a larger scale, the others follow in
  // the next frame.
  drawCharts(scene) {
    let changed = false;
    this.charts.forEach((chart, k) => {
      const before = chart.end;
      chart.draw(scene, this.device, Math.max(0, ...this.compared.map(({charts}) => charts[k].end)));
      changed = changed || chart.end !== before;
    });
    if (changed) for (const other of this.compared) other.change(false);
  }

  // Draws immediately, on a sheet of this size, or on the screen again (null).
  drawOn(sheet) {
    this.sheet = sheet;
    this.layout = layOut(this.model, sheet ? undefined : this.collapsed);
    this.readTheme();
    this.draw();
  }

  // Draws the overview. Its strip only depends on size, theme and device, so it is kept as an image.
  drawOverview(scene) {
    const key = `${scene.width} ${this.device} ${this.limit} ${window.devicePixelRatio}`;
    if (!this.overview || this.overview.key !== key) {
      const canvas = document.createElement('canvas');
      drawOverview(fitCanvas(canvas, scene.width, overviewHeight), scene, this.device, overviewHeight);
      this.overview = {key, canvas};
    }
    const context = fitCanvas(this.parts.overview, scene.width, overviewHeight);
    context.drawImage(this.overview.canvas, 0, 0, scene.width, overviewHeight);
    drawWindow(context, scene, overviewHeight);
  }

  // Returns the shapes over the tracks.
  marks(scene) {
    return marksOf(scene, {measured: this.measured, selected: this.selected, pairs: this.selected ? this.correlated() : [], evidence: this.evidence()});
  }

  // Returns the pairs of a call and an op that it issued that contain the selection.
  correlated() {
    const {track, i} = this.selected;
    if (track.kind === 'op') {
      const call = placeOfCall(this.model, track.call[i]);
      return call ? [{call, op: this.selected}] : [];
    }
    if (track.kind !== 'call') return [];
    if (this.issued && this.issued.of === this.selected) return this.issued.pairs;
    const number = track.number[i];
    const most = 64;  // a CUDA graph may have many ops
    const pairs = [];
    for (const lane of this.ops) {
      for (let at = lane.call.indexOf(number); at >= 0 && pairs.length < most; at = lane.call.indexOf(number, at + 1)) {
        pairs.push({call: this.selected, op: {track: lane, i: at}});
      }
    }
    this.issued = {of: this.selected, pairs};
    return pairs;
  }

  // Returns the selected evidence of a finding: where its op waited, and what blocked it.
  evidence() {
    return this.finding && evidenceAt(this.model, ...this.finding);
  }

  zoom(factor, at = (this.view.from + this.view.to) / 2) {
    this.view = zoomed(this.view, factor, at, this.limit);
    this.change();
  }

  pan(share) {
    this.view = panned(this.view, share * (this.view.to - this.view.from), this.limit);
    this.change();
  }

  show(from, to, tell = true) {
    this.view = clamped({from, to}, this.limit);
    this.change(tell);
  }

  // Collapses these groups of tracks, and opens all others.
  collapse(groups) {
    this.collapsed = new Set(groups);
    this.layout = layOut(this.model, this.collapsed);
    this.change(false);
  }

  toggle(group) {
    const others = [...this.collapsed].filter((one) => one !== group);
    this.collapse(this.collapsed.has(group) ? others : [...others, group]);
  }

  toggleAll() {
    this.collapse(this.collapsed.size > 0 ? [] : this.model.tracks.map(groupOf));
  }

  // Returns the group whose heading is at height `y` of the tracks' canvas, or undefined.
  headingAt(y) {
    const row = y < heights.axis ? undefined : this.layout.rows.find(({top, height}) => top <= y + this.scroll && y + this.scroll < top + height);
    return row && row.group;
  }

  // Returns the entry at a point of the tracks' canvas, in CSS pixels: {track, i}, or null.
  entryAtPoint(x, y) {
    const scene = this.lastScene;
    if (x < scene.gutter || y < heights.axis) return null;
    const row = this.layout.rows.find((r) => r.track && r.top <= y + this.scroll && y + this.scroll < r.top + r.height);
    if (!row) return null;
    const perPixel = (this.view.to - this.view.from) / (scene.width - scene.gutter);
    const i = entryAt(row.track, this.timeAt(x), 3 * perPixel);
    return i < 0 ? null : {track: row.track, i};
  }

  timeAt(x) {
    const scene = this.lastScene;
    return this.view.from + (x - scene.gutter) / (scene.width - scene.gutter) * (this.view.to - this.view.from);
  }

  // Returns the groups of tracks that are summed up together. They are made on the first request.
  groups() {
    this.grouped = this.grouped || groupsOf(this.model);
    return this.grouped;
  }

  // Describes an entry in lines of text.
  describe(entry) {
    const all = this.groups().find(({kind, tracks}) => kind === 'device' && tracks.includes(entry.track));
    return describeEntry(this.model, entry, all ? idleBefore(unionOf(all), entry) : 0);
  }

  select(entry, tell = true) {
    this.selected = entry;
    this.measured = null;
    this.parts.details.textContent = entry ? this.describe(entry).join('\n') : '';
    this.change(tell);
  }

  // Scrolls until these tracks are visible: all, if the height permits, else at least the last. Opens their
  // groups.
  scrollTo(tracks) {
    const groups = tracks.map(groupOf);
    if (groups.some((group) => this.collapsed.has(group))) this.collapse([...this.collapsed].filter((group) => !groups.includes(group)));
    const {height} = this.scene();
    const isSeen = ({top, height: high}) => top >= this.scroll + heights.axis && top + high <= this.scroll + height;
    const rows = tracks.map((track) => rowOfTrack(this.layout, track));
    if (rows.every(isSeen)) return;
    const top = Math.min(...rows.map((row) => row.top));
    const bottom = Math.max(...rows.map((row) => row.top + row.height));
    const last = rows[rows.length - 1];
    this.scroll = bottom - top <= height - heights.axis ? (top + bottom - height - heights.axis) / 2 : last.top - height / 2;
  }

  // Scrolls to a track, and moves the view to an interval unless that is already well visible.
  reveal(track, start, end) {
    this.scrollTo([track]);
    const size = this.view.to - this.view.from;
    if (start < this.view.from || end > this.view.to || (end - start) < size / 2000) {
      this.view = around(start, end, this.limit, Math.min(20, Math.max(2, size / Math.max(end - start, 1) / 4)));
    }
  }

  selectAndReveal(entry) {
    if (!entry) return;
    this.reveal(entry.track, entry.track.start[entry.i], entry.track.end[entry.i]);
    this.select(entry);
  }

  // Sums up what lies between two instants. The details show the result.
  measure(a, b) {
    const within = (time) => Math.round(Math.min(Math.max(time, 0), this.limit));
    const [from, to] = [within(Math.min(a, b)), within(Math.max(a, b))];
    if (from === to) return;
    this.selected = null;
    this.measured = {from, to};
    this.parts.details.textContent = describeInterval(this.groups(), this.measured, this.model.first).join('\n');
    this.change();
  }

  // Zooms to the selection, or else to the measured interval.
  zoomToMarked() {
    if (this.selected) this.selectAndReveal(this.selected);
    else if (this.measured) this.show(this.measured.from, this.measured.to);
  }

  // Returns the entry before (-1) or after (1) the selection in its track, or in a track above (-1) or below
  // (1) it. Without a selection, returns the entry of the first track at the middle of the view. Null if there
  // is none.
  besideSelection(along, across) {
    const tracks = this.model.tracks.filter((track) => track === this.selected?.track || !this.collapsed.has(groupOf(track)));
    if (!this.selected) return acrossTracks(tracks, -1, 1, (this.view.from + this.view.to) / 2);
    if (along !== 0) return alongTrack(this.selected, along);
    const {track, i} = this.selected;
    return acrossTracks(tracks, tracks.indexOf(track), across, middleSeen(this.view, track.start[i], track.end[i]));
  }

  step(along, across) {
    const entry = this.besideSelection(along, across);
    if (!entry) return;
    this.scrollTo([entry.track]);
    this.view = showing(this.view, entry.track.start[entry.i], entry.track.end[entry.i], this.limit);
    this.select(entry);
  }

  search(query, tell = true) {
    this.query = query;
    const {tracks, names, thinned} = this.model;
    this.matches = matchingNames(names, query, thinned.names);
    this.parts.found.textContent = this.matches ? foundNote(countMatches(tracks, this.matches, thinned.counts)) : '';
    this.change(tell);
  }

  nextFound(direction) {
    if (!this.matches) return;
    const at = this.selected || {time: (this.view.from + this.view.to) / 2};
    this.selectAndReveal(nextMatch(this.model.tracks, this.matches, at, direction));
  }

  // Selects the device whose overview, charts and gaps are shown.
  showDevice(id) {
    this.device = id;
    this.gaps = this.gap = null;
    this.change(false);
  }

  // Goes to the next gap, from the longest to the shortest. Gaps in the page's first view come first.
  nextGap(direction) {
    this.gaps = this.gaps || byLength(gapsOf(this.ops.filter((track) => track.device === this.device), shortestGap), this.first);
    const gap = nextInList(this.gaps, this.gap, direction);
    if (!gap) return;
    this.gap = gap;
    this.measured = null;
    this.view = around(gap.start, gap.end, this.limit, 2);
    this.parts.details.textContent = `idle for ${formatNs(gap.end - gap.start)}, ${this.gaps.indexOf(gap) + 1} of ${this.gaps.length} by length, from ${formatInstant(gap.start - this.model.first)} (device ${this.device})`;
    this.change();
  }

  // Goes through the evidence of all findings in the order of the list.
  nextFinding(direction) {
    const all = this.model.findings.flatMap((finding, k) => finding.evidence.map((_, e) => [k, e]));
    if (all.length === 0) return;
    const at = this.finding ? all.findIndex(([k, e]) => k === this.finding[0] && e === this.finding[1]) : direction > 0 ? -1 : 0;
    this.follow(all[(at + direction + all.length) % all.length]);
  }

  follow(finding, tell = true, move = true) {
    this.finding = finding;
    const evidence = this.evidence();
    if (!evidence) {
      this.finding = null;
      return;
    }
    const {op, holder, waiting, heldBy, why} = evidence;
    this.measured = null;
    if (move) {
      this.view = viewOfEvidence(evidence, this.limit);
      this.scrollTo([holder, op].filter(Boolean).map(({track}) => track));
    }
    this.parts.details.textContent = `${evidence.finding.code}: ${evidence.finding.what}\n` +
        `waited ${formatNs(waiting[1] - waiting[0])}${heldBy ? `, blocked by ${heldBy}` : ''}${why ? ` (${why})` : ''}`;
    this.change(tell);
  }

  clear() {
    this.finding = null;
    this.gap = null;
    this.select(null);
  }
}
