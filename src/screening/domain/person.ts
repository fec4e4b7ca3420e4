import { type ScreeningQuery } from './screening-list.js';

/** One name for all ways to write the same: case, blanks and composed characters do not count. */
const canonicalName = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();

/** The text whose keyed hash represents a screened person: name, birth date and country together. */
export const personText = ({ fullName, dateOfBirth = '', country = '' }: ScreeningQuery): string =>
  `scr.v1\0${canonicalName(fullName)}\0${dateOfBirth}\0${country}`;

/** What a query says beside name, birth date and country, in one order. */
const restOf = (query: ScreeningQuery): string =>
  JSON.stringify([
    (query.aliases ?? []).map(canonicalName).sort(),
    query.entityType ?? '',
    query.gender ?? '',
    (query.identifiers ?? []).map(({ type, number, country = '' }) => `${type} ${number} ${country}`).sort(),
    canonicalName(query.address ?? ''),
  ]);

/** The text whose keyed hash represents a match that a tenant dismissed. A changed query or entry has another one. */
export const dismissalText = (tenantId: string, query: ScreeningQuery, entryDigest: string): string =>
  `dis.v2\0${tenantId}\0${personText(query)}\0${restOf(query)}\0${entryDigest}`;
