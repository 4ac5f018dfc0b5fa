import { Answering, createEmbeddedAnswerer, createModels, SimilarPassages } from '../modules/chat/answering/index.ts'
import type { Clock } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { PublicUrlOf } from '../platform/http/server/public-url.ts'
import { LlmClient } from '../platform/llm/index.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Config } from './config.ts'

interface AnsweringParts {
  database: Database
  publicUrlOf: PublicUrlOf
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** The endpoint of the operator's models. Undefined if there is none. */
export const openLlm = ({ llm }: Pick<Config, 'llm'>): LlmClient | undefined => llm && new LlmClient(llm)

/** Answers questions with what the settings allow: the embedded answerer, and a language model if there is one. */
export function createAnswering(
  { llm }: Pick<Config, 'llm'>,
  client: LlmClient | undefined,
  parts: AnsweringParts,
): Answering {
  const embedded = createEmbeddedAnswerer()
  const base = { read: parts.database.read, publicUrlOf: parts.publicUrlOf, embedded }
  if (llm === undefined || client === undefined) return new Answering(base)
  const modelOf = createModels({ ...parts, llm, client, embedded })
  if (llm.embeddingsModel === undefined) return new Answering({ ...base, modelOf })
  const similar = new SimilarPassages({ ...parts, client, model: llm.embeddingsModel })
  return new Answering({ ...base, modelOf, findSimilar: similar.find })
}
