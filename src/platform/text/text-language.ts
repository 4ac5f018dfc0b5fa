import { directionOf } from './direction.ts'
import { type Html, html } from './html.ts'

/** The attributes of a text: its direction, and its language if that of the surrounding element is another. */
export const languageOf = (language: string, outer: string): Html =>
  html` dir="${textDirection(language)}"${language !== outer && html` lang="${language}"`}`

/** A text in a language that is written from left to right may still be in another script. */
export const textDirection = (language: string): 'auto' | 'rtl' => (directionOf(language) === 'rtl' ? 'rtl' : 'auto')
