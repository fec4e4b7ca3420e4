// Search, copying, links into folded operations, and trying an operation. Without it the page can be read all the same.

const target = (id) => (id === '' ? null : document.getElementById(id));

/** Unfolds what the address names, and what it stands in. */
const reveal = (id) => {
  const found = target(id);
  if (found === null) return;
  for (let each = found; each !== null; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
  found.scrollIntoView();
};

addEventListener('hashchange', () => reveal(location.hash.slice(1)));
reveal(location.hash.slice(1));

// An operation that is unfolded is in the address, so that a colleague can be sent there.
document.addEventListener(
  'toggle',
  ({ target: details }) => {
    if (details.open && details.classList.contains('operation')) history.replaceState(null, '', `#${details.id}`);
  },
  true,
);

const copy = async (button, source) => {
  await navigator.clipboard.writeText(source);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1_500);
};

// Browsers give the clipboard to pages that came by TLS, or from this machine.
for (const figure of navigator.clipboard === undefined ? [] : document.querySelectorAll('.block')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(button, figure.querySelector('code').textContent));
  figure.querySelector('figcaption').append(button);
}

// Search ------------------------------------------------------------------------------------------------------------

const dialog = document.querySelector('#search');
const field = dialog.querySelector('input');
const list = dialog.querySelector('ul');
const KINDS = { operation: 'Operation', tag: 'Group', code: 'Error' };

const titleOf = (entry) => {
  const heading = entry.querySelector('summary, h2, h3');
  return heading.textContent.replace(/\s+/g, ' ').trim();
};
const entries = [...document.querySelectorAll('[data-find]')].map((entry) => {
  const kind = entry.id.startsWith('event-') ? 'Event' : (KINDS[entry.classList[0]] ?? 'Chapter');
  const title = titleOf(entry);
  const words = `${title} ${entry.id} ${kind === 'Chapter' || kind === 'Error' ? entry.textContent : ''}`.toLowerCase();
  return { id: entry.id, kind, title, words };
});

const MOST = 12;
/** What has all words, those that have them in the title first. */
const found = (asked) => {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = entries.filter((entry) => words.every((word) => entry.words.includes(word)));
  const inTitle = ({ title, id }) => words.every((word) => `${title} ${id}`.toLowerCase().includes(word));
  return [...hits.filter(inTitle), ...hits.filter((entry) => !inTitle(entry))].slice(0, MOST);
};

const show = () => {
  const hits = found(field.value);
  list.replaceChildren(
    ...hits.map(({ id, kind, title }) => {
      const link = document.createElement('a');
      link.href = `#${id}`;
      const name = document.createElement('span');
      name.textContent = title;
      const label = document.createElement('small');
      label.textContent = kind;
      link.append(name, label);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  if (hits.length === 0) list.textContent = 'Nothing has all these words.';
};

const openSearch = () => {
  field.value = '';
  show();
  dialog.showModal();
};

const finder = document.querySelector('#find');
finder.hidden = false;
finder.addEventListener('click', openSearch);
field.addEventListener('input', show);
list.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link === null) return;
  dialog.close();
  reveal(link.hash.slice(1));
});
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
dialog.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'ArrowDown') links[(at + 1) % links.length]?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
  else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click();
  else return;
  event.preventDefault();
});
addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  openSearch();
});

// Trying an operation -----------------------------------------------------------------------------------------------

const credentials = document.querySelector('#credentials');
credentials.hidden = false;
credentials.addEventListener('submit', (event) => event.preventDefault());
for (const input of credentials.querySelectorAll('input')) {
  input.value = sessionStorage.getItem(input.name) ?? '';
  input.addEventListener('input', () => sessionStorage.setItem(input.name, input.value));
}

/** The page may be reached at another address than PUBLIC_URL; what is tried goes where the page came from. */
const here = new URL('.', location.href);

const headersOf = (scheme) => {
  const secret = credentials.elements[scheme]?.value.trim() ?? '';
  if (secret === '') return {};
  return scheme === 'apiKey' ? { 'X-API-Key': secret } : { Authorization: `Bearer ${secret}` };
};

const requestOf = (form) => {
  const { method, path, scheme } = form.dataset;
  const inputs = [...form.querySelectorAll('input')].filter(({ value }) => value !== '');
  const of = (place) => inputs.filter((input) => input.dataset.in === place);
  const filled = of('path').reduce(
    (filling, { name, value }) => filling.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const url = new URL(filled.slice(1), here);
  for (const { name, value } of of('query')) url.searchParams.append(name, value);
  const headers = new Headers({
    ...headersOf(scheme),
    ...Object.fromEntries(of('header').map(({ name, value }) => [name, value])),
  });
  const body = form.elements.body?.value;
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  return new Request(url, { method, headers, body });
};

const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

const send = async (form) => {
  const output = form.querySelector('output');
  const lacking = [...form.querySelectorAll('input[data-in=path]')].find(({ value }) => value === '');
  if (lacking !== undefined) {
    output.textContent = `${lacking.name} is empty: it is a part of the path.`;
    lacking.focus();
    return;
  }
  output.textContent = 'Sending …';
  const answer = await fetch(requestOf(form));
  const shown = ['x-credits-charged', 'x-credits-balance', 'x-request-id', 'retry-after'];
  const headers = shown
    .filter((name) => answer.headers.has(name))
    .map((name) => `${name}: ${answer.headers.get(name)}`);
  output.textContent = [`${answer.status}`, ...headers, '', readable(await answer.text())].join('\n');
};

document.addEventListener('submit', (event) => {
  const form = event.target.closest('.try');
  if (form === null) return;
  event.preventDefault();
  send(form).catch(() => (form.querySelector('output').textContent = 'The service did not answer.'));
});
