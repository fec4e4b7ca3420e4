import { NotAList, parsed, type SourceFile, textOf } from './source.js';

export type Row = Readonly<Record<string, string | undefined>>;

/** The rows of a table whose first line, or that of this number, names the columns. Throws NotAList for a row that is cut off. */
export async function* rowsOf(
  file: SourceFile,
  { fromLine = 1 }: { readonly fromLine?: number } = {},
): AsyncGenerator<Row> {
  const rows = parsed<Row>(textOf(file), {
    columns: true,
    fromLine,
    bom: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    trim: true,
  });
  try {
    for await (const row of rows) yield row;
  } catch (error) {
    if (error instanceof NotAList) throw error;
    throw new NotAList(`${file.name} is not a table with the same columns in each row`, { cause: error });
  }
}
