import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dryRun } from './dry-run.js';
import { openRecords } from './records.js';
import { RejectedFile } from './rejected-file.js';
import { type ServiceRules } from './service-rules.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rejected-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Takes no e-mail without an @. */
const RULES: ServiceRules = {
  fields: ['email', 'full_name'],
  nearest: () => undefined,
  judge: (records) =>
    records.flatMap((record, index) =>
      String((record as Record<string, unknown>)['email']).includes('@')
        ? []
        : [{ field: `records[${index}].email`, code: 'INVALID_EMAIL', detail: 'A valid e-mail address' }],
    ),
};

const judge = async (file: string): Promise<{ readonly rejected: string; readonly printed: readonly string[] }> => {
  const printed: string[] = [];
  const records = await openRecords(file, RULES);
  const rejected = RejectedFile.of(file, records.layout);
  await dryRun(file, records, rejected, { rules: RULES, print: (line) => printed.push(line) });
  return { rejected: rejected.path, printed };
};

describe('rejected lines', () => {
  it('are a CSV with the columns of the file and the reason, which loads once it is mended', async () => {
    const file = join(folder, 'people.csv');
    writeFileSync(file, 'full_name;email;Note\n"Doe; ""J""";a;x\nB;b@x;\nC;c\nD;d;\n');
    const first = await judge(file);
    const text = readFileSync(first.rejected, 'utf8');
    expect(text).toBe(
      '\uFEFFfull_name;email;Note;ingest_error\n' +
        '"Doe; ""J""";a;x;line 2: INVALID_EMAIL: email: A valid e-mail address\n' +
        '"C;c";;;line 4: UNREADABLE: The row has 2 cells, and the first line names 3 fields\n' +
        'D;d;;line 5: INVALID_EMAIL: email: A valid e-mail address\n',
    );
    expect(statSync(first.rejected).mode & 0o777).toBe(0o600);
    expect(first.printed.at(-1)).toMatch(/^dry run, nothing was sent: 4 lines .* 3 rejected$/);
    writeFileSync(first.rejected, text.replace(';a;', ';a@x;').replace('"C;c";;', 'C;c@x;'));
    const second = await judge(first.rejected);
    expect(readFileSync(second.rejected, 'utf8')).toBe(
      '\uFEFFfull_name;email;Note;ingest_error\nD;d;;line 4: INVALID_EMAIL: email: A valid e-mail address\n',
    );
  });

  it('of JSON lines stand as JSON lines', async () => {
    const file = join(folder, 'people.ndjson');
    writeFileSync(file, '{"email":"a"}\n');
    const { rejected } = await judge(file);
    expect(JSON.parse(readFileSync(rejected, 'utf8'))).toEqual({
      line: 1,
      code: 'INVALID_EMAIL',
      detail: 'email: A valid e-mail address',
      source: '{"email":"a"}',
    });
  });
});
