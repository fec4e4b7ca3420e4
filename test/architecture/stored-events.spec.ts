import { readFileSync, writeFileSync } from 'node:fs';
import { projections } from '../../src/projections.js';
import { accountCategory } from '../../src/accounts/domain/account.category.js';
import { accountDecider } from '../../src/accounts/domain/account.js';
import { categories } from '../../src/categories.js';
import { claimCategory } from '../../src/claims/domain/claim.category.js';
import { claimDecider } from '../../src/claims/domain/claim.js';
import { claimsCategory } from '../../src/claims/domain/claims.category.js';
import { claimsDecider } from '../../src/claims/domain/claims.js';
import { paymentCategory } from '../../src/billing/domain/payment.category.js';
import { paymentDecider } from '../../src/billing/domain/payment.js';
import { creditsCategory } from '../../src/credits/domain/credits.category.js';
import { toSnapshot } from '../../src/credits/domain/carrying.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { documentCategory } from '../../src/reports/domain/document.category.js';
import { documentDecider } from '../../src/reports/domain/document.js';
import { identityCategory } from '../../src/identity/domain/identity.category.js';
import { identityDecider } from '../../src/identity/domain/identity.js';
import { ingestionCategory } from '../../src/identity/domain/ingestion.category.js';
import { ingestionDecider } from '../../src/identity/domain/ingestion.js';
import { credentialCategory } from '../../src/credentials/domain/credential.category.js';
import { credentialDecider } from '../../src/credentials/domain/credential.js';
import { statusBlockCategory } from '../../src/credentials/domain/status-block.category.js';
import { statusBlocks } from '../../src/credentials/domain/status-blocks.js';
import { decisionCategory } from '../../src/screening/domain/decision.category.js';
import { decisionDecider } from '../../src/screening/domain/decision.js';
import { identityMatchCategory } from '../../src/screening/domain/identity-match.category.js';
import { identityMatchDecider } from '../../src/screening/domain/identity-match.js';
import { riskCategory } from '../../src/risk/domain/risk.category.js';
import { riskDecider } from '../../src/risk/domain/risk.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { webhookCategory } from '../../src/webhooks/domain/endpoint.category.js';
import { endpointDecider } from '../../src/webhooks/domain/endpoint.js';
import { listDecider } from '../../src/screening/domain/list-acceptance.js';
import { screeningListCategory } from '../../src/screening/domain/list.category.js';
import { goldenEvents, goldenFile, goldenLog, goldenStreams } from '../support/golden-log.js';
import { sourceFiles } from './source-files.js';

const recording = process.env['RECORD_PROJECTIONS'] === '1';

/** The state that a stream folds to, as plain JSON. */
const fold = (stream: string, stored: readonly DomainEvent[]): unknown => {
  const by = <State>(decider: {
    initialState: (stream: string) => State;
    evolve: (state: State, event: never) => State;
  }): State =>
    stored
      .map(({ type, data }) => ({ type, data }))
      .reduce((state, event) => decider.evolve(state, event as never), decider.initialState(stream));
  switch (categories.categoryOf(stream)) {
    case accountCategory:
      return plain(by(accountDecider));
    case credentialCategory:
      return plain(by(credentialDecider));
    case statusBlockCategory:
      return plain(by(statusBlocks));
    case claimCategory:
      return plain(by(claimDecider));
    case claimsCategory:
      return plain(by(claimsDecider));
    case paymentCategory:
      return plain(by(paymentDecider));
    case creditsCategory:
      return plain(toSnapshot(by(creditAccount)));
    case identityCategory:
      return plain(by(identityDecider));
    case screeningListCategory:
      return plain(by(listDecider));
    case ingestionCategory:
      return plain(by(ingestionDecider));
    case documentCategory:
      return plain(by(documentDecider));
    case webhookCategory:
      return plain(by(endpointDecider));
    case decisionCategory:
      return plain(by(decisionDecider));
    case identityMatchCategory:
      return plain(by(identityMatchDecider));
    case riskCategory:
      return plain(by(riskDecider));
    default:
      return null;
  }
};

const plain = (state: unknown): unknown =>
  JSON.parse(
    JSON.stringify(state, (_, value: unknown) => {
      if (value instanceof Map) return Object.fromEntries(value);
      if (value instanceof Set) return [...value];
      return typeof value === 'bigint' ? value.toString() : value;
    }),
  );

const envelopesIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return 'alg' in value && 'ct' in value ? [value] : Object.values(value).flatMap(envelopesIn);
};

describe('stored events are forever', () => {
  it('has a golden line for every event type and version that a category has or had', () => {
    const kept = new Set(goldenEvents.map(({ type }) => type));
    expect([...categories.types].filter((type) => !kept.has(type))).toEqual([]);
  });

  it('knows the category of every type that the code names', () => {
    const sources = sourceFiles('src').filter(({ path }) => !path.endsWith('.spec.ts'));
    const named = new Set(sources.flatMap(({ text }) => text.match(/'[A-Z][A-Za-z]+\.v[0-9]+'/g) ?? []));
    expect([...named].filter((type) => !categories.types.has(type.slice(1, -1)))).toEqual([]);
  });

  it('stand in streams of their category', () => {
    const astray = goldenLog().filter(({ stream, type }) => !(type in (categories.categoryOf(stream)?.events ?? {})));
    expect(astray).toEqual([]);
  });

  it('seal the fields that their category names, and no others', () => {
    for (const event of goldenLog()) {
      const sealed = categories.sealedFields(event).map(({ envelope }) => envelope);
      expect(new Set(sealed)).toEqual(new Set(envelopesIn(event.data)));
    }
  });

  it('folds every stream to the state that it has always folded to', () => {
    const states = Object.fromEntries(
      [...goldenStreams.keys()].map((name) => [
        name,
        fold(
          name,
          goldenLog().filter(({ stream }) => stream === name),
        ),
      ]),
    );
    if (recording) writeFileSync(goldenFile('states.json'), `${JSON.stringify(states, null, 2)}\n`);
    const expected = JSON.parse(readFileSync(goldenFile('states.json'), 'utf8')) as unknown;
    expect(states).toEqual(expected);
  });

  it('is read by every projection that asks for its stream', () => {
    const names = categories.categories.map(({ name }) => name);
    for (const projection of projections) {
      const known = projection.streamPrefixes.filter((prefix) => names.includes(prefix.replace(/-$/, '')));
      expect(known).toEqual(projection.streamPrefixes);
      const relevant = goldenLog().filter(({ stream }) =>
        projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)),
      );
      expect(relevant.length).toBeGreaterThan(0);
      expect(projection.project(relevant).length).toBeGreaterThan(0);
    }
  });
});
