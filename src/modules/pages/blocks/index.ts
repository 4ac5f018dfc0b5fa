export type { Block, BlockInput, BlockOf, BlockType, Text } from './contract.ts'
export { LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from './contract.ts'
export { isFormField, toBlocks, toOwnBlocks } from './service.ts'
export { relabel, type TextInLanguage, textIn, textsIn } from './texts.ts'
