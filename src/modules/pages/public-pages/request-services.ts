import type { IncomingMessage } from 'node:http'
import type { ContentLanguage, Language } from '../../../platform/contract/languages.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { RenderedPage } from '../../../platform/pages/index.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import type { FormState } from './form-state.ts'
import type { ReceiptLink } from './receipt/sent-receipt.ts'
import type { VisitCookie } from './visit-cookie.ts'

/** The languages of a visit. */
export interface Languages {
  /** The language of the texts of the page, as far as it has them in it. */
  language: ContentLanguage
  /** The language of our own words. Another one if there is no interface in `language`. */
  interfaceLanguage: Language
}

/** What a page looks like for one visitor. */
export interface PageView extends Languages {
  /** What was scanned. Null for a visitor who opened the address of the page. */
  scanned: ScannedThing | null
  /** What is known about it, see `findFacts`. */
  facts: ReadonlyMap<string, string>
  form: FormState | null
  /** That of the form which was just sent. */
  receipt?: ReceiptLink | undefined
}

/** What all requests for public pages need. */
export interface PageRequestServices {
  keyring: Keyring
  cookie: VisitCookie
  /** Returns `gone` if the page was deleted, and undefined if the requested host has never had such a page. */
  findPage(publicSlug: string, request: IncomingMessage): Promise<PublicPage | 'gone' | undefined>
  /** What the texts of a page say about a scanned thing. */
  findFacts(page: PublicPage, scanned: ScannedThing | null): Promise<ReadonlyMap<string, string>>
  /** Call it before longer work: organisations take turns at the main thread. Throws `QueueFull` if it cannot begin soon. */
  waitForTurn(page: PublicPage): Promise<void> | undefined
  chooseLanguages(page: PublicPage, wanted: string | undefined, acceptLanguage: string | undefined): Languages
  /** The page, with what a visitor typed if `form` is set. */
  renderPage(page: PublicPage, shown: PageView): Promise<RenderedPage>
  /** What a visitor sees after sending the form. */
  renderSent(page: PublicPage, shown: PageView): Promise<RenderedPage>
}
