import { appendFile, stat, unlink } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { type CsvLayout, ERROR_COLUMN } from './csv-layout.js';
import { type Fault } from './lines.js';

/** A line that was not taken, with the reason, to be mended and loaded again. */
export interface RejectedLine extends Fault {
  readonly line: number;
  readonly source: string;
  readonly cells?: readonly string[];
}

const asJson = ({ line, code, detail, source }: RejectedLine): string =>
  `${JSON.stringify({ line, code, detail, source })}\n`;

/**
 * Where rejected lines go. Those of a CSV file make a CSV with its columns and one more for the reason, which a later
 * load of that file passes over. A row that could not be parted into its columns stands whole in the first one.
 */
export class RejectedFile {
  constructor(
    readonly path: string,
    private readonly layout: CsvLayout | undefined,
  ) {}

  static of(file: string, layout: CsvLayout | undefined): RejectedFile {
    return new RejectedFile(`${file}.rejected${layout === undefined ? '' : '.csv'}`, layout);
  }

  async clear(): Promise<void> {
    await unlink(this.path).catch(() => undefined);
  }

  async append(lines: readonly RejectedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const { layout } = this;
    const text = layout === undefined ? lines.map(asJson).join('') : this.rows(lines, layout, await this.isEmpty());
    await appendFile(this.path, text, { mode: 0o600 });
  }

  async isEmpty(): Promise<boolean> {
    const found = await stat(this.path).catch(() => undefined);
    return found === undefined || found.size === 0;
  }

  /** A byte order mark at the start tells spreadsheet programs that the text is UTF-8. */
  private rows(lines: readonly RejectedLine[], { columns, delimiter }: CsvLayout, withHeader: boolean): string {
    const at = columns.indexOf(ERROR_COLUMN);
    const withReason = (cells: readonly string[], reason: string): readonly string[] =>
      at < 0 ? [...cells, reason] : cells.with(at, reason);
    const rows = lines.map(({ line, code, detail, source, cells }) =>
      withReason(cells ?? columns.map((_, index) => (index === 0 ? source : '')), `line ${line}: ${code}: ${detail}`),
    );
    const header = withHeader ? [at < 0 ? [...columns, ERROR_COLUMN] : columns] : [];
    return stringify([...header, ...rows], { delimiter, bom: withHeader });
  }
}
