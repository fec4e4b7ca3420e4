/** An event as a decider produces it: a stored type name with its version, and plain JSON written field by field. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * Three plain functions. `decide` is pure: time, ids and look-ups arrive in the command. It returns the events to append, none
 * if the command was carried out already, or throws a Rejection. `evolve` never judges.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initialState: () => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** May change `state` in place. Always use the returned value. */
  readonly evolve: (state: State, event: Event) => State;
}
