import { ATTESTATION_TYPE, DISCLOSABLE } from '../domain/wallet-credential.js';
import { PID_CLAIMS, PID_TYPE, pathOf } from './pids/pid.js';
import { ISSUER_ALGORITHMS } from './pids/signed-by-issuer.js';

interface Query {
  /** The type of the credential (SD-JWT VC, `vct`). */
  readonly type: string;
  /** The claims that may be asked for, by the names that a request has for them. */
  readonly claims: readonly string[];
  readonly pathOf: (claim: string) => readonly string[];
  /** What its issuers sign with. */
  readonly algorithms: readonly string[];
}

/** What a wallet can be asked to show: a credential of this network, or person identification data of a state. */
export const QUERIES = {
  attestation: { type: ATTESTATION_TYPE, claims: DISCLOSABLE, pathOf: (claim) => [claim], algorithms: ['EdDSA'] },
  pid: { type: PID_TYPE, claims: PID_CLAIMS, pathOf, algorithms: ISSUER_ALGORITHMS },
} as const satisfies Readonly<Record<string, Query>>;

export type Queried = keyof typeof QUERIES;

export const QUERIED = Object.keys(QUERIES) as readonly Queried[];

export const queryOf = (credential: Queried): Query => QUERIES[credential];
