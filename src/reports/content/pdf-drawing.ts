type Pdf = PDFKit.PDFDocument;

/** Points on each side of a page. */
export const MARGIN = 40;

const ROW_HEIGHT = 14;
const BAR_HEIGHT = 12;
const BAR_LABEL = 150;
const LONGEST_BAR = 480;
const MAX_BARS = 12;
const GREY = '#666666';
const SHADE = '#eef1f5';
const ACCENT = '#2f5d8a';

export interface Column {
  readonly title: string;
  /** Points. */
  readonly width: number;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** The standard fonts of PDF know Latin-1 only; other characters become a question mark. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');

const bottomOf = (pdf: Pdf): number => pdf.page.height - MARGIN - ROW_HEIGHT;

const drawRow = (pdf: Pdf, columns: readonly Column[], cells: readonly string[], y: number): void => {
  let x = MARGIN;
  for (const [index, { width }] of columns.entries()) {
    const text = printable(cells[index] ?? '');
    pdf.text(text, x + 3, y + 3, { width: width - 6, height: ROW_HEIGHT - 4, ellipsis: true, lineBreak: false });
    x += width;
  }
};

const drawHeader = (pdf: Pdf, columns: readonly Column[], y: number): number => {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  pdf.rect(MARGIN, y, width, ROW_HEIGHT).fill(SHADE).fillColor('black');
  pdf.font('Helvetica-Bold').fontSize(8);
  drawRow(
    pdf,
    columns,
    columns.map(({ title }) => title),
    y,
  );
  pdf.font('Helvetica').fontSize(8);
  return y + ROW_HEIGHT;
};

/** A table from the present place on, over as many pages as it needs, with its header on each. */
export const drawTable = (pdf: Pdf, columns: readonly Column[], rows: readonly (readonly string[])[]): void => {
  let y = drawHeader(pdf, columns, pdf.y);
  for (const row of rows) {
    if (y > bottomOf(pdf)) {
      pdf.addPage();
      y = drawHeader(pdf, columns, MARGIN);
    }
    drawRow(pdf, columns, row, y);
    y += ROW_HEIGHT;
  }
  pdf.x = MARGIN;
  pdf.y = y;
};

/** Horizontal bars, the longest for the greatest value; the smallest beyond twelve are left out. */
export const drawBars = (pdf: Pdf, title: string, bars: readonly Bar[]): void => {
  pdf.moveDown(0.5).fontSize(11).font('Helvetica-Bold').text(title);
  pdf.font('Helvetica').fontSize(8);
  const greatest = Math.max(1, ...bars.map(({ value }) => value));
  let y = pdf.y + 4;
  for (const { label, value } of bars.slice(0, MAX_BARS)) {
    pdf.fillColor('black').text(printable(label), MARGIN, y + 2, { width: BAR_LABEL, lineBreak: false });
    const length = Math.max(1, (LONGEST_BAR * value) / greatest);
    pdf.rect(MARGIN + BAR_LABEL, y, length, BAR_HEIGHT - 2).fill(ACCENT);
    pdf.fillColor('black').text(String(value), MARGIN + BAR_LABEL + length + 5, y + 2, { lineBreak: false });
    y += BAR_HEIGHT + 2;
  }
  pdf.x = MARGIN;
  pdf.y = y;
};

/** Writes a footer with the page's number on every page. */
export const numberPages = (pdf: Pdf, footer: string): void => {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    // Text below the margin would begin a new page.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - MARGIN + 12;
    pdf.fontSize(8).fillColor(GREY).text(footer, MARGIN, y, { lineBreak: false });
    const width = pdf.page.width - 2 * MARGIN;
    pdf.text(`Page ${index + 1} of ${count}`, MARGIN, y, { width, align: 'right', lineBreak: false });
  }
};
