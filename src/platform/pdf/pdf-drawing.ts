import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import qrcode from 'qrcode-generator';

type Pdf = PDFKit.PDFDocument;
type Section = PDFKit.PDFStructureElement;

/** Points on each side of a page. */
export const MARGIN = 40;

const ROW_HEIGHT = 14;
const BAR_HEIGHT = 12;
const BAR_LABEL = 170;
const MAX_BAR = 460;
/** Points on a side. */
export const CODE_SIZE = 120;
const GREY = '#555555';
const SHADE = '#eef1f5';
const ACCENT = '#2f5d8a';

export interface Column {
  readonly title: string;
  /** Points. */
  readonly width: number;
  readonly align?: 'left' | 'right';
}

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** An empty PDF/A-3a, and the structure that its parts belong to. */
export const openPdf = async (
  title: string,
  madeAt: Date,
  layout: 'landscape' | 'portrait',
): Promise<{ readonly pdf: Pdf; readonly section: Section }> => {
  // Few processes draw a PDF, and the fonts take long to load.
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: 'A4',
    layout,
    margin: MARGIN,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    // Page numbers name the last page, so the pages wait until all are drawn.
    bufferPages: true,
    info: { Title: title, CreationDate: madeAt },
  });
  registerFonts(pdf);
  const section = pdf.struct('Document');
  pdf.addStructure(section);
  return { pdf, section };
};

/** DejaVu has the scripts of WRITTEN. */
const registerFonts = (pdf: Pdf): void => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  pdf.registerFont('text', join(folder, 'DejaVuSans.ttf'));
  pdf.registerFont('bold', join(folder, 'DejaVuSans-Bold.ttf'));
  pdf.registerFont('mono', join(folder, 'DejaVuSansMono.ttf'));
};

/** What the fonts can draw. An emoji or a letter of another script would be an empty box, and its line too long. */
const WRITTEN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Inherited}]/u;
/** Punctuation and signs of all scripts stand below it. */
const SIGNS_END = 0x2c00;

const isDrawn = (letter: string): boolean =>
  WRITTEN.test(letter) ||
  ((letter.codePointAt(0) ?? 0) < SIGNS_END &&
    /\p{Script=Common}/u.test(letter) &&
    !/\p{Emoji_Presentation}/u.test(letter));

/** Without breaks of its own. A letter that the fonts lack stands as its code point, as `U+682A`. */
export const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\P{ASCII}/gu, (letter) =>
      isDrawn(letter) ? letter : `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} `,
    );

const bottomOf = (pdf: Pdf): number => pdf.page.height - MARGIN;

/** A part of the document, under a heading that readers of the screen can jump to. */
export const drawHeading = (pdf: Pdf, section: Section, level: 'H1' | 'H2', text: string): void => {
  const size = level === 'H1' ? 24 : 15;
  section.add(pdf.struct(level, {}, () => pdf.font('bold').fontSize(size).fillColor('black').text(printable(text))));
  pdf.moveDown(0.4);
};

/** `beside`: points that it leaves free at the right. */
export const drawParagraph = (
  pdf: Pdf,
  section: Section,
  text: string,
  font: 'text' | 'mono' = 'text',
  beside = 0,
): void => {
  section.add(
    pdf.struct('P', {}, () =>
      pdf
        .font(font)
        .fontSize(font === 'mono' ? 8 : 9.5)
        .fillColor('black')
        .text(printable(text), { width: pdf.page.width - 2 * MARGIN - beside }),
    ),
  );
  pdf.moveDown(font === 'mono' ? 0 : 0.6);
};

interface Row {
  readonly cells: readonly string[];
  readonly y: number;
  readonly kind: 'TH' | 'TD';
}

const boxOf = ({ width, align = 'left' }: Column) => ({ width: width - 6, align });

/** Of the tallest cell: nothing of a cell is left out. */
const heightOf = (pdf: Pdf, columns: readonly Column[], cells: readonly string[]): number =>
  Math.max(
    ROW_HEIGHT,
    ...columns.map((column, index) => 6 + pdf.heightOfString(printable(cells[index] ?? ''), boxOf(column))),
  );

const drawRow = (pdf: Pdf, table: Section, columns: readonly Column[], { cells, y, kind }: Row): void => {
  const row = pdf.struct('TR');
  table.add(row);
  let x = MARGIN;
  for (const [index, column] of columns.entries()) {
    const at = x + 3;
    const text = printable(cells[index] ?? '');
    row.add(pdf.struct(kind, {}, () => pdf.text(text, at, y + 3, boxOf(column))));
    x += column.width;
  }
  row.end();
};

