import { type Envelope } from '../../kernel/envelope.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { DataKeyMissing } from './data-keys.js';
import { ERASED, type Place, type Vault } from './vault.js';

/** A data key is lost, damaged or not on this instance: of one owner alone, so all others go on. */
export const isKeyAway = (error: unknown): boolean =>
  error instanceof DataKeyMissing || (error instanceof Unavailable && error.part === 'keys');

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
