export type { Block, BlockInput, BlockOf, BlockType, Text } from './contract.ts'
export { FILE_MEGABYTES_MAX, FILES_MAX, LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from './contract.ts'
export { copyBlocks, isFormField, textsIn, toBlocks } from './service.ts'
