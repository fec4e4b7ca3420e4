import { person } from '../load/people.js';
import { eventually } from '../processes.js';
import { type Owner, type World } from './world.js';

type Parameters = Promise<Readonly<Record<string, string>>>;

let people = 50_000;

const ingested = async (owner: Owner, { http }: World, body: object): Promise<Readonly<Record<string, unknown>>> => {
  const accepted = await http.expect(202, { path: '/api/v1/ingest', apiKey: owner.apiKey, body });
  const path = `/api/v1/ingest/${String(accepted.json['ingestion_id'])}`;
  return eventually('the end of an ingestion', async () => {
    const { json } = await http.expect(200, { path, apiKey: owner.apiKey });
    return json['status'] === 'accepted' ? undefined : json;
  });
};

/** A new identity of this owner. */
export const freshIdentity = async (owner: Owner, world: World): Parameters => {
  const record = { ...person((people += 1)), kyc_status: 'APPROVED' };
  return { id: String((await ingested(owner, world, record))['identity_id']) };
};

const deleted = async (owner: Owner, { http }: World, id: string): Promise<void> => {
  await http.expect(202, { method: 'DELETE', path: `/api/v1/identity/${id}`, apiKey: owner.apiKey });
};

/** An identity that can be restored. */
export const deletedIdentity = async (owner: Owner, world: World): Parameters => {
  const { id = '' } = await freshIdentity(owner, world);
  await deleted(owner, world, id);
  return { id };
};

/** An ingestion that can be retried. Its identity is deleted. */
export const failedIngestion = async (owner: Owner, world: World): Parameters => {
  const record = { ...person((people += 1)), kyc_status: 'APPROVED' };
  await deleted(owner, world, String((await ingested(owner, world, record))['identity_id']));
  return { ingestionId: String((await ingested(owner, world, record))['ingestion_id']) };
};
