/** Text as HTML; `code` between backquotes. */
export const text = (plain: string): string =>
  plain
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`);

export const paragraphs = (...plain: readonly string[]): string => plain.map((one) => `<p>${text(one)}</p>`).join('');

export const shell = (command: string): string => `<pre tabindex="0"><code>${text(command)}</code></pre>`;

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = (tag: string, values: readonly string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('');
  return `<div class="wide" tabindex="0"><table><thead><tr>${cells('th', heads)}</tr></thead><tbody>${body}</tbody></table></div>`;
};
