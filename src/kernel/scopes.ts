/** The scopes of an API key, one for each group of paths. */
export const SCOPES = [
  'ingest',
  'eligibility',
  'credentials',
  'compliance',
  'billing',
  'webhooks',
  'data',
  'keys',
  'members',
] as const;

export type Scope = (typeof SCOPES)[number];
