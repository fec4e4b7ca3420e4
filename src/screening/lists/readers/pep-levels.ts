import { type PepLevel, type Position, type PositionLevel } from '../../domain/screening-list.js';

const REGIONAL =
  /\b(mayor|municipal|city|county|oblast|krai|okrug|provinc\w+|regional|local|state (house of )?assembly|house of assembly|state governor|state council of|governor of (?!the (central )?bank)|councill?or|alderman|legislative assembly of|gubernator\w*)\b/i;
const HEADS =
  /^(acting |interim |the )?(monarch|king|queen|emperor|emir|sultan|pope|president|vice[- ]president|head of (state|government)|chancellor|(deputy |first deputy )?prime minister|premier|secretary-general|supreme leader)\b/i;
const CABINET =
  /\b(minister|secretary of state|chancellor of the exchequer|attorney general|lord president|cabinet)\b/i;
const NOT_OF_THE_STATE = /\b(senate|assembly|parliament|court|bank|university|chamber|council|company|state duma)\b/i;

/** Of an office by its title: heads of state and cabinets, senior officials, regional and local ones. */
export const levelOfTitle = (title: string): PositionLevel => {
  if (HEADS.test(title) && !NOT_OF_THE_STATE.test(title)) return 'level_1';
  if (CABINET.test(title) && !REGIONAL.test(title)) return 'level_1';
  return REGIONAL.test(title) ? 'level_3' : 'level_2';
};

/** FollowTheMoney's topics of an office say more than its title. */
export const levelOfTopics = (topics: readonly string[], title: string): PositionLevel => {
  if (topics.includes('gov.head')) return 'level_1';
  if (topics.includes('gov.state') || topics.includes('gov.muni')) return 'level_3';
  return topics.includes('gov.national') && levelOfTitle(title) === 'level_1' ? 'level_1' : 'level_2';
};

const ORDER: readonly PepLevel[] = ['level_1', 'level_2', 'level_3', 'relative', 'associate'];

/** The most exposed of these; undefined of none. */
export const highestLevel = (positions: readonly Position[]): PositionLevel | undefined =>
  positions.map(({ level }) => level).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))[0];
