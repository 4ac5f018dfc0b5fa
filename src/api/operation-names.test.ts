/** Operation ids and the methods of SDKs are names that customers write in their own code, so they follow one grammar. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { operationId, singular } from '../platform/contract/openapi/names.ts'
import type { Declaration } from '../platform/contract/operation.ts'
import { familyOperations } from './openapi.ts'

const operations = familyOperations()

/** Verbs of a POST that does not create a resource. Add one here if a person would call the action so. */
const ACTIONS = [
  ...['ask', 'cancel', 'change', 'duplicate', 'mark', 'pause', 'replay', 'request', 'restore', 'resume', 'revoke'],
  ...['rotate', 'schedule', 'simulate', 'test', 'undo', 'verify'],
]

function verbsOf({ method, path, offset, cursor, file, download }: Declaration): readonly string[] {
  if (method === 'PATCH') return ['update']
  if (method === 'PUT') return ['replace']
  if (method === 'DELETE') return ['delete']
  // The path of a list, or of a batch for it.
  if (method === 'POST') return /(s|\/batch)$/.test(path) ? ['create'] : ACTIONS
  if (offset ?? cursor) return ['list', 'search']
  return (file ?? download) ? ['get', 'export'] : ['get', 'diff']
}

const ABOUT_MANY = ['list', 'search', 'export', 'replace', 'diff']
const ABOUT_ONE = ['get', 'create', 'update', 'delete']

/** `exportSubmissionsAsCsv` → `['export', 'Submissions', 'As', 'Csv']`. */
const wordsOf = (id: string): string[] => id.split(/(?=[A-Z])/)

/** The last word of the noun, without details: `exportSubmissionsAsCsv` → `Submissions`. */
const nounOf = (id: string): string => wordsOf(id.replace(/(As|By|Of)[A-Z].*/, '')).at(-1) ?? ''

const isPlural = (word: string): boolean => singular(word) !== word

/** Whether one resource has a plural name: `knowledge_base_synonyms`. */
const hasPluralName = ({ ok }: Declaration): boolean =>
  isPlural((ok?.shape.object as z.ZodLiteral<string>)?.value ?? '')

describe.each(operations.map((operation) => [operationId(operation), operation] as const))('%s', (id, operation) => {
  const [verb = '', ...others] = wordsOf(id)

  test('begins with the verb of its method', () => {
    expect(verbsOf(operation.declared)).toContain(verb)
  })

  test('has a plural noun if it is about several resources, and a singular noun if it is about one', () => {
    if (ABOUT_MANY.includes(verb)) expect(isPlural(nounOf(id))).toBe(true)
    if (ABOUT_ONE.includes(verb)) expect(isPlural(nounOf(id))).toBe(hasPluralName(operation.declared))
  })

  test('has no word twice', () => {
    const words = [verb, ...others].map((word) => singular(word.toLowerCase()))
    expect(words).toEqual([...new Set(words)])
  })

  test('has a method that is a verb in camel case, in a family in kebab case', () => {
    expect(operation.id).toMatch(new RegExp(`^[a-z]+(-[a-z]+)*\\.${verb}([A-Z][a-z0-9]+)*$`))
  })
})

test('no two operations have the same id or the same method', () => {
  const ids = operations.map(operationId)
  expect(ids).toEqual([...new Set(ids)])
  const methods = operations.map(({ id }) => id)
  expect(methods).toEqual([...new Set(methods)])
})

test('all operations of a family share its declaration, also in another module', () => {
  const families = new Set(operations.map(({ family }) => family))
  expect([...families].map(({ name }) => name)).toEqual([...new Set([...families].map(({ name }) => name))])
})

test('few operations declare a noun of their own', () => {
  const families = new Set(operations.map(({ family }) => family))
  expect([...families].flatMap(({ noun }) => noun ?? [])).toEqual(['unanswered-questions', 'audit-log-entries'])
  // `listArticleTags` and `listConversationTags` list the tags that exist.
  expect(operations.filter(({ declared }) => declared.noun).map(({ id }) => id)).toEqual([
    'articles.listTags',
    'articles.replaceTags',
    'conversations.listTags',
    'conversations.replaceTags',
  ])
})

// Documented: cursors stay valid across upgrades.
test('cursor lists keep the id that their cursors are signed with', () => {
  const lists = operations.filter(({ declared }) => declared.cursor).map(({ id }) => id)
  expect(lists).toEqual(
    expect.arrayContaining([
      'articles.list',
      'assets.list',
      'audit-log.list',
      'conversations.list',
      'conversations.listMessages',
      'conversations.listNotes',
      'credits.listEntries',
      'events.list',
      'jobs.list',
      'jobs.listItems',
      'objects.listScans',
      'pages.list',
      'products.listScans',
      'qr-codes.listScans',
      'scans.list',
      'submissions.list',
      'submissions.listEvents',
      'submissions.listReplies',
      'unanswered.list',
      'unanswered.listOfChatbot',
      'webhook-deliveries.list',
    ]),
  )
})
