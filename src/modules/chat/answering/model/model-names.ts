import type { LlmModel, LlmSettings } from '../../../../platform/llm/index.ts'
import type { AnsweringBot } from '../answer.ts'
import { EMBEDDED } from '../embedded.ts'

/** What the `model` of a chatbot may be. */
export const modelNames = (llm: LlmSettings | undefined): string[] => [
  EMBEDDED,
  ...(llm?.models ?? []).map(({ name }) => name),
]

/**
 * The model that answers for a bot. Undefined for the embedded answerer, also if the operator has removed the model of the
 * bot: another model may cost more.
 */
export const modelFor = (llm: LlmSettings, { model }: Pick<AnsweringBot, 'model'>): LlmModel | undefined =>
  model === null ? llm.models[0] : llm.models.find(({ name }) => name === model)
