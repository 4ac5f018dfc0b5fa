import { z } from 'zod'
import { field, operations } from '../../../platform/contract/index.ts'
import { knowledgeBaseFamily } from '../knowledge-bases/contract.ts'

const GROUPS_MAX = 500
const GROUP_WORDS_MIN = 2
const GROUP_WORDS_MAX = 20
const WORD_LENGTH_MAX = 60

const groups = z
  .array(
    z
      .array(field.name(WORD_LENGTH_MAX).meta({ examples: ['sofa'] }))
      .min(GROUP_WORDS_MIN, { error: `Must have at least ${GROUP_WORDS_MIN} words or phrases` })
      .max(GROUP_WORDS_MAX, { error: `Must have at most ${GROUP_WORDS_MAX} words or phrases` }),
  )
  .max(GROUPS_MAX, { error: `Must have at most ${GROUPS_MAX} groups` })
  .meta({
    description: 'Groups of words or phrases that mean the same. A search for one of them finds the others, too.',
    examples: [
      [
        ['sofa', 'couch'],
        ['phone', 'secondary device'],
      ],
    ],
  })

export const KnowledgeBaseSynonyms = z
  .object({
    object: z.literal('knowledge_base_synonyms'),
    knowledge_base_id: field.id,
    synonyms: groups,
  })
  .meta({ id: 'KnowledgeBaseSynonyms', description: 'Words that mean the same in a knowledge base.' })
export type KnowledgeBaseSynonyms = z.infer<typeof KnowledgeBaseSynonyms>

export const KnowledgeBaseSynonymsReplace = z
  .strictObject({ synonyms: groups })
  .meta({ id: 'KnowledgeBaseSynonymsReplace' })
export type KnowledgeBaseSynonymsReplace = z.output<typeof KnowledgeBaseSynonymsReplace>

export const synonyms = operations(knowledgeBaseFamily, {
  getSynonyms: {
    method: 'GET',
    path: '/knowledge-bases/{id}/synonyms',
    summary: 'Get the synonyms of a knowledge base',
    ok: KnowledgeBaseSynonyms,
  },
  replaceSynonyms: {
    method: 'PUT',
    path: '/knowledge-bases/{id}/synonyms',
    summary: 'Replace the synonyms of a knowledge base',
    description:
      'Words that your customers and your articles use for the same thing. The search of the help centre and ' +
      '`GET /articles/search` with a `knowledge_base_id` use them, in all languages and word forms, and so do chatbots ' +
      'that use the knowledge base. Takes effect with the next search.',
    body: KnowledgeBaseSynonymsReplace,
    ok: KnowledgeBaseSynonyms,
    example: () => ({ synonyms: [['sofa', 'couch']] }),
  },
})
