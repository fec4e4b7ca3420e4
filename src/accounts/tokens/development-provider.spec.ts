import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { DevelopmentIdentityProvider } from './development-provider.js';

let folder = '';
const file = () => join(folder, 'development-identity-provider.json');
const open = () => DevelopmentIdentityProvider.open(folder, 'tenant_id', new ManualClock());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-provider-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the file of the development identity provider', () => {
  it('keeps key and secret over a restart', async () => {
    const [first, second] = [await open(), await open()];
    expect(second.keySet).toEqual(first.keySet);
    expect(second.secret).toBe(first.secret);
  });

  it.each(['', 'null', '{}', 'secret', '{"kty":"OKP","d":"secret"'])(
    'is named, and what it holds is not shown, where it is damaged: %j',
    async (left) => {
      await writeFile(file(), left);
      const failure = await open().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartupError);
      expect((failure as Error).message).toContain(file());
      expect((failure as Error).message).not.toContain('secret');
      expect(await readFile(file(), 'utf8')).toBe(left);
    },
  );
});
