/** Injection tokens for what has no class of its own. */
export const CLOCK = Symbol('Clock');
export const CONFIG = Symbol('Config');
