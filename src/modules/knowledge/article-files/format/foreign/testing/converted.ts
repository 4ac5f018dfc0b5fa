import { expect } from 'vitest'
import type { Tool } from '../../tool.ts'
import { convert } from '../convert.ts'

/** Converts a text and returns it without blank lines, whose number says nothing. */
export function converted(text: string, path = 'a.md', tool?: Tool) {
  const warnings: string[] = []
  const warn = (message: string, number: number) => warnings.push(`${number}: ${message}`)
  const { content, numbers } = convert({ path, tool }, text, 1, warn)
  expect(numbers).toHaveLength(content.split('\n').length)
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  return { text: lines.join('\n'), warnings }
}
