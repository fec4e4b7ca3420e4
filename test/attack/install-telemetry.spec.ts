import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What the package of telemetry looks at: what depends on it, as npm tells. */
const dependants = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['ls', '@scarf/scarf', '--json', '--long'], { cwd: root });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.once('error', reject).once('close', () => resolve(text));
  });

interface Telemetry {
  processDependencyTreeOutput(
    report: (what: unknown) => void,
    refrain: (why: Error) => void,
  ): (error: null, stdout: string) => void;
}

const telemetry = createRequire(import.meta.url)('@scarf/scarf') as Telemetry;

it('installing tells nobody of it, whichever npm installs', async () => {
  const tree = await dependants();
  const outcome = await new Promise<unknown>((resolve) => {
    telemetry.processDependencyTreeOutput(
      () => resolve('reported'),
      ({ message }) => resolve(message),
    )(null, tree);
  });
  expect(outcome).toBe('Scarf has been disabled via a package.json in the dependency chain.');
});
