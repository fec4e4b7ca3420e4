import { type Http } from './load/http.js';
import { eventually } from './processes.js';
import { unzip } from './unzip.js';

/** The files of an account's export, by name. */
export const exportedFiles = async (
  http: Http,
  apiKey: string,
  body: object = {},
): Promise<ReadonlyMap<string, string>> => {
  const asked = await http.expect(202, { path: '/api/v1/data-export', apiKey, body });
  const path = `/api/v1/data-export/${String(asked.json['export_id'])}`;
  const url = await eventually('the export', async () => {
    const { json } = await http.expect(200, { path, apiKey });
    return typeof json['download_url'] === 'string' && json['download_url'];
  });
  const archive = await fetch(url);
  return unzip(Buffer.from(await archive.arrayBuffer()));
};
