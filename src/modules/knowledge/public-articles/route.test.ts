import { expect, test } from 'vitest'
import { parseAddress } from './route.ts'

const ID = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'

test.each([
  ['', { page: 'home' }],
  ['search', { page: 'search' }],
  ['articles', { page: 'articles' }],
  ['articles/', { page: 'articles' }],
  ['articles/oak-table', { page: 'article', slug: 'oak-table' }],
  ['articles/de', { page: 'article', slug: 'de' }],
  ['categories', { page: 'categories' }],
  ['categories/wood', { page: 'category', slug: 'wood' }],
  ['feed.atom', { page: 'feed' }],
  [`a/${ID}`, { page: 'permalink', articleId: ID }],
])('“%s” is a page, with and without a language prefix', (path, route) => {
  expect(parseAddress(path)).toEqual({ language: undefined, route })
  expect(parseAddress(path === '' ? 'de' : `de/${path}`)).toEqual({ language: 'de', route })
})

test.each(['fil', 'pt-BR', 'zh-Hant', 'ar'])('%s is a language', (language) => {
  expect(parseAddress(`${language}/search`)).toEqual({ language, route: { page: 'search' } })
})

test.each([
  ['sitemap.xml', { page: 'sitemap' }],
  ['sitemap-12.xml', { page: 'sitemap', part: 12 }],
])('%s has no language prefix', (path, route) => {
  expect(parseAddress(path)).toEqual({ language: undefined, route })
  expect(parseAddress(`de/${path}`).route).toEqual({ page: 'missing' })
})

test.each([
  ...[
    'xx',
    'DE',
    'en-gb',
    'english',
    'de/de',
    'xx/articles',
    'article/oak',
    'articles/oak/more',
    'search/oak',
    '//',
    'index.html',
    'a',
    'a/oak',
    `a/${ID.toUpperCase()}`,
  ],
  ...['sitemap-0.xml', 'sitemap-.xml', 'sitemap-1234567.xml', '__proto__', 'constructor', 'feed.atom/x'],
])('“%s” is not a page', (path) => {
  expect(parseAddress(path).route).toEqual({ page: 'missing' })
})
