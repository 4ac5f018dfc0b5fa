import type { z } from 'zod'
import type { ApiError, ErrorCode, FamilyError } from '../errors/index.ts'
import type { StagedFile } from '../files/asset-store.ts'
import { field } from './field.ts'
import type { CursorPage, OffsetPage, Position } from './pagination.ts'
import { holdsRecorded } from './recorded.ts'
import type { FileResponse, StreamedFile, Updated } from './responses.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A group of operations on one kind of resource. Several modules can declare operations of one family. */
export interface Family {
  /** Plural, kebab-case, as in its path. In SDKs it is the object of the family: `qr-codes` → `qrCodes`. */
  name: string
  /** Replaces the name in operation ids, if nobody would call one of the resources so. Plural, kebab-case. */
  noun?: string
  title: string
  /** Explains it to a reader who is new to it. Markdown, shown in the API reference. */
  about: string
  /** The first part of its scopes: `<area>.view` and `<area>.manage`. Null requires a credential but no scope. */
  area: string | null
  /** Explains for a malformed id in a path how to find the resource by what was probably meant. */
  hint?: (sent: string) => string | undefined
  /** Whether all its operations are `onlyInSession`. */
  onlyInSession?: true
}

/** A body that is a file: its bytes, and nothing around them. */
interface UploadDeclaration {
  bytesMax: number
  /** What the file may be. Its content decides, not the header of the request. */
  mediaTypes: readonly string[]
  /** Returns the n-th valid file; all are different. Used by conformance tests. */
  example: (n: number) => Uint8Array
}

/**
 * One operation as its family declares it. Declare one response: `ok`, `created`, `offset`, `cursor`, `file` or `download`. Only
 * `created` with `ok`, and `offset` with `cursor`, may be combined. No response means 204.
 */
export interface Declaration {
  method: Method
  /** Relative to /v1, parameters in braces. A parameter is an id unless `params` declares another schema. */
  path: `/${string}`
  /** Replaces the noun in the operation id where another operation has the same id: `TagsOfArticle`. */
  noun?: string
  summary: string
  description?: string
  /** Whether a GET needs `<area>.manage`, because what it returns is not for everybody who may view the area. */
  needsManage?: true
  /** Whether a POST changes nothing, so that `<area>.view` is enough. */
  isRead?: true
  /** Whether a GET is an entry in the audit log, because it takes much away at once: an export. All others write nothing. */
  isAudited?: true
  /** Whether only a person who is signed in may use it. API keys and applications get 403. */
  onlyInSession?: true
  /**
   * Whether a person must have proved who they are within the last 10 minutes, because a stolen session must not be
   * enough. Applies to sessions only.
   */
  needsRecentSignIn?: true
  params?: Record<string, z.ZodType<string | number>>
  query?: z.ZodObject
  body?: z.ZodObject
  /**
   * Whether an invalid entry of `items` is reported by the handler, as the result of that item, when the `mode` of the body
   * is `each`.
   */
  reportsItems?: true
  /** Instead of `body`. */
  upload?: UploadDeclaration
  /** 200 with one resource. */
  ok?: z.ZodObject
  /** 201 with the new resource. With `ok`, the operation may also return 200 with an existing resource it updated. */
  created?: z.ZodObject
  /** 200 with an offset list of these resources. */
  offset?: z.ZodObject
  /** 200 with a cursor list of these resources. With `offset`, the query decides between the two. */
  cursor?: z.ZodObject
  /** 200 with a file in one of these media types. Only JSON has a schema. */
  file?: Readonly<Record<string, z.ZodObject | null>>
  /** 200 with a file in one of these media types, which may be very long. Browsers store it. */
  download?: readonly string[]
  /**
   * Whether the response may hold text that an outsider chose: a visitor or the receiver of a webhook. It is then not
   * compressed (`platform/http/compression.ts`).
   */
  hasOutsideText?: true
  /** Errors in addition to those that follow from the shape of the operation. */
  errors?: readonly (ErrorCode | FamilyError)[]
  /** Returns the n-th valid body; all are different. Used by documentation and conformance tests. */
  example?: (n: number) => object
}

export interface Operation<D extends Declaration = Declaration> {
  /**
   * The family and the key of the operation: `article-tags.list`. SDKs have a method for it (`articleTags.list`), logs and
   * metrics name it, and cursors are signed with it. Cursors stay valid across upgrades, so the id of a cursor list never
   * changes.
   */
  readonly id: string
  readonly family: Family
  readonly scope: string | null
  readonly onlyInSession: boolean
  readonly params: Readonly<Record<string, z.ZodType<string | number>>>
  readonly successStatus: 200 | 201 | 204
  /** Whether the response depends on scans and views that may not be stored yet. */
  readonly showsRecorded: boolean
  readonly declared: D
}

export type Operations = Record<string, Operation>

const PARAMETER = /\{(\w+)\}/g

/** Declares the operations of a family. They are plain data: the router, documents and tests all iterate over them. */
export function operations<const D extends Record<string, Declaration>>(
  family: Family,
  declarations: D,
): { [Name in keyof D]: Operation<D[Name]> } {
  const entries = Object.entries(declarations).map(([name, declared]) => {
    const names = [...declared.path.matchAll(PARAMETER)].map(([, parameter]) => parameter as string)
    const operation: Operation = {
      id: `${family.name}.${name}`,
      family,
      scope: family.area === null ? null : `${family.area}.${isView(declared) ? 'view' : 'manage'}`,
      onlyInSession: (family.onlyInSession ?? declared.onlyInSession) === true,
      params: Object.fromEntries(names.map((parameter) => [parameter, declared.params?.[parameter] ?? field.id])),
      successStatus: declared.created
        ? 201
        : (declared.ok ?? declared.offset ?? declared.cursor ?? declared.file ?? declared.download)
          ? 200
          : 204,
      showsRecorded: [declared.ok, declared.offset, declared.cursor].some((schema) => schema && holdsRecorded(schema)),
      declared,
    }
    return [name, operation]
  })
  return Object.fromEntries(entries)
}

const isView = ({ method, needsManage, isRead }: Declaration): boolean =>
  isRead === true || (method === 'GET' && needsManage !== true)

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

/** An entry of `items` that is not valid. */
export interface RefusedItem {
  readonly index: number
  readonly sent: unknown
  readonly error: ApiError
}

/** The parsed request that a handler receives. */
export interface Input<D extends Declaration> {
  params: {
    [Name in ParameterNames<D['path']>]: D extends { params: Record<Name, z.ZodType> }
      ? z.output<D['params'][Name]>
      : string
  }
  query: D extends { query: z.ZodType } ? z.output<D['query']> : undefined
  body: D extends { body: z.ZodType } ? z.output<D['body']> : undefined
  /** What is not in `body.items` because it is not valid. Empty unless the operation reports items. */
  refused: readonly RefusedItem[]
  /** The file that was sent. The pipeline removes it after the request unless it was stored. */
  upload: D extends { upload: object } ? StagedFile : undefined
  /** The position after which a cursor list continues; undefined for the first page. */
  after: Position | undefined
  /** The Accept header, for operations that return files. */
  accept: string | undefined
}

export type Output<D extends Declaration> = D extends { file: object }
  ? FileResponse
  : D extends { download: object }
    ? StreamedFile
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
                : // biome-ignore lint/suspicious/noConfusingVoidType: the result of a handler that returns nothing
                  void
