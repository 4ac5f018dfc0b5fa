import { expect, test } from 'vitest'
import { detectLanguage } from './detect-language.ts'

test.each([
  ['How do I clean the machine?', 'en'],
  ['Wie reinige ich die Maschine?', 'de'],
  ['Comment nettoyer la machine avec le filtre ?', 'fr'],
  ['¿Cómo se limpia la máquina?', 'es'],
  ['Hoe maak ik het apparaat schoon?', 'nl'],
  ['Come si pulisce la macchina?', 'it'],
  ['Como se limpa a máquina?', 'pt'],
  ['Jak wyczyścić maszynę?', 'pl'],
  ['Hvordan rengjør jeg maskinen?', 'no'],
  ['Hvordan rengør jeg maskinen?', 'da'],
  ['Miten puhdistan laitteen?', 'fi'],
  ['كيف أنظف الجهاز؟', 'ar'],
  ['掃除の方法は？', 'ja'],
  ['如何清洗机器', 'zh'],
  ['청소는 어떻게 하나요', 'ko'],
  ['E07', undefined],
  ['', undefined],
])('%j is %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})
