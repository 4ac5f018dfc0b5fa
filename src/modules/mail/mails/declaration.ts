import type { FactName, MailKind } from './texts.ts'

/** A mail, declared by the family that sends it. `Values` is what it says besides its texts. */
export interface Mail<Values = never> {
  /** Names its texts in `locales/<language>/mails.json`. Mails wait in the database under this name, so it never changes. */
  readonly kind: MailKind
  /** No mail is retried for longer. One with a link is not sent any more when its link has expired. Three days by default. */
  readonly validMs?: number
  /** Shown below the text, in this order. Facts without a value are left out. */
  readonly facts?: readonly (FactName & keyof Values)[]
  /** Facts that are times, shown after the others and in the language of the mail. */
  readonly times?: readonly (FactName & keyof Values)[]
  /** Shown last, with labels of their own. */
  readonly quotes?: (values: Values) => readonly Quote[]
  /** A path of the account pages, or a whole address. */
  readonly link: (values: Values) => string
  /** The mail quotes a visitor. If its recipient leaves the organisation while it waits, it is not sent. */
  readonly isForMembers?: true
}

interface Quote {
  label: string
  value: string
}

/** How many mails one cause may send within an hour. The name is part of the key of its counter. */
export interface MailLimit {
  readonly name: string
  readonly perHour: number
}

/** Every mail that can be sent, by its kind. */
export type MailCatalogue = ReadonlyMap<string, Mail>

export function createCatalogue(families: readonly Readonly<Record<string, Mail>>[]): MailCatalogue {
  const catalogue = new Map<string, Mail>()
  for (const mail of families.flatMap((family) => Object.values(family))) {
    if (catalogue.has(mail.kind)) throw new Error(`The mail ${mail.kind} is declared twice.`)
    catalogue.set(mail.kind, mail)
  }
  return catalogue
}
