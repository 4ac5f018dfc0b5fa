import { describe, expect, test } from 'vitest'
import { describeRedirectUri, findRedirectUriProblem, sourceOf } from './redirect-uri.ts'

describe('a redirect URI', () => {
  test.each([
    'https://acme.example/callback',
    'https://acme.example:8443/callback?tenant=1',
    'http://127.0.0.1/callback',
    'http://[::1]:3000/callback',
    'http://localhost:8080/',
    'com.example.app:/callback',
    'com.example.app://callback',
    'cursor://anysphere.cursor-retrieval/oauth/user-mcp/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'vscode-insiders://acme.waymark/callback',
  ])('may be %s', (uri) => {
    expect(findRedirectUriProblem(uri)).toBeUndefined()
  })

  test.each([
    'http://acme.example/callback',
    'https://localhost/callback',
    'https://acme.example/callback#part',
    'https://user:password@acme.example/callback',
    '//acme.example/callback',
    'javascript:alert(1)',
    'javascript://acme.example/%0aalert(1)',
    'JavaScript://acme.example/%0aalert(1)',
    'java\tscript://acme.example/',
    'vbscript://acme.example/',
    'data:text/html,x',
    'data://text/html,x',
    'blob:https://acme.example/1',
    'file:///etc/passwd',
    'ftp://acme.example/',
    'ws://acme.example/',
    'intent://acme.example/#Intent',
    'ms-msdt://id/PCWDiagnostic',
    'search-ms:query=x',
    'x-apple.systempreferences:com.apple.preference.security',
    'view-source:https://acme.example/',
    'mailto:owner@acme.example',
    'cursor:/callback',
    'cursor:callback',
    'ab://callback',
  ])('is not %s', (uri) => {
    expect(findRedirectUriProblem(uri)).toEqual(expect.any(String))
  })

  test('of a program is shown as the name of the program, and is a source of a policy', () => {
    const uri = 'cursor://anysphere.cursor-retrieval/oauth/user-mcp/callback'
    expect([describeRedirectUri(uri), sourceOf(uri)]).toEqual(['cursor', 'cursor:'])
  })
})
