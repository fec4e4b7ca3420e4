/** A tenant's data about an invented person, as ingested. */
export interface Person {
  readonly email: string;
  readonly phone_number: string;
  readonly full_name: string;
  readonly date_of_birth: string;
}

const GIVEN = ['Quintessa', 'Oluwaseun', 'Þórhildur', 'Xóchitl', 'Wojciech', 'Ngozichukwu', 'Saoirse', 'Мстислава'];
const FAMILY = [
  'Featherstonhaugh',
  'Brzęczyszczykiewicz',
  'Papadiamantopoulou',
  'Ó Súilleabháin',
  'Живаго-Рождественская',
];

const at = (items: readonly string[], index: number): string => items[index % items.length] ?? '';

/**
 * The nth invented person. The same number gives the same person. Addresses are under example.org, and numbers end in 555-0100
 * to 555-0199. Both are reserved for fiction.
 */
export const person = (number: number): Person => {
  const area = 201 + (Math.floor(number / 100) % 780);
  return {
    email: `${at(['quintessa', 'oluwaseun', 'torhildur', 'xochitl'], number)}.${number.toString(36)}.${area}@example.org`,
    phone_number: `+1${area}5550${100 + (number % 100)}`,
    full_name: `${at(GIVEN, number)} ${at(FAMILY, number * 7 + Math.floor(number / 8))} ${number}`,
    date_of_birth: new Date(Date.UTC(1940, 0, 1 + ((number * 97) % 23_000))).toISOString().slice(0, 10),
  };
};

/** The query about a person. */
export const enquiry = ({ email, phone_number }: Person): { email: string; phone_number: string } => ({
  email,
  phone_number,
});
