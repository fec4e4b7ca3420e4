const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that join names, and say little themselves. */
export const PARTICLES = wordsOf(`
  al el ul as ar at az ad an ash ath adh le la les los las de del della delle dela der den des di do dos da das du
  van von vom zu zur ten ter te bin ibn ben bint binti bt b ould oulid ul e y i u of the and abu abou umm haji hajji
  mullah mawlawi maulavi shaykh sheikh sayyid sayed seyed mr mrs ms dr prof general colonel st santa
`);

/** Legal forms and words that most companies bear. */
export const COMPANY_FORMS = wordsOf(`
  ltd limited llc llp lp inc incorporated corp corporation co company plc sa sas sarl srl spa ag gmbh kg bv nv oy ab as
  aps pjsc ojsc cjsc jsc oao ooo zao pao ao ao tov llp fze fzco fzc fz pte pty sdn bhd group holding holdings kft doo dd
  eood ood ead cv rl sapi spr cia ltda eirl sherkat sherkate shirkat sharikat gongsi fgup gup rup npo npp tov sal sprl anstalt
  establishment pjs comp
`);

/** Given names that represent each other, by group. Written as folded names are compared: lower-case Latin letters. */
const NICKNAMES = `
  william will bill billy willy liam|robert rob bob bobby bert|richard rick dick ricky|james jim jimmy jamie|john jack johnny
  |joseph joe joey|michael mike mick mickey|thomas tom tommy|charles charlie chuck|edward ed eddie ted ned|daniel dan danny
  |david dave|steven stephen steve|anthony tony|christopher chris|matthew matt|andrew andy drew|nicholas nick|samuel sam
  |benjamin ben|gregory greg|lawrence larry|peter pete|kenneth ken|ronald ron|donald don|timothy tim|patrick pat paddy
  |elizabeth liz beth betty eliza lisa|margaret maggie meg peggy|katherine catherine kate kathy katie|susan sue|jennifer jen jenny
  |alexander alex aleksandr sasha aleksander alejandro sandy|aleksandra alexandra sasha|vladimir vova volodya volodymyr wladimir
  |dmitry dmitri dima dmytro|nikolai nikolay kolya mykola|sergei sergey seriozha serhiy serhii|mikhail misha mykhailo
  |yevgeny evgeny evgeni zhenya yevhen|yekaterina ekaterina katya kateryna|maria mary masha mariya marija
  |ivan vanya ioann|pavel pasha pavlo paul pablo|konstantin kostya|viktor vitya victor|anatoly anatoli tolya anatolii
  |yury yuri yura yurii|grigory grisha grigori|boris borya|georgy georgi zhora george jorge georgios|tatiana tatyana tanya
  |natalia natalya natasha|svetlana sveta|irina ira|olga olya olha|anna anya ann anne|francisco paco pancho francis frank
  |jose pepe|antonio tono toni anton|enrique quique henry|ignacio nacho|guillermo memo|jesus chuy|eduardo lalo
  |manuel manny manolo|rafael rafa|alberto beto|roberto beto|luis lucho|mohammed muhammad mohd md mehmet|ahmed ahmad ahmet
  |yusuf yousef joseph youssef|ibrahim abraham|musa moses|daud dawud david|sulayman suleiman solomon|yahya john|isa jesus eissa
  |ismail ishmael|hussein husayn hossein|hassan hasan|ali aly|omar umar|osman uthman othman|khalid khaled halid
  |abdullah abdallah|abdulrahman abdurrahman abderrahman
  |group grp|communications communication comm|telecommunications telecommunication telecom|international intl
  |company co|corporation corp|limited ltd|manufacturing mfg|development dev|engineering eng|technology tech technologies
  |industries industry industrial ind|enterprises enterprise ent|commercial comm|general gen|national natl|brothers bros
`;

const groups = NICKNAMES.split('|').map((group) => group.trim().split(/\s+/));

const counterparts = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const group of groups) {
    for (const name of group) {
      found.set(name, [...(found.get(name) ?? []), ...group.filter((other) => other !== name)]);
    }
  }
  return found;
};

/** The names that a given name may represent. */
export const NICKNAMES_OF = counterparts();

const PATRONYMIC = /(?:yevich|iovych|ovich|evich|ovych|evych|yivna|ovna|evna|ivna|ichna|oglu|ogli|kizi)$/;

/** The father in a name of the East Slavic form, written as names are compared; undefined of other words. Often left out. */
export const stemOfPatronymic = (token: string): string | undefined =>
  token.length > 6 && PATRONYMIC.test(token) ? token.replace(PATRONYMIC, '') : undefined;
