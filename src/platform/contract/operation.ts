import type { z } from 'zod'
import type { ErrorCode } from '../errors/index.ts'
import type { FileAnswer, Updated } from './answers.ts'
import { field } from './field.ts'
import type { CursorPage, OffsetPage, Position } from './pagination.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a credential may be allowed to see and to change; `null` needs a credential but no scope. */
type Area =
  | 'qr'
  | 'objects'
  | 'products'
  | 'articles'
  | 'knowledge_bases'
  | 'pages'
  | 'submissions'
  | 'chatbots'
  | 'conversations'
  | 'domains'
  | 'webhooks'
  | 'team'
  | 'analytics'

/** A family of operations: what it is called, what it is about, and which scopes open it. */
interface Family {
  /** As in its path and folder: plural, kebab-case. */
  name: string
  title: string
  /** For somebody who meets it for the first time. */
  about: string
  area: Area | null
}

/**
 * One operation as its family writes it. One of the answers; `created` may have `ok` beside it, and `offset` `cursor`.
 * None means 204.
 */
export interface Declaration {
  method: Method
  /** Relative to /v1, parameters in braces. A parameter is an id unless `params` says otherwise. */
  path: `/${string}`
  summary: string
  description?: string
  params?: Record<string, z.ZodType<string | number>>
  query?: z.ZodObject
  body?: z.ZodObject
  /** 200 with one resource. */
  ok?: z.ZodObject
  /** 201 with the new resource; where `ok` stands too, 200 with one that was there and was changed. */
  created?: z.ZodObject
  /** 200 with an offset list of these. */
  offset?: z.ZodObject
  /** 200 with a cursor list of these; where `offset` stands too, the query says which of the two is wanted. */
  cursor?: z.ZodObject
  /** 200 with a file, in one of these media types; the one in JSON has a schema. */
  file?: Readonly<Record<string, z.ZodObject | null>>
  /** Errors of its own, beside those that every operation of its shape can answer. */
  errors?: readonly ErrorCode[]
  /** The n-th of as many good bodies as wanted, all different: documentation and conformance tests use them. */
  example?: (n: number) => object
}

export interface Operation<D extends Declaration = Declaration> {
  /** `article-tags.list`: binds cursors and names the operation in documents, logs and metrics. */
  readonly id: string
  readonly family: Family
  readonly scope: string | null
  readonly params: Readonly<Record<string, z.ZodType<string | number>>>
  readonly successStatus: 200 | 201 | 204
  readonly declared: D
}

export type Operations = Record<string, Operation>

const PARAMETER = /\{(\w+)\}/g

/** Declares the operations of a family. Plain data: the router, documents and tests all iterate over it. */
export function operations<const D extends Record<string, Declaration>>(
  family: Family,
  declarations: D,
): { [Name in keyof D]: Operation<D[Name]> } {
  const entries = Object.entries(declarations).map(([name, declared]) => {
    const names = [...declared.path.matchAll(PARAMETER)].map(([, parameter]) => parameter as string)
    const operation: Operation = {
      id: `${family.name}.${name}`,
      family,
      scope: family.area === null ? null : `${family.area}.${declared.method === 'GET' ? 'view' : 'manage'}`,
      params: Object.fromEntries(names.map((parameter) => [parameter, declared.params?.[parameter] ?? field.id])),
      successStatus: declared.created
        ? 201
        : (declared.ok ?? declared.offset ?? declared.cursor ?? declared.file)
          ? 200
          : 204,
      declared,
    }
    return [name, operation]
  })
  return Object.fromEntries(entries)
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

/** What a handler is given. */
export interface Input<D extends Declaration> {
  params: {
    [Name in ParameterNames<D['path']>]: D extends { params: Record<Name, z.ZodType> }
      ? z.output<D['params'][Name]>
      : string
  }
  query: D extends { query: z.ZodType } ? z.output<D['query']> : undefined
  body: D extends { body: z.ZodType } ? z.output<D['body']> : undefined
  /** Where a cursor list goes on; undefined on its first page. */
  after: Position | undefined
  /** The Accept header, for operations that answer files. */
  accept: string | undefined
}

/** What a handler answers. */
export type Output<D extends Declaration> = D extends { file: object }
  ? FileAnswer
  : D extends { ok: z.ZodType; created: z.ZodType }
    ? z.input<D['created']> | Updated<z.input<D['ok']>>
    : D extends { ok: z.ZodType }
      ? z.input<D['ok']>
      : D extends { created: z.ZodType }
        ? z.input<D['created']>
        : D extends { offset: z.ZodType; cursor: z.ZodType }
          ? OffsetPage<z.input<D['offset']>> | CursorPage<z.input<D['cursor']>>
          : D extends { offset: z.ZodType }
            ? OffsetPage<z.input<D['offset']>>
            : D extends { cursor: z.ZodType }
              ? CursorPage<z.input<D['cursor']>>
              : // biome-ignore lint/suspicious/noConfusingVoidType: the result of a handler that answers nothing
                void
