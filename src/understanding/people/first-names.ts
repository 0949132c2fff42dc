/** First names that are common in Brazil, folded: begins with one person rather than service. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(
  (
    "adriana alan alberto alexandre alfredo alice aline allan amanda ana anderson andre antonio armando arnaldo " +
    "arthur artur ary augusto beatriz benedito benicio bento bia breno bruna bruno caetano caio camila carla carlos " +
    "catarina caua cecilia celia celina cesar chico cicero cintia clara claudia claudio cleber cleide cleusa " +
    "conceicao cristiane cristiano cristina cynthia dalva daniel danilo davi debora denis denise diana " +
    "diego dirce dora douglas dulce edgar edilson edite edna edson eduardo elaine eliana eliane elias elis elisa " +
    "elza emanuel emerson emilia enzo erica erick erik erika estela ester esther eunice eva evandro fabiana fabiano " +
    "fabio fabiola fatima felipe fernanda fernando flavia flavio francisca francisco gabriel gael geovana geraldo " +
    "gilberto gilda gilson giovana giovanna gisele guilherme gustavo heitor helena helio heloisa henrique hilda " +
    "hugo iago ian iara igor ilda inacio ines ingrid irene iris isaac isabel isabela isabella isis ivan ivete ivone " +
    "jade jair janaina jaqueline jessica joana joao joaquim jonas jonatas jorge jose josefa josiane joyce juarez " +
    "jucara julia juliana julieta julio juraci jussara kaique karen karina karla katia kaua kauan kelly kevin " +
    "laercio lais lara larissa laura lauro lea leandro leila leonardo leticia levi lidia ligia lilian livia lorena " +
    "lorenzo lourdes luana lucas lucca lucia luciana luciano luciene lucio luis luisa luiz luiza luzia magali magda " +
    "maite malu manoel manuel manuela mara marcel marcela marcelo marcia marcio marcos marcus margarete margarida " +
    "maria mariana mariane marilene marilia marina marinalva mario marisa marlene marta mateo mateus matheus " +
    "matilde mauricio mauro mayara melissa michele michelle miguel milena milton mirela mirella miriam moacir moema " +
    "moises monica murilo nadia nair natalia nathalia neide nelly nelma nelson neusa nicolas nicole nilza nina noah " +
    "noemi norma odete olga olivia orlando oscar osvaldo otavio otilia otto pablo pamela paola patricia " +
    "patricio paula paulo pedro perla pietra plinio priscila quiteria rafael rafaela raimundo raissa ramiro raquel " +
    "raul rebeca regina reginaldo reinaldo rejane renan renata ricardo rita roberta roberto robson rodolfo rodrigo " +
    "rogerio romulo ronaldo rosa rosana rosangela rose roseli rosilene ruan rubens rute ruth sabrina salete samanta " +
    "samara samuel sandra sebastiana sebastiao selma serafim sergio severino sheila sidnei sidney silas silvana " +
    "silvia silvio simone sofia solange sonia stefany stephanie sueli suely suzana tadeu tainara tais talita tania " +
    "tarcisio tatiana tatiane telma teodoro teresa tereza thais thalita theo thiago tiago tomas tulio ubirajara " +
    "ulisses urbano vagner valdemar valdir valentim valentina valeria valter vanda vanessa vania vera veronica " +
    "vicente victor vilma vinicius virginia vitor vitoria vivian viviane wagner waldir walter wanda wanderley " +
    "washington wellington wesley william wilson xavier yara yasmin yuri ze zeca zelia zilda zuleica " +
    "agatha aldo alessandra alessandro alex aluisio amelia andrea andreia angela angelica angelo anita anna " +
    "anthony antonia ariana ariane augusta aurea barbara bernardo bianca brenda carol carolina caroline cassia " +
    "cassio catia celio celso christian clarice clarissa cleiton clovis damiao dario david deise denilson " +
    "dione eder ederson edgard edmilson elena eli eliel elisangela elizabete elizabeth ellen elton emilio emma " +
    "enrico estevao evelyn everton felix frederico genival george georgia gerson getulio gisela glaucia " +
    "graziela greice guiomar hamilton hebert henry iolanda iracema isadora israel italo itamar ivana ivanildo " +
    "ivo ivonete jacira jackson jacqueline james janete jean jeferson jefferson jenifer joel joelma john " +
    "jonathan josias josiel josue julie katarina kleber laiane leda leo leonel leonor leopoldo lindalva luan " +
    "lucelia lucimar lucineia ludmila lurdes maicon maira maisa marco marilda marilza marlon marly mary " +
    "mathias max maximiliano mercedes micael michael mirtes monique nadir naiara nara nelio nestor neuza " +
    "newton nilo nilson nivaldo norberto odair olavo osmar pamella paul peter pietro rafaella raimunda ramon " +
    "renato rian roger romario romeu ronei rosalia rosalina rosilda rosimeire rubia rui ruy sara sarah saulo " +
    "savio shirley sibele silmara simao sirlei stella suelen susan tamara tamires terezinha thaina thayna " +
    "tomaz ursula valdecir valdete valdinei valdomiro vilmar violeta wallace walmir wanderson wanessa wilma " +
    "yago yan yolanda zenaide zilma " +
    "ademar ademir almir altair amauri anselmo aparecida aparecido ariovaldo aristides arlindo arno " +
    "astrogildo ataide aurelio baltazar bartolomeu benjamin berenice bernadete betania brigida " +
    "calebe candida carmelita carmem carmen cassiana celeste charles cida cirilo clarinda claudemir " +
    "claudete claudinei clea cleonice clodoaldo conrado constancia corina cosme creusa cristian " +
    "cristiani dagmar dalila damiana daniela daniele danieli danielle darci darcy deivid delfim " +
    "denize desiree deusdete dilma dimas dinah dineia divina divino djair djalma dolores donizete " +
    "dorival dorothy durval edileuza edinaldo edinei edivaldo edivan edmar edmundo ednaldo edu " +
    "edvaldo egidio elcio eleonora elia elizangela elizeu eloi eloisa elvira emanuela emanuelle " +
    "emerita enedina epaminondas erivaldo ernesto esmeralda euclides eudes eugenia eugenio euler " +
    "eustaquio evaldo evanildo expedito ezequiel fabricio felicia felicio filipe firmino flaviana " +
    "florencio floriano franciele francielle francine gabriela gabriele gabrielle genesio geni " +
    "genilson genivaldo gerlane germano gertrudes gerusa giane gilmar gilmara gino gislaine gislene " +
    "givanildo gladys graciela grazi graziele grazielle guto haroldo helder hellen hercilia hermes " +
    "hernani hilton honorio horacio humberto ida idalina ieda ilma ilson inaldo indira ingridi irani " +
    "ismael isolda itajara ivani ivanir izabel izabela izabella izaura jaciara jadir jaime jairo " +
    "jamile jandira jane janice jarbas jeane jeremias jessika jhonatan joaquina jocelino jociane " +
    "joice jorgina josafa joselia josenildo josi josivaldo josuel jovelina juan juceli julian " +
    "juliano juliete jurandir kamila karine karoline katiane katiuscia kauany keila kelen keli " +
    "ketlin kiara laerte lair laisa lana larisa latoya laudelino lavinia lazaro leandra leidiane " +
    "leni lenice leonidas leopoldina lourenco lourival lucilene lucimara ludmilla luiggi luzinete " +
    "madalena maiara maicom mailson manuella marcelino marciana marconi margareth mariah marielle " +
    "mariete marilena marines marinete marino marisete maristela marlete marlucia martim martinho " +
    "maryana mateusa maura maxwell mayra melina messias micaela mikaela milene mirian moacyr nadja " +
    "naiane natanael nathalie nathan neiva nelci nely nereu nilda nilsa nilva nivea norberta odilon " +
    "olindina oneide orlanda osmarina osni osorio osvaldina palmira pascoal paulina paulinha " +
    "paulinho pierre poliana polyana quezia raiane ranieri raphael raphaela rayane rayssa regiane " +
    "reinan rhuan rosalvo roseane roselene rosemary rosemeire rosiane rosicleide rosimar rosineide " +
    "rosinha rozilda samira samuele sandro santina savana selene serena severina sidneia silvani " +
    "silvania silvestre simara simeia sinval soraia soraya stela sulamita suzane suzi tabata taciana " +
    "taina taisa tales tamiris tayna thainara thaisa thalia thamires thayane theodoro tiffany tobias " +
    "tonho tonico toninho uelinton valdeni valdenir valdilene valdirene valmir valmira valquiria " +
    "vander vanderlei vanderleia vandinha vanilda vanusa venceslau veridiana vicencia vinicios " +
    "viviana walace waldemar waldomiro walquiria wanderleia wania wendel weslei weverton wilian " +
    "willian wilton yasmim yslan zacarias zenilda zoraide zuleide zulmira " +
    "abel abilio adalberto adalgisa adelaide adilson adriano adriele agenor agnaldo aguinaldo alaor " +
    "albertina alceu alcides alcione aldair aldenir altino alvaro alvina alzira amalia amarildo ananias " +
    "andrew antenor arcelino argemiro arilson arlete armanda benedita benjamim bernardina betina beto caique " +
    "cibele claudionor clementina cleonilda cristovao custodio dalton dejair delma deocleciano derli dilson " +
    "dirceu djanira durvalina edinalva edineia edith edmara eduarda elenice eliseu elvis emilly emily eneas " +
    "eneida enio erasmo ermelinda estefania estefany etelvina eulalia eurico euridice everaldo ezequias " +
    "fabricia fausto filomena florinda francielly gabryel geisa gelson genaro genoveva geraldina gilvan " +
    "gleice gleison glorinha gumercindo hannah hans hedviges helen helga heloise herminia hildebrando " +
    "hortencia iasmin icaro idelfonso ilana ilza iraci irany irineu isabelly isaias isidoro itamara ivanilda " +
    "ivanilde izidoro jader jailson jairton jamil janaine jandir janduir jennifer jerusa jessyca joaozinho " +
    "jocelia jocimar joelson jonata josenilda josimar jovita jucelia jurema juvenal kamilly karolina katleen " +
    "kauane kaue kayke kethlyn laudicea laurindo lenira leocadia leontina leticya liana lilia lindomar " +
    "lorraine lourdinha lucelio luciane lucilia lucineide luzimar mafalda magno manoela marciel marcilio " +
    "margaret mariangela marieta mariluce marinez marivaldo marizete mauricia maximino megan melquiades " +
    "milca miltinho minervina morgana natan nathaly nayara neuraci nicanor nicolau nilcea nilton nivalda " +
    "noeli noelia noemia nubia ofelia olegario oliver ondina onofre orlandina oscarina osmair osvalda " +
    "otacilio otaviana otaviano otoniel patrick pedrinho petronio priscilla quirino rachel raiza rebecca " +
    "regis reinalda renilda rildo robinson rosalva rosemeri roseni rosenilda rosi rosilane rosimeri rosinei " +
    "rosineia rosivaldo rubem rufino rutineia salomao samir saturnino silene silvina sinesio sofie stefanie " +
    "stephany suelene susana suzete sylvia talles tarsila teo teobaldo teodora teofilo teresinha thales " +
    "thaynara thomas tiana tibercio timoteo uilson valdeci valdelice valdemiro valdenice valdomira valmor " +
    "valneide vandeir venancio vilmara virgilio vitoriano vitorio vladimir wagno walmor wanderlei wandson " +
    "weliton wenceslau yasmine ygor zaira zenir zildo zoe"
  ).split(" "),
);
