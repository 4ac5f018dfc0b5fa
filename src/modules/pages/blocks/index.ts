export type { Block, BlockInput, BlockOf, BlockType, Text } from './contract.ts'
export { LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from './contract.ts'
export { isFormField, textsIn, toBlocks, toOwnBlocks } from './service.ts'
