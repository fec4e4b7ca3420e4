const PUTS_ONLY = /^\s*INSERT INTO (\w+)\b/;

const occurrences = (text: string, table: string): number => text.match(new RegExp(`\\b${table}\\b`, 'g'))?.length ?? 0;

/**
 * The tables by whose keys a statement finds rows, or is kept from putting one twice: all that it names, but for the one into
 * which it only puts new rows.
 */
export const tablesKeyedFor = (text: string, tables: readonly string[]): readonly string[] => {
  const filled = text.includes('ON CONFLICT') ? undefined : PUTS_ONLY.exec(text)?.[1];
  return tables.filter((table) => occurrences(text, table) > (table === filled ? 1 : 0));
};
