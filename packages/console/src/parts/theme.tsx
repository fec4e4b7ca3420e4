import { stored } from './stored.js';

const THEMES = ['system', 'light', 'dark'] as const;

const theme = stored('kyc-console-theme', THEMES);

/** The style sheet reads it from the root: `system` leaves the choice to the system. */
export const applyTheme = (): void => {
  document.documentElement.dataset['theme'] = theme.read();
};

/** Chooses light, dark, or as the system is. */
export const ThemeSwitch = () => {
  const present = theme.use();
  const next = THEMES[(THEMES.indexOf(present) + 1) % THEMES.length] ?? 'system';
  const choose = (): void => {
    theme.write(next);
    applyTheme();
  };
  return (
    <button type="button" className="plain" onClick={choose}>
      Colours: {present}
    </button>
  );
};
