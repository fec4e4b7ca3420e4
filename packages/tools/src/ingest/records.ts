import { extname } from 'node:path';
import { AS_IT_STANDS, type CsvOptions } from './csv-layout.js';
import { openCsv } from './csv-records.js';
import { readLines } from './lines.js';
import { isJsonObject, type Line, type RecordFile, unreadable, UnreadableFile } from './record-file.js';
import { type ServiceRules } from './service-rules.js';

async function* readNdjson(file: string): AsyncIterable<Line> {
  for await (const { number: line, end, text: source, fault } of readLines(file)) {
    if (fault !== undefined) yield { line, end, source, fault };
    else if (isJsonObject(source)) yield { line, end, source, record: source };
    else if (source.trim() !== '') yield { line, end, source, fault: unreadable('The line is not a JSON object') };
  }
}

/** Whether anything is said that only the columns of a CSV file can be asked. */
const asksForColumns = ({ map, extraColumns, dateFormat }: CsvOptions): boolean =>
  map.size > 0 || extraColumns.length > 0 || dateFormat !== undefined;

/**
 * The records of a .ndjson (or .jsonl) file, one object a line, or of a .csv (or .tsv) file whose first line names the
 * fields. Errors: UnreadableFile, before anything is loaded.
 */
export const openRecords = async (
  file: string,
  rules: ServiceRules,
  options: CsvOptions = AS_IT_STANDS,
): Promise<RecordFile> => {
  const ending = extname(file).toLowerCase();
  if (ending === '.csv' || ending === '.tsv') return openCsv(file, options, rules);
  if (ending !== '.ndjson' && ending !== '.jsonl') throw new UnreadableFile(`${file} is neither .ndjson nor .csv`);
  if (asksForColumns(options))
    throw new UnreadableFile(`--map, --date-format and --extra-columns are for CSV files, and ${file} is none`);
  return { notes: [], lines: () => readNdjson(file) };
};
