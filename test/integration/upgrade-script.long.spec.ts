import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';

/** Writes down how it was called. Three processes of the api run; `HEALTH` is what all answer. */
const DOCKER = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  "compose ps --quiet api") echo "a1 a2 a3" ;;
  "compose ps --quiet "*) echo "other" ;;
  inspect*) echo "$HEALTH" ;;
esac
`;

let folder: string;

const upgrade = (health: string) => {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, CALLS: calls, HEALTH: health };
  const run = spawnSync('sh', [join(projectRoot, 'deploy', 'upgrade.sh')], { encoding: 'utf8', env });
  const made = readFileSync(calls, 'utf8').trim().split('\n');
  return { ...run, calls: made.filter((call) => !call.startsWith('inspect') && !call.includes(' ps ')) };
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kyc-upgrade-'));
  writeFileSync(join(folder, 'docker'), DOCKER);
  // Ten minutes pass at once.
  writeFileSync(join(folder, 'sleep'), '#!/bin/sh\n');
  for (const program of ['docker', 'sleep']) chmodSync(join(folder, program), 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the upgrade of the compose deployment', () => {
  it('stops no process before those beside it are ready', () => {
    const { status, stdout, calls } = upgrade('healthy');
    expect([status, stdout.trim()]).toEqual([0, 'Upgraded: 3 processes of the api, and one of each other role.']);
    expect(calls).toEqual([
      'compose build api',
      'compose up --detach --no-deps projections',
      'compose up --detach --no-deps --no-recreate --scale api=6 api',
      ...['a1', 'a2', 'a3'].flatMap((id) => [`stop ${id}`, `rm ${id}`]),
      'compose up --detach --no-deps jobs',
      'compose up --detach --no-deps --no-recreate --scale api=3 api proxy',
    ]);
  });

  it('leaves the processes of before in place where the new ones do not become ready', () => {
    const { status, stderr, calls } = upgrade('unhealthy');
    expect([status, stderr]).toEqual([1, expect.stringContaining('docker compose logs projections')]);
    expect(calls).toEqual(['compose build api', 'compose up --detach --no-deps projections']);
  });
});
