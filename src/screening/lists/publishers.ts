import { type ListId } from '../domain/screening-list.js';

export interface Publisher {
  readonly url: string;
  /** Hosts that may answer, redirects included. */
  readonly hosts: readonly RegExp[];
  /** Under what name the file is kept. */
  readonly file: string;
}

/** Where the lists come from. Office holders have no public list that may be used freely: they are imported. */
export const PUBLISHERS: ReadonlyMap<ListId, Publisher> = new Map([
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
