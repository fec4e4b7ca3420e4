import { headOf, listSections, type Report, summaryOf } from './report.js';

/** A report as one JSON object: what it is, then a member for each section. */
export async function* reportAsJson(report: Report): AsyncGenerator<Buffer> {
  const head = JSON.stringify(headOf(report));
  yield Buffer.from(head.slice(0, -1));
  if (report.include.includes('summary')) {
    yield Buffer.from(`,"summary":${JSON.stringify(summaryOf(await report.source.tally()))}`);
  }
  for (const section of listSections(report)) {
    yield Buffer.from(`,"${section}":[`);
    let separator = '';
    for await (const page of report.source.entries(section)) {
      yield Buffer.from(separator + page.map((entry) => JSON.stringify(entry)).join(','));
      separator = ',';
    }
    yield Buffer.from(']');
  }
  yield Buffer.from('}\n');
}
