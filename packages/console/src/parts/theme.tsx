import { useSyncExternalStore } from 'react';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const STORED = 'kyc-console-theme';
const listeners = new Set<() => void>();

const readTheme = (): Theme => THEMES.find((each) => each === localStorage.getItem(STORED)) ?? 'system';

/** The style sheet reads it from the root; without it, the system decides. */
export const applyTheme = (): void => {
  document.documentElement.dataset['theme'] = readTheme();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const setTheme = (theme: Theme): void => {
  localStorage.setItem(STORED, theme);
  applyTheme();
  for (const listener of listeners) listener();
};

/** Chooses light, dark, or as the system is. */
export const ThemeSwitch = () => {
  const theme = useSyncExternalStore(subscribe, readTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <button type="button" className="plain small" onClick={() => setTheme(next)}>
      Colours: {theme}
    </button>
  );
};
