import { setTimeout as sleep } from 'node:timers/promises';
import { type Command } from 'commander';
import { jtiOf } from '../credentials/domain/credential-claims.js';
import {
  CREDENTIAL_STREAM_PREFIX,
  type CredentialEvent,
  type CredentialIssued,
} from '../credentials/domain/credential.events.js';
import { type Recorded, tenantOfStream } from '../kernel/events.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type KeysCommandContext, verifiedMaterial } from './keys-context.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

/** Milliseconds until every instance knows of a change and has issued what it was signing. */
const UNTIL_KNOWN = 2_000;

interface Live extends Pick<CredentialIssued['data'], 'credentialId' | 'expiresAt'> {
  readonly tenantId: string;
}

/** The credentials under this key that are neither revoked nor expired. */
const liveUnder = async (store: EventStore, kid: string, now: Date): Promise<readonly Live[]> => {
  const live = new Map<string, Live>();
  for await (const events of store.readAll({ streamPrefixes: [CREDENTIAL_STREAM_PREFIX] }))
    for (const event of events as readonly Recorded<CredentialEvent>[]) {
      if (event.type === 'CredentialRevoked.v1') live.delete(event.stream);
      if (event.type !== 'CredentialIssued.v1' || event.data.kid !== kid) continue;
      const { credentialId, expiresAt } = event.data;
      live.set(event.stream, { tenantId: tenantOfStream(event.stream), credentialId, expiresAt });
    }
  return [...live.values()].filter(({ expiresAt }) => expiresAt > now.toISOString());
};

const declareCompromised = async (
  { store, print }: KeysCommandContext,
  keys: SigningKeys,
  named: string,
): Promise<number> => {
  // As a token names it, it is a DID URL.
  const kid = named.slice(named.lastIndexOf('#') + 1);
  if (!(await keys.compromise('credential', kid))) {
    print(`no credential was ever signed by a key ${kid}: take a kid of /.well-known/did.json`);
    return 1;
  }
  await sleep(UNTIL_KNOWN);
  const live = await liveUnder(store, kid, new Date());
  for (const { tenantId, credentialId, expiresAt } of live)
    print(`${tenantId} ${jtiOf(credentialId)} until ${expiresAt}`);
  print(`${live.length} live credentials under ${kid} are no longer accepted: issue them again`);
  return 0;
};

const rotateIssuer =
  (compromised: string | undefined): Work<KeysCommandContext> =>
  async (context) => {
    const keys = new SigningKeys(context.database, new KeyRing(await verifiedMaterial(context)));
    if (compromised !== undefined) return declareCompromised(context, keys, compromised);
    const kid = await keys.rotate('credential');
    await sleep(UNTIL_KNOWN);
    context.print(`credentials are signed by ${kid}; older ones stay valid`);
    return 0;
  };

export const addRotateIssuer = (command: Command, choose: (work: Work<KeysCommandContext>) => void): void => {
  command
    .command('rotate-issuer')
    .description('sign credentials with a new key')
    .option('--compromised <kid>', 'accept nothing that this key signed any more, and list whose credentials it signed')
    .addHelpText('after', exampleOf('keys -- rotate-issuer --compromised PoceG29AqBDXe4U5gRnf0f0b4r_4vYTzhCQpBgCrwHY'))
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .action(({ compromised, ...by }: Attribution & { readonly compromised?: string }) => {
      choose(recorded({ action: 'keys -- rotate-issuer', by, target: { compromised } }, rotateIssuer(compromised)));
    });
};
