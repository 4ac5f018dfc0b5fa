/** Words that hold a sentence together and say nothing about what it is about. Folded, as words are compared. */
const LISTS: Record<string, string> = {
  en: `a an and are as at be by can do does for from had has have how i if in into is it its me my of on or our so that
    the their them then there these they this to us was we were what when where which who why will with would you your`,
  de: `aber als am an auch auf aus bei bin bis das dass dem den der des die dies diese du ein eine einem einen einer er es
    fur hat ich ihr im in ist kann man mein meine mit nach nicht oder sein sich sie sind so uber um und uns unser von
    vom wann warum was wenn wer wie wir wird wo zu zum zur`,
  fr: `a ai au aux avec ce ces cette comment d dans de des du elle en est et il ils je l la le les leur lui ma mais me mes
    mon ne nous on ou par pas pour pourquoi qu quand que quel quelle qui sa se ses si son sont sur ta tu un une vos
    votre vous y`,
  nl: `aan als bij dan dat de der deze die dit door een en er haar had heb heeft het hij hoe ik in is je kan maar me met
    mijn naar niet nog of om onze ook op over te tot u uit uw van voor waar waarom wanneer was wat we wel wie wij zijn
    ze zich`,
  sv: `alla att av de den det detta dig din du efter ej eller en er ett for fran han har hon hur i in inte jag kan kom man
    med men mig min mitt nar och om oss pa sa se sig sin som till under upp ut vad var vi vid vilken`,
  es: `a al como con cual cuando de del donde el ella en entre era es esta este esto ha hay la las le lo los mas me mi mis
    muy no nos o para pero por porque que quien se ser si sin sobre su sus te tu un una unos y ya yo`,
  it: `a ad ai al alla che chi ci come con cosa da dal dalla dei del della delle di dove e ed gli ha ho i il in io la le
    lo ma mi mio ne nei nel nella no non o per perche piu quando questa questo se si sono su sul sulla tra tu un una
    uno vi`,
  no: `alle at av da de deg den denne dere det dette du eller en er et etter for fra ha han har hun hva hvem hvor hvordan
    i ikke jeg kan man med meg men min mitt nar noe og om opp pa seg sin skal som til ut var vi ved vil`,
}

const ENGLISH = 'en'
const SETS = new Map(Object.entries(LISTS).map(([language, words]) => [language, new Set(words.split(/\s+/))]))

/** Whether a folded word holds sentences of this language together; what has no list of its own has the English one. */
export const isFunctionWord = (word: string, language: string): boolean =>
  (SETS.get(language) ?? SETS.get(ENGLISH))?.has(word) ?? false
