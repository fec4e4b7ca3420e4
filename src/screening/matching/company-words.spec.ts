import { type ListEntry } from '../domain/list-entry.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const organisation = (text: string): ListEntry => ({
  id: text,
  type: 'entity',
  names: [{ text, weak: false }],
  birthDates: [],
  countries: [],
  programs: [],
  listedOn: null,
});

const statusOf = (listed: string, asked: string): string => {
  const engine = new ListEngine('OFAC_SDN', 'v1', [organisation(listed)]);
  return screenAgainstLists([engine], { fullName: asked }, { potential: 0.85, confirmed: 0.95 }).status;
};

it.each([
  ['CENTRAL BANK OF EXAMPLISTAN', 'Masrif Examplistan Al-Markazi'],
  ['Quillon Steel Industries', 'Sanaye Foulad Quillon'],
  ['7TH OF MORVANE INDUSTRIES', 'Sanaye Haftom Morvane'],
  ['Federal State Unitary Enterprise Zebrath Plant', 'FGUP Zavod Zebrath'],
  ['Tarpish Scientific Production Association', 'Nauchno-proizvodstvennoe obedinenie Tarpish'],
  ['Tarpish Trading Private Limited', 'Sherkat-e Bazargani Tarpish'],
  ['Ejército de Liberación Quillonense', 'Liberation Army Quillonense'],
  ['Shanghai Morvane International Trading Co., Ltd.', 'Shanghai Morvane Guoji Maoyi Youxian Gongsi'],
])('finds %s as %s', (listed, asked) => expect(statusOf(listed, asked)).toBe('potential_match'));

it.each([
  ['Quillon Steel Industries', 'Sanaye Foulad Morvane'],
  ['CENTRAL BANK OF EXAMPLISTAN', 'Central Bank of Zebrathia'],
])('does not take %s for %s, of which only what many share agrees', (listed, asked) =>
  expect(statusOf(listed, asked)).toBe('clear'),
);
