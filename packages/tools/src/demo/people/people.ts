import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LIST_FORMATS, type ListFormat } from './formats.js';
import { type Person } from './person.js';

const HEAD_CHARACTERS = 4_096;

/** A list that was recognised. */
export interface PeopleList {
  readonly path: string;
  readonly format: ListFormat;
}

const isGzipped = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
};

const openText = async (path: string): Promise<Readable> => {
  const file = createReadStream(path);
  if (!(await isGzipped(path))) return file.setEncoding('utf8');
  // A fault of the file destroys the other end of the pipe with it, where the reader meets it.
  return pipeline(file, createGunzip(), () => undefined).setEncoding('utf8');
};

const headOf = async (path: string): Promise<string> => {
  let head = '';
  for await (const chunk of await openText(path)) {
    head += String(chunk);
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head.slice(0, HEAD_CHARACTERS);
};

const filesUnder = async (path: string): Promise<string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
};

/** The lists in a file or a folder; files of other kinds in a folder are passed over. Throws where there is none. */
export const findLists = async (path: string): Promise<PeopleList[]> => {
  const lists: PeopleList[] = [];
  for (const file of await filesUnder(path)) {
    const head = await headOf(file).catch(() => '');
    const format = LIST_FORMATS.find((candidate) => candidate.recognises(head));
    if (format !== undefined) lists.push({ path: file, format });
  }
  if (lists.length === 0) {
    const known = LIST_FORMATS.map((format) => format.name).join(', ');
    throw new Error(`${path} holds no list of people that can be read (${known}; gzipped or not)`);
  }
  return lists;
};

async function* readList(list: PeopleList): AsyncGenerator<Person> {
  yield* list.format.read((await openText(list.path)) as AsyncIterable<string>);
}

/** One from each source in turn, until all are at their end. */
export async function* inTurn<Item>(sources: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  let left = [...sources];
  try {
    while (left.length > 0) {
      for (const source of [...left]) {
        const next = await source.next();
        if (next.done === true) left = left.filter((other) => other !== source);
        else yield next.value;
      }
    }
  } finally {
    await Promise.all(left.map((source) => source.return(undefined)));
  }
}

/** The first `count` people of the lists, taken from each in turn, each of them once (by name and date of birth). */
export const readPeople = async (lists: readonly PeopleList[], count: number): Promise<Person[]> => {
  const people = new Map<string, Person>();
  for await (const person of inTurn(lists.map(readList))) {
    const key = `${person.fullName.toLowerCase()}|${person.dateOfBirth ?? ''}`;
    if (!people.has(key)) people.set(key, person);
    if (people.size >= count) break;
  }
  return [...people.values()];
};
