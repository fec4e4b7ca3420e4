import { endOf } from '../../platform/config/certificates.js';
import { type Config } from '../../platform/config/config.js';
import { type HealthChecks, type PartState } from '../../observability/health.js';
import { type Metrics } from '../../observability/metrics.js';
import { type Database } from '../../platform/postgres/database.js';

const STATES: Readonly<Record<PartState, number>> = { up: 1, degraded: 0.5, down: 0 };

/** Of the certificate that this process uses: a renewed file counts from the next start on. */
const expiryOf = (files: Config['tls']): number => (files === undefined ? Infinity : endOf(files.certFile) / 1_000);

/** By purpose, of the keys that sign now. */
const signingKeyAges = async (database: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await database.query<{ purpose: string; age: number }>(
    `SELECT purpose, extract(epoch FROM now() - created_at)::float8 AS age FROM signing_keys WHERE retired_at IS NULL`,
  );
  return new Map(rows.map(({ purpose, age }) => [purpose, age]));
};

/** What a process is, how its parts stand, and how old what it signs and serves with is. */
export const observeStanding = (
  { roles, tls, verifier }: Pick<Config, 'roles' | 'tls' | 'verifier'>,
  health: HealthChecks,
  database: Database,
  metrics: Metrics,
): void => {
  const own = new Map([...roles].map((role) => [role, 1]));
  metrics.gauge('role_present', '1 for each role of this process', 'role', () => own);
  metrics.storedGauges(
    'part_state',
    'Parts as readiness reports them: 1 up, 0.5 degraded, 0 down',
    'part',
    async () => {
      const { parts } = await health.ready();
      return new Map(Object.entries(parts).map(([part, state]) => [part, STATES[state]]));
    },
  );
  metrics.storedGauges('signing_key_age_seconds', 'Age of the key that signs now, by purpose', 'purpose', () =>
    signingKeyAges(database),
  );
  const expiries = new Map([
    ['tls', expiryOf(tls)],
    ['verifier', expiryOf(verifier)],
  ]);
  const help = 'When the certificate ends; +Inf without one';
  metrics.gauge('certificate_expiry_timestamp_seconds', help, 'certificate', () => expiries);
};
