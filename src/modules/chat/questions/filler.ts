import type { ContentLanguage, Language } from '../../../platform/contract/languages.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const EN = wordSet(`
  about also am any anyone arent been being cant could couldnt dear did didnt doesnt doing done dont ever explain find
  get getting got hello help hey hi hows ill im isnt ive just kindly know let like lot make may maybe might much must
  need needs no not ok okay please pls possible possibly question really say shall should show some somebody someone
  something tell than thank thanks thx too tried try trying unable very want wants wasnt way whats whens wheres wish
  wont
`)

/**
 * Words that people add to a question without changing what they ask: greetings, thanks, auxiliary verbs and
 * negations. Beside the function words of search, which must stay fewer: they would hide titles. All folded.
 */
const WORDS: Record<Language, ReadonlySet<string>> = {
  en: EN,
  de: wordSet(`
    bitte dank danke dann dass denn doch durfen eigentlich einfach erklaren etwas finde finden findet frage gar geben
    gehen geht gerade gern gerne gibt guten habe haben hallo hatte helfen hi hilfe hilft ihnen ihre ihren irgendwie ja
    jemand kein keine keinen konnen konnte konnten leider mache machen macht mal mich mir mochte moglich moin muss
    mussen nein nur ob sagen schon sehr soll sollte tag tun vielen warum weiss welche welchem welchen welcher welches
    werden will wissen wollen wurde wurden zeigen
  `),
  fr: wordSet(`
    aide aider aidez aurais avez avoir avons bien bonjour bonsoir c ca cela dire dites dois doit etre expliquer faire
    fait faut j jai m merci moi n non ou oui peut peux plait possible pourrais pourriez pouvez pouvoir puis quelles
    quels question quoi s salut savoir sil suis svp t tres trouve trouver veux voudrais vouloir
  `),
  nl: wordSet(`
    aan al alsjeblieft alstublieft bedankt ben bent bij dag dan dank doe doen eens er even gaan goed goedemiddag
    goedemorgen graag had hallo hebben hebt help helpen hi hoi hulp iemand iets ik ja jullie kan kunnen kunt laten leg
    maken me mij moet moeten mogelijk nee niet nodig nog of ook s t u uitleggen uw vind vinden vraag waar waarom wat
    welke weten wil wilde willen word worden zeggen zou zouden
  `),
  sv: wordSet(`
    bli blir far finns fraga ga gar god gor gora har hej hejsan hitta hittar hjalp hjalpa hur inte ja jag kan kunna
    maste mig min mina mitt mojligt mycket nagon nagot nej och om pa saga sager ska skulle snalla tack tacka vad var
    varfor vart veta vilka vilken vilket vill visa
  `),
  es: wordSet(`
    algo alguien ayuda ayudar ayudarme buen buenas buenos cual cuales debo decir decirme dias donde encontrar
    encuentro explicar favor gracias gustaria ha hace hacen hacer hago has hay he hola mas me mi mis muy necesito ni
    no noches nos podeis poder podria podrian posible pregunta puede pueden puedes puedo querria quiero saber ser si
    sirve sobre solo tardes tengo tiene tienen trata usted va voy ya
  `),
  it: wordSet(`
    aiutare aiutarmi aiuto anche avere bene buona buonasera buongiorno cerco ciao cosa deve devo dire dirmi domanda
    essere fa faccio fare favore grazie ha hanno ho mi molto no piacere po possibile posso potete potrei potreste
    prego puo puoi qualche qualcosa qualcuno salve sapere si sono spiegare trovare trovo voglio vorrei
  `),
  no: wordSet(`
    bare bli blir fa far finne finner finnes ga gar gjor gjore god ha har hei heisann hjelp hjelpe hva hvilke hvilken
    hvilket hvor hvordan hvorfor ikke ja jeg kan kunne ma meg min mine mitt mulig mye nei noe noen og om pa si skal
    skulle sporsmal takk vaer vennlig vil ville vise vite
  `),
  pt: wordSet(`
    ajuda ajudar ajudem algo alguem algum alguma boa bom consigo deve devo dia dizer duvida encontrar encontro esta estou
    explicar faco favor faz fazer gostaria ha ja mais me meu meus minha minhas muito nao noite obrigada obrigado oi ola
    onde pergunta pode podem poderia poderiam por porque possivel posso preciso qual quais queria quero saber ser sim
    sobre so tarde tem tenho ter vai voce voces vou
  `),
  pl: wordSet(`
    bardzo bede byc chce chcialabym chcialbym cos czesc czy da dlaczego dobry dziekuje dzieki dzien gdzie hej jaka jaki
    jakie jak jest juz ktora ktore ktory ktos ma mam mi mnie moge moj moja moje mozecie mozliwe mozna moze musze nie
    pani pan panstwo pomoc pomozcie potrzebuje powiedziec prosze pytanie sie tak tylko wiedziec witam wyjasnic znajde
    znalezc zrobic
  `),
  da: wordSet(`
    bare blive bliver far findes finder finde fa ga gar gerne god gor gore ha har have hej hjaelp hjaelpe hvad hvilke
    hvilken hvilket hvor hvordan hvorfor ikke ja jeg kan kunne ma maske meget mig min mine mit muligt nej noget nogen og
    om pa sige skal skulle sporgsmal tak vaer venlig venligst vil ville vise vide
  `),
  fi: wordSet(`
    apua auta auttaa auttaisitko eika ei ehka emme en esittaa ette etta haluaisin haluaisimme haluan hei hyvaa hyva joku
    jotain kerro kertoa kertoisitko kiitos kiitti kukaan kysya kysyisin kysymys loydan loydy loytaa loytyy mahdollista
    meidan meilla mika minulla minulle moi moikka mista mihin milloin missa miksi nayta nayttaa ole olisi olla
    onko ovatko paivaa pitaa pitaisi pitaako saa saada saako saan saanko selittaa taytyy teen teette tehda tiedan
    tietaa tietaako voida voidaan voimme voinko voisi voisin voisiko voisitko voisitteko voit voitko voitteko
  `),
  ar: wordSet(`
    أحتاج احتاج أحد أرجو ارجو أرغب أريد اريد أستطيع استطيع أعرف اعرف أعمل أفعل أقوم ألا أليس أود أي أية أيضا أيضًا إيجاد
    بإمكاني تخبرني تساعدني تشرح تم جدا جدًا حضرتك رجاء رجاءً سؤال سلام السلام سمحت شخص شكرا شكرًا شيء صباح ضروري
    الخير عفوا عليكم عليّ علي عندي فضلك فعل كيفية لدي لدينا لكن لو لي ليس ليست مرحبا مرحبًا مساء مساعدة مساعدتي مساعدتكم
    ممكن منكم نعم هناك يجب يرجى يمكن يمكنك يمكنكم يمكنني ينبغي
  `),
  // Latin words in these are usually English.
  ja: EN,
  ko: EN,
  zh: EN,
}

/** In languages that are searched by characters: what does not help to tell questions apart, as parts of a text. */
const PARTS: Partial<Record<Language, RegExp>> = {
  // Content words are written in other scripts; hiragana are endings and particles.
  ja: /\p{Script=Hiragana}+|方法|教え|願い|質問|場合/gu,
  zh: /你好|您好|请问|谢谢|为什么|怎么样|怎么办|怎么|怎样|如何|什么|哪里|哪儿|是否|是不是|有没有|能不能|可不可以|可以|能否|方法|问题|[的了吗呢吧啊呀么我你您们请]/gu,
  // Particles after a noun, and the verb "to do" with its endings after what is done.
  ko: /안녕하세요|감사합니다|어떻게|어떤|무엇|뭐가|어디|언제|방법|있나요|있습니까|없나요|주세요|알려|싶어요|싶습니다|(?<=[가-힣]{2})(?:하|할|한|해|했|합|되|될|된|돼|됩)[가-힣]*|(?<=[가-힣]{2})(?:으로|에서|에게|까지|부터|을|를|은|는|이|가|에|의|도|로|과|와)(?![가-힣])/gu,
}

export const isFiller = (word: string, language: ContentLanguage): boolean =>
  WORDS[interfaceLanguageFor(language) ?? 'en'].has(word)

/** Puts spaces in place of everything that does not help to tell questions apart. */
export const withoutFiller = (text: string, language: ContentLanguage): string => {
  const parts = PARTS[interfaceLanguageFor(language) ?? 'en']
  return parts === undefined ? text : text.replace(parts, ' ')
}
