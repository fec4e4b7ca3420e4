import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { show } from './parts/form.js';
import { type SoughtPerson } from './parts/people.js';
import { type Screen } from './screens.js';

interface Place {
  readonly path: string;
  readonly title: string;
  /** What the screen begins with, outside its address. */
  readonly state?: SoughtPerson;
}

/** The forms of ids, and the screens that show what has such an id. */
const IDS: readonly (readonly [
  RegExp,
  readonly (readonly [title: string, screen: string, pathOf: (id: string) => string])[],
])[] = [
  [/^idn_[0-9a-f]{32}$/, [['Identity', '/identities/:id', (id) => `/identities/${id}`]]],
  [
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    [
      ['Request', '/requests', (id) => `/requests/${id}`],
      ['Decision', '/decisions/:id', (id) => `/decisions/${id}`],
      ['Audit log of the request', '/audit', (id) => `/audit?request=${id}`],
      ['Operators’ log of the request', '/log', (id) => `/log?request=${id}`],
      ['Replay of the request', '/replay', (id) => `/replay?request=${id}`],
    ],
  ],
  [/^t[0-9a-z]{26}$/, [['Account', '/accounts/:id', (id) => `/accounts/${id}`]]],
];

/** A person is looked up on the screen of identities, where the look-up is asked for and recorded. */
const personIn = (text: string, screens: readonly Screen[]): readonly Place[] => {
  if (screens.every(({ path }) => path !== '/identities')) return [];
  const [email] = /\S+@\S+\.\S+/.exec(text) ?? [];
  const [phone] = /\+\d[\d ()-]{6,}\d/.exec(text) ?? [];
  if (email === undefined && phone === undefined) return [];
  const state = { email: email ?? '', phone: phone?.replaceAll(/[^+\d]/g, '') ?? '' };
  return [{ path: '/identities', title: `Look up the person ${[email, phone].filter(Boolean).join(' ')}`, state }];
};

/** Where a text may lead: to screens by their names, and to what an id names. */
const placesFor = (text: string, screens: readonly Screen[]): readonly Place[] => {
  const wanted = text.trim();
  const ofId = IDS.filter(([form]) => form.test(wanted)).flatMap(([, places]) => places);
  const named = ofId
    .filter(([, screen]) => screens.some(({ path }) => path === screen))
    .map(([title, , pathOf]) => ({ title, path: pathOf(wanted) }));
  const words = wanted.toLowerCase();
  const byName = screens.filter(({ isHidden, title }) => isHidden !== true && title.toLowerCase().includes(words));
  return [
    ...named,
    ...personIn(wanted, screens),
    ...byName.filter(({ path }) => !named.some((place) => place.path === path)),
  ].slice(0, 8);
};

const Palette = ({ screens, close }: { readonly screens: readonly Screen[]; readonly close: () => void }) => {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const [, go] = useLocation();
  const places = placesFor(text, screens);
  const chosen = places[Math.min(index, places.length - 1)];
  const open = (place: Place | undefined): void => {
    if (place === undefined) return;
    close();
    go(place.path, { state: place.state ?? null });
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || places.length === 0) return;
    event.preventDefault();
    setIndex((Math.min(index, places.length - 1) + step + places.length) % places.length);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        open(chosen);
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Jump to a screen, to what an id names, or to a person"
        aria-expanded
        aria-controls="places"
        aria-activedescendant={chosen === undefined ? undefined : `place-${places.indexOf(chosen)}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={move}
        placeholder="A screen, an id, or a person’s e-mail and phone"
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
      <ul id="places" role="listbox" aria-label="Places">
        {places.map((place, at) => (
          <li
            key={place.path}
            id={`place-${at}`}
            role="option"
            aria-selected={place === chosen}
            onClick={() => open(place)}
          >
            {place.title}
          </li>
        ))}
      </ul>
      {places.length === 0 && <p role="status">No screen, no id and no person of that form.</p>}
    </form>
  );
};

/** Leads from any screen to any other, by a click or Ctrl+K. */
export const Jump = ({ screens }: { readonly screens: readonly Screen[] }) => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="plain jumps" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        Jump to … <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <dialog ref={show} className="jump" aria-label="Jump to" onClose={close}>
          <Palette screens={screens} close={close} />
        </dialog>
      )}
    </>
  );
};
