import type { PluralForms } from '../../../../platform/text/plural.ts'
import type { ProblemCode } from '../../form/index.ts'

interface Notice {
  title: string
  text: string
}

/** The texts of public pages and their forms, besides those of the organisation. Names in braces are placeholders. */
export interface Texts {
  language: string
  /** Read aloud before a banner, by its kind. */
  banners: { info: string; success: string; warning: string; danger: string }
  contact: { phone: string; email: string; website: string; address: string; save: string }
  download: string
  watchVideo: string
  form: {
    requiredFields: string
    send: string
    choose: string
    /** {n}, {max} */
    rating: string
    /** For a field that people do not see. */
    leaveEmpty: string
    /** {size} in MB. */
    oneFile: string
    /** {n}, {size} in MB. */
    severalFiles: string
    /** What may be uploaded. */
    kinds: { image: string; video: string; audio: string; pdf: string }
    /** Above the files that we have received already. */
    received: string
    /** {name} */
    keepFile: string
    invalid: string
    tooMany: string
    failed: string
    /** {limit}, except for those that need none. */
    problems: Record<
      Exclude<ProblemCode, 'too_short' | 'too_long' | 'too_few' | 'too_many' | 'too_many_files'>,
      string
    > &
      Record<'too_short' | 'too_long' | 'too_few' | 'too_many' | 'too_many_files', PluralForms>
  }
  sent: Notice & { continue: string; back: string }
  /** Used by the script of the form. */
  script: {
    sending: string
    /** {name}, {percent} */
    uploading: string
    /** {name} */
    uploadFailed: string
    /** {name} */
    removeFile: string
    chooseFiles: string
    /** The browser is proving that a person uses it. */
    checking: string
    offline: string
    restored: string
    discard: string
    retry: string
  }
  notices: {
    draft: Notice
    paused: Notice
    gone: Notice
    unknown: Notice
    unavailable: Notice & { retry: string }
  }
}
