import sax from 'sax';

/** An element with what stands in it; names without their namespace prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: OpenElement[];
  text: string;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const refuse = (fault: Error | undefined): void => {
  if (fault !== undefined) throw new Error(`not well-formed XML: ${fault.message.replaceAll('\n', ', ')}`);
};

/** The elements called `name`, one at a time, so that a list of any size is read in little memory. */
export async function* xmlElements(chunks: AsyncIterable<string>, name: string): AsyncGenerator<XmlElement> {
  const parser = sax.parser(true);
  const open: OpenElement[] = [];
  let complete: XmlElement[] = [];
  let fault: Error | undefined;
  parser.onopentag = (tag) => {
    if (open.length === 0 && localName(tag.name) !== name) return;
    const element = {
      name: localName(tag.name),
      attributes: tag.attributes as Record<string, string>,
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.ontext = parser.oncdata = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.onclosetag = () => {
    const element = open.pop();
    if (element !== undefined && open.length === 0) complete.push(element);
  };
  parser.onerror = (error) => (fault ??= error);
  for await (const chunk of chunks) {
    parser.write(chunk);
    refuse(fault);
    yield* complete;
    complete = [];
  }
  parser.close();
  refuse(fault);
}

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

export const childText = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text.trim() ?? '';
