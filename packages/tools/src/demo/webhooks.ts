import { setTimeout as sleep } from 'node:timers/promises';
import { type Target } from '../target.js';
import { registerEndpoint } from '../webhooks/endpoint.js';
import { startLocalReceiver } from '../webhooks/local-receiver.js';
import { type Finding } from './steps.js';

const POLL_MS = 100;
/** How long after the last ingestion its event may take. */
const DELIVERED_WITHIN_MS = 60_000;

/** A local receiver that hears of the account's ingestions, and verifies each delivery as any receiver would. */
export interface DemoReceiver {
  /** Waits until these ingestions have been told of. */
  findings(ingestionIds: readonly string[]): Promise<Finding[]>;
  /** Removes the endpoint, and listens no more. */
  close(): Promise<void>;
}

export const startDemoReceiver = async (target: Target): Promise<DemoReceiver> => {
  const announcedBatches = new Set<unknown>();
  const refused: string[] = [];
  const receiver = await startLocalReceiver(0, {
    onEvent: ({ event }) => void announcedBatches.add(event.event_data['batch_id']),
    onRefused: ({ reason }) => void refused.push(reason),
  });
  const order = { events: ['ingestion.completed'], description: 'npm run demo' };
  const endpoint = await registerEndpoint(target, receiver.url, order);
  receiver.trust(endpoint.secret);
  return {
    findings: async (ingestionIds) => {
      const count = (): number => ingestionIds.filter((id) => announcedBatches.has(id)).length;
      const deadline = performance.now() + DELIVERED_WITHIN_MS;
      while (count() < ingestionIds.length && performance.now() < deadline) await sleep(POLL_MS);
      return [
        { what: 'webhooks, each verified', expected: ingestionIds.length, counted: count() },
        { what: '… refused by the receiver', expected: 0, counted: refused.length, fault: refused[0] },
      ];
    },
    close: async () => {
      receiver.close();
      await endpoint.remove();
    },
  };
};
