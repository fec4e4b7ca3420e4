import { useCallback, useEffect, useRef, useState } from 'react';

/** Milliseconds before a stream that was refused is asked for again. */
const AGAIN = 5_000;

/** Calls `act` at once, and for what comes shortly after once more when so many milliseconds are over. */
export const useAtMost = (every: number, act: () => void): (() => void) => {
  const state = useRef<{ at: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    at: -Infinity,
    timer: undefined,
  });
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return useCallback(() => {
    const { current } = state;
    if (current.timer !== undefined) return;
    const run = (): void => {
      current.timer = undefined;
      current.at = performance.now();
      act();
    };
    const wait = current.at + every - performance.now();
    if (wait <= 0) run();
    else current.timer = setTimeout(run, wait);
  }, [every, act]);
};

/**
 * Listens to a stream of the API while the page is in view, and connects again where it breaks or is refused. `onEvent` gets the type and
 * the data of each event. Says whether it is connected: a screen asks again and again while it is not.
 */
export const useStream = (path: string | undefined, onEvent: (type: string, data: unknown) => void): boolean => {
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    if (path === undefined) return undefined;
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const take = ({ type, data }: MessageEvent<string>): void => latest.current(type, JSON.parse(data));
    const close = (): void => {
      clearTimeout(again);
      source?.close();
      source = undefined;
      setOpen(false);
    };
    const open = (): void => {
      close();
      // A page that no one sees keeps no session alive, and no connection.
      if (document.hidden) return;
      const opened = new EventSource(`/console/api${path}`);
      source = opened;
      opened.onopen = () => setOpen(true);
      opened.onerror = () => {
        setOpen(false);
        if (opened.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN);
      };
      for (const type of ['message', 'now', 'projections', 'jobs']) opened.addEventListener(type, take);
    };
    document.addEventListener('visibilitychange', open);
    open();
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [path]);
  return isOpen;
};
