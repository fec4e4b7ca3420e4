/** Small lists of made-up people and things, in the formats of their publishers. */
export const UK_XML = `<?xml version="1.0" encoding="utf-8"?>
<Designations><DateGenerated>20/08/2026</DateGenerated>
<Designation><LastUpdated>14/04/2026</LastUpdated><DateDesignated>25/01/2001</DateDesignated><UniqueID>EXA0001</UniqueID>
<Names>
<Name><Name6>Haji Wali Exampli</Name6><NameType>Alias</NameType><AliasStrength>Low quality a.k.a</AliasStrength></Name>
<Name><Name1>WALI</Name1><Name2>HASSAN</Name2><Name6>EXAMPLI</Name6><NameType>Primary name</NameType></Name>
</Names>
<NonLatinNames><NonLatinName><NameNonLatinScript>والي حسن</NameNonLatinScript></NonLatinName></NonLatinNames>
<RegimeName>The Example (Sanctions) (EU Exit) Regulations 2020</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
<Addresses><Address><AddressLine6>Kabul</AddressLine6><AddressCountry>Afghanistan</AddressCountry></Address></Addresses>
<IndividualDetails><Individual><DOBs><DOB>dd/mm/1945</DOB><DOB>dd/03/1946</DOB><DOB>01/03/1958</DOB></DOBs>
<PassportDetails><Passport><PassportNumber>P04581926</PassportNumber><PassportAdditionalInformation>Afghanistan passport</PassportAdditionalInformation></Passport></PassportDetails>
<NationalIdentifierDetails><NationalIdentifier><NationalIdentifierNumber>545167</NationalIdentifierNumber></NationalIdentifier></NationalIdentifierDetails>
<Nationalities><Nationality>Afghanistan</Nationality></Nationalities><Genders><Gender>Male</Gender></Genders>
<BirthDetails><Location><TownOfBirth>Exampleton</TownOfBirth><CountryOfBirth>Pakistan</CountryOfBirth></Location></BirthDetails>
</Individual></IndividualDetails></Designation>
<Designation><UniqueID>EXA0002</UniqueID><Names><Name><Name6>EXAMPLE MONEY EXCHANGE</Name6><NameType>Primary Name</NameType></Name></Names>
<IndividualEntityShip>Entity</IndividualEntityShip><EntityDetails><Entity><BusinessRegistrationNumbers><BusinessRegistrationNumber>BR-99-7731</BusinessRegistrationNumber></BusinessRegistrationNumbers></Entity></EntityDetails></Designation>
<Designation><UniqueID>EXA0003</UniqueID><Names><Name><Name6>Example Star</Name6><NameType>Primary name</NameType></Name></Names>
<IndividualEntityShip>Ship</IndividualEntityShip><ShipDetails><Ship><IMONumbers><IMONumber>IMO9562233</IMONumber></IMONumbers></Ship></ShipDetails></Designation>
</Designations>`;

const UK_COLUMNS =
  'Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Title,Name non-latin script,Non-latin script type,Non-latin script language,Regime Name,Designation Type,Designation source,Sanctions Imposed,Other Information,UK Statement of Reasons,Address Line 1,Address Line 2,Address Line 3,Address Line 4,Address Line 5,Address Line 6,Address Postal Code,Address Country,Phone number,Website,Email address,Date Designated,D.O.B,Nationality(/ies),National Identifier number,National Identifier additional information,Passport number,Passport additional information,Position,Gender,Town of birth,Country of birth,Type of entity,Subsidiaries,Parent company,Business registration number (s),IMO number,Current owner/operator (s),Previous owner/operator (s),Current believed flag of ship,Previous flags,Type of ship,Tonnage of ship,Length of ship,Year Built,Hull identification number (HIN)'.split(
    ',',
  );

const ukRow = (cells: Readonly<Record<string, string>>): string =>
  UK_COLUMNS.map((column) => `"${cells[column] ?? ''}"`).join(',');

const WALI = { 'Unique ID': 'EXA0001', 'Designation Type': 'Individual', 'Date Designated': '25/01/2001' };

/** A line for each name of a designation. */
export const UK_CSV = [
  'Report Date: 13-Feb-2026',
  UK_COLUMNS.join(','),
  ukRow({ ...WALI, 'Name 6': 'EXAMPLI', 'Name 1': 'WALI', 'Name type': 'Primary Name', 'D.O.B': '01/03/1958' }),
  ukRow({
    ...WALI,
    'Name 6': 'Haji Wali Exampli',
    'Name type': 'Alias',
    'Alias strength': 'Low quality a.k.a',
    'D.O.B': 'dd/mm/1945',
    'Passport number': 'P04581926',
    'Passport additional information': 'Afghanistan passport',
  }),
  ukRow({ 'Unique ID': 'EXA0003', 'Designation Type': 'Ship', 'Name 6': 'Example Star', 'IMO number': '9562233' }),
].join('\r\n');

