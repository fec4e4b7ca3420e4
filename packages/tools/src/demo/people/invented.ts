import { calendarDate, type Person } from './person.js';

/** Given names and family names that are common where each script is written; no person is meant. */
const NAMES = [
  {
    given: ['Anna', 'José', 'Zoë', 'Jürgen', 'Łukasz', 'Siobhán', 'Björn', 'Inês', 'Nguyễn', 'Ayşe'],
    family: [
      'Novák',
      'García',
      "O'Brien",
      'Müller',
      'Kowalski',
      'Åkesson',
      'Ferreira',
      'Smith-Jones',
      'Öztürk',
      'Rossi',
    ],
  },
  {
    given: ['Анна', 'Иван', 'Олена', 'Дмитрий', 'Мария', 'Ђорђе', 'Калина', 'Айгүл', 'Сергей', 'Надія'],
    family: [
      'Иванова',
      'Шевченко',
      'Петров',
      'Ђоковић',
      'Димитрова',
      'Кузнецов',
      'Бондаренко',
      'Әбішев',
      'Соколова',
      'Попов',
    ],
  },
  {
    given: ['فاطمة', 'محمد', 'ليلى', 'يوسف', 'مریم', 'خالد', 'زينب', 'علی', 'سارة', 'عمر'],
    family: ['الحسن', 'حداد', 'رضایی', 'منصور', 'خوری', 'العلي', 'کریمی', 'ناصر', 'سليمان', 'بن علي'],
  },
  {
    given: ['Ελένη', 'Νίκος', 'Σοφία', 'Γιώργος', 'Μαρία'],
    family: ['Παπαδοπούλου', 'Νικολάου', 'Δημητρίου', 'Αντωνίου', 'Οικονόμου'],
  },
  {
    given: ['伟', '秀英', '敏', '桂花', '大輔'],
    family: ['王', '李', '张', '欧阳', '佐藤'],
  },
] as const;

const invented = (index: number): Person => {
  const names = NAMES[index % NAMES.length] ?? NAMES[0];
  const turn = Math.floor(index / NAMES.length);
  const given = names.given[turn % names.given.length] ?? names.given[0];
  const family = names.family[Math.floor(turn / names.given.length) % names.family.length] ?? names.family[0];
  const dateOfBirth = calendarDate(1940 + (index % 65), 1 + (index % 12), 1 + (index % 28));
  return { fullName: `${given} ${family}`, ...(dateOfBirth === undefined ? {} : { dateOfBirth }) };
};

/** People made up in several scripts, the same at every call. */
export const inventPeople = (count: number): Person[] => Array.from({ length: count }, (_, index) => invented(index));
