// Prepares a page for printing. Timelines become still pictures of the present view, with light colours, the
// width of a sheet and all their tracks. Collapsed parts are opened.

export const paper = {width: 700, height: 900};  // CSS pixels that fit both A4 and Letter, without margins

export function bindPaper(page, timelines) {
  const root = page.documentElement;
  let folded = [];
  const show = (sheet) => {
    root.classList.toggle('paper', sheet !== null);
    for (const timeline of timelines) {
      if (timeline.model) timeline.drawOn(sheet);
    }
  };
  window.addEventListener('beforeprint', () => {
    folded = [...page.querySelectorAll('details:not([open])')];
    for (const details of folded) details.open = true;
    show(paper);
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
    show(null);
  });
}
