import { ACCOUNT_STREAM_PREFIX, type AccountEvent } from '../accounts/domain/account.events.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command } from 'commander';
import { IDENTITY_STREAM_PREFIX, type IdentityEvent } from '../identity/domain/identity.events.js';
import { type Recorded, tenantOfStream } from '../kernel/events.js';
import { decisionSubject, destroyKeyOf, memberSubject } from '../platform/crypto/decision-keys.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { makeDurable } from '../platform/crypto/key-file.js';
import { type KeyMaterial, KeyMaterialError } from '../kernel/key-material.js';
import { keyFileOf } from '../platform/crypto/configured-keys.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { addVersion, keysThatDoNotOpen, rewrapAll, rowsByVersion } from '../platform/crypto/key-rotation.js';
import { liveInstances } from '../platform/crypto/key-watch.js';
import { rotatingAlone, type StillAlone } from '../platform/crypto/rotation-lock.js';
import { PostgresSnapshots } from '../log/append/snapshots.js';
import { DECISION_STREAM_PREFIX, type DecisionEvent } from '../screening/domain/decision.events.js';
import { addBackups, showBackups } from './backups.js';
import { recorded } from './command-line-acts.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';
import { barOf } from './keys-progress.js';
import { addLostKeys, searchLost } from './lost-keys.js';
import { addRotateIssuer } from './rotate-issuer.js';
import { type KeysCommandContext, verifiedMaterial } from './keys-context.js';
import { WEBHOOK_STREAM_PREFIX, type WebhookEvent } from '../webhooks/domain/endpoint.events.js';
import { existingBackups } from '../platform/postgres/backups.js';
import { type CommandLine, exampleOf, runCommandLine, type Work } from './command-line.js';

const POLL_INTERVAL_MS = 500;

const total = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const status = async (context: KeysCommandContext): Promise<number> => {
  const { database, print } = context;
  const material = await verifiedMaterial(context);
  const ring = new KeyRing(material);
  const counts = await rowsByVersion(database);
  print(`keys from ${material.source}; index root and versions match this deployment's data`);
  for (const version of ring.versions) {
    const rows = counts.get(version) ?? 0;
    const role = version === ring.newest ? 'in use' : rows === 0 ? 'no longer needed' : 'to be rotated';
    print(`version ${version}: ${rows} keys wrapped, ${role}`);
  }
  for (const { instanceId, versions } of await liveInstances(database)) {
    print(`instance ${instanceId} holds versions ${versions.join(', ')}`);
  }
  return 0;
};

/** A version that nothing uses yet is the one that an interrupted rotation, or the operator, has added. */
const isUnfinished = (counts: ReadonlyMap<number, number>, newest: number): boolean =>
  (total(counts) > 0 && !counts.has(newest)) || [...counts.keys()].some((version) => version !== newest);

/** Where the keys stand in a variable the operator adds the version and restarts; a file is added to while all serve. */
const renewed = async (
  { config, database, print }: KeysCommandContext,
  material: KeyMaterial,
  stillAlone: StillAlone,
): Promise<KeyMaterial> => {
  const file = keyFileOf(config.keys, config.dataDir);
  const newest = Math.max(...material.encryptionKeys.keys());
  if (isUnfinished(await rowsByVersion(database), newest)) {
    if (file !== undefined) await makeDurable(file);
    return material;
  }
  if (file === undefined) {
    throw new KeyMaterialError('KEYS is a variable: add a version to it, restart every instance, then rotate');
  }
  const added = await addVersion(file, database, stillAlone);
  print(`version ${Math.max(...added.encryptionKeys.keys())} was added to ${file}; back it up`);
  return added;
};

const untilLoadedEverywhere = async (
  { database, waitBudget = 60_000 }: KeysCommandContext,
  version: number,
): Promise<void> => {
  const end = performance.now() + waitBudget;
  for (;;) {
    const lagging = (await liveInstances(database)).filter(({ versions }) => !versions.includes(version));
    if (lagging.length === 0) return;
    if (performance.now() > end) {
      const names = lagging.map(({ instanceId }) => instanceId).join(', ');
      throw new KeyMaterialError(
        `instances ${names} do not hold version ${version}: give them the key file and rotate again`,
      );
    }
    await sleep(POLL_INTERVAL_MS);
  }
};

