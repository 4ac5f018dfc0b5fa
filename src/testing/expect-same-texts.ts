import { expect } from 'vitest'

type Tree = { [key: string]: string | Tree }

/** Every text with its path, such as `team.title`. */
const textsIn = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[path + key, value] as [string, string]]
      : textsIn(withoutForms(value), `${path}${key}.`),
  )

/** Languages have different plural forms. All have one for any number. */
function withoutForms(tree: Tree): Tree {
  const forms = Array.isArray(tree) ? { other: tree.at(-1) as string } : tree
  return Object.hasOwn(forms, 'other') ? { other: forms.other ?? '' } : forms
}

const placeholdersIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

/** A translation has every text of the English version, in the same order and with the same placeholders. */
export function expectSameTexts(translated: object, english: object): void {
  const originals = new Map(textsIn(english as Tree))
  const texts = textsIn(translated as Tree)
  expect(texts.map(([path]) => path)).toEqual([...originals.keys()])
  for (const [path, text] of texts) {
    const original = originals.get(path) ?? ''
    expect(text.trim(), path).not.toBe('')
    expect(placeholdersIn(text), path).toEqual(placeholdersIn(original))
    const isSentence = /\. /.test(original)
    if (translated !== english && isSentence) expect(text, path).not.toBe(original)
  }
}
