import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../api.js';
import { DayHeat } from '../parts/charts.js';
import { count, many } from '../parts/format.js';

const DAY = 86_400_000;
export const HEAT_DAYS = 180;

/** How many entries each day of the last half year has. */
export const AuditDays = ({ chosen, choose }: { readonly chosen: string; readonly choose: (day: string) => void }) => {
  const today = new Date().toISOString().slice(0, 10);
  const dates = Array.from({ length: HEAT_DAYS }, (_, index) =>
    new Date(Date.parse(today) - (HEAT_DAYS - 1 - index) * DAY).toISOString().slice(0, 10),
  );
  const days = useQuery({
    queryKey: ['audit', 'days', today],
    queryFn: () =>
      answer(
        api.GET('/api/v1/compliance/audit-log/summary', {
          params: { query: { start_date: dates[0] ?? today, end_date: today } },
        }),
      ),
  });
  const counts = new Map(dates.map((date) => [date, 0]));
  for (const { date, entries } of days.data?.days ?? []) counts.set(date, (counts.get(date) ?? 0) + entries);
  const [busiest, most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0]);
  const total = [...counts.values()].reduce((sum, value) => sum + value, 0);
  return (
    <section className="card">
      <h2>{days.data === undefined ? 'Half a year' : `${many(total, 'entry', 'entries')} in half a year`}</h2>
      <div className="beside">
        <DayHeat label="Entries by day" days={counts} />
        <dl className="facts">
          <div>
            <dt>Today</dt>
            <dd>{count(counts.get(today) ?? 0)}</dd>
          </div>
          <div>
            <dt>In 7 days</dt>
            <dd>{count(dates.slice(-7).reduce((sum, date) => sum + (counts.get(date) ?? 0), 0))}</dd>
          </div>
          {most > 0 && (
            <div>
              <dt>Most on a day</dt>
              <dd>
                <button type="button" className="link" onClick={() => choose(busiest)}>
                  {count(most)} on {busiest}
                </button>
              </dd>
            </div>
          )}
        </dl>
      </div>
      <p className="actions">
        <button type="button" className="plain small" onClick={() => choose(today)} disabled={chosen === today}>
          Today only
        </button>
        {chosen !== '' && (
          <button type="button" className="plain small" onClick={() => choose('')}>
            All days
          </button>
        )}
      </p>
    </section>
  );
};
