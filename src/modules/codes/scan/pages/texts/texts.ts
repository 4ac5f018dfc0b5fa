interface Text {
  title: string
  text: string
}

/** The texts of the notices shown after a scan that cannot redirect. */
export interface NoticeTexts {
  paused: Text
  /** `owner` addresses the owner, who often scans a new code to test it. */
  not_set_up: Text & { owner: string }
  unknown: Text
  /** For an address that is not that of a code. */
  not_found: Text
  gone: Text
  /** A GS1 Digital Link that breaks the rules of GS1, such as a number with a wrong check digit. */
  malformed: Text
  /** A GS1 Digital Link in the compressed form, which we do not read. */
  compressed: Text
  /** A product or object without a link of the type that was asked for. */
  no_link: Text
  unavailable: Text & { retry: string }
}

export type NoticeKind = keyof NoticeTexts
