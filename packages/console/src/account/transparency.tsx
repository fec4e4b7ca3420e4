import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '../api.js';
import { Title } from '../parts/title.js';
import { saveFile } from '../parts/file.js';
import { Ask } from '../parts/form.js';
import { count } from '../parts/format.js';
import { Badge, Failure, Show } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { type Growth } from '../proofs/verify.js';

const check = async (): Promise<Growth> => (await import('../proofs/verify.js')).checkGrowth();

const forget = async (): Promise<void> => (await import('../proofs/verify.js')).forgetSeen();

const WIDTH = 640;
const LEVEL = 34;

/** The tree that was signed, and within it the one that this browser saw first: what a consistency proof compares. */
const Trees = ({ first, second }: { readonly first: number; readonly second: number }) => {
  const height = Math.max(1, Math.ceil(Math.log2(Math.max(2, second))));
  const levels = Math.min(5, height);
  const share = second === 0 ? 0 : first / second;
  const nodes = Array.from({ length: levels + 1 }, (_, level) => {
    const many = 2 ** level;
    return Array.from({ length: many }, (__, index) => ({
      x: (WIDTH * (index + 0.5)) / many,
      y: 12 + level * LEVEL,
      isOld: (index + 1) / many <= share,
      isSplit: index / many < share && (index + 1) / many > share,
    }));
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${levels * LEVEL + 24}`}
      className="tree"
      role="img"
      aria-label={`A tree of ${count(second)} events; its first ${count(first)} are those that this browser knew`}
    >
      {nodes.slice(1).flatMap((row, above) =>
        row.map(({ x, y, isOld }, index) => {
          const parent = nodes[above]?.[Math.floor(index / 2)];
          return parent === undefined ? null : (
            <line key={`${x} ${y}`} x1={parent.x} y1={parent.y} x2={x} y2={y} className={isOld ? 'known' : ''} />
          );
        }),
      )}
      {nodes.flat().map(({ x, y, isOld, isSplit }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={5} className={isSplit ? 'split' : isOld ? 'known' : 'new'} />
      ))}
    </svg>
  );
};

const save = ({ first, present, hashes }: Growth): void => {
  const text = JSON.stringify({ first: first.note, present: present.note, hashes }, null, 2);
  saveFile('checkpoints.json', 'application/json', text);
};

const Checked = ({ growth }: { readonly growth: Growth }) => (
  <>
    <p role="status">
      <Badge of="valid" text="proved" /> The log of {count(growth.present.size)} events only adds to the{' '}
      {count(growth.first.size)} that this browser saw <Ago at={growth.first.at} />.
    </p>
    <Trees first={growth.first.size} second={growth.present.size} />
    <h2>Signed checkpoint</h2>
    <pre tabIndex={0}>
      <code>{growth.present.note}</code>
    </pre>
    <p className="actions">
      <button type="button" className="plain" onClick={() => save(growth)}>
        Save checkpoints and proof
      </button>
    </p>
  </>
);

/** What anyone may check: that the log only grew since this browser first saw it. */
export const Transparency = () => {
  const checking = useMutation({ mutationFn: check });
  const keys = useQuery({ queryKey: ['log keys'], queryFn: () => answer(api.GET('/transparency/keys')) });
  return (
    <>
      <Title path="/transparency/checkpoint">Transparency</Title>
      <p>
        The log can only grow. Check here that nothing was altered, removed or put in between since this browser first
        saw it.
      </p>
      <p className="actions">
        <button type="button" disabled={checking.isPending} onClick={() => checking.mutate()}>
          Check now
        </button>
      </p>
      {checking.error !== null && (
        <>
          <Failure error={checking.error} />
          <Ask button="Begin anew …" title="Forget what this browser saw" acts="Forget" act={forget}>
            <p>
              Right only where the log is known to be another one, for example that of a new data folder. Otherwise keep
              the checkpoint, and ask who runs this log.
            </p>
          </Ask>
        </>
      )}
      {checking.data !== undefined && <Checked growth={checking.data} />}
      <details>
        <summary>How it works</summary>
        <p>
          Every event is a leaf of a tree whose head is signed each minute. This browser keeps the first head that it
          saw here, and checks that the log today only adds to it.
        </p>
      </details>
      <h2>Signing keys</h2>
      <Show of={keys}>
        {(found) => (
          <section className="card">
            {found.keys.map((key) => (
              <p key={key}>
                <code className="breaks">{key}</code>
              </p>
            ))}
          </section>
        )}
      </Show>
      <p className="quiet">
        The page and the keys come from the server that is judged. To judge for yourself, keep a checkpoint and verify
        with <code>npm run audit -- verify-proof</code> or the program of @kyc/log-proofs elsewhere.
      </p>
    </>
  );
};
