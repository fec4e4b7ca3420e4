import { useState, useSyncExternalStore } from 'react';
import { Failure } from './states.js';

/** Milliseconds that a toast stays, and one that offers to undo. */
const STAYS_MS = 6_000;
const UNDO_STAYS_MS = 10_000;
const MAX_TOASTS = 3;

export type Undo = () => Promise<unknown>;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: Undo | undefined;
  readonly timer: ReturnType<typeof setTimeout>;
}

let toasts: readonly Toast[] = [];
let last = 0;
const readers = new Set<() => void>();

const set = (next: readonly Toast[]): void => {
  toasts = next;
  for (const read of readers) read();
};

const drop = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Says what was done, for a while, and offers to take it back. */
export const say = (text: string, undo?: Undo): void => {
  const id = (last += 1);
  const timer = setTimeout(() => drop(id), undo === undefined ? STAYS_MS : UNDO_STAYS_MS);
  set([...toasts, { id, text, undo, timer }].slice(-MAX_TOASTS));
};

/** What a former session may take back is not the next one's. */
export const clearToasts = (): void => set([]);

const subscribe = (read: () => void): (() => void) => {
  readers.add(read);
  return () => readers.delete(read);
};

const One = ({ toast: { id, text, undo, timer } }: { readonly toast: Toast }) => {
  const [error, setError] = useState<unknown>();
  const takeBack = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      await undo?.();
      drop(id);
      say('Undone');
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <div>
      {text}
      {undo !== undefined && (
        <button type="button" className="plain small" onClick={() => void takeBack()}>
          Undo
        </button>
      )}
      <button type="button" className="plain small" aria-label="Close" onClick={() => drop(id)}>
        ×
      </button>
      {error !== undefined && <Failure error={error} />}
    </div>
  );
};

/** What was just done, in a corner of every screen. */
export const Toasts = () => {
  const present = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="log" aria-label="Done">
      {present.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </div>
  );
};
