import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';

const STRANGER = `
import { answer, createClient, KycError } from '@kyc/client';
import { verifyWebhook } from '@kyc/webhook-receiver/verify-webhook';

const client = createClient({ baseUrl: 'https://kyc.example.org', apiKey: 'key' });
export const tier = async (): Promise<string | null | undefined> => {
  const body = { email: 'maria@example.org', phone_number: '+12025550123' };
  return (await answer(client.POST('/api/v1/check-eligibility', { body }))).tier;
};
export const chapter = (error: KycError): string | undefined => error.docUrl;
export const verified: boolean = verifyWebhook('{}', {}, 'whsec_x').valid;
`;

const MISTAKEN = `
import { createClient } from '@kyc/client';
void createClient({ baseUrl: 'https://kyc.example.org', apiKey: 'key' }).POST('/api/v1/nothing', {});
`;

const CONFIG = {
  compilerOptions: { module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] },
  files: ['stranger.ts'],
};

it('the packages for strangers bring their declarations, and compile in a project of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-stranger-'));
  try {
    const modules = join(folder, 'node_modules');
    for (const name of ['client', 'webhook-receiver']) {
      const packed = ['pack', '--silent', '--workspace', `@kyc/${name}`, '--pack-destination', folder];
      const file = execFileSync('npm', packed, { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
      const target = join(modules, '@kyc', name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['xzf', join(folder, file), '-C', target, '--strip-components=1']);
    }
    // What npm would fetch.
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'undici-types', '@types'])
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const compile = (text: string): string => {
      writeFileSync(join(folder, 'stranger.ts'), text);
      return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout;
    };
    expect(compile(STRANGER)).toBe('');
    expect(compile(MISTAKEN)).toContain('/api/v1/nothing');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
