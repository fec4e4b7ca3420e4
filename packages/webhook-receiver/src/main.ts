// A receiver of webhooks. Start it with `WEBHOOK_SECRET=whsec_… node packages/webhook-receiver/dist/main.js`.
import { createServer } from 'node:http';
import { webhookListener } from './webhook-listener.js';

const PORT = 4000;

const secret = process.env['WEBHOOK_SECRET'];
if (secret === undefined) throw new Error('WEBHOOK_SECRET is needed: the secret that came with the endpoint');

const listener = webhookListener({
  secret,
  // A receiver of several processes keeps the event's id in its database, in the transaction of what it does.
  onEvent: ({ event }) => console.log(event.event_type, event.event_data),
  onRefused: ({ reason }) => console.error(`refused: ${reason}`),
});

createServer(listener).listen(PORT, () => console.log(`Waiting for webhooks on port ${PORT}`));
