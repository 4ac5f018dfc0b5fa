import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('petit petite petits petites mini compact')
const LARGE = list('grand grande grands grandes gros grosse')

export const fr: QuestionWords = {
  fillers: new Set(
    list(`
      affiche arrive existe marque montre signifie veulent vouloir
      aide aider alors aussi autre avez avoir bien bonjour car cela ca c chez combien comme correctement dois doit donc
      dire dit encore etre fait faire faites faut fois j jamais juste longtemps m marche meme merci mieux moi n non nouveau
      ont parfois peu peut peux plus possible pouvez puis puisje quelles quels quoi s  savoir sera seul sinon
      souvent svp t tout toute toutes tous toujours tres trop trouver utiliser va veut veux voir voudrais vraiment
    `),
  ),
  howTo: /comment|étapes|marche à suivre/iu,
  followUp:
    /^\s*(?:et|ou|mais|aussi|alors|qu['’]en est-il|est-ce que (?:ça|cela)|(?:ça|cela) (?:dure|prend|marche)|pareil)(?![\p{L}])|(?:le|la|du|l['’]) ?(?:grand|grande|petit|petite|autre)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      nettoyer laver rincer nettoyage
      reparer reparation
      casse defectueux endommage
      acheter commander
      prix cout coute
      remplacer changer echanger
      supprimer effacer retirer enlever
      fuit fuite goutte
      bruit bruyant
      erreur panne defaut
      notice manuel mode
      wifi wlan
      batterie accu
      telephone smartphone mobile portable
      installer installation
      ecran affichage afficheur
      connecter associer appairer
      allumer demarrer
      eteindre arreter
      charger recharger recharge
      froide froid tiede
      poids pese
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('avant'), list('arriere')],
    [list('gauche'), list('droite')],
    [list('ancien ancienne'), list('nouveau nouvelle')],
  ],
}
