import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inventPeople } from './invented.js';
import { findLists, readPeople } from './people.js';
import { type Person, scriptOf } from './person.js';

const NULLS = ',-0- '.repeat(8);
const SDN_CSV = [
  `36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA"${NULLS}`,
  `7281,"GOMEZ BUSTAMANTE, Luis Hernando","individual","SDNT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 14 Mar 1958; POB El Aguila, Valle, Colombia."`,
  `7282,"MONTOYA, Diego","individual","SDNT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"POB Trujillo; DOB circa 1960; alt. DOB 11 Jan 1958."`,
  '\u001A',
].join('\r\n');

const UN_XML = `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-02-27"><INDIVIDUALS>
<INDIVIDUAL><FIRST_NAME>ALI</FIRST_NAME><SECOND_NAME>HASSAN</SECOND_NAME><NAME_ORIGINAL_SCRIPT>علي حسن</NAME_ORIGINAL_SCRIPT>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1943-02-28</DATE></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>
<INDIVIDUAL><FIRST_NAME>ERIC</FIRST_NAME><SECOND_NAME>BADEGE</SECOND_NAME>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><DATE>1971-01-01</DATE></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>
</INDIVIDUALS><ENTITIES><ENTITY><FIRST_NAME>A COMPANY</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;

const EU_XML = `<?xml version="1.0"?><export xmlns="http://eu.europa.ec/fpi/fsd/export">
<sanctionEntity><subjectType code="person"/><nameAlias wholeName="Sergei Petrov"/><nameAlias wholeName="Сергей Петров"/>
<birthdate circa="false" birthdate="1937-04-28"/></sanctionEntity>
<sanctionEntity><subjectType code="enterprise"/><nameAlias wholeName="Trading &amp; Co"/></sanctionEntity>
<sanctionEntity><subjectType code="person"/><nameAlias wholeName="Qusay"/><birthdate circa="true" birthdate="1960-01-01"/></sanctionEntity>
</export>`;

const SDN_XML = `<sdnList xmlns="https://example.org/XML"><sdnEntry><firstName>Ismail</firstName><lastName>HANIYA</lastName>
<sdnType>Individual</sdnType><dateOfBirthList><dateOfBirthItem><dateOfBirth>08 May 1963</dateOfBirth><mainEntry>true</mainEntry>
</dateOfBirthItem></dateOfBirthList></sdnEntry><sdnEntry><lastName>A SHIP</lastName><sdnType>Vessel</sdnType></sdnEntry></sdnList>`;

const PLAIN_CSV =
  '\uFEFFid,schema,name,birth_date\n1,Person,"Doe, Jane",1980-02-29\n2,Company,Acme,\n3,Person,John Roe,1980-02-30\n';

describe('the people of a list', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kyc-people-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = async (name: string, content: string | Buffer, count = 100): Promise<Person[]> => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return readPeople(await findLists(path), count);
  };

  it.each([
    [
      'sdn.csv',
      SDN_CSV,
      [{ fullName: 'Luis Hernando GOMEZ BUSTAMANTE', dateOfBirth: '1958-03-14' }, { fullName: 'Diego MONTOYA' }],
    ],
    ['un.xml', UN_XML, [{ fullName: 'علي حسن', dateOfBirth: '1943-02-28' }, { fullName: 'ERIC BADEGE' }]],
    ['eu.xml', EU_XML, [{ fullName: 'Сергей Петров', dateOfBirth: '1937-04-28' }, { fullName: 'Qusay' }]],
    ['sdn.xml', SDN_XML, [{ fullName: 'Ismail HANIYA', dateOfBirth: '1963-05-08' }]],
    ['plain.csv', PLAIN_CSV, [{ fullName: 'Doe, Jane', dateOfBirth: '1980-02-29' }, { fullName: 'John Roe' }]],
  ])('reads natural persons and whole birth dates, nothing else: %s', async (name, content, people) => {
    expect(await read(name, content)).toEqual(people);
    expect(await read(`${name}.gz`, gzipSync(content))).toEqual(people);
  });

  it('takes people of a folder from each list in turn, each person once', async () => {
    writeFileSync(join(folder, 'a.xml'), UN_XML);
    writeFileSync(join(folder, 'b.xml'), EU_XML);
    writeFileSync(join(folder, 'c.xml.gz'), gzipSync(UN_XML));
    writeFileSync(join(folder, 'notes.txt'), 'no list at all');
    const people = await readPeople(await findLists(folder), 3);
    expect(people.map((person) => person.fullName)).toEqual(['علي حسن', 'Сергей Петров', 'ERIC BADEGE']);
  });

  it('says what it can read where it cannot read a file, and refuses a broken list', async () => {
    await expect(read('empty.csv', '')).rejects.toThrow(/no list of people that can be read \(OFAC/);
    await expect(read('error.xml', '{"status":500}')).rejects.toThrow(/no list/);
    await expect(read('broken.xml', `${EU_XML.slice(0, 300)}<<<`)).rejects.toThrow(/not well-formed XML/);
    await expect(read('cut.xml.gz', gzipSync(UN_XML.repeat(50)).subarray(0, 300))).rejects.toThrow();
  });

  it('makes people up in several scripts where there is no list', () => {
    const people = inventPeople(5_000);
    expect(new Set(people.map((person) => scriptOf(person.fullName)))).toEqual(
      new Set(['Latin', 'Cyrillic', 'Arabic', 'Greek', 'Han']),
    );
    expect(people.every((person) => /^\d{4}-\d{2}-\d{2}$/.test(person.dateOfBirth ?? ''))).toBe(true);
  });
});
