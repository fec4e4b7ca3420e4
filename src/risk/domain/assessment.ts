export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** What an assessment knows of a person. It says nothing of other tenants that an eligibility answer would not. */
export interface RiskFacts {
  /** The caller's own record; null if it has none. */
  readonly own: 'APPROVED' | 'EXPIRED' | 'PENDING_REVIEW' | 'REJECTED' | null;
  /** Tenants that attest the person at present, the caller included. */
  readonly attesting: 'none' | 'some' | 'three_and_more';
  /** Null where neither the request nor the caller's own record has a name that can be searched. */
  readonly screening: {
    readonly sanctions: 'clear' | 'potential_match' | 'confirmed_match';
    readonly pep: boolean;
  } | null;
  readonly disposableEmail: boolean;
  /** The phone number belongs to another country than the one given. */
  readonly phoneElsewhere: boolean;
  /** Look-ups of this person by the caller in the last 24 hours, before this one. */
  readonly lookUps: number;
}

interface Factor {
  readonly code: string;
  /** Points, added to the score. */
  readonly weight: number;
  readonly detail: string;
  readonly holds: (facts: RiskFacts) => boolean;
}

/** Look-ups of one person in 24 hours from which they are frequent. */
const FREQUENT_LOOK_UPS = 10;

/** Every factor with its weight (docs/risk.md). */
export const FACTORS: readonly Factor[] = [
  { code: 'BASELINE', weight: 20, detail: 'Every assessment begins here', holds: () => true },
  {
    code: 'OWN_RECORD_APPROVED',
    weight: -20,
    detail: 'Your own record is approved and has not expired',
    holds: ({ own }) => own === 'APPROVED',
  },
  {
    code: 'OWN_RECORD_EXPIRED',
    weight: 15,
    detail: 'Your own record has expired',
    holds: ({ own }) => own === 'EXPIRED',
  },
  {
    code: 'OWN_RECORD_PENDING',
    weight: 20,
    detail: 'Your own record waits for review',
    holds: ({ own }) => own === 'PENDING_REVIEW',
  },
  {
    code: 'OWN_RECORD_REJECTED',
    weight: 45,
    detail: 'Your own verification was rejected',
    holds: ({ own }) => own === 'REJECTED',
  },
  {
    code: 'NETWORK_NONE',
    weight: 20,
    detail: 'Nobody in the network attests this e-mail and phone number',
    holds: ({ attesting }) => attesting === 'none',
  },
  {
    code: 'NETWORK_SOME',
    weight: -5,
    detail: 'At least one member of the network attests this e-mail and phone number',
    holds: ({ attesting }) => attesting === 'some',
  },
  {
    code: 'NETWORK_THREE_AND_MORE',
    weight: -15,
    detail: 'Three or more members of the network attest this e-mail and phone number',
    holds: ({ attesting }) => attesting === 'three_and_more',
  },
  {
    code: 'SANCTIONS_CONFIRMED_MATCH',
    weight: 80,
    detail: 'The name is on a sanctions list, and a birth date or country agrees',
    holds: ({ screening }) => screening?.sanctions === 'confirmed_match',
  },
  {
    code: 'SANCTIONS_POTENTIAL_MATCH',
    weight: 40,
    detail: 'The name resembles one on a sanctions list',
    holds: ({ screening }) => screening?.sanctions === 'potential_match',
  },
  {
    code: 'POLITICALLY_EXPOSED',
    weight: 25,
    detail: 'The name resembles that of a politically exposed person',
    holds: ({ screening }) => screening?.pep === true,
  },
  {
    code: 'NOT_SCREENED',
    weight: 5,
    detail: 'No name that can be searched was given or is in your own record, so no list was searched',
    holds: ({ screening }) => screening === null,
  },
  {
    code: 'DISPOSABLE_EMAIL',
    weight: 25,
    detail: 'The e-mail address is of a provider of disposable addresses',
    holds: ({ disposableEmail }) => disposableEmail,
  },
  {
    code: 'PHONE_COUNTRY_DIFFERS',
    weight: 15,
    detail: 'The phone number is of another country than the one given',
    holds: ({ phoneElsewhere }) => phoneElsewhere,
  },
  {
    code: 'FREQUENT_LOOK_UPS',
    weight: 10,
    detail: `You looked this person up ${FREQUENT_LOOK_UPS} times or more in the last 24 hours`,
    holds: ({ lookUps }) => lookUps >= FREQUENT_LOOK_UPS,
  },
];

/** Scores from which the level is reached. */
const MEDIUM_FROM = 30;
const HIGH_FROM = 60;

const levelOf = (score: number): RiskLevel => {
  if (score >= HIGH_FROM) return 'high';
  return score >= MEDIUM_FROM ? 'medium' : 'low';
};

export interface Assessment {
  /** 0–100: the sum of the factors' weights, cut off at both ends. */
  readonly score: number;
  readonly level: RiskLevel;
  readonly factors: readonly Omit<Factor, 'holds'>[];
}

/** The same facts give the same assessment. */
export const assess = (facts: RiskFacts): Assessment => {
  const factors = FACTORS.filter(({ holds }) => holds(facts)).map(({ code, weight, detail }) => ({
    code,
    weight,
    detail,
  }));
  const sum = factors.reduce((total, { weight }) => total + weight, 0);
  const score = Math.min(100, Math.max(0, sum));
  return { score, level: levelOf(score), factors };
};
