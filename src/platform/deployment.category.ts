import { defineLog } from '../kernel/category.js';
import { type DomainEvent } from '../kernel/decider.js';
import { type Environment } from './config/config.js';

/** Names the deployment that a log and its Postgres belong to. It is the first event of the deployment's stream. */
export type DeploymentFounded = DomainEvent<
  'DeploymentFounded.v1',
  { readonly deploymentId: string; readonly environment: Environment }
>;

/** Fixes the issuer that every credential names, and the address of its status lists. Comes with the first credential. */
export type IssuerEstablished = DomainEvent<
  'IssuerEstablished.v1',
  {
    /** did:web */
    readonly issuer: string;
    /** Without a slash at its end. */
    readonly baseUrl: string;
  }
>;

export type DeploymentEvent = DeploymentFounded | IssuerEstablished;

export const DEPLOYMENT_STREAM = 'deployment-main';

export const deploymentCategory = defineLog<DeploymentEvent>({
  name: DEPLOYMENT_STREAM,
  events: { 'DeploymentFounded.v1': {}, 'IssuerEstablished.v1': {} },
  kept: 'for_good',
});
