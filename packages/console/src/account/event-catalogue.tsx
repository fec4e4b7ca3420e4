import { useQuery } from '@tanstack/react-query';
import { type Answers } from '../api.js';
import { Show } from '../parts/states.js';

export type EventType = Answers['EndpointResponse']['events'][number];

export interface CataloguedEvent {
  readonly type: EventType;
  readonly summary: string;
  readonly example: unknown;
}

interface Described {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly summary: string;
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly schema: { readonly example: unknown } } };
          };
        };
      }
    >
  >;
}

const read = async (): Promise<readonly CataloguedEvent[]> => {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error('The catalogue could not be read: try again in a minute.');
  const { webhooks } = (await response.json()) as Described;
  return Object.entries(webhooks).map(([type, { post }]) => ({
    type: type as EventType,
    summary: post.summary,
    example: post.requestBody.content['application/json'].schema.example,
  }));
};

/** What the service announces, from its own description. */
export const useCatalogue = () => useQuery({ queryKey: ['openapi', 'events'], queryFn: read, staleTime: Infinity });

interface ChoiceProps {
  readonly chosen: ReadonlySet<EventType>;
  readonly choose: (chosen: ReadonlySet<EventType>) => void;
}

const familyOf = (type: string): string => type.split('.')[0] ?? '';

/** Event types with a sentence each, by what they are about. */
export const EventChoice = ({ chosen, choose }: ChoiceProps) => {
  const toggle = (type: EventType): void => {
    const next = new Set(chosen);
    if (!next.delete(type)) next.add(type);
    choose(next);
  };
  return (
    <Show of={useCatalogue()}>
      {(events) => (
        <>
          <p className="actions">
            <button
              type="button"
              className="plain small"
              onClick={() => choose(new Set(events.map(({ type }) => type)))}
            >
              All events
            </button>
            <button type="button" className="plain small" onClick={() => choose(new Set())}>
              None
            </button>
          </p>
          <div className="event-choice">
            {[...new Set(events.map(({ type }) => familyOf(type)))].map((family) => (
              <fieldset key={family}>
                <legend>{family}</legend>
                {events
                  .filter(({ type }) => familyOf(type) === family)
                  .map(({ type, summary }) => (
                    <label key={type} className="check" title={summary}>
                      <input type="checkbox" checked={chosen.has(type)} onChange={() => toggle(type)} /> {type}
                    </label>
                  ))}
              </fieldset>
            ))}
          </div>
        </>
      )}
    </Show>
  );
};

/** What each event says, and a button that sends its example to the endpoint. */
export const Catalogue = ({ test }: { readonly test: ((type: EventType) => void) | undefined }) => (
  <Show of={useCatalogue()}>
    {(events) => (
      <ul className="catalogue">
        {events.map(({ type, summary, example }) => (
          <li key={type}>
            <details>
              <summary>
                <code>{type}</code> <span className="quiet">{summary}</span>
              </summary>
              <pre tabIndex={0}>
                <code>{JSON.stringify(example, null, 2)}</code>
              </pre>
              {test !== undefined && (
                <button type="button" className="plain small" onClick={() => test(type)}>
                  Send this to the endpoint
                </button>
              )}
            </details>
          </li>
        ))}
      </ul>
    )}
  </Show>
);
