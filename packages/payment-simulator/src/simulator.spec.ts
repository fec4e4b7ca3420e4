import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentSimulator } from './simulator.js';

const dataDir = mkdtempSync(join(tmpdir(), 'kyc-simulator-'));
let simulator: PaymentSimulator;

beforeAll(async () => {
  simulator = await PaymentSimulator.start({ dataDir, webhookSecret: 'whsec_test', livemode: false });
});
afterAll(async () => {
  await simulator.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = async <Answer>(path: string, form?: Readonly<Record<string, string>>): Promise<Answer> => {
  const headers = { authorization: `Bearer ${simulator.secretKey}` };
  const post = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const answer = await fetch(`${simulator.url}${path}`, { headers, ...post, signal: AbortSignal.timeout(30_000) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
};

it('shows in a list only what a crash would not make it forget', async () => {
  const { id: customer } = await call<{ id: string }>('/v1/customers', {});
  const order = {
    mode: 'payment',
    customer,
    success_url: 'https://shop.example.org/done',
    cancel_url: 'https://shop.example.org/back',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1000',
  };
  const forgotten: string[] = [];
  const list = async (): Promise<number> => {
    const { data } = await call<{ data: { id: string }[] }>('/v1/checkout/sessions?limit=100');
    const file = readFileSync(join(dataDir, 'payment-simulator', 'state.json'), 'utf8');
    const { sessions } = JSON.parse(file) as { sessions: Record<string, unknown> };
    forgotten.push(...data.map(({ id }) => id).filter((id) => sessions[id] === undefined));
    return data.length;
  };
  const ORDERS = 40;
  const ordering = Array.from({ length: ORDERS }, () => call('/v1/checkout/sessions', order));
  while ((await list()) < ORDERS);
  await Promise.all(ordering);
  expect(forgotten).toEqual([]);
});
