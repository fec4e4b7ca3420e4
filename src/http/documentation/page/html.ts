/** Text as HTML; `code` between backquotes. */
export const text = (plain: string): string =>
  escaped(plain).replace(/`([^`]+)`/g, (_, inner: string) => `<code>${inner}</code>`);

export const escaped = (plain: string): string =>
  plain.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export const code = (plain: string): string => `<code>${escaped(plain)}</code>`;

export const paragraphs = (...plain: readonly string[]): string => plain.map((one) => `<p>${text(one)}</p>`).join('');

/** A block of code, which the page gives a button that copies it. */
export const block = (plain: string, label: string): string =>
  `<figure class="block"><figcaption>${escaped(label)}</figcaption><pre tabindex="0"><code>${escaped(plain)}</code></pre></figure>`;

export const shell = (command: string): string => block(command, 'Shell');

export const json = (value: unknown, label: string): string => block(JSON.stringify(value, undefined, 2), label);

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = (tag: string, values: readonly string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('');
  return `<div class="wide" tabindex="0"><table><thead><tr>${cells('th', heads)}</tr></thead><tbody>${body}</tbody></table></div>`;
};
