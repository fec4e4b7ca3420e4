import { type CsvLayout } from './csv-layout.js';
import { type Fault } from './lines.js';

/** One record of the file, or why its line is none. */
export interface Line {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** Bytes of the file up to its end. */
  readonly end: number;
  /** As it stands in the file. */
  readonly source: string;
  /** The cells of a CSV row, one a column. */
  readonly cells?: readonly string[];
  /** As JSON text, so that no number is rounded on the way; none where the line is at fault. */
  readonly record?: string;
  readonly fault?: Fault;
}

/** A file that was opened: what is to be said of it, and its lines as often as they are wanted, past those that are blank. */
export interface RecordFile {
  readonly notes: readonly string[];
  /** Of a CSV file. */
  readonly layout?: CsvLayout;
  readonly lines: (onBlank?: () => void) => AsyncIterable<Line>;
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export const unreadable = (detail: string): Fault => ({ code: 'UNREADABLE', detail });

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonObject = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};
