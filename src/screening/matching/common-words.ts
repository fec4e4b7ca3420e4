// Written by `npm run screening:train` from the lists of OFAC, the EU and the UN and from office holders.

/** Entries that were counted. */
export const ENTRIES = 39261;

/** Words of names, folded, behind the number of entries that have them. */
export const COMMON_WORDS = `
1866 al
1262 of
1240 lc
1059 compani
1007 de
847 jsc
834 a
758 ltd
748 and
715 s
691 baron
672 abu
652 co
617 limited
602 mohamed
564 ali
518 mohamad
517 muhamad
477 uo
476 sergai
444 aleksandr
439 te
437 aleksander
433 john
429 ao
427 v
425 i
402 vladimir
389 grup
386 trading
373 c
350 vladimirovich
341 andrai
340 ahmad
318 abdul
315 aleksandrovich david
306 hasan
304 ahmed
296 ibrahim nikolavich
291 aleksai el
288 for
274 mari
271 e
261 abd
260 dmitri
249 plant
247 international
245 shiping
240 bank
236 nikolai
232 james
228 la
215 research
211 igor
210 corporation
207 iuri
203 mihail
200 oleg state viktor
194 peter
193 barones
190 sa
188 viliam
186 development elizabet institute islamic
185 husain iurevich
181 mhmd
177 michal
176 viktorovich
175 technologi
171 zavod
170 ben general
167 anatolevich
165 ivanovich
163 jose
162 center
161 production richard rt
159 tomas
158 iu
157 ladi
155 abdulah
152 maria
151 evgeni george na
148 enterprise ep industres m sergevich
147 mihailovich robert
146 u
145 margaret
142 organization
137 del in
136 ane
135 enginiring saied valeri van
134 an ivan scentific
133 abdalah
132 iran korea
131 haji
129 charles fu iuan pjsc
128 andrev
126 elena li
125 holding kim
124 za
123 mahmud
122 din management said
121 ojsc
118 du investment
117 aleksevich
116 edvard jane
115 vasilevich
114 anatoli
111 rusian
110 services smit trade
108 industrial
106 asociation olga omar
105 l tikriti
104 da r rahman umar
103 nauchno paul reshvenitarsasag
102 national
101 reza
100 fundation jean
99 chol des
98 luis shaih
97 bin bureau oao sarah
96 abubakar socetatea
95 industri iusuf martin technologes
94 musa
93 der evgenevich simon
92 federal natalia
90 boris borisovich energi henri pavel sulaiman
89 oil tis
88 es tatiana
87 ana hosain
86 bd denis do
85 mustafa ra
84 antonio comercial kompania petrovich stefen
83 mark tal
82 il
81 earl gmbh han
80 o viacheslav
79 irina
78 antoni design ian konstantin socete ticaret
77 saleh
76 hamid
75 ag armi christofer jones maksim
74 anton artur danel grupo vladimirovna
73 di gonzalez hmd sal
72 den ltda
71 josef kft nicholas patrik
70 az aziz construction sistems toi valalat
69 pe petrochemical srl victor
68 carlos caroline pao valerevich vasili
67 aleksandrovna genadevich jihad par predpriate roman salim ve vitali
66 actiuni ismail republic si
65 aviation ekschange filip iranian nikolavna ta
64 amir en genadi jonatan
63 d frances inc spolecnost
62 actions central luise machine named pentru shahid su vadim
61 adam alan muhamed patricia socedade svetlana
60 after centr eksport leonid von
59 anatoljevich et fze halil helen jan spolocnost viscunt
58 caterine igorevich jesus jurjevich nev nikolaj service
57 abas andrevich building p rodriguz
56 akciova east empresa francis halid institut le leonidovich lopez proizvodstveno ri securiti unitari
55 defense iong mare movement rose susan
54 abdulahi alami as mansur marine michail militari pavlovich victoria
53 compleks lh mulah pak song tarsasag va
52 2nd b bashir branch capital dela diana forces haj ivanov por
51 alice amin cho corp hsn j los
50 aung fur iahia karim majid michajlovich obshestvo pro tailor viacheslavovich
49 abdel alberto dr drustvo iung lord para private
48 aleksandra ansar chris drujestvo global import ir iusef juan juri korlatolt manul
47 3rd bendrove felelosegu k ministri moris oleksandr pte sarl st ul
46 1 aliaksandr artem daves electronics graham investmenc jo kai marina n peoples revolutionari salih
45 centre ema hernandez nur sanai sid vladislav
44 2 brhim druzba duglas jang jevgeni olegovich pars sirian socedad special
43 acos chun holdings ik joan matev migul monai nam naser no ruslan stil und valentinovich viliams
42 agenci biuro cjsc imeni islamiku jong konstantinovich maritime rahim technical ud
41 akcionerno campbel charlote dele garcia gas hovard isa morgan nail rut sad sanchez t uladzimiravich viktorovna
40 air anatolevna belo dmitrevich electronic evans force haris limitada rashid san star tom volodimir
39 asad dis ekaterina frank grigorevich habib hong hug islami isledovatelski jamal min pur radio robin trust
38 aga bernard centro grupe hari institution janet jorge julia kasim manufacturing obedinene salam ship stanislav united
37 ahund brovn chang department dioniko eric joint laura makai mechanical michel perez rusia salah scence sut tehnologi usman vali
36 brian bruce corps fund grin guard hakani hamza hunt ilia islamia johnson mario mike npo rachel stat stevart timoti valid volodimirovich
35 aircraft asia ekuipment emanul f federation fiona georgevich gordon ho ja jak mohsen organisation publica sas to vasilevna
34 colin comiti das flores foraign frederik haramain hsin inversiones jevgenjevich liberation logistics ltkriti luci mining nik roger saif sergevna shovecegi sili toni ur
33 adamu aljaksandr bn cia comercializadora directorate francisco g haled im irak islam konstruktorsko mehdi mikalavich oliver petr petrov public ramon ruse saed samul siria soceti sultan tores
33 transport uzem val valentina vilson
32 akcine alison angela barbara chong concern enriku gabrel galina grigori grupa iulia jelena judit kish mahdi martinez norman ocean per po pre sali sea serhi sharif spolka tar tudomanios union vin
31 ala delniska dmc eduard faisal fi georgi hadi irgc islamo iurevna julian liudmila long morteza ofice organizacia rafal ramirez rusios salman sani siarhai ton vasiljevich
30 ad airlines albert bakr brigade busines christian clare doroti entreprise fedorovich feliks gosudarstveno islamica kg lindsai media miong moscov rosemari samir so taha vai
29 alah aliu christine dai dikson eduardo factori h invest ishlam katerine malik mun ofshore repair revolution servicios sistem stuart uld un unitarno valentin valker z
28 alfa chemical credit donald dzmitri establishment fabrica geofrai gomez hiok information javer kadafi lines machineri mai mr oscar petroleum przedsebiorstvo pvt tahir uzina vur
27 abdurahman academi adel akbar angel baker batalion cuideachta doris economic eud gadir gul haret hil insurance intreprinderea islamske jafar jeremi jin kari ksing mure nacional nasir oleksandrovich
27 parti real salem solutions son teresa tin zao
26 1st africa amar etairaia evelin federalno fernando finance financial golden hafiz herbert hk inmobiliaria instituto jamat kang katlin king kiong lavrence mukodo nigel ogranichenoi rusel ruske sam
26 unknovn vera
25 4t aksa aleks aliaksandravich benjamin cameron centrul cercetare clark cu daria estatal florence german hair hamilton industrias isis ivanovna javad joana kiril kuznecov latif line man mostafa nirt
25 piotr port propertes sir tan valter vasilev venajan
24 7t abdi adnan adrian anastasia barzan basir clarke companes detat don elnevezet estate gang gilian gold hai harakat islamitishe kate lebedev levis limitata masri mir nicola park rusa scences
24 shangai shehu sun transportation usama
23 andri arab avad beri blak borisovna bruke castro compania emili first front garba garda gil goldsmit hamad hector iasin ibn ihar instrument jim ju kait korporacia levant maung murai nikita
23 nilvanosan otvectvenostiu oven panstvove petro province raspundere rehman ris rivera rusishe sanat scot siargai slmi sofia suport usine valerevna vest vjacheslav
22 aid ailin alejandro aleksevna arkadi armed banco bilal choport claire diaz division dmitrievich dos fernandez gia gibson huges imad investigacao irani islamikis kaida kvang larisa ldin linda luisa
22 malcolm markus mihailovna muhsin murat ni np nuclear pola prison rai republica revoliucios sh shrkt sistemi stok valerjevich vtb
21 administration alvarez andre at bv cement charitable comhstoic dan duncan education foradalmi garde gardens guterez gvardios hak hakim helena idris inteligence islama islamishen islamiska ismal
21 jaber jenifer kong korean kratiki laig marjore maurice mint natalja nina nort oleksi organizacao ralf republiku rim roberc sabavi sadam sahib shah shore sofe stanlai statni tech trans zuhair
20 5t aiman aleksandrovic anvar artiom bob cecil digital epichairisi faruk fuad grace grai het holi iaser ihor imam isabel isil islamskich isliamskata iun iusif jamil jil kamal katarine kenet koncern
20 korps korpusa lesle mehanicheski mianmar murad nuri pakistan pedro pere popular producte resurces revoliucia revolutionaire rf richardson roial rusishen sara shami slh taher trafiking turner tv
20 vang vorld
19 ale alireza azam baba bari basam bel car carter centrum chon defence drjavno eleanor ernest eva froiron gal gard genajevich gvardaicite havala internacional islamico islamiske islamskej ivanavich
19 javno ji jon katonai land loid midle miler mohd moreno morozov mujahidin munir muslim netvork och petrovna podnik poduzece precision rad revolucnich sandra sberbank sham simetochiki stichting tarik
19 velfare venema vhite vitalevich
18 6t abdulkadir abdulrahman agus ai aiad akcina akram aleh alen alfonso alfred aminu arturo bi centar chan china club colonel corpo corpului curpo deborah diamond dominic drug edit eliot estado
18 foderacio fraser gasan gastelum hope hosaini hugo iad iakovlevich iasir ignacio iranene islamilaisen iunus iuriovich jr katerina ker korpusu leo leonard leonidovna lin madani makenze malek mohamadi
18 muamar muhtar ofene op orosh oroshorshagi osakaihtio pamela pauline peri planta pover project rauf raul ravi rebeca regional relef republican revolucionarne revolucji revolutei riad rios riska
18 rivoluzionare rupert suporters timur utman vahid venuchap vladimirovic zboru zu
17 8t abid adil aleg alena aljaksandravich amanda amer aro arospace asa ashraf askuit bicentenario bil blu chin consulting cuperation det dimokratias eastern epanastasis fisics francois gamikla gani
17 gardenilor georgievich grupul guarde hove hun huse ikbal irano irene islamiche izlamika joice karen karin kevin leasing leon lrhmn main maki marshal materials mehmet mendoza mhmvd mikolaiovich
17 militar mog mu musab muvement nasr nationale nurzai oksana olivia on one republika revolucion revoluciunilise revolutionsgarde roberto rusiske sami sanaie sed sergio sherkat shipiard skupina sni
17 stepanovich stratoi straznikov television tong tun ulah unit unitara ural valsc vi vjacheslavovich
16 aberta aiub anabel anas anatoljevna andelen anderson arif arkadevich belarus citi claude comision crimea cuncil daugter davis dean eduardovich elen est europe evgenevna fati federacios federacji
16 filips flecher fond georgina gongsi guardianes gvardu hairia halaf hamed hashim henderson hotel ia institutul irans irg is ivsf jafari jaish jamiat jasim jenkins jibril kadir kardiva kasem ko
16 kozpont krim kuds lav les ma mariam marion marta morales ov partners popov produc producao publiku recherche red resistance respubliki respublikos revolucionaro rida robercon roi roland rosikis
16 rosiskej ruben ruiz sadik sahel se sf shipbuilding solders space stanislavovich steven tejarat ubaidah uk um unitaire veb veronica zain
15 5 abderahmane abdu aciones alfredo aliaksai alonso asim astor bdlh belarusian birul budgetari butler camila cargo castilo cesar cha comunication derek edmund educational elisabet em emen favaz
15 federacie ferguson foderation fondation foster ful generation gilbert gleb gosudarstveni haiat hal halifa hamis hani harold home iain id imone ipari isah iuksian iunis jaroslav jelico jesica jml
15 julet julio kamel kazan korp kutatointezet laila lavson libi lidia major marco masud metal mihailavich mihailov milan munoz murilo naji nikitin nklb oi palestine palmer plc protection psdrn pti
15 republici republiki revolutionsgardec revolutionsgardes rosario ruskai sergevic sidnai silvia sina ski social sok sp statului tai taliban tijani tirimu tomson tri turism ustad valace vale valencia
15 varen vasiljevna volfson zakaria
14 abdelrahman abdulkarim adan advanced ainhaicunternehmen akciaselc alabuga anatoliovich ansari armando ashton avia babatunde bala base belusov boniad carmen caro chariti corporativo cuke cuntes daud
14 davud deshisa dib drzavno enterprises esmail federace fjodorovich flora forze fundacion fzco gostar grand grigorjevich gvarjani haidar hamud hana hijazi husaini husam iahaia iakubu ic idrima
14 ihracat intezet irisl isac italat jackus jaime jamah jana jednotka karimi karl kb kentro kiav kovalchuk koztarsasag ksenia laval lp lvovich macdonald mahluf makarov mashinostroitelni maulavi
14 medvedev mejia meli meza mira miroslav mohamud moksliniu musavi nadejda narodna novikov nvr omospondias osama osman pajegos penelope pojeche povel republike rivoluzjoni ronald rosiskoi saidu samad
14 sang satar savelev shirlai sk spa stait steve tamara ti tim tobi tompson turki unitaria universiti urad vacon valere valstibes vard veleslai viktoria vilaiat vincent vinifred vud
13 3 9t ab aba abdala adams afairs agnes agricola ahmadi ahtar ajar akciohefo andrea anis armstrong art atviroji autonomus baijing basil beatrice blair bong bridge brigades bs cecilia chen cheng civil
13 craig dalian distribuidora ds duke dupa dvijene eden edvards ejercito electriciti elvira fatah fatih federale federalni feldman filipe forcas fraigt francesco fzc gazi genadevna golam golamreza
13 grant gregori grifits gui gumer gusev gustavo hafez hans hasen hilari hog hua humanitarian hurd irn isobel it iunger iut jacob jai jeni jimenez kartin kiu kozponti las lil lilian magomed maks mar
13 marat mashinostronia metalurgi ministerio misile mo monica naim narodni nikolav noble non novin ns nusrat organizatia ortega osborne otman overseas ozean pa parc pearson piatrovich police populaire
13 raies randal ras regionalni renton responsabilidade robinson romanovich romero ros sab sakr salazar sarafi savchenko serhiovich shaik shaila sharia shevchenko sing smart sro stintifica stone tarek
13 tasavalan tose travel ubaidi vadimovich valalata verejna viktorovic vindam violet vono vu zaharov zav
12 abed abud aguilar alapitvani aleksev aman ami anan andelenvenuchap andrzai angus asociacia asociatia atlas automation avatud avila bailai bashar beltran bent best boile borisov brenda brovne carol
12 centifica centras cham chosun clive coks comand constructora curenci darvish decisions democratic difesa ebrahim edine edvin enerji enota etel faris farm federaci ficalan figuroa filipa firas firma
12 foderations foks fort fortele fri fundacao fundatia gabinete gadafi gafur gana garet giusepe gulf gun hamda hanah haruna higer hovel ihia ina incorporated ion iona iosifovich iris islamiah ivanovic
12 jame jekaterina jn jol jund kods kozlov kuintero kumpania kutato kuzmin leonov libian ligt liubov luke lukman magomedovich maier markov medina metalurgical michajlovna milad ministere minsk mojtaba
12 movimento mutana nabil nemzeti novosibirsk nsr oficina organizacion orlando orlov oro pakenham pan pang pmc ponomarev producion projec provincial puia rabi raimond razak refineri reginald republek
12 republik ricardo rima rincon riong ruskata rustam sadeg sadi sainsburi saint santos saudi scs sepah shafik sharg sin sinclair sl socetate spr statliches stela stevenson tadbir tavaristva tesa tet
12 tunisi usa uverte valankumus venture victori viktar vine vladislavovich vorobev vrigt
11 14t 3d 9 abdulaziz adaiemi adebaio african agencia ahvnd alastair aleksandar aljaksai amor amr andrevna anoikti antonia arctic arms barera baronet beograd bhd blanco cari chaika che christina chu
11 cohen comunications cuperative curtenai damascus defensa defesa denise desarolo direkcia direzione dmitro doneck dong edgar egor eksercito eksperimental elc electro elias elisa enginirs erik
11 ernesto federala federatei federationens fil fisher fligt foderaciuni fondacia franco fsu fundacja gabrela gabrele gavin gepgiar gerardo ginibos gurero hala hamdan herman hin hn honra iard iaroslav
11 ida igorevna ilja iman inocent inovation institutas investigacion irgcs isliamska ivanova jabir jalal jese johnston jukot jukov juma jung justin kader kadirova kaiode katrin kazakov kenedi knigt
11 kolesnikov komercheski krdv krzishtof kurdistan libia lslm madelaine manan markuz martirs mcintosh medical mhdi mikalai mstfa muktar murel nash natale natural nicolas nol odprta og oleh
11 oleksandrivna olena olusegun omid openbare operation orental organizace organizacja oscailte pat people progres provinci provincji radi raine ramadan razavi regionalis rene rita rosa rotenberg
11 rulas saman sd sebastian semenovich sepahan shen shervezet shoigu sidi sil siman solaimani stirkor suna sundai suria sve technological tehran tehrik tervezoiroda tornton trabelsi tuls unitarine
11 valdegrave valtion vanesa vazir virginia virksomhed zaid zaki zakir zrt
10 7 8 abdal abdelah abdur abiodun adolfo ahmet airat ajai akademika akcianerna aksel alain alam aliaksevich alim aluminum amunition andi andres archer aria aronaves arsenal asbl asociacao atomic
10 audrai auto automobile aviacioni avoin bakar barakat beaumont benedict boice bridget buhari bukston burns carington centrale chaudri chi chung claudia clement comercio compagne constance contreras
10 control cor cultural dandong dario denominada denumita dimitri direcao distribution doctor dorin duarte edino ela electromechanical emad evgenia faber factores fadil falah farhad fateh fatima fazal
10 federacia federate feloves fiodorov fredi furzas gamibos garib garner generale gilberto god greg guards guzman ha halik hashem hatab hatib help higins hkni hlaing hlil hodgson hofman hovels hs
10 huchinson iakub impresa india industria injiniring internal irek isam isav istat ives jamel jazairi jibrin josefine jule julius jurjevna kabir kadirov kamil kas kaveh kazeno ki kinahan konstantinos
10 krimi ksiang kulikov lab lavan liaudes lisa liz ljudmila logistic lojistik lui mahad maruf mason md mehr mi mianma michele mineral ministerstvo mogadam montagu murfi naif naing nalezace nationala
10 navigation nikolava nora nord nove odk omer omilos omran operadora optical otkrite pajegu pelham persian petersburg piong pjotr priborostronia rana reda regionala regionale regionalna rendsherek
10 republikas rider rinat romanov sahab samer sanabil sav sepehr sera servicio sher sherkate shi shishani sik soames soiuz solomon soma spencer statale stato stovarzishene subhi sung suri svedish tak
10 talib tania tanzim tavhid tavon technologiai tecnologia tina tmk tr tula uksus uladzimir umaru uznemums vargas vasil vat vedelmi vederburn vile vitaliovich volkov zakladi zia ziad zone
9 6 abdirahman abdula academician aden adib adkrita afgan agricultural ahmat ahras aidin aio aliance aliev almaz alueliset anete antonov araujo arbutnot armata armate armored asian aslan asociacion
9 ata atrodas avdev azim ba badr basai bela benet berlusconi betune bishma borton brendan bt bukar burke ca caizer cardona cavendish centrala centralni chamkat chechen chemistri cholmondelai chui
9 clifton colvin comander combatant componenc composite compton computer congo constructi corpul dahiru daisi dasong davidson deitinsi delo devices dinamais direcion directia diretorat domeniul
9 donaldson drzavni dto duri ed edin egorov electric elkadafi engine eniaia eparchiako erok eslami fadi fahd faiz fajr faraj feap federacao federaline federazione fedorov felipe fgup foderale fonds
9 forca foreningen forza francesca fred furza gafar gajiev gaksiola gao gatafi gavron gems gerald goran gregorio grosvenor guadalupe guilermo guld hadteste haiho halim hamam hamcho hamdi harison heat
9 henadzevich hion hisham hld horizont humberto iacub iazid ibara ildar imperial inchisoarea instrumenc instrumentation instrumentos intrapriza irao iritis irkut isakov islamska isral iucef iunes
9 jackuline jakson jalil jamia jasem jemah jenkin joi jordan joshua jv kabiru kala kalashnikov kalejimas kani kara ken keshm koni korio korpus korpusas kozpontja kuin kulonleges laden lait lea letat
9 leteki lev levi lhmd lobav lorna lsd lsid lucas luna macgregor magribi mahamud maher maihev making marek margarita margurite marian marin market martinov masa masini mat material mecanica mecaniku
9 mechanikai menejment mikola militaire ministero mobin moskovski msn muhajir mzi nacionalna nadace nadacia nader najib nazar nazarov nazionale nazir nel nestor neuberger nevs nevton novgorod novi npc
9 npk nuredine obaida omospondiaki onail os osipov ostec palestinian palumbo panama partia pavlo paz petropars pil pirkondlik pjs plus predpriatie pres price prior prision procurement provincis
9 publichno raigiunach rami ravlinson rd reconstruction reditelstvi regionalais regionalen regionalkorps regionalne regioninis regjonali relevant resort rifat rihoravich riklik rogers roket rosalind
9 rus ruska sac saifulah saimur salahudin santa sazi scentifiku sdn shaban shafi shar sheferd shenjen shpg siarhevich siberian sigurnost sile sinabil slujba smil smirnov snage sobolev spanm spanmal
9 specialized sprl stacejede stefan stefane stepan stiftelse stiftung stredisko supli supreme tabatabai tecnologias telecom temple terentev teri tian tilfah tosi trevor tul uficio umahanov unmaned
9 unternehmen ursula usamah vafa valentinovna valpole vasim vaznica vendi vezene veznice victorovna vila vilkinson vitaljevich volga vorks vorobiov vuhan zaicev zainab zatvor zoran zubair
8 12t 13t 15t abdo abigail abraham abramov abubaker acosta aditive agat agentura aguire ah aide aijardzibas ak aki akpan alavi albertovich alec alhasan alina alvarado aminulah anatol anatolivna apled
8 arelano ariola armia asfalaias au avangard aviakompania bait baki banking banku bar barakzai bas batalon bateri baz biuras blake bogdanov bridges brigada broadcasting brokerage brzn cal cali care
8 cargrad casa castle centru chapman chef chemicals choi chukvumeka chul cimeks cintia colombia consultant cordon cravford crimaia culture curzon dahir damian dana dans detudes difiza dominguz dragan
8 dune ede ekspert eksternal else epk etairia eugene evhen eving fabio falcon faust fazel fedorovna feld feliciti filis fiontar firm flot fondas fortelor fridom fud furkan future gail gazprom gertrude
8 giar giartasi giorgos godfrai gorb gordo gore graf gran guidance gutenberg hadit haidari haies haiman hairulah haitam halif hamsho hanafi harun hashimi haugai hazel headkuarters helicopter henreta
8 hilal hilton hind hongkong hopkins humam huti ianukovich iauhenavich ifeani igata ilias importadora indonesia infrastructure inma integral integrated intertrade iraki iranske isabela ishak isi
8 islamski ismailovich it1 ivone iz jairo jakovlevich jama jednolite jednotni jefrai jimi jiri johanes joseon jules june jurevic kazim kentriki kil kimia km kolavole kombinat kongunti kravchenko
8 krevijas ks kubaisi kum kumar kurdi kutatokozpont laing laser leach lebanon lena lenoks leonardo lindesai lion ljudska lorenzana luka lukashenka macfarlane machines mad magnus mahamat mair make
8 maksamed malam marcus martins marvan mas maud mcalpine mhlvf mihailo mihev mikalaj militare milosevic mines ministeru miriam miscarea ml mohtar moinihan mozgalom mubarak muhamadu nacionalni nadia
8 nanci nasim natasha naukovo naval ndr nejad nichols nikolavic niru nuh obrani ofentliche ogranichena oman omistama operations organizazione ot otgovornost otvoreno pacific paislai panstvova pantelev
8 paolo part partido partidul partnership patel paterson pemberton perci pishro plaza polius pong popolare potapov prigione priosun proectare proizvodstvenaia proizvodstveni rada raian raja ran
8 rashidi rasul reconaisance region remnant remontni rezai riaditelstvo ribairo rid riki rio rob roderik rosi rumiancev rusko sabri sadek safari safavi sajad sakar salas sanderson sasu sc sdm securite
8 seguranca seguridad semionov sergui set shahr shams sharhai sharp shav shepard shiraz shop shoveceg shuvalov sia sicureza sif skiner slimn sm smt soceta sokolov solovev specialno speku staf stevens
8 strategic stridkrachten stromberg studio sulaimane svet tad tain talha tali tamas tauhid tautas tavfik td technologe technologiu tehnologe teodore terence tetiana tic timchenko torgovi tovaristvo tp
8 transfer tukur udin unitarni universal vahab valenzula vasiljev vaskuz vaz vaziri veber velaskuz vestern viktaravich vit vld vli vo vorkers zadeh zafir zakari zenit zentrum zvezda
7 abdelhamid abdolah abdulaie abul administracion afanasev agentia agro ahmar aie airline aisa akb aleksandre aleksandrov aleksin alhaji aliaksandrauna alistair alton alvaro amelia amos anders
7 andrevic andrevs angelo aparari ar arabela arabi ard area arene aris armada armament arnoldo asembli asgar asi atenborug atia atif atila aubin auken autoriti av aves avrora azavi babai bageri
7 bahtiar banca bandar banka baran barber barnet basi behzad belov benevolence benion beti bezpechenstva bitriver biztonsagi bkr blakvel bogdan bondarenko borisat borisovic bortnikov borvik bosnia
7 botomlai brenan bret bridgeman brigad brigs britani broters bruno buterfeld califate cambo canada carai cardenas carev carolin celia chaplin cherif chernishov chetvind chichester chilver choson
7 chuka ciprus clair cleg cliford colins combat comodites consiglio consorcio contracting corporacion cosanta covdrai crimean crimi criminal cristina cuningam cuper dafne dani danil danjuma dar dava
7 dego delgado deng deputat diachairistiki dides direction direktorat dn dora driling duches duku dun ecles edna egipt elaine elektromehanicheski elektronik eleonora elton emilio empresarial enid
7 erskine esfahan estrada etniki fabricacion fabrika faiad faleh far farhan fazil fdl federacijas federacion federalna federalne femi fiodorovich foderales forbes foz fradkov gait galib gam gari
7 gascoine gasem gasolinera gefangnis genadz genant georges georgios geraldine gerard gida gilan gilmur giorgi glavni glori gon gonzalo gosudarstvenoie great grenfel grigorev gud gudart gvang hader
7 hambro hamidreza hamish hamzah harb harchenko harman haskins hatam havacilik hbib healai hebai hek helme henao herera hermione hidaiatulah hig hikmat hilda hishan hji hlavne hojat holdinga holik
7 holme horasan hovart huri hurta hurtado husai huv huzestan hva hvan hvang ib ibahabich igazgatosag insat inter interior ioanis ipiresia isfahan ishakzai izat izlamiku jahan jarah jehad jevgenjevna
7 jhon jolife jud junior juravlev juriovich kada kais kalai katibat kava kazemi keji keli kereskedelmi kile kin klimov kostenko kovalev krimaias ksm kuvaiti lai lamb lambert lane leader leanidavich
7 lebanese lerma leslai levelin liberacion libertacao lidel lilia limiti lina lionel lobkovich lov lovel lslmih luca lucinda luhansk lurdes maganvalalat maia makgil marc marcel marketing marko mashin
7 matvev maulana mazidih mcdonald mehanik mejdunarodni melane melnikov mhsn michailovich michajlavich mikalauna militara milos mils minera ministerul mio miranda mobile modern moler morskoi moshkvai
7 ms muasasat muhanad mushaki nacionaline naem naft nagi nai najm nao naomi nationela nebla nia nijni nikola nikson nino nioc nunez nv obedinenaia ok okb oleksiovich olivera omari onslov optiko order
7 orente organisate osrodek ovned ozbrojenich page pakistani papa parkinson parsian patriot paula pavlov pena peregrine peu pi pipe pjatrovich pliroforion pokret prentice priborov prince procesing
7 produkcine proizvodnju properti provincia publico pulido rafi raisa razrez razvitia rc refining republiken responsabilite richards richmond ridvan roper rori rosale rosia rosiske rudi ruso saba
7 sahalin sahami saheb sahravi salameh salvador sandberg santiago sarvar saugumo sbvi second securitate semionovich serano serena sharifi sharon sherbakov shid shig shih shipmanagement shirazi shrh
7 sian sibil signal silva silver sima simpson sire sistema slim sokol sonia soto sovcombank speki stankevich statali stiftelsen stodart studes suhail suliman sunah sunson sur susana tajudin talal
7 tamir tango tanker techniku technologiak tehnicheski televizios teo tera termelovalalat tird tordov traid transporte transportes tru unitarinen unitars upravlene upravliaiushaia urzad usm vabo
7 vadington vagner vaked valdez valerievich valeriovich valerjevna valton varnok vasilivna vejo vektor ventures vhitaker vid vimpel vivian vojska volfgang zadran zaharova zaidi zaklada zubaidi
6 10t 14 20 abad abaiomi abasi abdulrazak abramovich acakomibes achekzai adekunle administracao administrativos afari against agajani age agropecuaria agustin ahd ahsan ahundzada aisha ajibola ake
6 akimov akteselskabet akua aljaksevich alma almani am amina aminas amriki amru anatolevic anikev ano ansharut anshorut antai areola armadas arman arnold arnulfo arsen artiuhov artom arz asadi asaf
6 aset ash ashlai asociated audu avais badan badri bagdadi bal balarabe balogun bamford bangladesh barahov baring barker barnes basis batalions baza bazi beach belova benson beril betel bevike bif
6 bingam bir birt biujetno blease boi borislav bover bradlai bradshav brandon bravo brigstoke briones brukes bubakeur bulok bustamante calagan camacho caribean carnege carsvel cartel cartridge carver
6 cash catriona cazares cazarez centrali centrinis chanel changvang char chartres cheliabinsk chemezov cheol chernishev chisholm christofe chuideachta chvk ciber cifuntes ciril claudio consail consejo
6 conselho consiliul constantine construcion continent continente coplai crimia cros cruz cuk cuming cunlife cure cv dairdre dal dali danesh dav davson dcb dehgan democratikus desai desarolos
6 developement diamonds diane dias didenko diko dimas dina dinameon dino direkcja dmitrievna dods dom donbas donugu doroshenko draks drzavna dubai dubna dug dugdale dumitru duran ead eadi eagraiocht
6 eatvel ebrahimi echelon egesult ehsan ekspres elis eliza elspet elvis emeka emile energeticheskaia energia eng enginir eroi esercito especiales espinoza ester evgen evgenovich factoring fahad fai
6 faical falconer fanavaran fangelset fani fara farag farah fares farmaceutical faulkner fazl federazjoni feodosia fero ficmaurice filistini fishing fit fkp fondazione ford forte fraiberg frente fric
6 friman frit fronta gajev galbrait gali garargah gardner gasanov gavrilov georgia gerek gerhard geri ginkluotuju giu gladis glavno glovni godvin goli gordev goriacheva gornaia gorno grabiner grad
6 grafaio grainger gringros grinhil gromov grvh gsn gu guardans guardia guilaume guk gulam guo gup gure habgud hadr hairi haki hamadi hamadu hamd hamdulah hamun hanai hanson hao hara hardi hart harzi
6 hava he heater heritage heseltine hiaraine hilafah hmdi hocine hodge hoile holdingovaia holdingu holmes honor hormoz hosa htet htun hubert humfrai husing hvi iang iaradua iare ias iauhen iazd igap
6 ijevsk ilah ilmaz impeks informacos ingrid inigo inovative institoito interest internet io ipoirgaio iranin irvine isidro iskra islamice isr ivor izsledvania jadran jake jamatu javito javna jeng
6 jerome jerusalem jev jeveleri jocelin johana johni jordi juburi jui jun justice kadur kaidat kaka kalaie kalinin kancelar kanokov kansalinen karbala karpov kato kazanski kerimov kimo kinok kirienko
6 kml kompleks kostiantin kostin kovalenko kozlovski kozpontositot kpa krima krimas krimin krimo krims krimskai ksaver ksi ku kudus kuk kulik laboratori lang lashkar lavrov leagu lebedeva legi legion
6 lel liabiliti life lile lister liva lokhart lovter lslmi luai lubok luc ludmila lukashenko lukin lumu lvin mabel macaulai maclenan magaji maginis maina mak maksime mal malim maradiaga mariane mars
6 marsh masai master mati maude mauritanian mavlavi mc mcavoi mcnali mconel mega melisa melnichenko memon mendez merchant merlin metals metopo mg mhmdi miche mikolaivna mikolajovich mil milet mine
6 minishterium ministeria ministria mirzai mishustin mit mizban mn mnsvr mochtar moira montoia moran morfin morocan mortaza moses moshe mreja mri mti mujahid multi mushtak muslims mutasim mz nabi
6 nacionalnaia nadim najdi name nar narodnoi nasif nauchni naumov nazjonali nechav nelkuli nepi nico nicol nicole nidal nikonov nilov nom norah nortern norton novak ntc nuva oakeshot obaid obrambo
6 obroni obshestveno ochoa ojeda ojo olha olivas olive onomati open openhaim organosi orion ortiz oruzanih oshorosh otbranata otvorena paia pankov pareh pari pc penitenciaria pension perm perminov
6 pers peti petra petrol petrovic pgo pilar pilota pim plm plovden policia polimer populara poroshenko priborostroitelni principal principale privada profesor projekcni prumislu purpose putin rab
6 radovan rah rahbar rahimi rahmani railvai rajab raji ramos ramsai rav razuki restaurante reuben revival rezae rg rhuma riak ribotos ridlai riks rmdn robles robson rodina rodolfo rodrigus rol rosales
6 rove ruber rubi rubio rushan rusland rzech sabedriba safe sahraui sai saifudin saker sale salihin salisu salvation samarai sana sanam sanatorium sanaulah sandbach sarlu satelite savile sazandegi scf
6 scrimgeur sean seaport sef semjonovich sergi serna servis severo shahab shahbaz shaima shain shamalov shamari shamil shandong sharples shervezete shin short shubin shuhada sicherhait simone
6 simvoilio siren sirhan skb slmn sluzba smp snaga soft sol solution sons sop sorokin sparta speciale spicer spring stars statliga statul sti stiurtoireacht straitkrafte stranka stratos stroitransgaz
6 sudan sufian sulaimani sule sulejman sulsbi suterland svinfen svire svitlana tafir tah tahmasebi taisir taivo talbot tara tarhan tariba tarniba tasong tata tatjana team tebit techno tehniki
6 televiziune ten testing tiger tigran tiler timofai tito tkachev tl tobias tomash torik tov trenchard trk trofimov trut tu tunde tunisia turat turlov turs tvo ubaid uladzimirauna uladzimiravic
6 ulianovsk ulrich under unhang uni unitarja unitarne uniti uniunea uprava upravlenia usluge ustav ustredna ustredni uvais uzbekistan vadzim vahavich valentine valeriu vanguards varela vaserman vasi
6 vasiliades vazkuz veapons vedeko vehicle venezula veronika vhiler victorovich viki vilfred viliamson virobni vital viven vjaceslav vladimirov vnir vostok vroteslai vserosiski vudvard zafer zahra
6 zahrani zaklad zamudio zarko zaur zazuta zurab zuraik
5 12 140 18t 1t 21st 23 4 53 abdelkader abdilahi abdol abdulkader abdulrahim abdusalam abel abo abzar achmed adedeji adela aderemi adevale administracios administracji ado af afridi agencja agnev
5 ahmedovich aia aiash ain ajmi akademik akciu akil akim akmad alap alderdice aled alejandra aleksis ales alev alicia alieva alirio alizai almaida amadu amezcua amine amiri amori anatoleuna anbia
5 andras andreas anizi anka ansarul anti anzi aonadach arce aredondo areos armen armis aronautica aronautiku arzamaski asan ascotec asevoimen asgari ashcroft asis atef atkins augusta avaies
5 avtomobilni azadi babalola babangida bach bachir badi bager bahman baikal baird bak bankas baret baset bava bearing befektetesi behirmachapi behnam bek bekhan belen belgacem belih belomo beloruski
5 benavides bertrand bevegung bezpecnostni bichard bid biktopobich bilad bio biological birne bishop blach blaker blakman blud boardman bocharov boid bonum born borodai bosco brag brahim braine bramal
5 brigadi brito broker brugam brukman bsm bu bucher bugetara burliav burlison bushra bustos butervort cabelo cable cabrera cadena cadrul calderon caled calum camara carbon carilo carla carlo carmichal
5 carnes carole case caspian castano cb chanon chaple cheri chernishenko chit chonaidm chukvuma chuman citadel clio colvile combatente comerce compund computing conor consultanc coper corea cori
5 cormak costa cravlai crispin cristal cristian cuba cumberlege cuting dah dale dalel dalrimple damir danela danele danladi dari dash dave davina davn dear defenders degtiarev delacurt delimhanov dena
5 denham denisenko denisov deniz desmond dev dia diab diabi dinami dine dire direktorac direktoratas diseno dm dmitrevna dmitrovich dnr dolakia doneckoi dpr dprk drev drosibas drozdov drzava dugan
5 dunlop dusan dzihad dzihadu eaton edbi efiong efrain egiptian ehia eksploration ektesad election element eli elizaveta elmira emeni emsle enforcement enoplon era erle ermakova ernle erol ervin esa
5 esmali esparagoza especial estacion esteban estele etemad etim european ev evart eze fairfaks fakih famili fan fangslet faraiand farington farit fat fedaravich federalnaia fegiveres fejleshtesi
5 feraidun feraira feti fetisov fife filakes filial filipovich filkin financed fiodaravich fiodorovna fku fleurete flint foglalkozo fondo fondul foniks forsit forzi franz frolova fronte frontul fruit
5 ft fundacia fundush funte fursenko fz gad gair gaisa galindo gan ganiu garnet garo gaston gaz gbenga genadievich genadzevich genikoi genrihovich gerasimov germai gi gideon gilda giles gilmutdinov gl
5 godoi goni gonzales gostaresh grande granit grevile grimstone grine grodno grop gru gtlk guangju guardians gudenug gudman guilen gunadi gura guterbok habibi habibulah habu hachim hadad hadsereg hain
5 haivud halima halina ham hamer hamidi hamitov hamshu hamzi handal hanifa hapjangang harbi harde haritonov harvai has hashemi haskel haslam hatum hdi heatcoat helicopters hemat henadiovich henadz
5 henesi henrik hermanos hernan hezbolah hi hidri hir hirsherzesi hirzalah hivatal hizbalah hizbul hnute hoda hojatoleslam holger horacio horizon hormuz hsini hud hum hung hunter huton huzaifa iakov
5 iap iar ibs ignatov ignatova ihsan ila ilich imbert imed imn imre ind indio industre informacion informazjoni inge ingeneria inom institiuid ioan iork ioslamach iparagak iranas iron isavi ise
5 ishenko islaisvinimo ismailov istitut ita iuli iurivna ivlev ivns jaburi jako jakob jamiah janer jani jao jaramilo jarvis jauhen jauhenavich jednostka jemima jensen jeri jiang jimoh jing jmh jmhvri
5 joakuin jofe jojef jumah jurjevic kabinet kahtani kaluga kamaz kanan karinis karlov kashin katada katan katirji katrangi katranji kavtar kazani kazbek kazi kelmendi kent kifah kilpatrik kingslai
5 kinima kirsten klas klaus koang kocak kolbin kom koma kompani kondratenko kondratev kononov konstantinovna kozak kramer krimea krimu kristina krivoruchko ksasan ksiangongsi kuchi kuen kuinton kuni
5 kunsil kuol kurbanov kureshi kusai kuznecova laird laiva lajnat lal lam lami lamont lanre laredo lashlo lau laundering laurence laurent lda leading leanid leanidauna legal leke lester lhsn
5 liberazione liberazjoni liberti libiki libre lider lili liman linares link linklater litelton liton litovaltion liu lizing ljiljana lkdr logan loginov logistik longford loraine lrk lshr lu lucio
5 ludova lue lugansk luigi luki lukianov lur macej macferson maclaurin maclehose macleod madi mage maintenance maior maira makin makuinaria mala maldives maleki malin malishev mamun managing mance
5 mancroft mansuri manula mara maratovich marchenko margelov margeri markelov markovic marocain marufi marun masinu maslov matias matvienko mazen mazin mcarti mcluskai mcol mechanics medicine mehmud
5 melo merai mercedes mernoki met mia michajlov micotakis mihailauna mile milena milorad miners miniar ministerios ministerului minski mis mishcon mishenko misiles misri miterand mitford mizulina mjid
5 mladen mohamadreza mohmad mojahedin mokadam molot monika monir monro mora morozova mortazavi moscova moskva motor mrtdi muazu muh muharbek mujahedin muler munt murtada murton musatov muslimin muti
5 nacho nada nadir naftiran naja najar namdi narodne natanel navi navis nazarova nazmi nelson nemzetkozi nepkoztarsasag nesterenko neterlands nevbi neverov nevile nft nikos nip njib nortover novorosia
5 novosibirski nr ntoneck nuhu nuvo nvri oais obaidah obi oboroni obrane obren obshectbo obuhov ogli okechukvu okroian oktatasi ola old olegovna olesia olven omada oni onishenko optikai orelana org
5 organisaciun organizazjoni organized orlova oroshorshag osadchi osvobojdene otdel oto ovada ovolabi ozerov paiman paiton panruse panstvovi parku parshin parsons partai partisans partito parviz pata
5 paten patriotic patrushev paulet pavlovic pavlovna pazarlama peace peninsula peraira peralta pero persia peru peston petrochemicals pik pionir pk plat plumb plumer plunket poliakov political
5 ponomariov poplu popova porohovoi porter portilo post pradpremstva prava prezidenta printing prokt promishlenaia proton przemislu psb radic ragab rahat rahmah rahmatulah raid rais rakitin ramzanovna
5 rancho randolf raza razik rendon renfrev renovation repulogepgiar restaurant restaurantes revolucao revolucionaria reznik rigteus rishard rising riza rk rocha roco rogozin roile rojas rok romanenko
5 romans rosalin rosamund rosel rosiski ruch rud rudenko rudenski rufai ruise runce ruslanovich rustem saderat safin saidi sain sait salehi salihu salimi salmane salter samara sanad sanati sandi
5 sandoval sasi sasun saturn savo sb sdk segun selezniov self selina semenov sepulveda setlement sha shabab shalah shamlah shamu shankiti shariah sharian shark sharkai sharman shavcros sherif shevcov
5 shir shirian shmn shona shuaib sibai sig simons sindi singapore sino siraj sirja sistemas sitnikov skidelski skoch slm slos smh smile solaiman solid som sonja soren speciali spiridonov spravcovska
5 sredisnji stacaigenes stacbedrif states stc stepanov sterling stern stg stopford strana straton strit strugle suarez suples sus suzane sviatlana taieb taimuraz taksiarchia tala tanacs tanko tehnika
5 tehnologiu tehrani telecomunication tengeri terese termelesi termelo tervezo tigers tihomirov tihonov tihonova timofevich tiurin tkachov tmn tobaco tod tolstoi tombs tomlinson top tope tor tpz
5 tractor training transportnogo trefgarne trench trinidad tugendat tung turab turchak uc udruzenje ulianovski ulises uluslararasi umarov une uniao unione unitatea urea vabnede vad vade vadi
5 vaigaokiao vainstok vakeham valis vane vankila var vardo variable variors varlai varner vasile vater vaters vavilov vb vega velazkuz velch veles velez ven verner viachaslau viachaslavavich
5 viacheslavovna viece viktorivna vilis ving vings vinson viskum visos vista viviadu vizvolenia vlasov volf volfovich volha volodimirivna vortington vostochnaia vostochni vs zagaria zahar zahedi zahid
5 zahir zaidan zambada zapata zapor zarzadzajaca zbrojnich zepeda zevalos zinaida zona zr zubairu zuleta zvalgibos
`;
