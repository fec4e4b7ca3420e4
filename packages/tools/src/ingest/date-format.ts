const TOKENS = /YYYY|MM|M|DD|D/g;
const PATTERNS: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  MM: String.raw`(?<month>\d{2})`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{2})`,
  D: String.raw`(?<day>\d{1,2})`,
};
const ONE_OF_EACH = /^(?=.*year)(?=.*month)(?=.*day)/;

/** How dates are written in a file, such as DD.MM.YYYY. */
export class DateFormat {
  private constructor(
    readonly text: string,
    private readonly pattern: RegExp,
  ) {}

  /** Undefined where the text does not have the year, the month and the day once each. */
  static of(text: string): DateFormat | undefined {
    const tokens = text.match(TOKENS) ?? [];
    if (tokens.length !== 3 || /[A-Za-z0-9]/.test(text.replaceAll(TOKENS, ''))) return undefined;
    const source = text
      .replaceAll(/[^A-Z]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
      .replaceAll(TOKENS, (token) => PATTERNS[token] ?? '');
    return ONE_OF_EACH.test(source) ? new DateFormat(text, new RegExp(`^${source}$`, 'u')) : undefined;
  }

  /** As YYYY-MM-DD, whether or not the calendar has that day; undefined where the text is written otherwise. */
  read(text: string): string | undefined {
    const { year, month, day } = this.pattern.exec(text)?.groups ?? {};
    return year === undefined ? undefined : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  }
}
