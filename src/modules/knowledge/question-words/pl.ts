import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('maly mala male malego malej mniejszy mniejsza mini kompaktowy')
const LARGE = list('duzy duza duze duzego duzej wiekszy wieksza')

export const pl: QuestionWords = {
  fillers: new Set(
    list(`
      oznacza pojawia pokazuje swieci wyswietla znaczy
      albo ale bardzo bede bedzie byc byl byla chce chcialabym chcialbym cos czasem czemu czesto czy dlaczego dlugo dobrze
      dobry dzien dzieki dziekuje gdy gdzie ile inna inne inny jaka jaki jakie jest jeszcze jesli juz kazdy kiedy ktora
      ktore ktory ktos lepiej lub mam masz miec mnie moge moga moja moje moj mozna mozliwe moze musi musze nadal nalezy
      nic nie nigdy pomoc pomoca pomozcie potrzebuje powinienem powinna powinno poprawnie prosze raczej robic robi sa
      sam sie tak takze tam tego ten ta teraz tez trzeba tylko tutaj tu uzywac witam wiedziec wlasnie wszystko zawsze
      znowu znow zrobic
    `),
  ),
  howTo: /(?:^|\s)jak(?! (?:często|długo|dużo|ciężk|duż|wysok))(?![\p{L}])|krok po kroku|instrukcj/iu,
  followUp:
    /^\s*(?:a|i|albo|lub|ale|też|także|to|a co z|a dla|co z|jak długo to trwa|ile to trwa)(?![\p{L}])|(?:ten|ta|to|tego|tej) (?:duży|duża|duże|dużego|dużej|mały|mała|małe|małego|małej|drugi|druga|drugie|drugiego|drugiej)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      czyscic wyczyscic myc umyc plukac czyszczenie
      naprawic naprawa naprawiac
      zepsuty uszkodzony wadliwy popsuty
      kupic zamowic zakup
      cena koszt kosztuje
      wymienic wymiana zamienic
      usunac skasowac usuwanie
      cieknie kapie przecieka wyciek
      halas dzwiek glosny
      blad usterka awaria
      instrukcja podrecznik
      wifi wlan
      telefon smartfon komorka
      zainstalowac instalacja montaz
      ekran wyswietlacz
      polaczyc podlaczyc sparowac
      wlaczyc uruchomic
      ladowac naladowac ladowanie
      zimna zimny letnia
      waga wazy
      bateria akumulator
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('przedni przednia przednie'), list('tylny tylna tylne')],
    [list('lewy lewa lewe'), list('prawy prawa prawe')],
    [list('stary stara stare'), list('nowy nowa nowe')],
  ],
}
