import { type ListId, type ScreeningKind } from './screening-list.js';

/** How the files of a list are read. */
export type ListFormat = 'ofac' | 'eu' | 'un' | 'uk' | 'seco' | 'office_holders' | 'follow_the_money';

/** Shares of the entries by which one version may differ from the one before; an operator may accept more. */
export interface ChangeLimits {
  /** More or fewer entries. */
  readonly growth: number;
  /** Changed and removed entries. */
  readonly change: number;
}

export interface Publisher {
  readonly url: string;
  /** Hosts that may answer, redirects included. */
  readonly hosts: readonly RegExp[];
  /** Under what name the file is kept. */
  readonly file: string;
}

export interface KnownList {
  readonly id: ListId;
  readonly kind: ScreeningKind;
  /** Who publishes it, for readers. */
  readonly publisher: string;
  readonly format: ListFormat;
  /** Every check of the kind screens against it, and production answers 503 without it. */
  readonly required: boolean;
  readonly limits: ChangeLimits;
  /** Undefined where it can only be imported. */
  readonly download?: Publisher;
  /** The publisher’s page of an entry, or of the list where no entry has one. */
  readonly page: (entryId: string) => string;
}

/** A publisher's list hardly moves from one day to the next. More is rather a fault of publishing. */
const PUBLISHED: ChangeLimits = { growth: 0.1, change: 0.2 };
/** A list of one's own may be short, and grow by many. */
const OWN: ChangeLimits = { growth: 1, change: 0.5 };

const OFAC_HOSTS = [
  /^sanctionslistservice\.ofac\.treas\.gov$/,
  // The service sends callers on to its storage.
  /^[a-z0-9.-]*(ofac|sls)[a-z0-9-]*\.s3\.(us-gov-west-1\.)?amazonaws\.com$/,
];
const OFAC_EXPORTS = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports';
const ofacPage = (entryId: string): string =>
  `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${encodeURIComponent(entryId)}`;

/** The lists whose publishers and formats are known: those of the law first. */
const KNOWN: readonly KnownList[] = [
  {
    id: 'OFAC_SDN',
    kind: 'sanctions',
    publisher: 'Office of Foreign Assets Control, USA',
    format: 'ofac',
    required: true,
    limits: PUBLISHED,
    download: { url: `${OFAC_EXPORTS}/SDN.XML`, hosts: OFAC_HOSTS, file: 'sdn.xml' },
    page: ofacPage,
  },
  {
    id: 'EU_CONSOLIDATED',
    kind: 'sanctions',
    publisher: 'European Commission',
    format: 'eu',
    required: true,
    limits: PUBLISHED,
    download: {
      url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
      hosts: [/^webgate\.ec\.europa\.eu$/],
      file: 'eu.xml',
    },
    page: () => 'https://webgate.ec.europa.eu/fsd/fsf',
  },
  {
    id: 'UN_SECURITY_COUNCIL',
    kind: 'sanctions',
    publisher: 'United Nations Security Council',
    format: 'un',
    required: true,
    limits: PUBLISHED,
    download: {
      url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
      hosts: [/^scsanctions\.un\.org$/, /^unsolprodfiles\.blob\.core\.windows\.net$/],
      file: 'consolidated.xml',
    },
    page: () => 'https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list',
  },
  {
    id: 'UK_SANCTIONS',
    kind: 'sanctions',
    publisher: 'Foreign, Commonwealth and Development Office, United Kingdom',
    format: 'uk',
    required: false,
    limits: PUBLISHED,
    download: {
      url: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.xml',
      hosts: [/^sanctionslist\.fcdo\.gov\.uk$/],
      file: 'UK-Sanctions-List.xml',
    },
    page: () => 'https://www.gov.uk/government/publications/the-uk-sanctions-list',
  },
  {
    id: 'OFAC_NON_SDN',
    kind: 'sanctions',
    publisher: 'Office of Foreign Assets Control, USA',
    format: 'ofac',
    required: false,
    limits: PUBLISHED,
    download: { url: `${OFAC_EXPORTS}/CONSOLIDATED.XML`, hosts: OFAC_HOSTS, file: 'consolidated.xml' },
    page: ofacPage,
  },
  {
    id: 'CH_SECO',
    kind: 'sanctions',
    publisher: 'State Secretariat for Economic Affairs, Switzerland',
    format: 'seco',
    required: false,
    limits: PUBLISHED,
    download: {
      url: 'https://www.sesam.search.admin.ch/sesam-search-web/pages/downloadXmlGesamtliste.xhtml?lang=en&action=downloadXmlGesamtlisteAction',
      hosts: [/^www\.sesam\.search\.admin\.ch$/],
      file: 'seco.xml',
    },
    page: () => 'https://www.sesam.search.admin.ch/sesam-search-web/pages/search.xhtml?lang=en',
  },
  {
    id: 'PEP',
    kind: 'pep',
    publisher: 'Office holders, as the operator imports them',
    format: 'office_holders',
    required: true,
    limits: PUBLISHED,
    page: (entryId) => `https://www.opensanctions.org/entities/${encodeURIComponent(entryId)}/`,
  },
];

export const KNOWN_LISTS: ReadonlyMap<ListId, KnownList> = new Map(KNOWN.map((list) => [list.id, list]));

/** The lists that every check of this kind screens against. */
export const requiredLists = (kind: ScreeningKind): readonly ListId[] =>
  KNOWN.filter((list) => list.required && list.kind === kind).map(({ id }) => id);

/** Of a list that is not known, the kind that its versions say, or the graver one. */
export const kindOf = (list: ListId, said: ScreeningKind = 'sanctions'): ScreeningKind =>
  KNOWN_LISTS.get(list)?.kind ?? said;

/** Any other list is a file of FollowTheMoney. */
export const formatOf = (list: ListId): ListFormat => KNOWN_LISTS.get(list)?.format ?? 'follow_the_money';

export const limitsOf = (list: ListId): ChangeLimits => KNOWN_LISTS.get(list)?.limits ?? OWN;

const PLACES = new Map(KNOWN.map(({ id }, place) => [id, place]));

/** Known lists as the table has them, then others by name. */
export const byList = (a: ListId, b: ListId): number =>
  (PLACES.get(a) ?? KNOWN.length) - (PLACES.get(b) ?? KNOWN.length) || (a < b ? -1 : Number(a > b));
