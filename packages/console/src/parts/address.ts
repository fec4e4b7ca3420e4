import { useSearchParams } from 'wouter';

/** State in the address, so that a link shows the same to a colleague. An empty value leaves it. */
export const useAddress = (): {
  readonly read: (name: string) => string;
  readonly write: (changes: Readonly<Record<string, string>>) => void;
} => {
  const [params, setParams] = useSearchParams();
  return {
    read: (name) => params.get(name) ?? '',
    write: (changes) =>
      setParams(
        (present) => {
          const next = new URLSearchParams(present);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
};
