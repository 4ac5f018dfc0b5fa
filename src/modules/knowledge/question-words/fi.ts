import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('pieni pienen pienessa pienelle pienempi mini kompakti')
const LARGE = list('suuri suuren suuressa suurelle suurempi iso ison isossa isolle isompi')

export const fi: QuestionWords = {
  fillers: new Set(
    list(`
      nayttaa ohje ohjeet sanoo tapahtuu tarkoittaa vaihe vaiheet
      aina apua auttaa edelleen ehka eika ensin enaa haluaisin haluan hei hetki hyva ihan jalkeen jo jokin joku
      jotain juuri kaikki kanssa kerro kertoa kiitos kunnolla kuuluu kyse kysymys lahtien lisaa loytyy melko mahdollista
      minulla minulle moi muu muut mukaan myos mita naita niita nain oikein olisi olla onko onkohan paljon pitaa
      pitaisi pitaisiko saa saada saako saan saisiko sama sanoa sitten taas taytyy tehda tehdaan teen tietaa tiedan
      todella toimi toimii tosi toinen usein vaara vaarin valmis vasta viela voidaan voidaanko voinko voisi voisiko
      voisitteko voisitko yhta yksi
    `),
  ),
  howTo:
    /(?:^|\s)(?:miten|kuinka (?!usein|kauan|paljon|monta|pitkä|suuri|painava|korkea))|vaihe vaiheelta|ohjeet?(?![\p{L}])/iu,
  followUp:
    /^\s*(?:ja|tai|mutta|myös|entä|entäs|entäpä|sitten|no|kuinka kauan se kestää|koskeeko se|toimiiko se|onko se)(?![\p{L}])|(?:se|sen|siinä|siihen) (?:iso|suuri|pieni|toinen|isompi|pienempi)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      puhdistaa pesta huuhdella puhdistus pesu
      korjata korjaus huoltaa huolto
      rikki viallinen vaurioitunut
      ostaa tilata
      hinta maksaa kustannus
      hyvitys palautus
      vaihtaa korvata
      aloittaa kaynnistaa
      pysayttaa lopettaa
      poistaa tuhota
      vuotaa tippuu vuoto
      aani melu kovaaaninen
      virhe vika hairio
      kayttoohje ohjekirja opas
      wifi wlan
      akku paristo
      puhelin kannykka alypuhelin
      asentaa asennus
      naytto ruutu
      yhdistaa liittaa
      ladata lataus
      kylma haalea
      paino painaa painava
      nopea nopeasti
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('etu edessa etupyora'), list('taka takana takapyora')],
    [list('vasen vasemman vasemmalla'), list('oikea oikean oikealla')],
    [list('sisalla sisatiloissa'), list('ulkona ulkotiloissa')],
    [list('vanha vanhan vanhassa'), list('uusi uuden uudessa')],
  ],
}
