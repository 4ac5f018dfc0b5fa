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
  unavailable: Text & { retry: string }
}

export type NoticeKind = keyof NoticeTexts
