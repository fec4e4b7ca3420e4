import { eligibility } from '../../projections/eligibility/eligibility.projection.js';
import { screening } from '../../projections/screening/screening.projection.js';
import { OperatorAudit } from '../accounts/operator-audit.js';
import { systemClock } from '../kernel/clock.js';
import { type Config } from '../platform/config/config.js';
import { openVault } from '../platform/crypto/open-vault.js';
import { type AggregateStore } from '../log/append/aggregate-store.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { createLogger } from '../observability/logging.js';
import { Database } from '../platform/postgres/database.js';
import { PostgresReadModels, readModelSearchPath } from '../log/project/read-models.js';
import { DecisionFinder } from '../screening/decisions/decision-finder.js';
import { Decisions } from '../screening/decisions/decisions.js';
import { ScreenedDecisions } from '../screening/decisions/screened-decisions.js';
import { Judge } from '../screening/decisions/judge.js';
import { Replays } from '../screening/decisions/replays.js';
import { type ReplayResponse, toReplay } from '../screening/http/decision.response.js';
import { type Accepting } from '../screening/lists/accepting.js';
import { ListScreener } from '../screening/lists/list-screener.js';
import { type ListStore } from '../screening/lists/list-store.js';
import { PresentLists } from '../screening/lists/present-lists.js';
import { CommandLineActs } from './command-line-acts.js';
import { type Attribution } from './operator.js';

interface ReplayParts {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly events: EventStore;
  readonly aggregates: AggregateStore;
  readonly accepting: Accepting;
  readonly store: ListStore;
}

/** Identities have the names that screening in the background read. */
const READ = [screening, eligibility];

/** Names are shown only where they are to be revealed. Undefined if there is no such decision any more. */
export type ReplayDecision = (
  decisionId: string,
  reveal: boolean,
  by: Attribution,
) => Promise<ReplayResponse | undefined>;

/** Replays a decision of any account, recorded in the operators' log before it is shown. */
export const replayingWith =
  ({ config, databaseUrl, events, aggregates, accepting, store }: ReplayParts): ReplayDecision =>
  async (decisionId, reveal, by) => {
    const searchPath = `public,${readModelSearchPath(READ)}`;
    const database = new Database({ connectionString: databaseUrl, searchPath });
    const { vault, hashes, close } = await openVault(config, database, systemClock);
    const lists = new PresentLists(accepting, store, events, config, systemClock);
    const screener = new ListScreener(lists, store, config, createLogger('silent'));
    const readModels = new PostgresReadModels({ database, store: events, projections: READ });
    try {
      const found = await new DecisionFinder(
        new Decisions(vault, readModels, events),
        new ScreenedDecisions(readModels, vault, screener),
      ).find(decisionId);
      if (found === undefined) return undefined;
      const acts = new CommandLineActs(new OperatorAudit(aggregates, vault), hashes);
      const action = `screening -- replay${reveal ? ' --reveal' : ''}`;
      let replayed: ReplayResponse | undefined;
      await acts.perform({ action, by, tenantId: found.row.tenantId, target: { decision: decisionId } }, async () => {
        replayed = toReplay(await new Replays(screener, new Judge(readModels, hashes)).replay(found), reveal);
        return 0;
      });
      return replayed;
    } finally {
      screener.onApplicationShutdown();
      close();
      await database.close();
    }
  };
