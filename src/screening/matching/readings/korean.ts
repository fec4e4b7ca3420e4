const FIRST = 0xac00;
const VOWELS = 21;
const FINALS = 28;
const list = (text: string): readonly string[] => text.split(' ').map((part) => (part === '-' ? '' : part));

/** Initials, vowels and finals in the order of Unicode; "-" is silent. */
const REVISED = {
  initials: list('g kk n d tt r m b pp s ss - j jj ch k t p h'),
  vowels: list('a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'),
  finals: list('- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'),
};
/** McCune-Reischauer without its marks, each syllable by itself. */
const MCCUNE = {
  initials: list('k kk n t tt r m p pp s ss - ch tch ch k t p h'),
  vowels: list('a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'),
  finals: list('- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'),
};
/** As North Korea spells its names: Kim Jong Un, Ri Yong Gil, Kyong Thaek. */
const NORTHERN = {
  initials: list('k kk n t tt r m p pp s ss - j jj ch kh th ph h'),
  vowels: list('a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'),
  finals: list('- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'),
};
/** As South Koreans mostly spell theirs: Young Chul, Joon Hee, Sung Hyun. */
const CUSTOMARY = {
  initials: list('k kk n d tt r m b pp s ss - j jj ch k t p h'),
  vowels: list('a ae ya yae u e you ye o wa wae oe yo oo wo we wi yoo eu ee i'),
  finals: list('- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'),
};
/** Plain consonants are voiced after a vowel or n, m, ng, l. */
const VOICED: Readonly<Record<string, string>> = { k: 'g', t: 'd', p: 'b', ch: 'j' };
const VOICELESS_INITIALS = new Set([0, 3, 7, 12]);
const VOICING_FINALS = new Set([0, 4, 8, 16, 21]);

interface Jamo {
  readonly initial: number;
  readonly vowel: number;
  readonly final: number;
}
const jamoOf = (syllable: string): Jamo | undefined => {
  const at = (syllable.codePointAt(0) ?? 0) - FIRST;
  if (at < 0 || at >= 19 * VOWELS * FINALS) return undefined;
  return { initial: Math.floor(at / (VOWELS * FINALS)), vowel: Math.floor(at / FINALS) % VOWELS, final: at % FINALS };
};

/** Readings of syllables that are customary in given names and no table gives. */
const GIVEN = `
  영 young yong|경 kyung|정 jung chung|성 sung|철 chul cheol|현 hyun|형 hyung|명 myung|연 yun youn|선 sun|준 jun joon|희 hee hui hi|훈 hoon hun
  |우 woo|수 soo su sou|진 jin chin|인 in|일 il|석 suk sok|섭 sup sop|혁 hyuk hyok|욱 wook uk|옥 ok|은 eun un|근 keun kun|승 seung sung|흥 heung
  |태 tae tai|재 jae chae jai|대 dae tai|애 ae ai|주 joo ju chu|규 kyu gyu|구 koo ku gu|기 ki gi kee|호 ho|원 won|언 un eon|범 bum pom beom|덕 duk tok
  |헌 hun hon|건 kun gun|걸 gul kol|열 yul yol|렬 ryol yol yul|룡 ryong yong|용 yong|린 rin in|림 rim lim|련 ryon yon|률 ryul yul|량 ryang yang
  |례 rye ye|록 rok nok|락 rak nak|남 nam|학 hak|식 sik shik|신 shin sin|심 shim sim|시 si shi|유 yoo yu|윤 yoon yun|숙 sook suk|순 soon sun|춘 choon chun
  |운 woon un|문 moon mun|중 joong jung chung|종 jong chong|조 jo cho|자 ja cha|장 jang chang|창 chang|청 chung chong|천 chun chon|전 jun chon
`;
/** Surnames as they are spelled in lists; the first is the commonest. */
const SURNAMES = `
  김 kim gim|이 lee yi i rhee|리 ri lee li rhee yi|박 park pak bak|최 choi choe|촤 choe|정 jung jeong chung chong jong|강 kang gang|조 cho jo
  |윤 yoon yun youn|장 jang chang|임 lim im yim rim|림 rim lim im|한 han|오 oh o|서 seo suh so|신 shin sin|권 kwon gwon|황 hwang|안 an ahn
  |송 song|전 jeon jun chon jon chun|홍 hong|유 yoo yu you ryu|류 ryu yoo yu|고 ko go koh|문 moon mun|양 yang|량 ryang yang|손 son sohn
  |배 bae pae|백 baek paek paik|허 heo hur ho huh|남 nam|심 shim sim|노 no noh roh|로 ro no roh|하 ha|곽 kwak gwak|성 sung seong song
  |차 cha|주 joo ju chu|우 woo u wu|구 koo gu ku|민 min|나 na|라 ra na|진 jin chin|지 ji chi|엄 um eom om uhm|원 won|채 chae|천 chun cheon chon
  |방 bang pang|공 kong gong|현 hyun hyeon hyon|함 ham|변 byun byeon pyon|염 yum yeom yom|렴 ryom yom yum|여 yeo yo|려 ryo yo yeo|추 choo chu
  |도 do to|석 seok suk sok|선 sun seon son|설 seol sul sol|마 ma|길 gil kil|연 yeon yon youn|련 ryon yon yeon|위 wi wee|표 pyo|명 myung myong
  |기 ki gi|반 ban pan|왕 wang|금 keum kum geum|옥 ok|육 yook yuk|륙 ryuk yuk|인 in|맹 maeng|제 je che|모 mo|탁 tak|국 kook kuk guk|어 eo uh o
  |은 eun un|편 pyeon pyon|용 yong|룡 ryong yong|예 ye|경 kyung kyong|봉 bong pong|사 sa|부 boo bu pu|승 seung sung|한 han|태 tae thae|피 pi
  |주 ju chu|계 kye gye|단 dan tan|평 pyong pyeong|뇌 noe|형 hyong hyung|범 bum pom|복 bok pok|상 sang|견 kyon gyeon
  |황보 hwangbo|남궁 namgung namkung|제갈 jegal chegal|선우 sunwoo sonu seonu|사공 sagong|독고 dokgo tokko|서문 seomun|동방 dongbang
`;

