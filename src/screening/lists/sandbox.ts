import { type ListEntry } from '../domain/list-entry.js';
import { type ListId, type PepLevel, type Position } from '../domain/screening-list.js';

/** The version of a list that was not imported. Production never has it. */
export const SANDBOX_VERSION = 'sandbox-1';

const PROGRAM = 'SANDBOX';

const confirmed: ListEntry = {
  id: 'sandbox-confirmed',
  type: 'individual',
  names: [{ text: 'Confirmed Testmatch', weak: false }],
  birthDates: [{ text: '1970-01-01', from: '1970-01-01', to: '1970-01-01' }],
  countries: ['CH'],
  programs: [PROGRAM],
  listedOn: '2026-01-01',
};

/** It has neither birth date nor country, so that it is never confirmed. */
const potential: ListEntry = {
  ...confirmed,
  id: 'sandbox-potential',
  names: [{ text: 'Potential Testmatch', weak: false }],
  birthDates: [],
  countries: [],
};

const minister = (level: Position['level'], title: string): Position => ({
  title,
  country: 'CH',
  level,
  from: '2024-01-01',
  to: null,
});

const exposed = (name: string, level: PepLevel, positions: readonly Position[]): ListEntry => ({
  ...confirmed,
  id: `sandbox-${level.replace('_', '-')}`,
  names: [{ text: name, weak: false }],
  programs: [],
  pep: {
    level,
    positions,
    relatives:
      level === 'relative' || level === 'associate'
        ? [
            {
              name: 'Primus Testpep',
              relationship: level === 'relative' ? 'sibling' : 'business partner',
              pepLevel: 'level_1',
            },
          ]
        : [],
  },
});

/** The documented names that give each result, until a list is imported. docs/screening.md names them. */
export const SANDBOX_ENTRIES: ReadonlyMap<ListId, readonly ListEntry[]> = new Map([
  ['OFAC_SDN', [confirmed, potential]],
  ['EU_CONSOLIDATED', [confirmed]],
  ['UN_SECURITY_COUNCIL', [confirmed]],
  [
    'PEP',
    [
      exposed('Primus Testpep', 'level_1', [minister('level_1', 'Minister of Examples')]),
      exposed('Secunda Testpep', 'level_2', [minister('level_2', 'Member of the House of Examples')]),
      exposed('Tertia Testpep', 'level_3', [minister('level_3', 'Mayor of Exampleton')]),
      exposed('Cognata Testpep', 'relative', []),
      exposed('Socius Testpep', 'associate', []),
    ],
  ],
]);
