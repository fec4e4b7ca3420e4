const PUTS_ONLY = /^\s*INSERT INTO (\w+)\b/;

const occurrences = (text: string, table: string): number => text.match(new RegExp(`\\b${table}\\b`, 'g'))?.length ?? 0;

/**
 * The tables whose keys a statement needs, to find rows or to avoid duplicates. These are all tables it names, except
 * one into which it only inserts new rows.
 */
export const tablesKeyedFor = (text: string, tables: readonly string[]): readonly string[] => {
  const filled = text.includes('ON CONFLICT') ? undefined : PUTS_ONLY.exec(text)?.[1];
  return tables.filter((table) => occurrences(text, table) > (table === filled ? 1 : 0));
};
