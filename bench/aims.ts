import { type Figure } from './figures.js';
import { type Aim } from './report.js';

const find = (figures: readonly Figure[], program: string, load: string, tenants?: number): Figure[] =>
  figures.filter(
    (figure) =>
      figure.program.startsWith(program) &&
      figure.load === load &&
      (tenants === undefined || figure.tenants === tenants),
  );

const best = (figures: readonly Figure[]): number => Math.max(...figures.map((figure) => figure.perSecond));

/** Processor time per request of all processes of the program, in microseconds. The load generator's time is not included. */
const processorTime = ({ cpu }: Figure): number =>
  Object.entries(cpu).reduce((sum, [group, micros]) => (group === 'load generator' ? sum : sum + micros), 0);

/** Compares the service with the bare handler and with Emmett, all of one run. */
export const aimsAgainstPeers = (figures: readonly Figure[], tenants: number): Aim[] => {
  const aims: Aim[] = [];
  const bare = { closed: find(figures, 'bare', 'closed')[0], open: find(figures, 'bare', 'open')[0] };
  for (const [name, accounts, atLeast] of [
    ['one hot account', 1, 0.8],
    [`${tenants} accounts`, tenants, 0.75],
  ] as const) {
    const closed = find(figures, 'service', 'closed', accounts)[0];
    const open = find(figures, 'service', 'open', accounts)[0];
    if (closed === undefined || open === undefined || bare.closed === undefined || bare.open === undefined) continue;
    aims.push(
      { what: `rate, ${name}, over bare`, value: closed.perSecond / bare.closed.perSecond, atLeast, unit: '×' },
      {
        what: `processor time, ${name}, over bare`,
        value: processorTime(closed) / processorTime(bare.closed),
        atMost: 1.2,
        unit: '×',
      },
      { what: `p99, ${name}, closed, over bare`, value: closed.p99 / bare.closed.p99, atMost: 2, unit: '×' },
      { what: `p99, ${name}, open, over bare`, value: open.p99 / bare.open.p99, atMost: 3.5, unit: '×' },
    );
  }
  const hot = find(figures, 'service', 'closed', 1)[0];
  const emmett = find(figures, 'Emmett', 'closed', 1);
  if (hot !== undefined && emmett.length > 0) {
    aims.push({
      what: 'rate, one hot account, over Emmett',
      value: hot.perSecond / best(emmett),
      atLeast: 10,
      unit: '×',
    });
  }
  return aims;
};

/**
 * The loss as the stores grow. The bare handler's loss stands beside the service's, since the machine may have changed
 * meanwhile.
 */
export const aimsOfGrowth = (small: readonly Figure[], grown: readonly Figure[]): Aim[] =>
  grown.flatMap((after): Aim[] => {
    const { program, load, tenants } = after;
    const before = find(small, program, load, tenants)[0];
    if (before === undefined) return [];
    const what = `grown over small, ${program}, ${tenants === 1 ? 'one hot account' : `${tenants} accounts`}, ${load}`;
    const judged = program.startsWith('service');
    return load === 'closed'
      ? [
          {
            what: `rate ${what}`,
            value: after.perSecond / before.perSecond,
            unit: '×',
            ...(judged ? { atLeast: 0.9 } : {}),
          },
        ]
      : [{ what: `p99 ${what}`, value: after.p99 / before.p99, unit: '×', ...(judged ? { atMost: 1.1 } : {}) }];
  });

/** Start-up and memory of the service with the log at the end of the run. */
export const aimsOfStart = (startSeconds: number, figures: readonly Figure[]): Aim[] => [
  { what: 'start-up with this log', value: startSeconds, atMost: 10, unit: 's' },
  {
    what: 'memory of the service at most',
    value: Math.max(...figures.map((figure) => figure.memory['program'] ?? 0)),
    atMost: 400,
    unit: 'MB',
  },
];
