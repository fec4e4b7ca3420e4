import { type End, openOf, stated } from '../checks/statement.js';
import { Deployment, type DeploymentOptions, SCALED_TIMING } from '../load/deployment.js';
import { type Answer } from '../load/http.js';
import { type Person, person } from '../load/people.js';
import { ingestAll } from '../load/tenants.js';
import { eventually, eventuallyNone } from '../stack.js';
import { type Customer, customerOf, type Effect, partings } from './effects.js';
import { StoreWire } from './store-wire.js';

/** 60 s of uptime at a twentieth, and as much again for a machine that does other things. */
export const CLOSED_WITHIN = 6_000;

/** Deadlines lie beyond a store's budget, as they do unscaled: the store's silence is what ends a request. */
export const STORE_ENDS_IT = {
  ...SCALED_TIMING,
  TIMING_OPERATION_DEADLINE_MS: '5000',
  TIMING_ANSWER_DEADLINE_MS: '6000',
  TIMING_FOREIGN_DEDUCTION_MS: '6500',
};

let people = 61_000;
export const nobodyYet = (): Person => person((people += 1));

export let deployment: Deployment;
export let wire: StoreWire;

/** Starts instances over a store that a test can silence. */
export const open = async (
  env: Readonly<Record<string, string>>,
  options: Pick<DeploymentOptions, 'instances' | 'reachPostgres'> = {},
): Promise<void> => {
  deployment = await Deployment.start({
    ...options,
    env: { ...env, LOG_LEVEL: 'warn' },
    reachEventStore: async (connectionString) => {
      wire = await StoreWire.to(connectionString);
      return wire.by(connectionString);
    },
  });
};

export const close = async (): Promise<void> => {
  await deployment.stop();
  wire.stop();
};

/** A customer that could issue a credential to this person. */
export const customerWith = async (who: Person): Promise<Customer> => {
  await untilAnswers();
  const customer = await customerOf(deployment);
  await ingestAll(deployment.http, customer, [who]);
  return customer;
};

export const send = (
  effect: Effect,
  customer: Customer,
  who: Person,
  headers: Record<string, string> = {},
): Promise<Answer> => deployment.http.send({ ...effect.request(customer, who), headers });

/** How the customer's deductions have ended, once all have. */
export const untilDecided = ({ tenantId }: Customer): Promise<readonly End[]> =>
  eventually('the end of the deduction', async () => {
    const statement = stated(await deployment.log.credits(tenantId));
    const ends = [...statement.deductions.values()].flatMap((deduction) => deduction.ends);
    return openOf(statement).length === 0 && ends.length > 0 && ends;
  });

export const untilAnswers = (): Promise<unknown> =>
  eventually('a healthy service', async () =>
    (await Promise.all(deployment.https.map(({ baseUrl }) => fetch(`${baseUrl}/health/ready`)))).every(({ ok }) => ok),
  );

export const expectTogether = async (effect: Effect, customer: Customer): Promise<void> => {
  await untilAnswers();
  const search = () => partings(deployment.log, deployment.http, customer, effect);
  expect(await eventuallyNone(search, CLOSED_WITHIN)).toEqual([]);
};
