import { type ListId } from '../domain/screening-list.js';

export interface Publisher {
  readonly url: string;
  /** Hosts that may answer, redirects included. */
  readonly hosts: readonly RegExp[];
  /** Under what name the file is kept. */
  readonly file: string;
}

export type Publishers = ReadonlyMap<ListId, Publisher>;

/** Each dataset of OpenSanctions has its entities in one file, with positions, families and associates. */
const openSanctions = (dataset: string): Publisher => ({
  url: `https://data.opensanctions.org/datasets/latest/${dataset}/entities.ftm.json`,
  hosts: [/^data\.opensanctions\.org$/],
  file: 'entities.ftm.json',
});

const SANCTIONS: Publishers = new Map([
  [
    'OFAC_SDN',
    {
      url: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML',
      hosts: [
        /^sanctionslistservice\.ofac\.treas\.gov$/,
        // The service sends callers on to its storage.
        /^[a-z0-9.-]*(ofac|sls)[a-z0-9-]*\.s3\.(us-gov-west-1\.)?amazonaws\.com$/,
      ],
      file: 'sdn.xml',
    },
  ],
  [
    'EU_CONSOLIDATED',
    {
      url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
      hosts: [/^webgate\.ec\.europa\.eu$/],
      file: 'eu.xml',
    },
  ],
  [
    'UN_SECURITY_COUNCIL',
    {
      url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
      hosts: [/^scsanctions\.un\.org$/, /^unsolprodfiles\.blob\.core\.windows\.net$/],
      file: 'consolidated.xml',
    },
  ],
]);

/** A page of the publisher about the entry, or about the list where no entry has one. */
export const sourceLink = (list: ListId, entryId: string): string => {
  switch (list) {
    case 'OFAC_SDN':
      return `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${encodeURIComponent(entryId)}`;
    case 'EU_CONSOLIDATED':
      return 'https://webgate.ec.europa.eu/fsd/fsf';
    case 'UN_SECURITY_COUNCIL':
      return 'https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list';
    case 'PEP':
      return `https://www.opensanctions.org/entities/${encodeURIComponent(entryId)}/`;
  }
};

/** Where the lists come from. Office holders have no list that may be used freely: an operator names the dataset that it has a licence for. */
export const publishersFor = (pepDataset: string | undefined): Publishers =>
  pepDataset === undefined ? SANCTIONS : new Map<ListId, Publisher>([...SANCTIONS, ['PEP', openSanctions(pepDataset)]]);
