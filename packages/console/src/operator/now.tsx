import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { Spark } from '../parts/charts.js';
import { count, many, sentence } from '../parts/format.js';
import { useStream } from '../parts/live.js';
import { Badge, Show } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { Title } from '../parts/title.js';

type Part = Answers['PartAnswer'];

/** Milliseconds between two looks, each an entry of the operators' log, while no stream is open. */
const ASK_AGAIN = 15_000;

/** Where a part is looked into. */
const SCREENS: readonly (readonly [RegExp, string, string])[] = [
  [/^read_model_/, '/projections', 'Verify or rebuild it'],
  [/^(drift|parked_events|jobs)$/, '/troubles', 'Drift and parked events'],
  [/^(requests|slowest_route)$/, '/replay', 'Replay a request'],
  [/^rate_limited$/, '/', 'Accounts'],
  [/^breach_notice$/, '/log', 'Operators’ log'],
];

const measured = ({ value, unit }: Part): string => (value === null ? '' : `${count(value)} ${unit}`);

const spoken = ({ last_hour: values, unit }: Part): string => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'Nothing was noted in the last hour';
  return `Last hour: ${count(Math.min(...known))} to ${count(Math.max(...known))} ${unit}`;
};

const More = ({ part }: { readonly part: Part }) => {
  const screen = SCREENS.find(([form]) => form.test(part.name));
  return (
    <>
      {part.action !== null && (
        <p>
          <strong>What to do:</strong> {part.action}
        </p>
      )}
      {part.depends.length > 0 && <p className="quiet">It matters for {part.depends.join(', ')}.</p>}
      <p className="quiet">{spoken(part)}.</p>
      {screen !== undefined && (
        <p>
          <Link href={screen[1]}>{screen[2]}</Link>
        </p>
      )}
    </>
  );
};

const Row = ({ part }: { readonly part: Part }) => (
  <li className={part.status === 'up' ? undefined : 'marked'}>
    <details open={part.status === 'down'}>
      <summary>
        <Badge of={part.status} />
        <strong>{sentence(part.name)}</strong>
        <span>{part.sentence}</span>
        <span className="quiet since">
          <Ago at={part.since} />
        </span>
        <Spark label={spoken(part)} values={part.last_hour} />
        <span className="measured">{measured(part)}</span>
      </summary>
      <More part={part} />
    </details>
  </li>
);

const standing = (parts: readonly Part[]): string => {
  const ill = parts.filter(({ status }) => status !== 'up').length;
  return ill === 0 ? `All ${many(parts.length, 'part')} are up.` : `${many(ill, 'part')} of ${parts.length} not up.`;
};

/** How each part is at this moment, as a stream says, and was within the last hour. */
export const Now = () => {
  const queries = useQueryClient();
  const isHearing = useStream('/admin/stream', (type, data) => {
    if (type === 'now') queries.setQueryData(['now'], data);
  });
  const now = useQuery({
    queryKey: ['now'],
    queryFn: () => answer(api.GET('/admin/now')),
    refetchInterval: isHearing ? false : ASK_AGAIN,
  });
  return (
    <>
      <Title path="/admin/now" operator>
        Now
      </Title>
      <Show of={now}>
        {({ parts }) => (
          <>
            <p role="status">{standing(parts)}</p>
            <ul className="parts">
              {parts.map((part) => (
                <Row key={part.name} part={part} />
              ))}
            </ul>
          </>
        )}
      </Show>
    </>
  );
};
