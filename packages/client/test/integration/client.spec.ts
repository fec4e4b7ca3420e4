import { answer, createClient, KycError } from '@kyc/client';
import { SharedDeployment } from '../../../../test/support/load/shared-deployment.js';
import { eventually } from '../../../../test/support/processes.js';

const MARIA = { email: 'maria@example.org', phone_number: '+12025550123' };

describe('the client of a running service', () => {
  let deployment: SharedDeployment;
  let apiKey: string;
  const client = () => createClient({ baseUrl: deployment.http.baseUrl, apiKey });

  beforeAll(async () => {
    deployment = await SharedDeployment.take();
    ({ apiKey } = await deployment.operator.tenant({ credits: 100 }));
  }, 90_000);
  afterAll(() => deployment.leave());

  it('ingests a person, and finds them', async () => {
    const body = { ...MARIA, full_name: 'Maria Example', kyc_status: 'APPROVED', tier: 'Tier2' } as const;
    const { ingestion_id: ingestionId } = await answer(client().POST('/api/v1/ingest', { body }));
    await eventually('the ingestion', async () => {
      const { status } = await answer(
        client().GET('/api/v1/ingest/{ingestionId}', { params: { path: { ingestionId } } }),
      );
      return status === 'completed';
    });
    expect(await answer(client().POST('/api/v1/check-eligibility', { body: MARIA }))).toMatchObject({
      found: true,
      tier: 'Tier2',
    });
  });

  it('charges once for a request that it repeats under one key', async () => {
    const params = { header: { 'Idempotency-Key': 'client-spec-1' } };
    const check = () => client().POST('/api/v1/check-eligibility', { params, body: MARIA });
    const before = await answer(client().GET('/billing/credits'));
    const [first, second] = [await check(), await check()];
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await answer(client().GET('/billing/credits'))).credits).toBe(before.credits - 1);
  });

  it('gives nothing for an answer that has no body', async () => {
    const { id } = await answer(client().POST('/api/v1/keys', { body: { name: 'For a moment' } }));
    expect(await answer(client().DELETE('/api/v1/keys/{id}', { params: { path: { id } } }))).toBeUndefined();
  });

  it('tells an error by its code and its fields', async () => {
    const refused = answer(client().POST('/api/v1/check-eligibility', { body: { ...MARIA, phone_number: '0123' } }));
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(KycError);
    expect(error).toMatchObject({ status: 422, code: 'INVALID_PHONE', errors: [{ field: 'phone_number' }] });
    const stranger = createClient({ baseUrl: deployment.http.baseUrl });
    await expect(answer(stranger.GET('/billing/credits'))).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
  });
});
