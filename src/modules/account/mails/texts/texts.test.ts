import { expect, test } from 'vitest'
import { MAIL_TEXTS } from './index.ts'

type Tree = { [key: string]: string | Tree }

/** Every text with its path, such as `kinds.invitation.subject`. */
const textsIn = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : textsIn(value, `${path}${key}.`),
  )

const placeholdersIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
const english = new Map(textsIn(MAIL_TEXTS.en as unknown as Tree))

test.each(Object.entries(MAIL_TEXTS))(
  '%s has every text, with the same placeholders as English',
  (_language, texts) => {
    const translated = textsIn(texts as unknown as Tree)
    expect(translated.map(([path]) => path)).toEqual([...english.keys()])
    for (const [path, text] of translated) {
      expect(text.trim(), path).not.toBe('')
      expect(placeholdersIn(text), path).toEqual(placeholdersIn(english.get(path) ?? ''))
    }
  },
)
