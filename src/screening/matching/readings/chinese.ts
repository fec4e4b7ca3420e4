/** Surnames of two characters, simplified and traditional. */
const COMPOUND_SURNAMES = `
  欧阳歐陽 司马司馬 上官 诸葛諸葛 夏侯 皇甫 尉迟尉遲 公孙公孫 慕容 令狐 司徒 司空 端木 东方東方 南宫南宮 西门西門 独孤獨孤 长孙長孫 宇文
  轩辕軒轅 百里 呼延 万俟萬俟 闻人聞人 赫连赫連 澹台澹臺 公冶 宗政 濮阳濮陽 淳于 单于單于 太叔 申屠 公羊 仲孙仲孫 钟离鍾離 鲜于鮮于 闾丘閭丘
  司寇 亓官 巫马巫馬 公西 颛孙顓孫 壤驷壤駟 公良 漆雕 乐正樂正 宰父 谷梁穀梁 拓跋 夹谷夾谷 段干 东郭東郭 南门南門 羊舌 微生 梁丘 左丘 第五 东门東門
  西宫西宮 哥舒 贺兰賀蘭 完颜完顏 纳兰納蘭 耶律 叶赫葉赫 那拉 太史 司城 公仪公儀 公户公戶 子车子車 相里 綦毋 毋丘 即墨 达奚達奚 褚师褚師 鍾离鐘離 拓拔
`;
/** Compound surnames that are not read as their characters are, or have other spellings. */
const COMPOUND_READINGS = `
  尉迟 yuchi|尉遲 yuchi|万俟 moqi|萬俟 moqi|澹台 tantai|澹臺 tantai|单于 chanyu|單于 chanyu|乐正 yuezheng|樂正 yuezheng|长孙 zhangsun|長孫 zhangsun
  |欧阳 ouyang auyeung owyang auyong|歐陽 ouyang auyeung owyang auyong|司徒 situ szeto seeto soto|司马 sima szema ssuma|司馬 sima szema ssuma
  |诸葛 zhuge chuko chukot jegal|諸葛 zhuge chuko chukot jegal|皇甫 huangfu hwangbo wongfu|上官 shangguan sheungkoon sheungkwun|夏侯 xiahou hahau hsiahou
  |南宫 nangong namgung namkung|南宮 nangong namgung namkung|鲜于 xianyu seonu sonu|鮮于 xianyu seonu sonu|司空 sikong sagong|独孤 dugu dokgo|獨孤 dugu dokgo
  |东方 dongfang tongfang dongbang|東方 dongfang tongfang dongbang|慕容 murong mujung muyung|拓跋 tuoba|拓拔 tuoba
`;
/** Surnames that are read otherwise than any-ascii reads the character. */
const SURNAME_READINGS = `
  曾 zeng 单單 shan 查 zha 乐樂 yue|le 盖蓋 ge|gai 解 xie 卜 bu 朴 piao|pu 仇 qiu 翟 zhai|di 区區 ou 缪繆 miao|mou 折 she|zhe 覃 qin|tan 薄 bo|bao
  尉 wei|yu 种 chong|zhong 召 shao|zhao 员員 yun|yuan 牟 mu|mou 秘祕 bi|mi 能 nai|neng 都 du|dou 黑 he|hei 佴 nai 乜 nie 俟 qi 郗 xi|chi 长長 chang|zhang
  繁 po|fan 祭 zhai|ji 纪紀 ji 葛 ge 任 ren 车車 che|ju 句 gou|ju 晟 cheng|sheng 哈 ha|hei 洗 xian|xi 过過 guo 应應 ying 令 ling 宁寧甯 ning 隗 wei|kui 逄 pang
  吕呂 lu|lyu|lv 闾閭 lu|lyu 律 lu|lyu 莘 shen|xin 那 na|nuo 訾 zi 撒 sa 柏 bai|bo 教 jiao 肖 xiao 沈 shen 盛 sheng 谌諶 chen|shen 冼 xian 石 shi 万萬 wan 佛 fo 钭 tou 阿 a|e
`;
/** Characters of given names that are read otherwise than any-ascii reads them. */
const GIVEN_READINGS = `
  长長 chang|zhang 卜 bu 佛 fo 仔 zai|zi 勒 le 朴樸 pu 伯 bo 泊 bo 薄 bo 晟 sheng|cheng 隽雋 juan|jun 珲琿 hui|hun 玟 wen|min 琢 zhuo 翟 zhai|di 曾 zeng|ceng 湫 qiu
  峤嶠 qiao|jiao 地 di 大 da 溱 qin|zhen 都 du|dou 调調 diao|tiao 弹彈 tan|dan 拓 tuo|ta 铣銑 xian|xi 荠薺 qi|ji 歙 she|xi 鹄鵠 hu|gu 埔 pu|bu 莞 guan|wan 荥滎 xing|ying
  蕃 fan 缪繆 mou|miao 还還 huan 鉴鑒鑑 jian 骠驃 piao|biao 縝 zhen 頻 pin 蘋 ping 鵑 juan 禪 chan|shan 鈿 dian 匱 kui 頡 jie|xie 幀 zhen 解 jie|xie 查 cha|zha
  绿綠 lu|lyu 女 nu|nyu 旅 lu|lyu 率 shuai|lu 重 zhong|chong 行 xing|hang 乐樂 le|yue 区區 qu|ou 单單 dan|shan 召 zhao|shao 镐鎬 hao|gao 葛 ge|he 校 xiao
`;
/** Spellings of surnames besides the Mandarin ones: Cantonese, Hokkien, Teochew, Korean. */
const SURNAMES_ABROAD = `
  王 wong ong heng wang| 李 lee li lei ly ri rhee yi| 张張 cheung cheong chong teo teoh tio tiong jang chang|
  刘劉 lau low liew lao yu ryu yoo| 陈陳 chan tan chin ting tran jin| 杨楊 yeung young yeong yeo yong ieong yang|
  黄黃 wong ng ooi oei uy vong hwang| 赵趙 chiu chew teo tio jo cho| 吴吳 ng goh go ngo eng oh o|
  周 chow chau chew chiu joo ju| 徐 tsui chui chee cher choi seo suh so| 孙孫 suen sun soon sng son| 马馬 ma mah beh bey|
  朱 chu choo joo ju| 胡 wu woo foo oh aw ho| 郭 kwok kuok quek kwek kueh koay kwak| 何 ho hoe hor ha| 高 ko koh kou go|
  林 lam lim rim im| 罗羅 lo law loh low ra na| 郑鄭 cheng tay teh tee chang chung jeong jung chong|
  梁 leung leong neo nio liong yang ryang| 谢謝 tse che cheah chia tjia sia sa| 宋 sung song soong| 唐 tong tang teng dang|
  许許 hui hoi koh khoo khor kho heo hur ho| 韩韓 hon hang han| 冯馮 fung foong fong pang| 邓鄧 tang teng thien deung|
  曹 tso cho chou chow jo| 彭 pang phang phua peng| 曾 tsang chan chang tjan jeung| 肖蕭萧 siu seow siew siow so|
  田 tin tien thean jeon chon| 董 tung tang tong dong| 袁 yuen wan oan won| 潘 poon pun phua pua ban| 于 yu yue oo woo u|
  蒋蔣 tseung cheung chiang jang| 蔡 choi choy tsoi chua chuah tjoa chai chae| 余 yu yue yee ee er yeo yo| 杜 to tou toh du|
  叶葉 yip ip yap yeap yeop| 程 ching cheng thia jeong| 苏蘇 so sou soh saw| 魏 ngai gwee goei wee wi|
  吕呂 lui loi loo leu lyu ryo yeo| 丁 ting teng jeong chong| 任 yam yum iam jim lim im rim| 沈 shum sum sam sim shim|
  姚 yiu yew yeo io yo| 卢盧 lo loh low lou loo no ro| 姜 keung geung kiong kang gang| 崔 tsui chui choi choe|
  钟鍾鐘 chung cheong jong chong| 谭譚 tam tham dam| 陆陸 luk look loke lok yuk| 汪 wong ong wang| 范 fan faan hoon beom|
  金 kam kum kim gim| 石 shek sek chioh seok sok suk| 廖 liu liew leow liaw ryo| 贾賈 ka kar ga| 夏 ha har heah| 韦韋 wai wi|
  付傅 fu foo poh po bu| 方 fong hong png bang pang| 白 pak pek beh paik paek baek| 邹鄒 chau chow tsau choo chu|
  孟 mang beng maeng| 熊 hung him ung| 秦 chun tsun chin jin| 邱丘 yau khoo hew hiew yow koo gu| 江 kong kang gong gang|
  尹 wan wen yun yoon| 薛 sit sih seol sol sul| 闫閆阎閻 yim yeom yom| 段 tuen tuan dan| 雷 lui looi loi noe|
  侯 hau how hou hu hoo| 龙龍 lung leong loong liong ryong yong| 史 sze see sa si| 陶 to tow tou toh do| 黎 lai loi ryeo le|
  贺賀 ho hor ha| 顾顧 koo ku ko go| 毛 mo mou bo| 郝 kok hok hak| 龚龔 kung keong kiong gong| 邵 shiu siu seow so| 万萬 man ban|
  钱錢 chin tsin chee jeon chon| 严嚴 yim ngiam giam eom om um| 覃 tam| 武 mo mou moo bu mu| 戴 tai tay dae tae| 莫 mok mak|
  孔 hung kong gong| 向 heung hong hyang| 汤湯 tong thong tng| 温溫 wan woon oon on| 康 hong khang kang gang| 施 sze see si sih|
  文 man boon mun moon| 牛 ngau gu u| 樊 fan huan beon| 葛 kot kat gal kal| 邢 ying heng hyeong| 安 on an ahn| 齐齊 chai che je|
  易 yik| 乔喬 kiu kiew gyo| 伍 ng ngo goh go o| 庞龐 pong pang bang| 颜顏 ngan gan ang an| 倪 ngai ngoi geh ye|
  庄莊 chong chng ching jang| 聂聶 nip lip seop| 章 cheung cheong jang| 鲁魯 lo lou loh no ro| 岑 shum sum sham jam|
  詹 chim chiam tsim jeom| 关關 kwan kuan quan| 焦 chiu jo| 翁 yung ang ong| 殷 yan eun| 祝 chuk| 毕畢 pat but pit pil|
  耿 kang gyeong| 柯 or o kwa qua quah ko ga| 洪 hung ang hong| 欧歐区區 au ow auw gu| 甘 kam kum kan gam| 冼 sin sinn|
  麦麥 mak beh maek| 简簡 kan gan| 游 yau yew yu| 连連 lin yeon| 卓 cheuk chok toh tok tak| 饶饒 yiu| 阮 yuen nguyen won|
  凌 ling leng| 霍 fok hok kwak| 骆駱 lok loh| 包 pau pow po| 谷 kuk gok| 尤 yau yew yu u| 涂 to tou thoo do| 朴 pak park bak|
  玄 hyun hyon| 池 ji chi| 申 sin shin| 辛 san sin shin| 裴 pui bae pae| 全 chuen jeon chon jun| 权權 kuen kwon gwon| 南 nam|
  吉 kat gil kil| 千 cheon chon| 元 yuen won| 表 pyo| 房 fong bang pang| 车車 che cha| 卞 bin byun pyon| 具 koo gu ku|
  成 shing sung seong song| 明 ming myung myong| 都 do to| 咸 ham| 禹 woo u| 闵閔 man min| 柳 lau ryu yu yoo| 梅 mui mae| 曲 kuk|
  解 hai kai| 单單 sin shin seon| 查 cha| 翟 chak chai| 仇 sau kau gu| 缪繆 miu mau| 乐樂 lok ngok| 盖蓋 koi| 薄 pok bak| 卜 puk bok|
  尉 wai
`;
/** Characters of names by how Hong Kong spells them. */
const CANTONESE = `
  a:亚亞阿娅婭 am:庵 au:欧歐 cha:茶查 chai:寨齐齊济濟制製斋齋 chak:泽澤策则則 cham:站 chan:亲親陈陳灿燦 chan/tsan:赞贊 chang:争爭橙 chang/tsang:僧曾增铮錚峥崢
  chap:集执執 chat:七察疾 chau:秋巢 chau/chow:州周洲舟奏邹鄒 che:姐者谢謝 che/tse:车車 chek:赤 cheng:井郑鄭 cheuk:卓爵雀
  cheung:长長祥昌章将將张張掌翔象抢搶璋苌萇樟彰蒋蔣 chi/tsz:子之志誌智知治至自寺徵姊紫嗣慈致緻兹茲池字枝驰馳祠置芝梓稚籽孜 chik:直植积積夕 chim:占潜潛詹 chin:前千战戰迁遷钱錢芊展
  ching:靖正清青政贞貞静靜征桢楨澄晶精祯禎称稱晴程菁婧情 chit:哲捷节節切设設喆 chiu:朝超昭潮召照赵趙招钊釗肖焦 cho:初楚佐左 cho/tso:祖草藻祚曹 choi:在再载載宰 choi/tsoi:才纔赛賽彩菜蔡
  chok:作 chong:庄莊壮壯仓倉藏状狀 chu:主柱珠朱诸諸注註著处處杵储儲 chuen:村全泉传傳川转轉存尊铨銓荃 chui:嘴 chui/tsui:翠取徐崔 chuk:竹族祝 chun:春俊进進晋晉骏駿津巡峻秦竣隽雋浚
  chun/chan:镇鎮振真珍震阵陣 chung:宗中忠松仲冲沖衝钟鍾鐘重总總从從聪聰众眾充虫蟲翀颂頌涌 chut:卒 fa:花化 fai:辉輝徽挥揮晖暉 fan:芬勋勛凡分训訓藩范範帆粉樊 fat:发發法佛忽弗伐
  fei:飞飛斐非菲妃霏 fo:科火 fok:霍 fong:方芳放房 foon/fun:宽寬欢歡 fu:夫虎府富辅輔甫抚撫傅父库庫仆孚扶付 fui:奎 fuk:福复復伏服 fung:凤鳳峰风風封丰豐奉锋鋒枫楓逢冯馮 fut:阔闊
  ha:霞哈夏 hak:克剋赫客吓嚇 ham:含喊涵晗咸鹹 han:娴嫻 hang:行衡恒恆亨肯杏幸 hap:侠俠合峡峽 hau:孝后後侯厚口校考巧 hei/hi:希喜起熙曦晞 heung:香向乡鄉 him:谦謙
  hin:显顯宪憲献獻轩軒骞騫 hing:庆慶兴興兄卿轻輕馨 hip:勰协協 hiu:晓曉骁驍 ho:河可浩豪好贺賀何昊皓颢顥灏灝 hoi:海开開凯凱恺愷 hok:学學鹤鶴 hon:汉漢翰寒汗瀚韩韓 hong:康航杭 huen:劝勸煊萱
  hui:许許 hung:红紅洪鸿鴻雄孔虹熊 ka:家嘉加卡贾賈 kai:继繼启啟佳溪介皆解 kak:格 kam:琴监監鉴鑒 kam/kum:金锦錦今甘 kan:勤谏諫简簡 kan/gun:根巾瑾 kang:庚耕耿 kap:甲 kat:吉
  kau:九久教沟溝求狗交 ke:骑騎 kei/ki:基奇其琪纪紀琦旗祺记記己祁姬骐騏麒淇棋 keng:镜鏡 keung:强強姜薑 kim:剑劍 kin:建见見健坚堅乾 king:景敬京经經惊驚竟劲勁琼瓊 kit:杰傑洁潔
  kiu:桥橋乔喬叫 ko:哥高告歌 koi:改盖蓋 kok:阁閣觉覺各珏郝 kon:干幹 kong:江刚剛岗崗纲綱钢鋼港抗降罡 koon/kun:官冠观觀管贯貫馆館 kot:葛 ku:古姑固顾顧 kuen:权權卷捲涓娟
  kui:举舉区區驹駒渠居巨具 kuk:谷穀菊曲 kung:公宫宮功恭攻拱工龚龔 kwa:瓜 kwai:贵貴桂季龟龜柜櫃 kwan:军軍君群钧鈞郡昆均关關坤堃 kwo:过過果戈 kwok:国國郭 kwong:光广廣 lai:丽麗拉礼禮黎
  lak:勒 lam:林霖琳临臨岚嵐览覽 lan:兰蘭澜瀾 lang:冷 lap:立 lau:刘劉楼樓留柳流 lei/li/lee:利里李莉理离離履 leuk:略 leung:良亮梁粮糧 lik:力历曆歷 lim:廉 lin:连連莲蓮琏璉
  ling:玲灵靈令领領陵龄齡岭嶺凌 lit:烈列 liu:辽遼廖 lo:老罗羅鲁魯路卢盧璐露 loi:来來莱萊 lok:乐樂洛骆駱 long:郎朗 luen:联聯 lui:雷蕾磊吕呂 luk:六禄祿绿綠鹿陆陸 lun:麟伦倫
  lung:龙龍隆 lut:律 ma:马馬妈媽麻玛瑪 mai:米 mak:麦麥墨默脉脈 man:文民敏万萬曼闻聞问問雯蔓闵閔 mang:孟萌 mat:密 mau:茂谋謀缪繆 mei:美微眉薇未媚 min:面麵勉 ming:明鸣鳴铭銘名命
  mit:灭滅 miu:庙廟妙淼 mo:武母毛无無姆摩慕谟謨 mok:莫 mong:望忙莽 mui:梅妹 muk:木牧穆目睦沐 mun:门門满滿 mung:梦夢蒙 mut:末 na:那 nai:乃 nam:南楠男囡 nang:能
  nap:纳納 nei:尼妮你 neung:娘 ng:五吴吳吾伍 nga:雅瓦 ngai:毅魏艺藝巍艾倪 ngam:岩 ngan:银銀颜顏眼雁 ngat:屹 ngau:牛偶 ngo:傲 ngok:岳鄂 ngong:昂 nim:念
  nin:年 ning:宁寧 nip:聂聶 niu:鸟鳥 no:娜怒努奴 noi:内內 nok:诺諾 nui:女 nung:农農 o:奥奧柯 oi:爱愛埃 oi/ngoi:外 on:安 pa:巴坝壩霸 pai:派败敗拜
  pak:伯白北柏百卜 pan:板班 pan/bun:斌奔宾賓品滨濱彬 pang:鹏鵬朋彭 pat:八拔弼不毕畢 pau:包 pei:备備皮丕比 peng:病 pik:碧壁 pin:便边邊卞 ping:平兵萍炳冰秉坪屏 pit:必
  piu:表标標彪镖鏢 po:波普婆坡抱破浦 po/bo:宝寶保布部堡步葆 pok:博朴樸薄 pong:邦帮幫庞龐 pui:培佩贝貝沛背蓓裴 pun:本盘盤潘 pung:芃 put:勃渤 sa:沙 sai:世西 sak:塞 sam:三
  sam/sum/shum:心森深甚琛沁沈瀋岑 san:山新臣神辛慎辰晨伸申身薪姗姍宸 sang:生 sap:十飒颯 sat:萨薩实實室瑟 sau:秀守寿壽修首授绣繡收仇 se:舍捨蛇 sei:四死 shek:石锡錫
  sheung:襄相尚上双雙常湘商想霜嫦 shing/sing:成城承胜勝诚誠升星圣聖盛声聲乘性晟 shu:树樹书書舒姝抒殊 shun/sun:顺順信逊遜纯純淳舜迅 si/sze:斯师師士思氏时時诗詩司史丝絲仕侍偲施 sik:式适適
  sin:先善仙倩茜冼 sit:燮薛 siu/shiu:小少笑绍紹兆肇啸嘯萧蕭箫簫霄潇瀟邵 so:素苏蘇嫂所鬚莎 sok:索朔 song:桑 suen:孙孫宣选選璇 suet:雪 sui/shui:瑞水遂帅帥绪緒须須 suk:叔蜀肃肅淑
  sung:崇宋嵩淞 sut:率述术術 tai:大太帝弟泰蒂提体體带帶戴 tak:德特得 tam:潭胆膽谭譚覃 tan:丹叹嘆坦旦单單 tang:登腾騰邓鄧 tap:塔答 tat:达達 tau:头頭斗豆 tei:地 tik:迪翟
  tim:点點 tin:天田殿典 ting:廷定丁听聽庭亭鼎婷挺霆 tip:蝶 tit:铁鐵 tiu:调調 to:道涛濤图圖多岛島都刀渡陶土桃度韬韜杜涂塗 toi:代台臺黛 tok:托铎鐸拓 tong:堂唐汤湯塘棠 tuen:端屯段
  tuk:督 tun:顿頓敦 tung:东東同通冬洞栋棟统統桐瞳彤董 wa:华華娃桦樺 wai:维維伟偉为為卫衛惠慧威怀懷尉惟淮蔚谓謂委炜煒卉唯韦韋 wan:云雲温溫湾灣韵韻环環允运運尹芸蕓筠昀匀勻 wang:宏弘横橫泓
  wing:永荣榮颖穎泳嵘嶸咏詠 wo:和 wong:王皇黄黃旺汪 wu:湖胡鬍乌烏沪滬 wui:会會回迴 wun:焕煥桓皖 yam/yum:任钦欽荫蔭鑫音吟 yan:人仁恩引欣因印寅殷隐隱胤昕 yap:入邑 yat:一日逸轶軼溢
  yau:有友右又柔丘休游邱尤 ye:爷爺耶野 yeuk:若跃躍约約药藥 yeung:阳陽杨楊扬揚洋羊仰养養让讓 yi:尔爾二义義儿兒仪儀怡伊依宜以夷耳衣彝彞易姨而懿医醫意异異祎禕绮綺漪倚 yik:亦益翼翊弋奕忆憶
  yim:艳艷炎焱冉闫閆阎閻严嚴 yin:贤賢延燕彦彥言然衍烟煙焉演妍砚硯嫣 ying:英应應营營迎莹瑩盈瑛影鹰鷹映婴嬰樱櫻滢瀅凝邢 yip/ip:业業叶葉晔曄烨燁 yiu:耀尧堯摇搖瑶瑤遥遙垚姚饶饒
  yu:如宇誉譽汝雨裕儒瑜鱼魚御禦于於禹语語羽豫与與虞遇余餘茹谕諭愈渝 yuen:元远遠县縣源原玄渊淵园園媛圆圓婉缘緣苑沅袁阮 yuet:月越乙玥粤粵悦悅 yui:锐銳睿 yuk:玉旭欲钰鈺育毓煜昱 yun:润潤
  yung:蓉勇用容翁雍榕墉
`;
/** Characters of names by how Korean reads them. */
const SINO_KOREAN = `
  가家哥嘉可加佳贾賈歌柯 각阁閣觉覺各珏 간干幹谏諫简簡 갈葛 감监監鉴鑒甘 갑甲 강江刚剛强強康岗崗纲綱钢鋼降罡姜薑 개开開凯凱改介恺愷皆盖蓋 객客 거渠居巨车車举舉 건建健乾巾骞騫 걸杰傑 검剑劍 격格 견见見坚堅 결洁潔 겸谦謙
  경庆慶景敬卿京经經惊驚庚镜鏡耕竟劲勁琼瓊轻輕耿 계继繼桂溪季启啟 고高古姑库庫考告固顾顧 곡谷穀曲 곤昆坤堃 공公功恭孔攻拱工龚龔 과过過科果戈瓜 곽霍郭 관官冠观觀关關宽寬管贯貫馆館 괄适 광光廣 굉宏 교桥橋乔喬校教巧交
  구九区區口驹駒久沟溝求丘狗龟龜邱欧歐具仇 국国國菊 군军軍君群郡 궁宫宮 권权權劝勸卷捲 궤柜櫃 귀贵貴 규奎叫 균钧鈞均筠匀勻 극克剋 근根勤瑾 금金锦錦琴今 긍肯 기基奇其起琪纪紀琦旗祺记記己骑騎祁绮綺骐騏麒淇棋 길吉 나罗羅娜那
  낙乐樂洛诺諾骆駱 난兰蘭 남南楠岚嵐男 납拉纳納 낭娘朗 내來乃内內 냉冷 녀女 년年 념念 녕宁寧 노老鲁魯路怒努卢盧露奴 녹禄祿绿綠鹿 농农農 뇌雷磊 누楼樓 늑勒 능陵能凌 니尼妮你 다多茶 단丹端旦胆段单單 달达達
  담炎潭膽谭譚覃 답答 당堂唐塘棠 대大代臺带帶黛戴 덕德 도道涛濤图圖岛島都刀渡陶桃度韬韜涂塗 독督 돈顿頓敦 동东東同冬洞栋棟桐瞳彤董 두头頭斗豆杜 둔屯 득得 등登腾騰橙邓鄧 란澜瀾 람览覽 랑郎 래来莱萊 략略 량良亮梁粮糧
  려丽麗黎吕呂 력力历曆歷 련连連莲蓮联聯琏璉 렬烈列 렴廉 령玲灵靈令领領龄齡岭嶺 례礼禮 로璐 뢰蕾 료辽遼廖 룡龙龍 류刘劉留柳流 륙六陆陸 륜伦倫 률率律 륭隆 리利里李莉理离離履异異 린麟 림林霖琳临臨 립立 마马馬妈媽麻摩玛瑪
  막莫 만万萬曼满滿湾灣蔓 말末 망望忙莽 매梅妹 맥麦麥脉脈 맹孟萌 면面麵勉 멸灭滅 명明鸣鳴铭銘名命 모母毛姆谋謀慕谟謨 목木牧穆目睦沐 몽梦夢蒙 묘庙廟妙淼 무武茂抚撫无無缪繆 묵墨默 문文门門闻聞问問雯 미美微米眉薇未媚
  민民敏闵閔 밀密 박博朴樸薄 반班盘盤潘 발发發拔勃渤 방方芳邦放帮幫房庞龐 배培北贝貝背拜蓓裴 백伯白柏百 번藩樊 벌伐 범凡范範帆 법法 벽碧壁 변便边邊卞 병兵炳秉病屏 보宝寶保普辅輔甫堡步葆 복福复復伏服卜 본本
  봉凤鳳峰封丰奉锋鋒逢芃 부夫府富部傅父仆不孚扶付 분芬奔分粉 불佛弗 붕鹏鵬朋 비飞飛斐非备備菲丕妃比霏 빈斌宾賓滨濱彬 빙冰 사斯师師士思四寺司史嗣沙丝絲死仕谢謝舍捨祠蛇莎查 삭索朔 산山姗姍 살萨薩 삼三森 삽飒颯
  상祥相上常湘翔象桑商想状狀霜尚 새塞赛賽 생生 서西瑞书書舒豫抒徐绪緒 석石锡錫夕 선先善仙宣选選璇 설雪设設薛 섭燮聂聶 성成城胜诚誠星圣聖盛声聲性晟 세世 소小少笑绍紹素昭苏蘇召所啸嘯萧蕭钊釗巢箫簫霄潇瀟邵 손逊遜孙孫 송松宋淞颂頌
  수秀树樹水守寿壽修遂首嫂授绣繡须須鬚收殊帅帥 숙叔肃肅淑 순顺順纯純淳舜巡 술述术術 숭崇嵩 슬瑟 승承勝升僧乘 시时時诗詩侍偲施 식式植 신新臣信神辛辰晨伸申身薪迅宸慎 실实實室 심心深甚沁沈瀋 십十 쌍双雙 씨氏 아亚亞兒阿雅娅婭
  악岳鄂 안安眼雁颜顏 암岩庵 앙昂仰 애爱愛艾埃 앵樱櫻 야爷爺若耶野 약跃躍约約药藥 양襄阳陽杨楊扬揚洋羊养養让讓 어鱼魚御禦於语語 억忆憶 언彦彥言焉嫣 엄广严嚴 업业業 여如汝与與余餘茹 역亦易 연延燕渊淵然衍烟煙演妍砚硯缘緣涓娟
  열悦悅 염艳艷冉阎閻闫閆 엽晔曄烨燁葉叶 영英永荣榮营營颖穎迎莹瑩盈瑛影映婴嬰泳嵘嶸咏詠 예誉譽艺藝锐銳医睿芸倪 오五吴吳奥奧吾乌烏傲伍 옥玉钰鈺 온温溫 옹翁雍 와瓦娃 완婉阮 왕王旺汪 외巍外 요耀尧堯摇搖瑶瑤遥遙姚饶饒 욕欲
  용蓉勇用容榕涌墉 우宇友雨于禹右又羽牛虞遇偶尤 욱旭煜昱 운云雲韵韻运運蕓 울蔚 웅雄熊 원元远遠源原园園媛圆圓苑沅袁 월月越粤玥 위伟偉卫衛威魏尉谓謂委炜煒韦韋为為 유维維有裕儒瑜惟柔谕諭愈游唯 육育毓 윤润潤允尹胤昀
  은恩银銀听殷隐隱 을乙 음荫蔭音吟 읍邑 응应應鹰鷹凝 의义義仪儀毅依宜衣懿醫意漪倚祎禕 이尔爾二怡伊以夷耳彝姨而 익益翼翊弋 인人仁儿引因印寅 일一日逸轶軼溢 임任 입入 자子自姊紫者慈兹茲字孜 작爵作雀 잠潜潛岑 잡卡
  장长長庄莊章将將张張掌璋壮壯苌萇藏樟蒋蔣 재才纔在再斋齋载載宰梓 쟁争爭铮錚峥崢 저姐著杵储儲 적迪赤积積適翟 전全传傳田转轉前殿典战戰铨銓钱錢荃隽雋展 절节節切 점占点點 접蝶
  정靖正廷政定丁贞貞静靜庭亭鼎征婷桢楨晶精祯禎挺井程霆婧情郑鄭 제帝弟齐齊济濟诸諸提制製 조祖朝兆藻潮肇照祚赵趙调調鸟鳥曹 족族 존存尊 졸卒 종宗钟鍾鐘从從 좌佐左 주州主柱珠周朱注註洲舟奏姝 죽竹 준俊骏駿峻竣浚 중中仲重众眾 증曾增
  지之志誌智知至池枝地芝 직直 진振真珍进進震晋晉陈陳津秦阵陣镇鎮 질疾 집集执執 징徵澄 찬灿燦赞贊 찰察 참站 창昌抢搶仓倉彰 채寨彩菜蔡 책策 처处處 척拓 천天泉川千迁遷倩茜芊 철铁鐵哲喆 첨詹 첩捷 청清青聽晴菁 체蒂體体
  초超初楚草招肖焦 촉蜀 촌村 총总總聪聰 최崔 추秋邹鄒 축祝 춘春 충忠冲沖衝充虫蟲 취翠嘴取 치治致緻驰馳置稚 칙则則 친亲親 칠七 침琛 칭称稱 탁卓托铎鐸 탄叹嘆坦 탑塔 탕汤湯 태太泰台 택泽澤 토土 통通统統 투渝 특特
  파波派婆巴坡破 판板 팔八 패佩沛败敗霸 팽彭 평平萍坪 포布抱浦包 표表标標彪镖鏢 품品 풍风風豐枫楓冯馮 피皮 필必弼毕畢 하河霞夏吓嚇贺賀何 학学學鹤鶴郝 한汉漢翰寒汗瀚娴嫻韩韓 함含喊涵咸鹹晗 합哈合 항行恒恆港抗航嫦杭 해海解
  행杏幸 향香向乡鄉 허许許 헌宪憲献獻轩軒 혁赫焱奕 현贤賢县縣显顯玄 협侠俠峡峽协協 형兄衡亨馨滢瀅邢 혜惠慧 호虎浩湖豪胡鬍好沪滬昊皓颢顥灏灝 홀忽 홍红紅洪鸿鴻弘虹泓 화华華和花化火桦樺 환焕煥环環欢歡桓皖 활阔闊 황皇黄黃
  회怀懷会會回迴淮 횡横橫 효晓曉孝骁驍 후后後侯厚 훈勋勛训訓 훤煊萱 훼卉 휘辉輝徽挥揮晖暉 휴休 흔欣昕 흘屹 흠钦欽鑫 흥兴興 희希喜姬熙曦晞
`;

