import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Choice, Field, Form } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { Badge, Show } from '../parts/states.js';
import { CopyCurl, Title } from '../parts/title.js';
import { useScope } from '../who.js';

type Operation = 'sanctions_check' | 'pep_check' | 'assess_risk';
const OPERATIONS: readonly Operation[] = ['sanctions_check', 'pep_check', 'assess_risk'];
const NAMES: Readonly<Record<Operation, string>> = {
  sanctions_check: 'Sanctions lists',
  pep_check: 'Politically exposed persons',
  assess_risk: 'Risk of a person',
};

const Found = ({ match }: { readonly match: Answers['ScreeningMatchResponse'] }) => (
  <li>
    <strong>{match.name}</strong> <Badge of={match.status} />
    <div className="quiet">
      {match.list} <code>{match.entry_id}</code>, score {match.score.toFixed(2)}
      {match.birth_dates.length > 0 && `, born ${match.birth_dates.join(' or ')}`}
    </div>
    <ol className="reasons">
      {match.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ol>
  </li>
);

export interface ScreenedPerson {
  readonly status: string;
  readonly matches: readonly Answers['ScreeningMatchResponse'][];
  readonly decision_id: string;
}

export const Screened = (result: ScreenedPerson) => (
  <section className="card" role="status">
    <h2>
      Result <Badge of={result.status} />
    </h2>
    {result.matches.length === 0 ? (
      <p>No entry of the lists matches.</p>
    ) : (
      <ul className="entries">
        {result.matches.map((match) => (
          <Found key={match.match_id} match={match} />
        ))}
      </ul>
    )}
    <p>
      <Link href={`/decisions/${result.decision_id}`}>The decision, to be replayed later</Link>
    </p>
  </section>
);

/** Each reason as a bar that begins where the one before it ended. */
const Waterfall = ({ factors, risk_score: score }: Answers['RiskResponse']) => {
  const widest = Math.max(100, ...factors.map(({ weight }) => Math.abs(weight)));
  let sum = 0;
  return (
    <table className="waterfall">
      <tbody>
        {factors.map(({ code, weight, detail }) => {
          const from = Math.min(sum, sum + weight);
          sum += weight;
          return (
            <tr key={code}>
              <th scope="row">{words(code.toLowerCase())}</th>
              <td className="number">{weight > 0 ? `+${weight}` : weight}</td>
              <td>
                <svg viewBox={`0 0 ${widest} 8`} width="240" height="16" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    x={Math.max(0, from)}
                    width={Math.abs(weight)}
                    height="8"
                    className={weight > 0 ? 'failed' : 'fine'}
                  />
                </svg>
              </td>
              <td className="quiet wraps">{detail}</td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">Score</th>
          <td className="number">
            <strong>{score}</strong>
          </td>
          <td colSpan={2} />
        </tr>
      </tbody>
    </table>
  );
};

interface Person {
  readonly full_name: string;
  readonly date_of_birth: string;
  readonly country: string;
  readonly email: string;
  readonly phone_number: string;
}

const NOBODY: Person = { full_name: '', date_of_birth: '', country: '', email: '', phone_number: '' };

type Result =
  | { readonly kind: 'screened'; readonly result: ScreenedPerson }
  | { readonly kind: 'assessed'; readonly result: Answers['RiskResponse'] };

const PATHS: Readonly<Record<Operation, string>> = {
  sanctions_check: '/api/v1/compliance/sanctions',
  pep_check: '/api/v1/compliance/pep',
  assess_risk: '/api/v1/assess-risk',
};

/** What was filled in, as the body of the call. */
const bodyOf = (operation: Operation, { full_name, date_of_birth, country, email, phone_number }: Person) => {
  const given = <Field extends string>(field: Field, value: string) =>
    (value === '' ? {} : { [field]: value }) as { readonly [Name in Field]?: string };
  if (operation === 'assess_risk')
    return { email, phone_number, ...given('full_name', full_name), ...given('country', country) };
  return { full_name, ...given('date_of_birth', date_of_birth), ...given('country', country) };
};

const run = async (operation: Operation, person: Person): Promise<Result> => {
  const body = bodyOf(operation, person);
  if ('email' in body) return { kind: 'assessed', result: await answer(api.POST('/api/v1/assess-risk', { body })) };
  if (operation === 'sanctions_check')
    return { kind: 'screened', result: await answer(api.POST('/api/v1/compliance/sanctions', { body })) };
  const found = await answer(api.POST('/api/v1/compliance/pep', { body }));
  return { kind: 'screened', result: { ...found, status: found.is_pep ? 'pep' : 'not_pep' } };
};

const CheckForm = ({
  operation,
  cost,
  balance,
}: {
  readonly operation: Operation;
  readonly cost: number;
  readonly balance: number | undefined;
}) => {
  const [person, setPerson] = useState(NOBODY);
  const check = useAct(() => run(operation, person), ...['overview', 'transactions', 'audit', 'decisions', 'matches']);
  const fill = (name: keyof Person) => (value: string) => setPerson({ ...person, [name]: value });
  const isRisk = operation === 'assess_risk';
  const isShort = balance !== undefined && balance < cost;
  return (
    <>
      <Form className="card" act={() => check.mutate()} error={check.error}>
        <div className="filters">
          {isRisk && (
            <>
              <Field label="E-mail" name="email" type="email" value={person.email} onChange={fill('email')} required />
              <Field
                label="Phone number"
                name="phone_number"
                value={person.phone_number}
                onChange={fill('phone_number')}
                placeholder="+12025550123"
                required
              />
            </>
          )}
          <Field
            label={isRisk ? 'Full name, to screen it too' : 'Full name'}
            name="full_name"
            value={person.full_name}
            onChange={fill('full_name')}
            required={!isRisk}
          />
          {!isRisk && (
            <Field
              label="Date of birth"
              name="date_of_birth"
              type="date"
              value={person.date_of_birth}
              onChange={fill('date_of_birth')}
            />
          )}
          <Field
            label="Country"
            name="country"
            value={person.country}
            onChange={fill('country')}
            placeholder="DE"
            maxLength={2}
            size={4}
          />
        </div>
        <p className="actions">
          <button type="submit" disabled={check.isPending || isShort}>
            Run for {many(cost, 'credit')}
          </button>
          <CopyCurl path={PATHS[operation]} body={bodyOf(operation, person)} />
          {isShort ? (
            <span role="status">
              The balance of {many(balance, 'credit')} does not cover it. <Link href="/plan">Buy credits</Link>
            </span>
          ) : (
            <span className="quiet">
              {balance !== undefined && `Leaves ${many(balance - cost, 'credit')}. `}The audit log records it.
            </span>
          )}
        </p>
      </Form>
      {check.data?.kind === 'screened' && <Screened {...check.data.result} />}
      {check.data?.kind === 'assessed' && (
        <section className="card" role="status">
          <h2>
            Risk <Badge of={check.data.result.risk_level} />
          </h2>
          <Waterfall {...check.data.result} />
        </section>
      )}
    </>
  );
};

/** A check from the page, with its price before it runs. */
export const Check = () => {
  const { read, write } = useAddress();
  const operation = OPERATIONS.find((each) => each === read('check')) ?? 'sanctions_check';
  const maySeeBalance = useScope('billing');
  const pricing = useQuery({ queryKey: ['pricing'], queryFn: () => answer(api.GET('/billing/pricing')) });
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: () => answer(api.GET('/billing/overview')),
    enabled: maySeeBalance,
  });
  return (
    <>
      <Title>Screen and assess</Title>
      <div className="filters">
        <Choice
          label="Check"
          value={operation}
          of={OPERATIONS}
          named={(each) => NAMES[each]}
          onChange={(check) => write({ check })}
        />
      </div>
      <Show of={pricing}>
        {({ operations }) => (
          <CheckForm
            key={operation}
            operation={operation}
            cost={operations[operation]}
            balance={overview.data?.credits.balance}
          />
        )}
      </Show>
    </>
  );
};
