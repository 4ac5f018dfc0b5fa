import { expect, test } from 'vitest'
import { readCookie, SecretCookie } from './cookies.ts'

test('reads a cookie among others', () => {
  expect(readCookie('a=1; session=two; b=3', 'session')).toBe('two')
  expect(readCookie('session=', 'session')).toBe('')
})

test('finds no cookie that is missing, has another name, or is there twice', () => {
  for (const header of [undefined, '', 'a=1', 'my_session=1', 'session2=1', 'session=1; session=2']) {
    expect(readCookie(header, 'session'), String(header)).toBeUndefined()
  }
})

test('a secret cookie is bound to its host over HTTPS, and no script can read it', () => {
  const cookie = new SecretCookie('session', 'https://acme.com', 'Lax')
  expect(cookie.set('x', 60)).toBe('__Host-session=x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure')
  expect(cookie.clear()).toBe('__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
  expect(cookie.read('session=1')).toBeUndefined()
  expect(cookie.read('__Host-session=1')).toBe('1')
})

test('over HTTP, on the own machine, it has its plain name', () => {
  const cookie = new SecretCookie('session', 'http://localhost:8080', 'Strict')
  expect(cookie.set('x', 60)).toBe('session=x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict')
})
