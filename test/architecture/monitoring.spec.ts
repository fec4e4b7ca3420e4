import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/built.js';
import { documentedMetrics } from '../support/documented-metrics.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { expr: string }[];
  }[];
}

const fileOf = (path: string): string => readFileSync(join(projectRoot, 'deploy', path), 'utf8');

/** Words of PromQL that name no metric: what it computes with. Labels stand in braces or after `by`. */
const WORDS = new Set([
  'absent',
  'min',
  'sum',
  'rate',
  'increase',
  'max',
  'by',
  'or',
  'unless',
  'offset',
  'histogram_quantile',
  'time',
  'le',
  'm',
  'h',
]);

const metricsIn = (expr: string): string[] => {
  const bare = expr
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bby \([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  const names = [...bare.matchAll(/[a-z_][a-z0-9_]*/g)].map(([name]) => name).filter((name) => !WORDS.has(name));
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
};

const documented = documentedMetrics();
const unknownIn = (expr: string): string[] =>
  metricsIn(expr).filter((name) => !documented.has(name) && !/^(?:process|nodejs)_/.test(name));

const rules = (parse(fileOf('prometheus/rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(fileOf('grafana/dashboards/kyc.json')) as Dashboard;

it.each(rules.map(({ alert, expr }) => [alert, expr]))('alerts with %s on metrics that exist', (_alert, expr) => {
  expect(metricsIn(expr).length).toBeGreaterThan(0);
  expect(unknownIn(expr)).toEqual([]);
});

it.each(panels.map(({ title, targets }) => [title, targets] as const))(
  'shows %s from metrics that exist',
  (_title, targets) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) expect([expr, unknownIn(expr)]).toEqual([expr, []]);
  },
);

it('gives each alert and each panel a name of its own', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
