import { connect } from 'node:net';
import { type Answer } from './http-test-app.js';

/** The one error body, with the headers that every response carries. */
export const expectError = (answer: Answer, status: number, code: string): void => {
  expect({ status: answer.status, code: answer.json['error_code'] }).toEqual({ status, code });
  const members = Object.keys(answer.json).filter((name) => name !== 'errors');
  expect(members).toEqual(['detail', 'error_code', 'request_id', 'doc_url']);
  expect(answer.json['doc_url']).toMatch(new RegExp(`/docs#errors-${code.toLowerCase().replaceAll('_', '-')}$`));
  expect(answer.json['request_id']).toBe(answer.headers['x-request-id']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expectLimits(answer);
};

export const expectLimits = (answer: Answer): void => {
  expect(answer.headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  // Windows end with the minute.
  expect(Number(answer.headers['x-ratelimit-reset']) % 60).toBe(0);
};

/** Sends bytes as they are and reads until the connection closes. */
export const sendBytes = (url: string, bytes: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    socket.on('error', reject);
    socket.setTimeout(3_000, () => socket.destroy(new Error('no answer')));
    socket.on('close', () => {
      const [head = '', text = ''] = received.split('\r\n\r\n');
      const [line = '', ...lines] = head.split('\r\n');
      const headers: Record<string, string> = {};
      for (const header of lines) headers[(header.split(': ')[0] ?? '').toLowerCase()] = header.split(': ')[1] ?? '';
      resolve({ status: Number(line.split(' ')[1]), headers, text, json: JSON.parse(text) as Record<string, unknown> });
    });
  });
