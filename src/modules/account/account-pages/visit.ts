import type { IncomingMessage } from 'node:http'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import type { Call, CallResult } from '../../../platform/http/pipeline/call-operation.ts'
import type { Html } from '../../../platform/text/html.ts'
import type { Origin, SignedIn } from '../sessions/index.ts'
import type { ScriptName } from './script.ts'
import type { Texts } from './texts.ts'

/** One request for a page, or a form that was sent. */
export interface AccountVisit {
  readonly request: IncomingMessage
  readonly path: string
  readonly query: URLSearchParams
  /** Empty unless a form was sent. */
  readonly form: URLSearchParams
  readonly language: Language
  readonly texts: Texts
  readonly origin: Origin
  readonly nowMs: number
  readonly now: Timestamp
  /** Proves that a form comes from one of our pages. Every form has it as a hidden field. */
  readonly formToken: string
  /** Undefined if nobody is signed in. */
  readonly person: SignedIn | undefined
  /** What operations of the API have put on the page so far. */
  readonly shown: { hasOutsideText: boolean }
}

/** A visit of somebody who is signed in. */
export interface SignedInVisit extends AccountVisit {
  readonly person: SignedIn
  /** Calls an operation of the API as this person. */
  call(operation: string, call?: Call): Promise<CallResult>
}

export interface AccountPage {
  title: string
  main: Html
  status?: number
  /** Most pages run no script. */
  script?: ScriptName | undefined
  /** Whether the page shows images that visitors sent. */
  showsImages?: boolean
  /** Whether somebody outside chose a part of the page. It is not compressed then. */
  hasOutsideText?: true
  /** A source to which the form of the page leads in the end, if it is not one of our own pages. */
  formsLeadTo?: string
}

/** The person has confirmed who they are, and their session has a new token. Now the form that they had sent is applied. */
export interface Apply {
  apply: { path: string; form: URLSearchParams }
  token: string
}

/** A page, the path of the page to go to, or a form to apply. */
export type AccountResponse = (AccountPage | { goTo: string } | Apply) & { cookies?: readonly string[]; allow?: string }