const HAN = /\p{Script=Han}/u;
const words = (text: string): string[] => text.trim().split(/\s+/);

const compounds = new Set(
  words(COMPOUND_SURNAMES).flatMap((word) => [word.slice(0, 2), word.slice(2)].filter(Boolean)),
);
const table = (lines: string, between: RegExp): Map<string, string[]> =>
  new Map(
    lines.split(between).flatMap((line) => {
      const [key = '', ...spellings] = words(line);
      return (key.length === 2 && compounds.has(key) ? [key] : Array.from(key)).map(
        (char) => [char, spellings] as const,
      );
    }),
  );
const compoundReadings = table(COMPOUND_READINGS, /\|/);
const abroad = table(SURNAMES_ABROAD, /\|/);
const pairs = (text: string): Map<string, string[]> => {
  const all = words(text);
  return new Map(
    all.flatMap((chars, at) =>
      at % 2 === 0 ? Array.from(chars).map((char) => [char, (all[at + 1] ?? '').split('|')] as const) : [],
    ),
  );
};
const surnameReadings = pairs(SURNAME_READINGS);
const givenReadings = pairs(GIVEN_READINGS);
/** Characters of names with their spellings in Hong Kong. */
export const cantoneseCharacters = new Map(
  words(CANTONESE).flatMap((group) => {
    const [spellings = '', chars = ''] = group.split(':');
    return Array.from(chars).map((char) => [char, spellings.split('/')] as const);
  }),
);
const sinoKorean = new Map(
  words(SINO_KOREAN).flatMap(([hangul = '', ...chars]) => chars.map((char) => [char, hangul] as const)),
);

