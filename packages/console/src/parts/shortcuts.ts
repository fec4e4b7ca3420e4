import { useEffect } from 'react';

const TYPED_IN = 'input:not([type="checkbox"]), select, textarea, dialog';

/** A letter presses the button of the screen that names it in aria-keyshortcuts, unless someone types or a dialog asks. */
export const useShortcuts = (): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isElsewhere = target instanceof Element && target.closest(TYPED_IN) !== null;
      if (ctrlKey || metaKey || altKey || isElsewhere || document.querySelector('dialog[open]') !== null) return;
      const button = `main [aria-keyshortcuts="${CSS.escape(key.toUpperCase())}"]:not(:disabled)`;
      const pressed = document.querySelector<HTMLElement>(button);
      if (pressed === null) return;
      // It would be typed into the field that then has the focus.
      event.preventDefault();
      pressed.click();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};
