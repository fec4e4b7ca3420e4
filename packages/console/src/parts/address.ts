import { useSearchParams } from 'wouter';

/** State in the address, so that a link shows the same to a colleague, and Back undoes a change. An empty value leaves it. */
export const useAddress = (): {
  readonly read: (name: string) => string;
  /** `replace`: without an entry of its own in the history. */
  readonly write: (changes: Readonly<Record<string, string>>, options?: { readonly replace: boolean }) => void;
} => {
  const [params, setParams] = useSearchParams();
  return {
    read: (name) => params.get(name) ?? '',
    write: (changes, options) =>
      setParams((present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      }, options),
  };
};
