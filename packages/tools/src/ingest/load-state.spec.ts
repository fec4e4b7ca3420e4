import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Batch } from './batches.js';
import { LoadState } from './load-state.js';
import { RejectedFile } from './rejected-file.js';

let folder: string;
let file: string;
let printed: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-state-'));
  file = join(folder, 'people.ndjson');
  printed = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (content = 'one'): Promise<LoadState> =>
  LoadState.open(file, content, 'http://here', {
    rejected: RejectedFile.of(file, undefined),
    print: (line) => printed.push(line),
  });

const batch = (start: number, count: number): Batch => ({
  start,
  lines: Array.from({ length: count }, (_, index) => ({ line: start + index + 1, end: 0, source: '', record: '{}' })),
});

describe('the state of a load', () => {
  it('tells, after an interruption, what is accepted, what has ended and what is still to be sent', async () => {
    const state = await open();
    await state.accept(batch(0, 500), 'first');
    await state.end(batch(0, 500), []);
    await state.accept(batch(500, 300), 'second');
    const resumed = await open();
    expect(resumed.resumed).toBe(true);
    expect(resumed.lastAccepted).toBe('second');
    expect(resumed.keyOf(batch(800, 200))).toBe(state.keyOf(batch(800, 200)));
    expect(resumed.acceptedOf(batch(0, 500))).toEqual([]);
    expect(resumed.restOf(batch(0, 500)).lines).toEqual([]);
    expect(resumed.acceptedOf(batch(500, 500))).toEqual([{ batch: batch(500, 300), batchId: 'second' }]);
    expect(resumed.restOf(batch(500, 500))).toEqual(batch(800, 200));
  });

  it('survives an end in the middle of writing', async () => {
    await (await open()).accept(batch(0, 500), 'first');
    appendFileSync(`${file}.progress`, '{"start":500,"cou');
    await (await open()).accept(batch(500, 500), 'second');
    const resumed = await open();
    expect(resumed.lastAccepted).toBe('second');
    expect(resumed.restOf(batch(500, 500)).lines).toEqual([]);
  });

  it('is another for a changed file, and for the same one once it came to its end', async () => {
    const state = await open();
    await state.accept(batch(0, 1), 'first');
    await state.end(batch(0, 1), [{ line: 1, code: 'INVALID_FIELD', detail: 'tier', source: '{}' }]);
    const changed = await open('other');
    expect([changed.resumed, existsSync(`${file}.rejected`)]).toEqual([false, false]);
    expect(printed).toEqual([expect.stringContaining('has changed')]);
    await changed.finish();
    expect((await open('other')).keyOf(batch(0, 1))).not.toBe(changed.keyOf(batch(0, 1)));
  });

  it('refuses a progress file that tells nothing, and leaves it', async () => {
    writeFileSync(`${file}.progress`, '{"fingerprint":"x","ended":[0]}');
    await expect(open()).rejects.toThrow(/to load from the start, delete it/);
    expect(readFileSync(`${file}.progress`, 'utf8')).toContain('fingerprint');
  });
});