const spellings = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text.split('|').map((line) => {
      const [hangul = '', ...latin] = line.trim().split(/\s+/);
      return [hangul, latin] as const;
    }),
  );
const surnames = spellings(SURNAMES);
const customary = spellings(GIVEN);
const COMPOUND = new Set([...surnames.keys()].filter((name) => name.length === 2));

type System = typeof REVISED;
const written = ({ initial, vowel, final }: Jamo, by: System): string =>
  (by.initials[initial] ?? '') + (by.vowels[vowel] ?? '') + (by.finals[final] ?? '');

const syllables = (word: string): Jamo[] => Array.from(word).flatMap((char) => jamoOf(char) ?? []);

/** Syllables by a table, each by itself. */
const plain = (word: string, by: System): string[] => syllables(word).map((jamo) => written(jamo, by));

/** McCune-Reischauer as it is written in one word: voiced, and with l for r after l. */
const voiced = (word: string): string[] => {
  const all = syllables(word);
  return all.map((jamo, at) => {
    const before = all[at - 1]?.final;
    if (before === undefined) return written(jamo, MCCUNE);
    const text = written(jamo, MCCUNE);
    const initial = MCCUNE.initials[jamo.initial] ?? '';
    if (before === 8 && jamo.initial === 5) return `l${text.slice(1)}`;
    if (!VOICELESS_INITIALS.has(jamo.initial) || !VOICING_FINALS.has(before)) return text;
    return (VOICED[initial] ?? initial) + text.slice(initial.length);
  });
};

export const isHangul = (text: string): boolean => /[\uac00-\ud7a3]/.test(text);

export interface KoreanName {
  readonly surname: readonly string[];
  /** The syllables of the given name by each way of spelling. */
  readonly given: readonly (readonly string[])[];
}

/** The name as a Korean one: surname and given name. */
export const koreanName = (name: string): KoreanName => {
  const isCompound = name.length > 2 && COMPOUND.has(name.slice(0, 2));
  const first = name.slice(0, isCompound ? 2 : 1);
  const given = name.slice(first.length);
  const revised = plain(first, REVISED).join('');
  const north = plain(first, NORTHERN).join('');
  const usual = plain(given, CUSTOMARY).map((text, at) => customary.get(given[at] ?? '')?.[0] ?? text);
  const ways = [plain(given, NORTHERN), plain(given, REVISED), usual, plain(given, MCCUNE), voiced(given)];
  return {
    surname: [...new Set([...(surnames.get(first) ?? []), revised, north])],
    given: [...new Set(ways.map((way) => way.join(' ')))].map((way) => way.split(' ').filter(Boolean)),
  };
};

/** A word that is no name, by each way of spelling, written as one. */
export const koreanWord = (word: string): string[] => [
  ...new Set([plain(word, REVISED), plain(word, NORTHERN), voiced(word)].map((way) => way.join(''))),
];
