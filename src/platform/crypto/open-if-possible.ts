import { type Envelope } from '../../kernel/envelope.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { DataKeyMissing } from './data-keys.js';
import { ERASED, type Place, type Vault } from './vault.js';

/** A data key is lost, damaged or not on this instance: of one owner alone, so all others go on. */
export const isKeyAway = (error: unknown): boolean =>
  error instanceof DataKeyMissing || (error instanceof Unavailable && error.part === 'keys');

/**
 * What opens of several owners' data, in their order. Throws the fault of the first whose key is away where nothing opens: then it
 * is not known whether there is anything.
 */
export const eachIfPossible = async <Owned, Opened>(
  owned: readonly Owned[],
  open: (one: Owned) => Promise<Opened | undefined>,
): Promise<readonly Opened[]> => {
  const faults: unknown[] = [];
  const opened = await Promise.all(
    owned.map((one) =>
      open(one).catch((error: unknown) => {
        if (!isKeyAway(error)) throw error;
        faults.push(error);
        return undefined;
      }),
    ),
  );
  const found = opened.filter((each) => each !== undefined);
  if (found.length === 0 && faults.length > 0) throw faults[0];
  return found;
};

/** What `open` answers, or a mark in its place where a key is away. */
export const openedOrMarked = async <Opened>(
  open: () => Promise<Opened>,
): Promise<Opened | { readonly unreadable: true }> => {
  try {
    return await open();
  } catch (error) {
    if (isKeyAway(error)) return { unreadable: true };
    throw error;
  }
};

/**
 * What an answer can do without: undefined where it was erased, or where its key is lost, damaged or not on this instance.
 * Throws Unavailable of a store, and where an envelope was altered.
 */
export const openIfPossible = async (
  vault: Pick<Vault, 'open'>,
  place: Place,
  envelope: Envelope,
): Promise<unknown> => {
  try {
    const opened = await vault.open(place, envelope);
    return opened === ERASED ? undefined : opened;
  } catch (error) {
    if (isKeyAway(error)) return undefined;
    throw error;
  }
};
