import type { MailTexts } from './texts.ts'

export const fi: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Liity organisaatioon {organisation} Waymarkissa',
      text: 'Sinut on kutsuttu organisaatioon {organisation} Waymarkissa.',
      link: 'Avaa kutsu',
      hint: 'Linkki toimii kerran, seitsemän päivän ajan. Jos et tunne tätä organisaatiota, voit jättää viestin huomiotta.',
    },
    reset_password: {
      subject: 'Aseta uusi salasana Waymarkiin',
      text: 'Waymark-tilillesi on pyydetty uutta salasanaa.',
      link: 'Aseta uusi salasana',
      hint: 'Linkki toimii kerran, tunnin ajan. Jos et pyytänyt tätä, voit jättää viestin huomiotta. Salasanasi pysyy ennallaan.',
    },
    change_email: {
      subject: 'Vahvista uusi sähköpostiosoitteesi',
      text: 'Tätä sähköpostiosoitetta on pyydetty Waymark-tilin osoitteeksi.',
      link: 'Vahvista osoite',
      hint: 'Linkki toimii kerran, vuorokauden ajan. Jos et pyytänyt tätä, voit jättää viestin huomiotta.',
    },
    email_changed: {
      subject: 'Sähköpostiosoitteesi on vaihdettu',
      text: 'Waymark-tililläsi on nyt toinen sähköpostiosoite. Emme enää lähetä tiliä koskevia viestejä tähän osoitteeseen.',
      link: 'Avaa tilisi',
      hint: 'Jos et tehnyt tätä itse, ota heti yhteyttä organisaatiosi omistajaan tai tämän asennuksen ylläpitäjään.',
    },
    password_changed: {
      subject: 'Salasanasi on vaihdettu',
      text: 'Waymark-tilisi salasana on vaihdettu. Sinut on kirjattu ulos kaikista muista selaimista.',
      link: 'Aseta uusi salasana',
      hint: 'Jos et tehnyt tätä itse, aseta heti uusi salasana linkin kautta.',
    },
    factors_changed: {
      subject: 'Kirjautumisasetuksiasi on muutettu',
      text: 'Waymark-tilisi toinen tunnistautumistapa on lisätty, poistettu tai uusittu: pääsyavain, todennussovellus tai palautuskoodit.',
      link: 'Avaa tilisi',
      hint: 'Jos et tehnyt tätä itse, vaihda heti salasanasi ja tarkista muut tunnistautumistapasi.',
    },
    new_device: {
      subject: 'Uusi kirjautuminen tilillesi',
      text: 'Waymark-tilillesi on kirjauduttu selaimella, jota et ole käyttänyt aiemmin.',
      link: 'Avaa tilisi',
      hint: 'Jos se olit sinä, sinun ei tarvitse tehdä mitään. Jos et, vaihda heti salasanasi. Silloin kaikki muut selaimet kirjataan ulos.',
    },
    endpoint_gone: {
      subject: 'Organisaation {organisation} webhook-päätepiste on poistettu käytöstä',
      text: 'Organisaation {organisation} vastaanottaja palautti vastauksen 410 Gone. Waymark on poistanut päätepisteen käytöstä eikä lähetä sille enää mitään.',
      link: 'Avaa webhookit',
      hint: 'Tapahtumat säilytetään 30 päivää. Ne lähetetään, kun otat päätepisteen uudelleen käyttöön.',
    },
    endpoint_failing: {
      subject: 'Organisaation {organisation} webhook-päätepiste on poistettu käytöstä',
      text: 'Kaikki yritykset tavoittaa organisaation {organisation} vastaanottaja ovat epäonnistuneet viiden päivän ajan. Waymark on poistanut päätepisteen käytöstä eikä lähetä sille enää mitään.',
      link: 'Avaa webhookit',
      hint: 'Tapahtumat säilytetään 30 päivää. Ne lähetetään, kun otat päätepisteen uudelleen käyttöön.',
    },
    credits_low: {
      subject: 'Organisaation {organisation} krediitit ovat vähissä',
      text: 'Organisaation {organisation} chatbotit ovat käyttäneet suurimman osan krediiteistä. Krediittejä jäljellä: {number}.',
      link: 'Avaa Waymark',
      hint: 'Kun krediitit loppuvat, chatbotit lakkaavat vastaamasta. Tämän asennuksen ylläpitäjä voi lisätä krediittejä.',
    },
    credits_empty: {
      subject: 'Organisaation {organisation} krediitit ovat loppuneet',
      text: 'Organisaation {organisation} chatbotit ovat käyttäneet kaikki krediitit eivätkä enää vastaa kysymyksiin.',
      link: 'Avaa Waymark',
      hint: 'Tämän asennuksen ylläpitäjä voi lisätä krediittejä. Sen jälkeen chatbotit vastaavat taas.',
    },
    domain_failing: {
      subject: 'Verkkotunnuksen {domain} tietueet ovat väärin',
      text: 'Verkkotunnuksen {domain} DNS-tietueet eivät ole kolmeen päivään olleet sellaiset kuin Waymark odottaa. Jos niitä ei korjata neljän päivän kuluessa, {organisation} ei voi enää käyttää verkkotunnusta, ja painetut koodit, joissa se on, lakkaavat toimimasta.',
      link: 'Avaa verkkotunnukset',
      hint: 'Siellä näet, mikä tietue on väärin. Waymark tarkistaa verkkotunnuksen joka päivä.',
    },
    domain_lost: {
      subject: '{domain} ei ole enää käytössä',
      text: 'Verkkotunnuksen {domain} DNS-tietueet ovat olleet väärin seitsemän päivää. Waymark ei enää näytä tässä verkkotunnuksessa mitään, mikä kuuluu organisaatiolle {organisation}.',
      link: 'Avaa verkkotunnukset',
      hint: 'Kun tietueet ovat taas oikein, verkkotunnus otetaan uudelleen käyttöön. Waymark tarkistaa sitä vielä kuukauden ajan.',
    },
    domain_taken_over: {
      subject: '{domain} kuuluu nyt toiselle organisaatiolle',
      text: 'Toinen organisaatio on osoittanut DNS-tietueella, että {domain} kuuluu sille. Waymark ei enää näytä tässä verkkotunnuksessa mitään, mikä kuuluu organisaatiolle {organisation}.',
      link: 'Avaa verkkotunnukset',
      hint: 'Jos verkkotunnus on sinun, poista tuntematon DNS-tietue ja luo uusi, jonka Waymark näyttää sinulle.',
    },
    conversation_reply: {
      subject: '{organisation} on vastannut sinulle',
      text: 'Organisaation {organisation} työntekijä on vastannut viestiisi chatissa.',
      link: 'Jatka keskustelua',
      hint: 'Linkki toimii kerran, 30 päivän ajan. Saat tämän viestin, koska jätit osoitteesi chatissa. Jos se et ollut sinä, voit jättää viestin huomiotta.',
    },
    submission: {
      subject: 'Uusi lomakevastaus {number}: {page}',
      text: 'Sivusi ”{page}” lomake on lähetetty. Tämän lomakevastauksen numero on {number}.',
      link: 'Avaa Waymark',
      hint: 'Saat tämän viestin, koska sivu ilmoittaa vastauksista sinulle. Kun sivulle tulee tunnissa hyvin paljon vastauksia, kaikista ei lähetetä viestiä.',
    },
  },
  facts: {
    invitedBy: 'Kutsuja',
    newEmail: 'Uusi osoite',
    device: 'Selain',
    address: 'IP-osoite',
    time: 'Aika',
    endpoint: 'Päätepiste',
    since: 'Epäonnistunut alkaen',
    answer: 'Vastaus',
  },
  footer: 'Waymark on lähettänyt tämän viestin automaattisesti osoitteesta {url}.',
}
