import { type ListEntry } from '../domain/list-entry.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';
import { isCantonese } from './readings/cantonese.js';
import { isWadeGiles } from './readings/wade-giles.js';

const statusOf = (listed: string, asked: string): string => {
  const entry: ListEntry = {
    id: '1',
    type: 'individual',
    names: [{ text: listed, weak: false }],
    birthDates: [],
    countries: [],
    programs: [],
    listedOn: null,
  };
  const engine = new ListEngine('OFAC_SDN', 'v1', [entry]);
  return screenAgainstLists([engine], { fullName: asked }, { potential: 0.85, confirmed: 0.95 }).status;
};

it.each([
  ['Soe Lin Htun', 'စိုးလင်းထွန်း'],
  ['Aung Kyaw Hlaing', 'အောင်ကျော်လှိုင်'],
  ['Khin Maung Nyunt', 'ခင်မောင်ညွန့်'],
  ['Ye Myint Oo', 'ရဲမြင့်ဦး'],
  ['Zhang Xueliang', 'Chang Hsueh-liang'],
  ['Xue Guangzhi', 'Hsueh Kuang-chih'],
  ['Cai Jianzhong', "Ts'ai Chien-chung"],
  ['Deng Xiaorong', 'Teng Hsiao-jung'],
  ['Xie Zhidong', 'Hsieh Chih-tung'],
  ['Guo Zhiqiang', 'Kuo Chih-chiang'],
  ['Zhou Dezhong', 'Chou Te-chung'],
  ['Liu Xiuying', 'Liu Hsiu-ying'],
  ['Liang Zhenhui', 'Leung Chun-fai'],
  ['Zhang Jianzhong', 'Cheung Kin Chung'],
  ['Zeng Weixiong', 'Tsang Wai Hung'],
  ['Guo Shaoming', 'Kwok Siu-ming'],
  ['Yuan Guoqiang', 'Yuen Kwok Keung'],
  ['Yamaguchi Kenichi', '山口健一'],
  ['Shinoda Masao', '篠田 正雄'],
  ['Hashimoto Tetsuya', '橋本哲也'],
  ['Taro Tanaka', '田中太郎'],
  ['Takahashi Yoshihiro', '高橋 義弘'],
  ['Hasegawa Jiro', '長谷川次郎'],
  ['Sasaki Haruko', '佐々木晴子'],
])('finds %s as %s', (listed, asked) => expect(statusOf(listed, asked)).toBe('potential_match'));

it.each([['Li Wang'], ['Chang Lee'], ['Hung Wilson'], ['Kim Jung Un'], ['John Hsu Smith'], ['Maria Lopez']])(
  'reads %s as it is written',
  (name) => expect(isWadeGiles(name)).toBe(false),
);

it.each([['Li Wang'], ['Mark Lam'], ['Kit Carson'], ['Chen Wei'], ['Chang Hsueh-liang'], ['Park Jin Ok']])(
  'reads %s not as a name of Hong Kong',
  (name) => expect(isCantonese(name)).toBe(false),
);
