import { useEffect, useRef, useState } from 'react';

/**
 * Listens to a stream of the API as long as the screen is open, and comes back where it breaks. `onEvent` gets the type and the
 * data of each event. Tells whether it is connected: a screen asks again and again while it is not.
 */
export const useStream = (path: string | undefined, onEvent: (type: string, data: unknown) => void): boolean => {
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    if (path === undefined) return undefined;
    const source = new EventSource(`/console/api${path}`);
    const take = ({ type, data }: MessageEvent<string>): void => latest.current(type, JSON.parse(data));
    source.onopen = () => setOpen(true);
    source.onerror = () => setOpen(false);
    for (const type of ['message', 'projections', 'jobs']) source.addEventListener(type, take);
    return () => source.close();
  }, [path]);
  return isOpen;
};
