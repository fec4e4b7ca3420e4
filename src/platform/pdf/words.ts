/** Without the underscores of names. */
export const inWords = (name: string): string => name.replaceAll('_', ' ');

/** An ISO time in UTC as `2026-11-28 08:30 UTC`. */
export const minuteOf = (timestamp: string): string => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