/** Readings of a surname that differ from the character's common one. */
export const pinyinOfSurname = (character: string): readonly string[] => surnameReadings.get(character) ?? [];

export const isHan = (text: string): boolean => HAN.test(text);
/** The Hangul of a character of a name. */
export const hangulOf = (char: string): string | undefined => sinoKorean.get(char);

const WG_INITIALS: Readonly<Record<string, string>> = {
  zh: 'ch',
  ch: 'ch',
  sh: 'sh',
  b: 'p',
  p: 'p',
  d: 't',
  t: 't',
  g: 'k',
  k: 'k',
  j: 'ch',
  q: 'ch',
  x: 'hs',
  z: 'ts',
  c: 'ts',
  r: 'j',
};
const WG_WHOLE: Readonly<Record<string, string>> = {
  zi: 'tzu',
  ci: 'tzu',
  si: 'ssu',
  zhi: 'chih',
  chi: 'chih',
  shi: 'shih',
  ri: 'jih',
  ye: 'yeh',
  yan: 'yen',
  yue: 'yueh',
  yi: 'i',
  you: 'yu',
  yong: 'yung',
  er: 'erh',
  ge: 'ko',
  ke: 'ko',
  he: 'ho',
  gui: 'kuei',
  kui: 'kuei',
  shuo: 'shuo',
  guo: 'kuo',
  kuo: 'kuo',
  huo: 'huo',
  e: 'o',
};
/** Wade-Giles without its marks, of one syllable of pinyin. */
export const wadeGiles = (syllable: string): string => {
  const whole = WG_WHOLE[syllable];
  if (whole !== undefined) return whole;
  const [, initial = '', final = ''] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcs]?)(.*)$/.exec(syllable) ?? [];
  const written = final
    .replace(/ong$/, 'ung')
    .replace(/ian$/, 'ien')
    .replace(/(i|u)e$/, '$1eh')
    .replace(/uo$/, 'o');
  return (WG_INITIALS[initial] ?? initial) + written;
};

