import sax from 'sax';
import { NotAList, type SourceFile, textOf } from './source.js';

/** An element with local names: namespaces of the lists have changed over time. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

export interface XmlReading {
  /** The document must have this root. */
  readonly root: string;
  /** Elements that are read whole. Those around them are passed over. */
  readonly records: ReadonlySet<string>;
  readonly onRoot?: (attributes: Readonly<Record<string, string>>) => void;
  readonly onRecord: (element: XmlElement) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const MAX_DEPTH = 64;

class RecordReader {
  private readonly open: XmlElement[] = [];
  private depth = 0;

  constructor(
    private readonly file: string,
    private readonly reading: XmlReading,
  ) {}

  begin({ name, attributes }: sax.Tag): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotAList(`${this.file} nests elements too deeply`);
    const element: XmlElement = { name: localName(name), attributes, children: [], text: '' };
    if (this.depth === 1) this.checkRoot(element);
    const parent = this.open.at(-1);
    if (parent === undefined && !this.reading.records.has(element.name)) return;
    parent?.children.push(element);
    this.open.push(element);
  }

  text(text: string): void {
    const element = this.open.at(-1);
    if (element !== undefined) element.text += text;
  }

  end(): void {
    this.depth -= 1;
    const element = this.open.pop();
    if (element !== undefined && this.open.length === 0) this.reading.onRecord(element);
  }

  private checkRoot({ name, attributes }: XmlElement): void {
    const { root, onRoot } = this.reading;
    if (name !== root) throw new NotAList(`${this.file} begins with <${name.slice(0, 40)}>, not with <${root}>`);
    onRoot?.(attributes);
  }
}

/** Reads the records of a document of any length. Throws NotAList for anything else, and for a DTD. */
export const readXml = async (file: SourceFile, reading: XmlReading): Promise<void> => {
  const parser = sax.parser(true, { trim: true });
  const records = new RecordReader(file.name, reading);
  parser.onerror = () => {
    throw new NotAList(`${file.name} is not XML from its beginning to its end`);
  };
  parser.ondoctype = () => {
    throw new NotAList(`${file.name} has a DTD`);
  };
  parser.onopentag = (tag) => records.begin(tag as sax.Tag);
  parser.ontext = (text) => records.text(text);
  parser.oncdata = (text) => records.text(text);
  parser.onclosetag = () => records.end();
  for await (const piece of textOf(file)) parser.write(piece);
  parser.close();
};

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** The text of the first child of this name; empty where there is none. */
export const textIn = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text.trim() ?? '';

/** The elements of this name at any depth. */
export const within = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...within(child, name)]);

/** Their texts, without the empty ones. */
export const textsWithin = (element: XmlElement, name: string): string[] =>
  within(element, name)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');

/** The texts of the elements at this path. */
export const textsAt = (element: XmlElement, ...path: readonly string[]): string[] => {
  const [name, ...rest] = path;
  if (name === undefined) return [element.text.trim()].filter((text) => text !== '');
  return childrenOf(element, name).flatMap((child) => textsAt(child, ...rest));
};
