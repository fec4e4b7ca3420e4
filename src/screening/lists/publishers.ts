import { type Config } from '../../platform/config/config.js';
import { KNOWN_LISTS, type Publisher } from '../domain/known-lists.js';
import { type ListId } from '../domain/screening-list.js';

export type Publishers = ReadonlyMap<ListId, Publisher>;

/** Each dataset of OpenSanctions has its entities in one file, with positions, families and associates. */
const openSanctions = (dataset: string): Publisher => ({
  url: `https://data.opensanctions.org/datasets/latest/${dataset}/entities.ftm.json`,
  hosts: [/^data\.opensanctions\.org$/],
  file: 'entities.ftm.json',
});

/**
 * Where the lists come from that this deployment must have. Office holders have no list that may be used freely: an operator names
 * the dataset that it has a licence for.
 */
export const publishersFor = ({ requiredLists, pepDataset }: Config['screening']): Publishers => {
  const publishers = [...KNOWN_LISTS.values()].flatMap(({ id, required, download }) =>
    download !== undefined && (required || requiredLists.has(id)) ? [[id, download] as const] : [],
  );
  return new Map(pepDataset === undefined ? publishers : [...publishers, ['PEP', openSanctions(pepDataset)]]);
};
