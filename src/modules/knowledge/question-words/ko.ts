import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('소형 작은 미니')
const LARGE = list('대형 큰')

export const ko: QuestionWords = {
  fillers: new Set(),
  fillerPhrases:
    /어떻게|어떤|무엇을?|무슨|왜|언제|어디(?:서|에)?|얼마나|얼마|몇|알려\s?주세요|해\s?주세요|주세요|하나요|되나요|인가요|있나요|없나요|할까요|될까요|합니까|됩니까|입니까|습니까|할 수|해야|하려면|하면|되면|제가|저는|제|그리고|좀|안녕하세요|감사합니다/gu,
  howTo: /어떻게|방법|순서|하려면/u,
  followUp: /^\s*(?:그럼|그러면|그리고|또|그건)|(?:은|는)요?[?？]?\s*$/u,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      청소 세척
      수리 고치
      고장 파손
      구매 주문
      가격 비용
      교체 교환
      삭제 제거
      누수 새
      소음 소리
      설명서 매뉴얼
      연결 페어링
      충전 배터리
      화면 디스플레이
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('앞'), list('뒤')],
    [list('왼쪽'), list('오른쪽')],
  ],
}
