/** As many members as a body of 0.94 MB can have. V8 keeps each name, so that parsing them takes fifty times a text's time. */
const MEMBERS = 110_000;

export const membersText = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`;

/** 942,013 bytes. */
export const MANY_MEMBERS = membersText(MEMBERS);

/** As many bytes as another body, in one text. */
export const oneText = (like: string): string => JSON.stringify({ text: 'x'.repeat(like.length - 11) });

const DEPTH = 470_000;

/** 0.94 MB of brackets within brackets. */
export const DEEP = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