const rotateAlone = async (context: KeysCommandContext, stillAlone: StillAlone): Promise<number> => {
  const { database, print } = context;
  const ring = new KeyRing(await renewed(context, await verifiedMaterial(context), stillAlone));
  await untilLoadedEverywhere(context, ring.newest);
  const bar = barOf('rotating', total(await rowsByVersion(database)));
  try {
    await rewrapAll(database, ring, (rows) => {
      bar.increment(rows);
      return stillAlone();
    });
  } finally {
    bar.stop();
  }
  const left = [...(await rowsByVersion(database))].filter(([version]) => version !== ring.newest);
  if (left.length > 0) {
    print(`${total(new Map(left))} keys were in use and are still under an older version: rotate again`);
    return 1;
  }
  print(`every key is under version ${ring.newest}; older versions may leave the key file`);
  return 0;
};

const rotate = (context: KeysCommandContext): Promise<number> =>
  rotatingAlone(context.database, (stillAlone) => rotateAlone(context, stillAlone));

const verify = async (context: KeysCommandContext): Promise<number> => {
  const { database, print } = context;
  const ring = new KeyRing(await verifiedMaterial(context));
  const count = total(await rowsByVersion(database));
  const bar = barOf('verifying', count);
  const broken = await keysThatDoNotOpen(database, ring, (rows) => bar.increment(rows)).finally(() => bar.stop());
  for (const id of broken) print(`key ${id} does not open`);
  print(`${count - broken.length} of ${count} keys open`);
  const lost = await searchLost(context);
  if (lost > 0) print(`${lost} keys that the log names are lost: npm run keys -- lost`);
  return broken.length + lost === 0 ? 0 : 1;
};

/** After a restore: a back-up of Postgres may hold data keys that were destroyed after it was taken; the log knows them. */
const reapplyErasures = async ({ database, store, print }: KeysCommandContext): Promise<number> => {
  const shredder = new DataKeyShredder(database);
  const snapshots = new PostgresSnapshots(database, () => undefined);
  const streamPrefixes = [IDENTITY_STREAM_PREFIX, WEBHOOK_STREAM_PREFIX, DECISION_STREAM_PREFIX, ACCOUNT_STREAM_PREFIX];
  let erasures = 0;
  for await (const events of store.readAll({ streamPrefixes }))
    for (const event of events as readonly Recorded<IdentityEvent | WebhookEvent | DecisionEvent | AccountEvent>[]) {
      if (event.type === 'WebhookEndpointDeleted.v1')
        await shredder.destroy(event.data.dataKeyIds, new Date(event.data.deletedAt));
      if (event.type === 'DecisionErased.v1') {
        const { decisionId, erasedAt } = event.data;
        const owner = { tenantId: tenantOfStream(event.stream), subject: decisionSubject(decisionId) };
        await destroyKeyOf(database, owner, new Date(erasedAt));
      }
      if (event.type === 'MemberRemoved.v1') {
        const owner = { tenantId: tenantOfStream(event.stream), subject: memberSubject(event.data.memberId) };
        await destroyKeyOf(database, owner, new Date(event.data.removedAt));
      }
      if (event.type !== 'IdentityErasureDecided.v1') continue;
      await shredder.destroy(event.data.dataKeyIds, new Date(event.data.decidedAt));
      await snapshots.discard(event.stream);
      erasures += 1;
    }
  print(`${erasures} erasures hold in this database`);
  // The back-up that was restored still exists, and holds what was erased since.
  if ((await existingBackups(database)).length > 0) await showBackups({ database, print });
  return 0;
};

export { type KeysCommandContext };

/** Answers with the exit status. Throws KeyMaterialError where the keys are wrong or missing. */
export const keysCommand = (words: readonly string[], line: CommandLine<KeysCommandContext>): Promise<number> =>
  runCommandLine('keys', words, line, (command, choose) => {
    const add = (name: string, description: string): Command =>
      command
        .command(name)
        .description(description)
        .addHelpText('after', exampleOf(`keys -- ${name}`));
    /** What changes something is recorded. */
    const change = (name: string, description: string, work: Work<KeysCommandContext>): Command =>
      add(name, description)
        .option(...OPERATOR)
        .option(...JUSTIFICATION)
        .action((by: Attribution) => choose(recorded({ action: `keys -- ${name}`, by }, work)));
    command.description('The key-encryption keys.').addHelpText('after', exampleOf('keys -- status'));
    add('status', 'show the versions, the keys under each, and the instances that run').action(() => choose(status));
    change('rotate', 'add a version, wait until every running instance holds it, and wrap every key anew', rotate);
    addRotateIssuer(command, choose);
    addLostKeys(command, choose);
    addBackups(command, choose);
    add('verify', 'open every wrapped key, and look for each key that the log names').action(() => choose(verify));
    change('reapply-erasures', 'after a restore of Postgres, destroy again what was erased since', reapplyErasures);
  });
