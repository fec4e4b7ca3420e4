import { swcOptions } from './scripts/compile.mjs';

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testMatch,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // Sources name the compiled file; a library's `data.json.js` is a file of its own.
  moduleNameMapper: { '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swcOptions, sourceMaps: 'inline' }] },
  transformIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['reflect-metadata'],
  ...extra,
});

export default {
  // Starting and stopping real servers takes long where a machine is busy.
  testTimeout: 30_000,
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  projects: [
    project('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/projections/**/*.spec.ts',
      '<rootDir>/test/architecture/**/*.spec.ts',
    ]),
    project('contract', ['<rootDir>/test/contract/**/*.spec.ts']),
    project('integration', ['<rootDir>/test/integration/**/*.spec.ts']),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts']),
    project('crash', ['<rootDir>/test/crash/**/*.spec.ts']),
  ],
};
