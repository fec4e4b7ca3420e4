import { type StreamDecider } from '../../kernel/category.js';
import { invariant } from '../../kernel/invariant.js';
import { BLOCK_LENGTH, BLOCKS_IN_LIST, type StatusBlockLeased } from './status-block.events.js';

export interface LeaseBlock {
  readonly now: Date;
  /** Random, from 0 to less than 1. It picks the block, so that neighbouring indexes reveal nothing about time. */
  readonly chance: number;
}

/** The newest list, and the blocks of it that are leased. */
export interface StatusBlocks {
  readonly list: number;
  readonly leased: readonly number[];
}

const ALL_BLOCKS = Array.from({ length: BLOCKS_IN_LIST }, (_, block) => block);

const decide = ({ now, chance }: LeaseBlock, { list, leased }: StatusBlocks): StatusBlockLeased[] => {
  const free = ALL_BLOCKS.filter((block) => !leased.includes(block));
  const candidates = free.length === 0 ? ALL_BLOCKS : free;
  const block = candidates[Math.floor(chance * candidates.length)];
  invariant(block !== undefined, 'chance is less than 1');
  const data = { list: free.length === 0 ? list + 1 : list, block, leasedAt: now.toISOString() };
  return [{ type: 'StatusBlockLeased.v1', data }];
};

const evolve = (blocks: StatusBlocks, { data: { list, block } }: StatusBlockLeased): StatusBlocks =>
  list === blocks.list ? { list, leased: [...blocks.leased, block] } : { list, leased: [block] };

export const statusBlocks: StreamDecider<StatusBlocks, LeaseBlock, StatusBlockLeased> = {
  initialState: () => ({ list: 1, leased: [] }),
  decide,
  evolve,
};

export const indexesOf = (block: number): number[] =>
  Array.from({ length: BLOCK_LENGTH }, (_, place) => block + place * BLOCKS_IN_LIST);
