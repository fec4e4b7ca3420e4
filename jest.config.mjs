import vm from 'node:vm';
import { swcOptions } from './scripts/compile.mjs';
import { libraryMapping } from './scripts/test-libraries.mjs';

// `npx jest` comes without the flag that ES modules need: it gives way to a jest that has it, and ends as that one ends.
if (vm.SourceTextModule === undefined) {
  await import('./scripts/jest.mjs');
  await new Promise(() => undefined);
}

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testMatch,
  testEnvironment: '<rootDir>/scripts/test-environment.mjs',
  // Tests run on the sources of our packages, programs on their dist/.
  testEnvironmentOptions: { customExportConditions: ['@kyc/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  // Sources name the compiled file; a library's `data.json.js` is a file of its own.
  moduleNameMapper: { ...libraryMapping, '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swcOptions, sourceMaps: 'inline' }] },
  transformIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/dist/', '<rootDir>/dist/(src|projections)/'],
  setupFiles: ['reflect-metadata', '<rootDir>/src/boot/contract.ts'],
  ...extra,
});

const suite = (name) => ['test', 'packages/*/test'].map((folder) => `<rootDir>/${folder}/${name}/**/*.spec.ts`);

export default {
  // Starting and stopping real servers takes long where a machine is busy.
  testTimeout: 30_000 * 4,
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  projects: [
    project('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/projections/**/*.spec.ts',
      '<rootDir>/packages/*/src/**/*.spec.ts',
      '<rootDir>/test/architecture/**/*.spec.ts',
    ]),
    project('contract', suite('contract')),
    project('integration', suite('integration')),
    project('e2e', suite('e2e')),
    project('attack', suite('attack')),
    project('crash', suite('crash')),
    // The runbook as a drill. It takes minutes, so `npm test` leaves it out.
    project('incident', suite('incident')),
  ],
};
