import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Failure } from '../parts/states.js';
import { CopyCurl } from '../parts/title.js';
import { BEGINNING } from '../parts/time.js';
import { useWho } from '../who.js';

/** Milliseconds between two looks at a step that is not done. */
const LOOK_EVERY_MS = 5_000;

/** What a developer needs for all of the steps. */
const NEEDS = ['ingest', 'eligibility', 'credentials', 'webhooks', 'keys', 'compliance', 'data'];

const PERSON = { email: 'maria@example.org', phone_number: '+12025550123' };
const RECORD = { ...PERSON, full_name: 'Maria Example', kyc_status: 'APPROVED', tier: 'Tier2' } as const;

/** Whether a step is done. It is looked at until it is. */
const useStep = (name: string, look: () => Promise<boolean>): boolean | undefined =>
  useQuery({
    queryKey: ['first steps', name],
    queryFn: look,
    refetchInterval: ({ state }) => (state.data === true ? false : LOOK_EVERY_MS),
  }).data;

const hasKey = async (): Promise<boolean> =>
  (await answer(api.GET('/api/v1/keys'))).keys.some(({ status }) => status === 'active');
const hasRecord = async (): Promise<boolean> =>
  (await answer(api.GET('/api/v1/identity', { params: { query: { limit: 1 } } }))).identities.length > 0;
/** By the audit log: a list of credentials is a reading, which it would record. */
const hasEver = (action: 'eligibility_check' | 'credential_issued') => async (): Promise<boolean> => {
  const query = { action: [action], limit: 1, start_date: BEGINNING };
  return (await answer(api.GET('/api/v1/compliance/audit-log', { params: { query } }))).pagination.total > 0;
};
const hasReceiver = async (): Promise<boolean> =>
  (await answer(api.GET('/api/v1/webhooks/endpoints'))).endpoints.some(({ is_verified }) => is_verified);

interface RunProps {
  readonly path: string;
  readonly body: object;
  readonly call: () => Promise<unknown>;
  readonly price: string;
}

/** The call, filled in, and what the service answered. */
const Run = ({ path, body, call, price }: RunProps) => {
  const run = useAct(call, 'first steps', 'overview', 'audit', 'identities');
  return (
    <>
      <p className="actions">
        <button type="button" className="plain small" disabled={run.isPending} onClick={() => run.mutate()}>
          Run it here, {price}
        </button>
        <CopyCurl path={path} body={body} />
      </p>
      {run.error !== null && <Failure error={run.error} />}
      {run.data !== undefined && (
        <pre tabIndex={0} aria-label="The answer">
          <code>{JSON.stringify(run.data, null, 2)}</code>
        </pre>
      )}
    </>
  );
};

interface StepProps {
  readonly title: string;
  readonly isDone: boolean | undefined;
  readonly children: ReactNode;
}

const Step = ({ title, isDone = false, children }: StepProps) => {
  // What is done here keeps its answer in view.
  const [wasDone] = useState(isDone);
  return (
    <li className={isDone ? 'done' : ''}>
      <strong>
        <span role="img" aria-label={isDone ? 'done' : 'to do'}>
          {isDone ? '✓' : '○'}
        </span>{' '}
        {title}
      </strong>
      {!wasDone && children}
    </li>
  );
};

const Steps = () => {
  const { environment } = useWho();
  const key = useStep('key', hasKey);
  const record = useStep('record', hasRecord);
  const check = useStep('check', hasEver('eligibility_check'));
  const receiver = useStep('receiver', hasReceiver);
  const credential = useStep('credential', hasEver('credential_issued'));
  const all = [key, record, check, receiver, credential];
  // Stays after the last step, so that its answer can be read.
  const isBegun = useRef(false);
  if (!all.includes(undefined) && all.includes(false)) isBegun.current = true;
  if (!isBegun.current) return null;
  // No example person gets into a production network.
  const isSandbox = environment === 'sandbox';
  return (
    <section className="card">
      <h2>First steps</h2>
      <ol className="steps">
        <Step title="Hold an API key" isDone={key}>
          <p>
            <Link href="/keys">Create a key</Link> for your service.
          </p>
        </Step>
        <Step title="Send a first record" isDone={record}>
          <p>A person that you have verified. It is free.</p>
          {isSandbox && (
            <Run
              path="/api/v1/ingest"
              body={RECORD}
              price="free"
              call={() => answer(api.POST('/api/v1/ingest', { body: RECORD }))}
            />
          )}
        </Step>
        <Step title="Ask whether a person is known" isDone={check}>
          <p>The network answers whether it is, and at which tier.</p>
          {isSandbox && (
            <Run
              path="/api/v1/check-eligibility"
              body={PERSON}
              price="1 credit"
              call={() => answer(api.POST('/api/v1/check-eligibility', { body: PERSON }))}
            />
          )}
        </Step>
        <Step title="Receive events" isDone={receiver}>
          <p>
            <Link href="/webhooks">Add an endpoint</Link>. It is done once your service has answered the challenge.
          </p>
        </Step>
        <Step title="Buy a first credential" isDone={credential}>
          <p>
            It takes an access token in place of a key:{' '}
            <a href="/docs#tag-credentials" target="_blank" rel="noreferrer">
              how to issue
            </a>
            .
          </p>
        </Step>
      </ol>
    </section>
  );
};

/** Leads a new account to its first credential, and leaves once it has one. */
export const FirstSteps = () => {
  const { scopes = [] } = useWho();
  return NEEDS.every((scope) => scopes.includes(scope)) ? <Steps /> : null;
};
