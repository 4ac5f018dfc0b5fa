/** A model of the endpoint, and what an answer of it costs. */
export interface LlmModel {
  name: string
  credits: number
}

/** An OpenAI-compatible endpoint that the operator chose. It may be in a private network. */
export interface LlmSettings {
  /** Has no slash at the end: answers come from `{baseUrl}/chat/completions`. */
  baseUrl: string
  apiKey: string | undefined
  /** There is at least one. The first is the default. */
  models: readonly LlmModel[]
  /** Undefined if passages are found by their words only. */
  embeddingsModel: string | undefined
  /** Limits a whole answer. */
  answerMsMax: number
  /** Limits the wait for the first part of an answer, and between two parts. */
  silenceMsMax: number
}
