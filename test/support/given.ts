import { type RejectionCode } from '../../src/kernel/contract.js';
import { type Decider, type DomainEvent } from '../../src/kernel/decider.js';
import { isRejection } from '../../src/kernel/rejection.js';

type Rules<State, Command, Event extends DomainEvent> = Decider<State, Command, Event>;

/** The state after these events. */
export const stateAfter = <State, Command, Event extends DomainEvent>(
  { initialState, evolve }: Rules<State, Command, Event>,
  events: readonly Event[],
): State => events.reduce((state, event) => evolve(state, event), initialState());

/** The events of these commands, executed one after the other. */
export const eventsOf = <State, Command, Event extends DomainEvent>(
  decider: Rules<State, Command, Event>,
  commands: readonly Command[],
): Event[] =>
  commands.reduce<Event[]>(
    (events, command) => [...events, ...decider.decide(command, stateAfter(decider, events))],
    [],
  );

/** `given(...events).when(command).then(...events)`, or nothing, or a rejection, by a decider's rules. */
export const givenFor =
  <State, Command, Event extends DomainEvent>(decider: Rules<State, Command, Event>) =>
  (...events: readonly Event[]) => ({
    when: (command: Command) => {
      const outcome = (): readonly Event[] => decider.decide(command, stateAfter(decider, events));
      return {
        outcome,
        then: (...expected: Event[]) => expect(outcome()).toEqual(expected),
        thenTypes: (...expected: Event['type'][]) => expect(outcome().map(({ type }) => type)).toEqual(expected),
        thenNothing: () => expect(outcome()).toEqual([]),
        thenRejected: (code: RejectionCode) => {
          let thrown: unknown;
          try {
            outcome();
          } catch (error) {
            thrown = error;
          }
          expect(isRejection(thrown) ? thrown.code : thrown).toBe(code);
        },
      };
    },
  });
