/**
 * Words of organisations' names by what they mean in English: a name may be listed in one language and asked for in another. Words
 * that people bear are left out. Written as tokens are.
 */
const MEANINGS = `
  plant zavod zavodu zavody fabrika fabrik usine kombinat karkhaneh karkhane
  | enterprise predpriyatie predpriyatiye pidpryyemstvo pradpryemstva | association obedinenie obyedinenie obiedinenie obednannya
  | bank banco banque banka masrif unhaeng yinhang | central markazi tsentralny tsentralnaya | national melli nacional nationale natsionalny milli
  | industries sanaye sanayi sanayeh senaye sanate sanati sanatee industrias industrie promyshlennost endustri endustriyel
  | steel foulad fulad foolad stal | oil naft neft petroleo neftyanaya | gas gaz gazovaya | petrochemical petroshimi petrokimya petroquimica
  | trading tejarat tejarati tijarat tijari ticaret bazargani maoyi torgovy torgovaya comercializadora comercial
  | development tose tosee toseeh towse gostaresh razvitie razvitiya desarrollo desarrollos
  | engineering mohandesi mohandesin muhendislik ingenieria inzhiniring handasiya | construction sakhteman sakhtemani insaat stroitelny stroitelnaya construccion construcciones
  | organization sazman sazmane organizatsiya organizacion munazzamat | ministry vezarat vezarate ministerio ministerstvo ministere wizarat
  | army ejercito artesh jaysh jaish | international guoji beynolmelal mezhdunarodny | group jituan goruh gorouh gruppa
  | korea choson chosun dprk | iran iranian | syria syrian souriya suriya | iraq iraqi | russia russian rossiya rossii | belarus belarusian belorussky
  | shipping kashtirani keshtirani denizcilik naviera sudokhodnaya | airlines havapeyma havapeymayi aviakompaniya aerolineas
  | foundation bonyad fundacion fondation vakfi | cooperative taavon taavoni cooperativa | movement harakat movimiento mouvement
  | party hizb partido partiya | brigade brigada liwa kataib katibat | university universitet universidad daneshgah danishgah universite
  | institute institut instituto | technology teknoloji tekhnologii fanavari tecnologia keji | electronics elektronik elektronika electronica electronic
  | services khadamat servicios hizmetleri uslugi | energy energi enerji energiya energia | investments inversiones sarmayeh | transport transportes tarabari nakliyat
  | center centre centro merkez markaz tsentr | directorate direccion idarat idarah upravlenie | military militar voenny voennaya | intelligence mukhabarat
  | security amniat amniyat seguridad bezopasnost | islamic islamiyya islamiyyah islamiyah islamique islamica islami | liberation liberacion tahrir
  | cement siman ciment cemento | coal zoghal zoghalsang ugol | insurance bimeh sigorta seguros strakhovaya | mining minera gornaya
  | food ghazayi alimentos gida | power nirou niroo niru | electric bargh elektrik electrica | defense defence defa defensa oboronny oboronnaya
  | aviation havai havaei aviatsiya aviacion havacilik | communications mokhaberat svyazi | complex mojtama mojtame mojtamae complejo kompleks
  | refinery palayesh palayeshgah refineria | pharmaceutical darou darouyi daroosazi ilac | savings sberegatelny ahorro | credit credito kredit
  | bureau byuro | council consejo soviet shora | committee komitet comite | commission komissiya kamisiya comision | center tsentr
  | design konstruktorskoe konstruktorsko | technological tekhnologicheskoe technologicheskoe | scientific nauchny nauchno | production proizvodstvennoe toulidi tolidi towlid produccion
  | management menedzhment modiriyat yonetim | logistics lojistik logistika logistica | marine maritime daryayi | petroleum neftyanoy
  | special vizheh ozel especial | hotel otel gostinitsa | hospital bimarestan | charity kheyriye khayriyah jamiat hayir | relief emdad ighatha
  | exchange sarafi sarrafi | factory factories | mine mines maaden madan
  | 1st first | 2nd second | 3rd third | 4th fourth | 5th fifth | 6th sixth | 7th seventh haftome haftom | 8th eighth | 9th ninth | 10th tenth
`;

const meanings = new Map(
  MEANINGS.split('|').flatMap((group) => {
    const [meaning = '', ...words] = group.trim().split(/\s+/);
    return words.map((word) => [word, meaning] as const);
  }),
);

/** What the word means in English; undefined where it is no such word. */
export const meaningOf = (word: string): string | undefined => meanings.get(word);