export const SECO_XML = `<?xml version="1.0" encoding="UTF-8"?><swiss-sanctions-list list-type="whole-list" date="2026-09-01">
<sanctions-program ssid="20"><program-key lang="ger">Beispielland</program-key><program-key lang="eng">Exampleland</program-key>
<sanctions-set ssid="4387" lang="eng">annexe 13</sanctions-set></sanctions-program>
<target ssid="100"><sanctions-set-id>4387</sanctions-set-id>
<modification modification-type="listed" effective-date="2022-03-16"/><modification modification-type="amended" effective-date="2024-01-01"><removed><individual><identity><name><name-part><value>Former</value></name-part></name></identity></individual></removed></modification>
<individual sex="male"><identity ssid="1" main="true"><name name-type="primary-name" quality="good">
<name-part order="2" name-part-type="given-name"><value>Aliaksandr</value><spelling-variant script="LATN">Alexander</spelling-variant><spelling-variant script="CYRL">Александр</spelling-variant></name-part>
<name-part order="1" name-part-type="family-name"><value>Examplenka</value><spelling-variant script="LATN">Examplenko</spelling-variant><spelling-variant script="CYRL">Экзампленко</spelling-variant></name-part>
<name-part order="3" name-part-type="title"><value>Colonel</value></name-part></name>
<name name-type="alias" quality="low"><name-part order="1" name-part-type="whole-name"><value>Sasha</value></name-part></name>
<day-month-year day="3" month="8" year="1954"/><day-month-year year="1955"/>
<place-of-birth place-id="9"/><nationality><country iso-code="BY">Belarus</country></nationality>
<identification-document document-type="diplomatic-passport"><number>MP1234567</number><issuer code="BY">Belarus</issuer></identification-document>
<address place-id="9"><address-details>1 Example Street</address-details><location>Minsk</location></address></identity>
<other-information>Tax number: 778812345.</other-information></individual></target>
<target ssid="101"><entity><identity><name name-type="primary-name"><name-part><value>Listed Again Works</value></name-part></name></identity></entity>
<modification modification-type="de-listed" effective-date="2016-03-01"/><modification modification-type="listed" effective-date="2022-03-01"/></target>
<target ssid="102"><entity><identity><name name-type="primary-name"><name-part><value>No Longer Listed</value></name-part></name></identity></entity>
<modification modification-type="listed" effective-date="2006-03-01"/><modification modification-type="de-listed" effective-date="2016-03-01"/></target>
<target ssid="103"><object object-type="vessel"><identity><name name-type="primary-name"><name-part><value>Example Star</value></name-part></name></identity>
<other-information>IMO number: 9562233</other-information></object></target>
<place ssid="9"><location>Kharkiv</location><country iso-code="UA">Ukraine</country></place>
</swiss-sanctions-list>`;

const line = (id: string, schema: string, properties: Record<string, string[]>, target?: boolean): string =>
  JSON.stringify({
    id,
    schema,
    properties,
    last_seen: '2026-02-01T00:00:00',
    ...(target === undefined ? {} : { target }),
  });

/** The last company first: each is owned by those behind it. */
export const FTM_CHAIN = [
  line('o1', 'Ownership', { owner: ['middle'], asset: ['last'], percentage: ['100'] }),
  line('o2', 'Ownership', { owner: ['ivan'], asset: ['middle'], percentage: ['30'] }),
  line('o3', 'Ownership', { owner: ['petr'], asset: ['middle'], percentage: ['20'] }),
  line('o4', 'Ownership', { owner: ['ivan'], asset: ['other'], percentage: ['30'] }),
  line('o5', 'Ownership', { owner: ['ivan'], asset: ['other'], percentage: ['30'] }),
  line('o6', 'Ownership', { owner: ['last'], asset: ['middle'], percentage: ['50'] }),
  line('ivan', 'Person', { name: ['Ivan Examplov'] }, true),
  line('petr', 'Person', { name: ['Petr Examplov'] }, true),
  ...['last', 'middle', 'other'].map((id) => line(id, 'Company', { name: [`Example ${id}`] }, false)),
].join('\n');

/** Links stand before what they link. */
export const FTM_SANCTIONS = [
  line('s1', 'Sanction', { entity: ['ivan'], program: ['EXAMPLE-1'], listingDate: ['2023-04-05'] }),
  line('p1', 'Passport', { holder: ['ivan'], number: ['A1234567'], country: ['ru'] }),
  line('o1', 'Ownership', { owner: ['ivan'], asset: ['half'], percentage: ['50'] }),
  line('o2', 'Ownership', { owner: ['ivan'], asset: ['less'], percentage: ['49.9'] }),
  line(
    'ivan',
    'Person',
    {
      name: ['Ivan Examplov'],
      weakAlias: ['Vanya'],
      birthDate: ['1960-02-03'],
      nationality: ['ru'],
      gender: ['male'],
      innCode: ['771234567890'],
      addressEntity: ['a1'],
    },
    true,
  ),
  line('a1', 'Address', { full: ['1 Example Street, Moscow'] }),
  line('wife', 'Person', { name: ['Only Mentioned'] }, false),
  line('half', 'Company', { name: ['Half Owned Works'], jurisdiction: ['cy'] }, false),
  line('less', 'Company', { name: ['Less Owned Works'] }, false),
  line('ship', 'Vessel', { name: ['Example Star'], imoNumber: ['9562233'] }, true),
  line('w1', 'CryptoWallet', { publicKey: ['bc1qexample0000000000000000000000000000000'], holder: ['ivan'] }, true),
  line('w2', 'CryptoWallet', { publicKey: ['bc1qexample1111111111111111111111111111111'] }, true),
].join('\n');

export const FTM_WATCHED = [
  line('b1', 'Person', { name: ['Wanda Watchedova'], birthDate: ['1971'] }),
  line('b2', 'Organization', { name: ['Watched Works'] }),
].join('\n');

export const FTM_OFFICES = [
  line('d1', 'Person', {
    name: ['Petra Officeholderova'],
    topics: ['role.pep'],
    position: ['Head of the Example Board'],
    country: ['ch'],
  }),
  line('d2', 'Person', { name: ['Ruth Relativeova'], topics: ['role.rca'] }),
  line('d3', 'Person', { name: ['Nora Neitherova'] }),
].join('\n');
