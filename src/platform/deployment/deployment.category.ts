import { defineLog } from '../../kernel/category.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Environment } from '../config/config.js';

/** Names the deployment that a log and its Postgres belong to. It is the first event of the deployment's stream. */
export type DeploymentFounded = DomainEvent<
  'DeploymentFounded.v1',
  { readonly deploymentId: string; readonly environment: Environment }
>;

export const DEPLOYMENT_STREAM = 'deployment-main';

export const deploymentCategory = defineLog<DeploymentFounded>({
  name: DEPLOYMENT_STREAM,
  events: { 'DeploymentFounded.v1': {} },
  kept: 'for_good',
});
