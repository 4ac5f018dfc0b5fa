export type { ChatbotTranslations } from './contract.ts'
export { type ChatbotTexts, inOrder, type TextInLanguage, textIn, toTexts } from './text-in-language.ts'
