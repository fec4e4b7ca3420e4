import { kindOf } from '../../../src/screening/domain/known-lists.js';
import { type ListId } from '../../../src/screening/domain/screening-list.js';
import { gzipped } from '../../../src/screening/lists/list-store.js';
import { type ReadList } from '../../../src/screening/lists/readers/list-content.js';
import { readList } from '../../../src/screening/lists/readers/read-list.js';
import { type SourceFile } from '../../../src/screening/lists/readers/source.js';

/** Small lists in the formats of their publishers. */
export const OFAC_CSV = [
  '36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
  '7226,"ZAMBADA GARCIA, Ismael","individual","SDNTK] [ILLICIT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 01 Jan 1948; alt. DOB circa 1950; POB Culiacan, Sinaloa, Mexico; nationality Mexico; a.k.a. \'EL MAYO\'."\r\n',
  '9001,"SEA STAR","vessel","IRAN",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n\x1a',
].join('');

export const OFAC_ALIASES = '36,12,"aka","AERO-CARIBBEAN",-0- \r\n7226,13,"aka","ZAMBADA, Mario",-0- \r\n\x1a';

export const ofacXml = (namespace = 'https://tempuri.example/sdnList.xsd', prefix = ''): string => {
  const tag = (name: string, text: string): string => `<${prefix}${name}>${text}</${prefix}${name}>`;
  const aka = tag('aka', tag('uid', '1') + tag('category', 'weak') + tag('lastName', 'TYSON'));
  const born = tag('dateOfBirthList', tag('dateOfBirthItem', tag('dateOfBirth', '09 May 1962')));
  const name = tag('uid', '7') + tag('firstName', 'Ivan') + tag('lastName', 'EXAMPLE') + tag('sdnType', 'Individual');
  const entry = tag('sdnEntry', name + tag('programList', tag('program', 'TEST')) + tag('akaList', aka) + born);
  const published = tag('publshInformation', tag('Publish_Date', '01/08/2026') + tag('Record_Count', '1'));
  const declared = prefix === '' ? `xmlns="${namespace}"` : `xmlns:${prefix.replace(':', '')}="${namespace}"`;
  return `<?xml version="1.0"?><${prefix}sdnList ${declared}>${published}${entry}</${prefix}sdnList>`;
};

export const EU_XML = `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-01-28T06:31:48.762+01:00">
<sanctionEntity euReferenceNumber="EU.13.0" logicalId="13"><regulation programme="IRQ" publicationDate="2003-07-08"/>
<subjectType code="person"/><nameAlias wholeName="Saddam Hussein Al-Tikriti" strong="true"/><nameAlias wholeName="Abu Ali" strong="false"/>
<citizenship countryIso2Code="IQ"/><birthdate circa="false" birthdate="1937-04-28" year="1937"/></sanctionEntity>
<sanctionEntity euReferenceNumber="EU.14.0" logicalId="14"><subjectType code="enterprise"/>
<nameAlias wholeName="" firstName="" middleName="" lastName="Example Trading" strong="true"/><birthdate circa="true" year="1950"/></sanctionEntity>
</export>`;

export const unXml = (generated: string, people: readonly string[]): string =>
  `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="${generated}T00:00:06.501Z"><INDIVIDUALS>${people
    .map((name, index) => {
      const [first = '', second = ''] = name.split(' ');
      return `<INDIVIDUAL><DATAID>${index}</DATAID><FIRST_NAME>${first}</FIRST_NAME><SECOND_NAME>${second}</SECOND_NAME>
<UN_LIST_TYPE>DRC</UN_LIST_TYPE><REFERENCE_NUMBER>T.${index}</REFERENCE_NUMBER><LISTED_ON>2012-12-31</LISTED_ON>
<NAME_ORIGINAL_SCRIPT/><NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS><INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Old ${second}</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1965</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>`;
    })
    .join('')}</INDIVIDUALS><ENTITIES/></CONSOLIDATED_LIST>`;

export const TARGETS_CSV = `id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,dataset,first_seen,last_seen,last_change
Q1,Person,Ada Example,"A. Example;Ada Sample",1960-02-03,ch;li,,,,,,peps,2024-01-01T00:00:00,2026-02-01T00:00:00,2025-01-01T00:00:00
NK-2,Company,Example AG,,,ch,,,,,,peps,2024-01-01T00:00:00,2026-02-01T00:00:00,2025-01-01T00:00:00
`;

const entity = (id: string, schema: string, properties: Record<string, string[]>): string =>
  JSON.stringify({ id, schema, properties, last_seen: '2026-02-01T00:00:00' });

export const FOLLOW_THE_MONEY = [
  entity('occ', 'Occupancy', { holder: ['ada'], post: ['mayor'], startDate: ['2020'] }),
  entity('ada', 'Person', { name: ['Ada Example'], weakAlias: ['Addie'], birthDate: ['1960-02'], country: ['ch'] }),
  entity('bert', 'Person', { name: ['Bert Example'] }),
  entity('carl', 'Person', { name: ['Carl Partner'] }),
  entity('mayor', 'Position', { name: ['Mayor of Exampleton'], country: ['ch'], topics: ['gov.muni'] }),
  entity('fam', 'Family', { person: ['ada'], relative: ['bert'], relationship: ['brother'] }),
  entity('ass', 'Associate', { person: ['ada'], associate: ['carl'], relationship: ['business partner'] }),
].join('\n');

export const HOLDERS_CSV =
  'position,person,personID,start,end,gender,DOB\nPrime Minister of Canada,Ada Example,Q1,2015-11-04,,female,1960-02-03\n';
export const FAMILY_CSV = 'id,name,relationship,relative,relativename\nQ1,Ada Example,sibling,Q2,Bert Example\n';

export const fileOf = (name: string, text: string | Uint8Array): Promise<SourceFile> =>
  gzipped(name, [typeof text === 'string' ? Buffer.from(text) : text]);

export const readTexts = async (
  list: ListId,
  texts: Readonly<Record<string, string>>,
  kind = kindOf(list),
): Promise<ReadList> =>
  readList(list, kind, await Promise.all(Object.entries(texts).map(([name, text]) => fileOf(name, text))));
