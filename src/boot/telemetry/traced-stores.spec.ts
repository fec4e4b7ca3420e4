import { summaryOf } from './traced-stores.js';

it.each([
  ['SELECT a, b FROM identities WHERE a = $1', 'SELECT identities'],
  ['\n  INSERT INTO public.dead_jobs (a) VALUES ($1)', 'INSERT public.dead_jobs'],
  ['UPDATE things SET a = $1', 'UPDATE things'],
  ['DELETE FROM dead_jobs WHERE died_at < now()', 'DELETE dead_jobs'],
  ['COMMIT', 'COMMIT'],
])('names the statement %j', (text, summary) => {
  expect(summaryOf(text).summary).toBe(summary);
});

it('takes the name that a statement has', () => {
  expect(summaryOf('SELECT 1', 'find_things')).toEqual({ operation: 'SELECT', summary: 'find_things' });
});
