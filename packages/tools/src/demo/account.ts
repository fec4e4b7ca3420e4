import { answer, createClient, type KycClient } from '@kyc/client';
import { type Deployment } from './running-service.js';

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
  readonly client: KycClient;
}

/** A client that tries once: what is counted and timed with it is the service, not its patience. */
export const clientOf = (
  baseUrl: string,
  credentials: { readonly apiKey?: string; readonly token?: string },
): KycClient => createClient({ baseUrl, ...credentials, retries: 'never' });

/** A client with a token of the deployment's development identity provider. */
const signIn = async (
  deployment: Deployment,
  claims: { readonly tenant_id: string; readonly scope?: string; readonly roles?: 'admin'[] },
): Promise<KycClient> => {
  const { token_url, dev_secret, base_url } = deployment;
  if (token_url === undefined || dev_secret === undefined) {
    throw new Error(
      `The service at ${base_url} signs no tokens for operators, since others may reach it: run this beside one on loopback.`,
    );
  }
  const provider = clientOf(token_url.replace(/\/dev\/token$/, ''), {});
  const params = { header: { 'X-Dev-Secret': dev_secret } };
  const { access_token: token } = await answer(provider.POST('/dev/token', { params, body: claims }));
  return clientOf(base_url, { token });
};

/** An operator of the deployment. */
export const signInOperator = (deployment: Deployment): Promise<KycClient> =>
  signIn(deployment, { tenant_id: deployment.tenant_id, roles: ['admin'] });

/** Someone who may issue credentials for this account. */
export const signInIssuer = (deployment: Deployment, tenantId: string): Promise<KycClient> =>
  signIn(deployment, { tenant_id: tenantId, scope: 'credentials:issue' });

/** A new account with credits and with limits that are never met. */
export const openAccount = async (
  { base_url: baseUrl }: Deployment,
  operator: KycClient,
  { name, credits }: AccountOrder,
): Promise<Account> => {
  const opened = await answer(operator.POST('/admin/accounts', { body: { name, contact_email: 'demo@example.org' } }));
  const { tenant_id: tenantId, api_key: apiKey } = opened;
  if (apiKey === null) throw new Error('The service did not show the key of the new account.');
  const params = { path: { id: tenantId } };
  const limits = { rate_limit_per_minute: UNLIMITED, burst_per_second: UNLIMITED };
  await answer(operator.PATCH('/admin/accounts/{id}', { params, body: limits }));
  await answer(operator.POST('/admin/accounts/{id}/credits', { params, body: { amount: credits, reason: name } }));
  return { tenantId, apiKey, client: clientOf(baseUrl, { apiKey }) };
};
