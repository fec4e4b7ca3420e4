import { fictionalEmail, fictionalPhone } from './fiction.js';
import { type Person } from './people/person.js';

const TIERS = ['Tier1', 'Tier2', 'Tier3'] as const;
export type DemoTier = (typeof TIERS)[number];

/** How the network knows somebody. */
export interface Contact {
  readonly email: string;
  readonly phone_number: string;
}

/** A person to ingest. */
export interface Subject extends Contact {
  readonly full_name: string;
  readonly date_of_birth?: string;
  readonly tier: DemoTier;
}

const contact = (run: string, index: number): Contact => ({
  email: fictionalEmail(run, index),
  phone_number: fictionalPhone(index),
});

/** Real names with made-up contact details, which differ from run to run; the tiers in turn. */
export const subjectsOf = (people: readonly Person[], run: string): Subject[] =>
  people.map((person, index) => ({
    ...contact(run, index),
    full_name: person.fullName,
    ...(person.dateOfBirth === undefined ? {} : { date_of_birth: person.dateOfBirth }),
    tier: TIERS[index % TIERS.length] ?? 'Tier1',
  }));

/** As many others, of whom the network knows nothing. */
export const strangersTo = (subjects: readonly Subject[], run: string): Contact[] =>
  subjects.map((_, index) => contact(run, subjects.length + index));
