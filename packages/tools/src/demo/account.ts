import { type Deployment } from './running-service.js';
import { ServiceClient } from './service-client.js';

/** Requests a minute: beyond what one machine can send. */
const UNLIMITED = 1_000_000_000;

export interface AccountOrder {
  readonly name: string;
  readonly credits: number;
}

export interface Account {
  readonly tenantId: string;
  readonly apiKey: string;
  /** Calls with the account's key. */
  readonly client: ServiceClient;
}

/** A client with a token of the deployment's development identity provider. */
const signIn = async (deployment: Deployment, claims: object): Promise<ServiceClient> => {
  const { token_url, dev_secret } = deployment;
  if (token_url === undefined || dev_secret === undefined) {
    throw new Error(
      `The service at ${deployment.base_url} signs no tokens for operators, since others may reach it: run this beside one on loopback.`,
    );
  }
  const provider = new ServiceClient(token_url, { 'x-dev-secret': dev_secret });
  const { access_token } = await provider.expect<{ access_token: string }>('POST', token_url, claims);
  return new ServiceClient(deployment.base_url, { authorization: `Bearer ${access_token}` });
};

/** An operator of the deployment. */
export const signInOperator = (deployment: Deployment): Promise<ServiceClient> =>
  signIn(deployment, { tenant_id: deployment.tenant_id, roles: ['admin'] });

/** Someone who may issue credentials for this account. */
export const signInIssuer = (deployment: Deployment, tenantId: string): Promise<ServiceClient> =>
  signIn(deployment, { tenant_id: tenantId, scope: 'credentials:issue' });

/** A new account with credits and with limits that are never met. */
export const openAccount = async (operator: ServiceClient, order: AccountOrder): Promise<Account> => {
  const { tenant_id, api_key } = await operator.expect<{ tenant_id: string; api_key: string }>(
    'POST',
    '/admin/accounts',
    {
      name: order.name,
      contact_email: 'demo@example.org',
    },
  );
  const path = `/admin/accounts/${tenant_id}`;
  await operator.expect('PATCH', path, { rate_limit_per_minute: UNLIMITED, burst_per_second: UNLIMITED });
  await operator.expect('POST', `${path}/credits`, { amount: order.credits, reason: order.name });
  return { tenantId: tenant_id, apiKey: api_key, client: operator.as({ 'x-api-key': api_key }) };
};
