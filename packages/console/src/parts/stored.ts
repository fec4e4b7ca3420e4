import { useSyncExternalStore } from 'react';

export interface Stored<Value extends string> {
  read(): Value;
  write(value: Value): void;
  /** The present value, in each part of the page that shows it. */
  use(): Value;
}

/** A choice that this browser keeps. The first value is the usual one. */
export const stored = <Value extends string>(key: string, values: readonly [Value, ...Value[]]): Stored<Value> => {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = (): Value => values.find((each) => each === localStorage.getItem(key)) ?? values[0];
  const write = (value: Value): void => {
    localStorage.setItem(key, value);
    for (const listener of listeners) listener();
  };
  return { read, write, use: () => useSyncExternalStore(subscribe, read) };
};
