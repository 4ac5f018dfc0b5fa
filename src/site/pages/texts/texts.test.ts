import { expect, test } from 'vitest'
import { TEXTS } from './index.ts'

type Tree = { [key: string]: string | Tree }

/** Every text with its path, such as `form.problems.too_short.0`. */
const textsIn = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : textsIn(value, `${path}${key}.`),
  )

const placeholdersIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
const english = new Map(textsIn(TEXTS.en as unknown as Tree))

test.each(Object.entries(TEXTS))('%s has every text, with the same placeholders as English', (language, texts) => {
  const translated = textsIn(texts as unknown as Tree)
  expect(translated.map(([path]) => path)).toEqual([...english.keys()])
  for (const [path, text] of translated) {
    expect(text.trim(), path).not.toBe('')
    expect(placeholdersIn(text), path).toEqual(placeholdersIn(english.get(path) ?? ''))
    const isSentence = /\. /.test(english.get(path) ?? '')
    if (language !== 'en' && isSentence) expect(text, path).not.toBe(english.get(path))
  }
})
