import { useEffect } from 'react';

/** Milliseconds that a screen has to become as high as it was. */
const PATIENCE_MS = 10_000;

/** Puts Back and Forward where the reader was, once the screen is high enough again. Another screen begins at its top. */
export const useKeptScroll = (): void => {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const places = new Map<string, number>();
    let { href, pathname: path } = location;
    let y = 0;
    let stop: (() => void) | undefined;
    const keep = (): void => {
      if (stop === undefined) y = scrollY;
    };
    const putBack = (): void => {
      stop?.();
      places.set(href, y);
      ({ href, pathname: path } = location);
      const wanted = (y = places.get(href) ?? 0);
      const look = (): void => {
        scrollTo(0, wanted);
        if (Math.abs(scrollY - wanted) < 1) stop?.();
      };
      const observer = new ResizeObserver(look);
      const timer = setTimeout(() => stop?.(), PATIENCE_MS);
      stop = () => {
        stop = undefined;
        clearTimeout(timer);
        observer.disconnect();
        for (const event of ['wheel', 'keydown', 'pointerdown']) removeEventListener(event, end);
      };
      const end = stop;
      for (const event of ['wheel', 'keydown', 'pointerdown']) addEventListener(event, end);
      observer.observe(document.body);
    };
    const begin = (): void => {
      stop?.();
      places.set(href, y);
      if (location.pathname !== path) scrollTo(0, (y = 0));
      ({ href, pathname: path } = location);
    };
    const rename = (): void => void ({ href, pathname: path } = location);
    addEventListener('scroll', keep, { passive: true });
    addEventListener('popstate', putBack);
    // The router says each change of the address that a screen makes.
    addEventListener('pushState', begin);
    addEventListener('replaceState', rename);
    return () => {
      stop?.();
      removeEventListener('scroll', keep);
      removeEventListener('popstate', putBack);
      removeEventListener('pushState', begin);
      removeEventListener('replaceState', rename);
    };
  }, []);
};
