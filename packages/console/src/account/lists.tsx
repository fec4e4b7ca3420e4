import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { count, listName, many } from '../parts/format.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { Title } from '../parts/title.js';

type Changes = Answers['ListChangesResponse'];

const Hits = ({ hits, has_more_hits: more }: Changes) =>
  hits.length === 0 ? (
    <Empty>None of your identities resembles an entry that was added or changed.</Empty>
  ) : (
    <>
      <Table
        label="Identities that it hit, newest first"
        rows={hits}
        keyOf={({ match_id: id }) => id}
        columns={[
          { title: 'Match', cell: ({ match_id: id }) => <Link href={`/matches?match=${id}`}>Open the match</Link> },
          { title: 'Identity', cell: ({ identity_id: id }) => <Link href={`/identities/${id}`}>{id}</Link> },
          { title: 'Entry', cell: ({ entry_id: id }) => <code>{id}</code> },
          { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
          { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
        ]}
      />
      {more && (
        <p>
          There are more: <Link href="/matches">all matches</Link>
        </p>
      )}
    </>
  );

const Changed = ({ list }: { readonly list: string }) => {
  const changes = useQuery({
    queryKey: ['lists', list],
    queryFn: () =>
      answer(api.GET('/api/v1/compliance/lists/{list_id}/changes', { params: { path: { list_id: list } } })),
  });
  return (
    <section className="card" aria-label={`What changed in ${listName(list)}`}>
      <h2>What changed in {listName(list)}</h2>
      <Show of={changes}>
        {(found) => (
          <>
            <p>
              {many(found.added, 'entry', 'entries')} added, {count(found.changed)} changed, {count(found.removed)}{' '}
              removed {found.from === null ? 'in the first version' : `since ${found.from}`}
              {found.screened_at === null ? (
                '. Your identities are not all screened against it yet.'
              ) : (
                <>
                  . All identities were screened against it <Ago at={found.screened_at} />.
                </>
              )}
            </p>
            <Hits {...found} />
          </>
        )}
      </Show>
    </section>
  );
};

/** Whether checks stand on fresh lists, in a sentence. */
const InForce = ({ lists }: { readonly lists: Answers['ListsResponse']['lists'] }) => {
  const loaded = lists.filter(({ version }) => version !== null);
  const missing = lists.filter(({ version, required }) => version === null && required);
  const fetched = loaded.flatMap(({ fetched_at: at }) => at ?? []).sort();
  const [oldest] = fetched;
  return (
    <p>
      {many(loaded.length, 'list')} in force.{' '}
      {oldest !== undefined && (
        <>
          The oldest was fetched <Ago at={oldest} />.{' '}
        </>
      )}
      {missing.length > 0 && (
        <strong>Checks are refused in production without {missing.map(({ id }) => listName(id)).join(', ')}.</strong>
      )}
    </p>
  );
};

/** The lists that checks are made against, and what the version in force of one changed for the account. */
export const Lists = () => {
  const { read, write } = useAddress();
  const chosen = read('list');
  const lists = useQuery({ queryKey: ['lists'], queryFn: () => answer(api.GET('/api/v1/compliance/lists')) });
  return (
    <>
      <Title path="/api/v1/compliance/lists">Lists</Title>
      <Show of={lists}>
        {({ lists: rows }) => (
          <>
            <InForce lists={rows} />
            <Table
              label="Lists"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'List',
                  cell: ({ id, publisher }) => (
                    <>
                      <strong title={id}>{listName(id)}</strong>
                      <div className="quiet">{publisher ?? 'Your operator'}</div>
                    </>
                  ),
                },
                { title: 'Checks', cell: ({ kind }) => (kind === 'pep' ? 'Office holders' : 'Sanctions') },
                {
                  title: 'Fetched',
                  cell: ({ fetched_at: at, version }) =>
                    version === null ? (
                      <Badge of="failed" text="never loaded" />
                    ) : at === null ? (
                      'from a file'
                    ) : (
                      <Ago at={at} />
                    ),
                },
                { title: 'Published', cell: ({ published_on: on }) => on ?? '–' },
                { title: 'Entries', number: true, cell: ({ entries }) => count(entries) },
                { title: 'Version', cell: ({ version }) => <span className="quiet">{version ?? '–'}</span> },
                {
                  title: '',
                  cell: ({ id, version }) =>
                    version !== null && (
                      <button
                        type="button"
                        className="plain small"
                        aria-label={`What changed in ${listName(id)}`}
                        onClick={() => write({ list: id })}
                      >
                        What changed
                      </button>
                    ),
                },
              ]}
            />
          </>
        )}
      </Show>
      {chosen !== '' && <Changed key={chosen} list={chosen} />}
    </>
  );
};
