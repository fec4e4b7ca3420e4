import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { projectRoot } from '../support/built.js';

const CHART = join(projectRoot, 'deploy', 'helm', 'kyc');
const helmInstalled = spawnSync('helm', ['version']).status === 0;
if (!helmInstalled) console.log('helm chart: SKIPPED, since there is no helm on the PATH (.ci/run has it)');

const KINDS = {
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  ConfigMap,
  Service,
  ServiceAccount,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  ServiceMonitor,
} as const;

interface Rendered {
  readonly kind: keyof typeof KINDS;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const SETTINGS = [
  ...['PUBLIC_URL=https://kyc.example.org', 'OIDC_ISSUER=https://id.example.org', 'OIDC_AUDIENCE=kyc'],
  ...['OIDC_JWKS_URL=https://id.example.org/jwks', 'MAIL_FROM=kyc@example.org'],
];
const REQUIRED = SETTINGS.flatMap((setting) => ['--set', `config.${setting}`]);

const template = (...words: string[]) =>
  spawnSync('helm', ['template', 'trial', CHART, ...words], { encoding: 'utf8', maxBuffer: 2 ** 24 });

const render = (...words: string[]): Rendered[] => {
  const { status, stdout, stderr } = template(...REQUIRED, ...words);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  return parseAllDocuments(stdout).flatMap((document) => {
    const object = document.toJS() as Rendered | null;
    return object === null ? [] : [object];
  });
};

const INGRESS = ['--set', 'ingress.enabled=true', '--set', 'ingress.host=kyc.example.org'];
const CASES: Readonly<Record<string, readonly string[]>> = {
  'the small deployment': [],
  'the large one': ['--values', join(CHART, 'values-large.yaml'), ...INGRESS],
};

const podsOf = (objects: readonly Rendered[]) =>
  objects.flatMap(({ kind, spec }) => {
    if (kind !== 'Deployment' && kind !== 'Job') return [];
    const { template: pod } = spec as { template: { spec: Readonly<Record<string, unknown>> } };
    return [pod.spec];
  });

(helmInstalled ? describe : describe.skip).each(Object.entries(CASES))('the chart, as %s', (_, words) => {
  it('renders objects that hold by the schemas of Kubernetes', () => {
    const objects = render(...words);
    expect(objects.length).toBeGreaterThan(8);
    for (const object of objects) {
      const Kind = KINDS[object.kind] as new (data: object) => { validate: () => void };
      expect([object.kind, Kind]).toEqual([object.kind, expect.any(Function)]);
      expect(() => new Kind(object).validate()).not.toThrow();
    }
  });

  it('runs as nobody in particular, on a file system that it cannot write', () => {
    const pods = podsOf(render(...words));
    expect(pods).toHaveLength(4);
    for (const pod of pods) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      const [container] = pod['containers'] as [object];
      const contained = {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      };
      expect(container).toMatchObject({ securityContext: contained });
    }
  });

  it('gives each role a budget of disruptions and the time that its end takes', () => {
    const objects = render(...words);
    for (const role of ['api', 'projections', 'jobs']) {
      expect(objects).toContainEqual(
        expect.objectContaining({
          kind: 'PodDisruptionBudget',
          metadata: expect.objectContaining({ name: `trial-${role}` }) as object,
        }),
      );
    }
    for (const pod of podsOf(objects).filter(({ restartPolicy }) => restartPolicy === undefined))
      expect(pod['terminationGracePeriodSeconds']).toBeGreaterThanOrEqual(45);
  });

  it('sets variables that the service takes in production', () => {
    const map = render(...words).find(({ kind }) => kind === 'ConfigMap');
    // The file is mounted in the cluster.
    const { KEY_FILE, ...data } = map?.data ?? {};
    expect(KEY_FILE).toBe('/run/keys/keys.json');
    const bytes = Buffer.alloc(32, 7).toString('base64');
    const secret = {
      KEYS: JSON.stringify({ index_root: bytes, encryption_keys: { 1: bytes } }),
      EVENTSTORE_URL: 'esdb://admin:x@eventstore:2113?tls=true',
      DATABASE_URL: 'postgresql://kyc:x@postgres:5432/kyc?sslmode=verify-full',
      REDIS_URL: 'rediss://redis:6379/0',
      SMTP_URL: 'smtps://mail:465',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    };
    expect(loadConfig({ ...data, ...secret, PROCESS_ROLES: 'api' })).toMatchObject({ environment: 'production' });
  });
});

(helmInstalled ? it : it.skip)('sets numbers as they stand in a values file, however large', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-helm-'));
  const values = join(folder, 'values.yaml');
  writeFileSync(
    values,
    'config:\n  SANDBOX_RATE_LIMIT: 1000000\n  SCREENING_POTENTIAL_SCORE: 0.85\n  TIMING_GRACE_PERIOD_MS: 2592000000\n',
  );
  try {
    const map = render('--values', values).find(({ kind }) => kind === 'ConfigMap');
    expect(map?.data).toMatchObject({
      ...{ SANDBOX_RATE_LIMIT: '1000000', SCREENING_POTENTIAL_SCORE: '0.85', TIMING_GRACE_PERIOD_MS: '2592000000' },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

(helmInstalled ? it : it.skip)('brings the rules of deploy/prometheus, and scales the large deployment', () => {
  const objects = render('--values', join(CHART, 'values-large.yaml'));
  const rules = objects.find(({ kind }) => kind === 'PrometheusRule');
  expect(rules?.spec).toEqual(parse(readFileSync(join(projectRoot, 'deploy', 'prometheus', 'rules.yml'), 'utf8')));
  const scaled = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
  expect(scaled.sort()).toEqual(['trial-api', 'trial-jobs']);
  const api = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'trial-api');
  expect(api?.spec).not.toHaveProperty('replicas');
});

(helmInstalled ? it : it.skip).each([
  [['--set', 'config.DATABASE_URL=postgresql://x'], 'config'],
  [['--set', 'roles.api.replicas=0'], 'replicas'],
  [['--set', 'ingres.enabled=true'], 'ingres'],
  [['--set', 'ingress.enabled=true'], 'ingress.host'],
  [['--set', 'secrets.keys=Not A Name'], 'keys'],
])('refuses %j by its name', (words, named) => {
  const { status, stderr } = template(...REQUIRED, ...words);
  expect([status, stderr]).toEqual([1, expect.stringContaining(named)]);
});