export interface HanName {
  readonly surname: readonly string[];
  /** The syllables of the given name by each way of reading; written as one where they are a word. */
  readonly given: readonly (readonly string[])[];
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
const read = (per: (char: string) => string, char: string): string => per(char).toLowerCase();

/** The name as a Chinese one: surname and given name. `per`: the pinyin of a character, as any-ascii gives it. */
export const hanName = (name: string, per: (char: string) => string): HanName => {
  const chars = Array.from(name);
  const first = chars.slice(0, 2).join('');
  const isCompound = chars.length > 2 && compounds.has(first);
  const given = chars.slice(isCompound ? 2 : 1);
  const alone = chars[0] ?? '';
  const mandarin = surnameReadings.get(alone) ?? [read(per, alone)];
  const surname = isCompound
    ? (compoundReadings.get(first) ?? [read(per, chars[0] ?? '') + read(per, chars[1] ?? '')])
    : [...mandarin, ...mandarin.map(wadeGiles), ...(abroad.get(alone) ?? cantoneseCharacters.get(alone) ?? [])];
  const pinyin = given.map((char) => givenReadings.get(char)?.[0] ?? read(per, char));
  const other = given.map((char) => givenReadings.get(char)?.[1] ?? givenReadings.get(char)?.[0] ?? read(per, char));
  const hongKong = given.map((char, at) => cantoneseCharacters.get(char)?.[0] ?? pinyin[at] ?? '');
  const hongKongToo = given.map((char, at) => cantoneseCharacters.get(char)?.at(-1) ?? pinyin[at] ?? '');
  const ways = [pinyin, other, pinyin.map(wadeGiles), hongKong, hongKongToo].map((way) => way.join(' '));
  return { surname: unique(surname), given: unique(ways).map((way) => way.split(' ').filter(Boolean)) };
};
