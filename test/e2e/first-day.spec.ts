import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';
import { runningService } from '../support/running-service.js';

const file = readFileSync(join(projectRoot, 'docs/first-day.http'), 'utf8');

interface Described {
  readonly title: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const described = (part: string): Described => {
  const [head = '', ...body] = part.trim().split('\n\n');
  const [title = '', line = '', ...headers] = head.split('\n');
  const [method = '', url = ''] = line.split(' ');
  return {
    title,
    method,
    url,
    headers: Object.fromEntries(headers.map((header) => header.split(': ', 2))) as Record<string, string>,
    body: body.length === 0 ? undefined : body.join('\n\n'),
  };
};

const requests = file.split(/^### /m).slice(1).map(described);

describe('the requests of a first day', () => {
  const service = runningService();

  it.each(requests)('are answered: $title', async ({ method, url, headers, body }) => {
    const filled = (text: string): string =>
      text.replaceAll('{{base_url}}', service.baseUrl).replaceAll('{{api_key}}', service.demo().api_key);
    const answer = await fetch(filled(url), {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.ok, await answer.json()]).toEqual([true, expect.any(Object)]);
  });
});
