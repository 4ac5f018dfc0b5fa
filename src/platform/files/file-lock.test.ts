import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFile } from './file-lock.ts'

let folder: string
let file: string
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-lock-'))
  file = join(folder, 'lock')
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts a process that tries to take the lock, reports whether it did, and keeps it. */
async function startProcess(): Promise<{ child: ChildProcess; hasLock: boolean }> {
  const script = `
    import { lockFile } from ${JSON.stringify(new URL('./file-lock.ts', import.meta.url).href)}
    const unlock = lockFile(${JSON.stringify(file)})
    process.on('message', () => { unlock(); process.send('unlocked') })
    process.send(unlock !== undefined)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const [hasLock] = await once(child, 'message')
  return { child, hasLock }
}

test('one process at a time holds the lock, and the next gets it after the release', async () => {
  const unlock = lockFile(file)
  expect(unlock).toBeDefined()
  expect((await startProcess()).hasLock).toBe(false)
  unlock?.()
  const next = await startProcess()
  expect(next.hasLock).toBe(true)
  expect(lockFile(file)).toBeUndefined()
  next.child.send('unlock')
  await once(next.child, 'message')
  const again = lockFile(file)
  expect(again).toBeDefined()
  again?.()
})

test('the same process cannot take the lock twice', () => {
  const unlock = lockFile(file)
  expect(lockFile(file)).toBeUndefined()
  // A failed attempt must not release the lock.
  expect(lockFile(file)).toBeUndefined()
  unlock?.()
  const again = lockFile(file)
  expect(again).toBeDefined()
  again?.()
})

test('the lock of a killed process is released', async () => {
  const { child, hasLock } = await startProcess()
  expect(hasLock).toBe(true)
  expect(lockFile(file)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const unlock = lockFile(file)
  expect(unlock).toBeDefined()
  unlock?.()
})

test('the lock survives a rename of its folder and leaves no other file', async () => {
  const unlock = lockFile(file)
  const renamed = `${folder}-renamed`
  renameSync(folder, renamed)
  folder = renamed
  file = join(folder, 'lock')
  expect(lockFile(file)).toBeUndefined()
  expect((await startProcess()).hasLock).toBe(false)
  unlock?.()
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('throws if the file cannot be created', () => {
  expect(() => lockFile(join(folder, 'nowhere', 'lock'))).toThrow(/unable to open/)
})
