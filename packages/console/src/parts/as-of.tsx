import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isOfScreens } from './queries.js';
import { Clock } from './time.js';

/** What the page shows of the account, not who is signed in. */
const predicate = (query: Query): boolean =>
  isOfScreens(query) && query.queryKey[0] !== 'header' && query.getObserversCount() > 0;

/** When the oldest of what the page shows was read, and a button that reads all of it again. */
export const AsOf = () => {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const readAt = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => Math.min(...cache.findAll({ type: 'active', predicate }).map(({ state }) => state.dataUpdatedAt || Infinity)),
  );
  const isReading = useIsFetching({ predicate }) > 0;
  if (readAt === Infinity) return null;
  return (
    <span className="as-of quiet">
      As of <Clock at={readAt} />{' '}
      <button
        type="button"
        className="plain small"
        disabled={isReading}
        onClick={() => void queries.refetchQueries({ type: 'active', predicate })}
      >
        Refresh
      </button>
    </span>
  );
};