const drawHeader = (pdf: Pdf, table: Section, columns: readonly Column[], y: number): number => {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  pdf.rect(MARGIN, y, width, ROW_HEIGHT).fill(SHADE).fillColor('black');
  pdf.font('bold').fontSize(7.5);
  drawRow(pdf, table, columns, { cells: columns.map(({ title }) => title), y, kind: 'TH' });
  pdf.font('text').fontSize(7.5);
  return y + ROW_HEIGHT;
};

/** A table from the present place on, over as many pages as it needs, with its header on each. */
export const drawTable = (
  pdf: Pdf,
  section: Section,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): void => {
  const table = pdf.struct('Table');
  section.add(table);
  let y = drawHeader(pdf, table, columns, pdf.y);
  for (const cells of rows) {
    const height = heightOf(pdf, columns, cells);
    if (y + height > bottomOf(pdf)) {
      pdf.addPage();
      y = drawHeader(pdf, table, columns, MARGIN);
    }
    drawRow(pdf, table, columns, { cells, y, kind: 'TD' });
    y += height;
  }
  table.end();
  pdf.x = MARGIN;
  pdf.y = y + 6;
};

/** Horizontal bars, one for each value, with the values beside them. */
export const drawBars = (pdf: Pdf, section: Section, title: string, bars: readonly Bar[]): void => {
  const greatest = Math.max(1, ...bars.map(({ value }) => value));
  const values = bars.map(({ label, value }) => `${label}: ${value}`).join(', ');
  const draw = (): void => {
    pdf.font('text').fontSize(8);
    let y = pdf.y + 4;
    for (const { label, value } of bars) {
      pdf.fillColor('black').text(printable(label), MARGIN, y + 2, { width: BAR_LABEL, lineBreak: false });
      const length = Math.max(1, (MAX_BAR * value) / greatest);
      pdf.rect(MARGIN + BAR_LABEL, y, length, BAR_HEIGHT - 2).fill(ACCENT);
      const shown = value.toLocaleString('en');
      pdf.fillColor('black').text(shown, MARGIN + BAR_LABEL + length + 5, y + 2, { lineBreak: false });
      y += BAR_HEIGHT + 2;
    }
    pdf.x = MARGIN;
    pdf.y = y + 6;
  };
  section.add(pdf.struct('Figure', { alt: `${title}. ${values}` }, draw));
};

/** Large numbers in a row, each under what it counts. */
export const drawFigures = (pdf: Pdf, section: Section, figures: readonly Bar[]): void => {
  const width = (pdf.page.width - 2 * MARGIN) / figures.length;
  const { y } = pdf;
  for (const [index, { label, value }] of figures.entries()) {
    const x = MARGIN + index * width;
    const draw = (): void => {
      pdf
        .font('text')
        .fontSize(8.5)
        .fillColor(GREY)
        .text(printable(label), x, y, { width: width - 12 });
      pdf
        .font('bold')
        .fontSize(20)
        .fillColor('black')
        .text(value.toLocaleString('en'), x, y + 13, { width: width - 12 });
    };
    section.add(pdf.struct('P', {}, draw));
  }
  pdf.x = MARGIN;
  pdf.y = y + 48;
};

/** A QR code (ISO/IEC 18004) of a text at the right edge, from this height on. Texts go beside it. */
export const drawCode = (
  pdf: Pdf,
  section: Section,
  { text, alt }: { readonly text: string; readonly alt: string },
): void => {
  const code = qrcode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const modules = code.getModuleCount();
  const cell = CODE_SIZE / modules;
  const [left, top] = [pdf.page.width - MARGIN - CODE_SIZE, pdf.y];
  const draw = (): void => {
    pdf.fillColor('black');
    for (let row = 0; row < modules; row += 1)
      for (let column = 0; column < modules; column += 1)
        if (code.isDark(row, column)) pdf.rect(left + column * cell, top + row * cell, cell, cell);
    pdf.fill();
  };
  section.add(pdf.struct('Figure', { alt }, draw));
  pdf.x = MARGIN;
  pdf.y = top;
};

/** Writes a footer with the page's number on every page. */
export const numberPages = (pdf: Pdf, footer: string): void => {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    // Text below the margin would begin a new page.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - MARGIN + 12;
    const width = pdf.page.width - 2 * MARGIN;
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf.font('text').fontSize(7.5).fillColor(GREY).text(footer, MARGIN, y, { lineBreak: false });
    pdf.text(`Page ${index + 1} of ${count}`, MARGIN, y, { width, align: 'right', lineBreak: false });
    pdf.endMarkedContent();
  }
};
