import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Answers, answer, api, type paths } from '../api.js';
import { useScope } from '../who.js';
import { useAct } from './act.js';
import { Ask } from './form.js';

type View = Answers['ViewResponse'];

/** What the list shows now, as a view keeps it: what is open beside it is not part of it. */
const queryWithout = (params: URLSearchParams, opened: readonly string[]): string => {
  const kept = new URLSearchParams(params);
  for (const name of opened) kept.delete(name);
  kept.sort();
  return kept.toString();
};

interface ViewsProps {
  readonly screen: paths['/api/v1/views']['put']['requestBody']['content']['application/json']['screen'];
  /** Names in the address that say what is open, not what is filtered. */
  readonly opened?: readonly string[];
}

/** The filters of a list that the person keeps under names. */
export const Views = ({ screen, opened = [] }: ViewsProps) => {
  const mayKeep = useScope('members');
  const [params, setParams] = useSearchParams();
  const views = useQuery({ queryKey: ['views'], queryFn: () => answer(api.GET('/api/v1/views')), enabled: mayKeep });
  const keep = useAct(
    (all: readonly View[]) => answer(api.PUT('/api/v1/views', { body: { screen, views: [...all] } })),
    'views',
  );
  if (!mayKeep || views.data === undefined) return null;
  const present = queryWithout(params, opened);
  const kept = views.data.screens.find((one) => one.screen === screen)?.views ?? [];
  if (kept.length === 0 && present === '') return null;
  const chosen = kept.find(({ query }) => query === present);
  return (
    <span className="views">
      <label>
        View
        <select
          value={chosen?.name ?? ''}
          onChange={({ target }) => setParams(kept.find(({ name }) => name === target.value)?.query ?? '')}
        >
          <option value="">{chosen === undefined && present !== '' ? 'Not saved' : 'All'}</option>
          {kept.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {chosen === undefined && present !== '' && (
        <Ask
          button="Save view"
          title="Save these filters as a view"
          acts="Save"
          reason="Name"
          done="Saved the view"
          act={(name) => keep.mutateAsync([...kept.filter((view) => view.name !== name), { name, query: present }])}
        />
      )}
      {chosen !== undefined && (
        <Ask
          button="Remove view"
          title={`Remove the view ${chosen.name}`}
          acts="Remove"
          done={`Removed the view ${chosen.name}`}
          act={() => keep.mutateAsync(kept.filter((view) => view !== chosen))}
        />
      )}
    </span>
  );
};
