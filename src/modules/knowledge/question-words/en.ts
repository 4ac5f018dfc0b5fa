import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('small little mini compact smaller')
const LARGE = list('large big bigger larger')

export const en: QuestionWords = {
  fillers: new Set(
    list(`
      appears done happen happens has having instructions mode say says showing shown shows step steps told
      about again all already also always am another any anyone anything because been before being best better but
      cannot cant come could did didnt different dont else even every exactly explain find first get gets getting give
      go going good got hello help here hey hi hows id ill im isnt ive just keep keeps kind know let like long look
      looking lot made make makes many may maybe mean means might mine much must need needs never no not now often ok
      okay one ones only other ought out over own please possible properly put quite rather really right said same say
      see seem seems shall should show since some someone something still such suddenly supposed sure take takes tell
      than thank thanks theres thing things think through too try trying under until up use used using usually very
      want wants way well went whats while whether  wont work working works wrong yes yet youre
    `),
  ),
  howTo: /\bhow (?:do|can|should|to|would)\b|\bsteps?\b|\binstructions?\b/i,
  followUp:
    /^\s*(?:and|but|or|also|then|so|what about|how about|what if|same|is that|does that|does it|is it|can it|will it|how long does it|how long is it|how much is it)\b|\b(?:that one|this one|other one|big one|small one|large one|bigger one|smaller one)\b/i,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      clean cleaning wash rinse
      fix repair
      broken defective faulty damaged
      buy purchase order
      price cost costs
      refund reimbursement
      replace exchange swap change
      start begin
      stop halt
      delete remove erase
      leak leaks leaking drips dripping drip
      noise noisy loud sound
      error fault failure
      manual instructions guide
      wifi wireless wlan
      battery accu
      cold lukewarm
      phone smartphone mobile
      setup install installation
      display screen
      connect pair
      weight weigh heavy
      quick fast
      turn switch
      allowed permitted
      unlock release
      charge charging recharge
      water liquid
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('front'), list('rear back')],
    [list('left'), list('right')],
    [list('indoor indoors'), list('outdoor outdoors')],
    [list('old older'), list('new newer')],
  ],
}
