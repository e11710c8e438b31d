'use strict';
(() => {
  const root = document.documentElement;

  // The theme: the system's, or the reader's choice, which is kept where the browser allows it.
  const themes = ['system', 'light', 'dark'];
  const button = document.getElementById('theme');
  const show = theme => {
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = `theme: ${theme}`;
    button.dataset.theme = theme;
  };
  const kept = () => {
    try { return localStorage.getItem('theme'); } catch { return null; }
  };
  const asked = new URLSearchParams(location.search).get('theme') || kept();
  show(themes.includes(asked) ? asked : 'system');
  button.addEventListener('click', () => {
    const theme = themes[(themes.indexOf(button.dataset.theme) + 1) % themes.length];
    show(theme);
    try { localStorage.setItem('theme', theme); } catch { /* the choice holds for this page only */ }
  });

  // Tables: each row is a body of its own, which keeps what unfolds below it.
  const key = (body, column) => {
    const cell = body.rows[0].cells[column];
    return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
  };
  const compare = (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'en', { numeric: true });
  for (const table of document.querySelectorAll('table.sortable')) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const sort = document.createElement('button');
      sort.type = 'button';
      sort.textContent = heading.textContent;
      heading.replaceChildren(sort);
      sort.addEventListener('click', () => {
        const descending = heading.getAttribute('aria-sort') === 'ascending';
        for (const other of headings) other.removeAttribute('aria-sort');
        heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        const bodies = [...table.tBodies];
        bodies.sort((one, other) => (descending ? -1 : 1) * compare(key(one, column), key(other, column)));
        table.append(...bodies);
      });
    });
  }

  // Copying, also where the page has no right to the clipboard, as from a file.
  const copyBySelection = text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    const copied = document.execCommand('copy');
    if (copied) selection.removeAllRanges();
    return copied;
  };
  document.addEventListener('click', async event => {
    if (!event.target.matches('button.copy')) return;
    const text = event.target.parentElement.querySelector('pre');
    let copied = true;
    try { await navigator.clipboard.writeText(text.textContent + '\n'); } catch { copied = copyBySelection(text); }
    event.target.textContent = copied ? 'copied' : 'selected';
    setTimeout(() => { event.target.textContent = 'copy'; }, 1500);
  });

  // A link to something that is folded away opens what it is in.
  const unfold = () => {
    let place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (; place; place = place.parentElement) if (place.tagName === 'DETAILS') place.open = true;
  };
  addEventListener('hashchange', unfold);
  unfold();

  // What a test of the page asks: errors, plots, and how many of them can be seen.
  addEventListener('load', () => {
    const plots = [...document.querySelectorAll('figure svg.plot')];
    const seen = plots.filter(plot => {
      const box = plot.getBoundingClientRect();
      return box.width > 50 && box.height > 50;
    });
    root.dataset.errors = window.reportErrors.length;
    root.dataset.plots = plots.length;
    root.dataset.plotsSeen = seen.length;
    root.dataset.overflow = Math.max(0, root.scrollWidth - root.clientWidth);
  });
})();
