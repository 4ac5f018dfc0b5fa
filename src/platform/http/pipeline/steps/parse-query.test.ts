import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commaList, cursorQuery, field, ID_LIST_FORMAT, offsetQuery, operations } from '../../../contract/index.ts'
import { newId } from '../../../ids/index.ts'
import { Exchange, type Services } from '../exchange.ts'
import { parseQuery } from './parse-query.ts'

const { list } = operations(
  { name: 'things', title: 'Things', about: '', area: null },
  {
    list: {
      method: 'GET',
      path: '/things',
      summary: 'List things',
      query: offsetQuery({
        group_id: field.id.describe('Only of this group.').optional().describe('Only of one group.'),
        search: field.search,
        size: commaList(z.enum(['s', 'm', 'l']), 2).optional(),
        owner_ids: commaList(field.id, 2, { mayBeEmpty: true }).meta({ format: ID_LIST_FORMAT }).optional(),
      }),
      offset: z.object({}),
    },
  },
)

function parse(query: Record<string, unknown>): Record<string, unknown> | undefined {
  const sent = {
    ...{
      method: 'GET',
      path: '/v1/things',
      params: {},
      query,
      headers: {},
      request: new IncomingMessage(new Socket()),
    },
    ...{ address: () => '', hasClientLeft: () => false, signal: () => new AbortController().signal },
  }
  const exchange = new Exchange({ operation: list, handle: async () => ({}) }, sent, 'req_0', 0)
  parseQuery(exchange, {} as Services)
  return exchange.query
}

const refusal = (query: Record<string, unknown>) => {
  try {
    parse(query)
  } catch (error) {
    return error
  }
  return undefined
}

test('parses numbers and applies defaults', () => {
  expect(parse({})).toEqual({ page: 1, page_size: 25 })
  expect(parse({ page: '3', page_size: '100', search: ' x ' })).toEqual({ page: 3, page_size: 100, search: 'x' })
})

test('reports a malformed id with its own error code', () => {
  expect(refusal({ group_id: 'nonsense', page: '0' })).toMatchObject({ code: 'invalid_id' })
  expect(refusal({ group_id: [newId(), newId()] })).toMatchObject({ code: 'invalid_id' })
  expect(parse({ group_id: newId().toUpperCase() })).toMatchObject({ group_id: expect.stringMatching(/^[0-9a-f-]+$/) })
})

test('a list has each of its values once, in any number that is allowed', () => {
  const [one, other] = [newId(), newId()]
  expect(parse({ size: 's,l', owner_ids: `${one},${other}` })).toMatchObject({
    size: ['s', 'l'],
    owner_ids: [one, other],
  })
  expect(parse({ size: 'm,m', owner_ids: '' })).toMatchObject({ size: ['m'], owner_ids: [] })
  expect(refusal({ owner_ids: `${one},` })).toMatchObject({ code: 'invalid_id' })
  expect(refusal({ owner_ids: `${one},${other},${newId()}` })).toMatchObject({ code: 'invalid_id' })
  for (const size of ['', 's,', 's,x', 's,m,l', ' s', ['s', 'm']]) {
    expect(refusal({ size }), String(size)).toMatchObject({
      code: 'invalid_query',
      details: { fieldErrors: { size: [expect.any(String)] } },
    })
  }
})

test.each([
  { page: '0' },
  { page: '1e3' },
  { page: '' },
  { page: ['1', '2'] },
  { page_size: '101' },
  { page_size: '٣' },
])('rejects %j and names the parameter', (query) => {
  expect(refusal(query)).toMatchObject({
    code: 'invalid_query',
    details: { fieldErrors: { [Object.keys(query)[0]!]: [expect.any(String)] } },
  })
})

test('rejects an unknown parameter, and text that cannot be stored', () => {
  expect(refusal({ nonsense: '1', pagesize: '5' })).toMatchObject({
    details: {
      formErrors: [],
      fieldErrors: { nonsense: ['Unknown parameter'], pagesize: ['Unknown parameter. Did you mean page_size?'] },
    },
  })
  expect(refusal({ size: 's,x' })).toMatchObject({
    details: { fieldErrors: { size: ['Must be one of s, m, l, not "x". Separate several with commas'] } },
  })
  expect(refusal({ search: 'a\0b' })).toMatchObject({
    code: 'invalid_query',
    details: { fieldErrors: { search: [expect.any(String)] } },
  })
})

test('an offset list rejects a cursor, and a cursor list rejects a page', () => {
  expect(refusal({ cursor: 'x' })).toMatchObject({ code: 'invalid_query' })
  expect(cursorQuery({}).safeParse({ cursor: 'x', page: '1' }).success).toBe(false)
})
