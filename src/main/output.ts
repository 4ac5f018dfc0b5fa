import type { Command } from 'commander'
import { SECOND_MS, systemClock } from '../platform/clock/index.ts'

/** Thrown by a command that has already printed what went wrong. */
export class CommandFailed extends Error {}

export const wantsJson = (command: Command): boolean => command.optsWithGlobals<{ json?: boolean }>().json === true

/** Prints the result of a command: one JSON document with `--json`, otherwise the text. */
export function print(command: Command, document: object, text: string): void {
  write(command, wantsJson(command) ? JSON.stringify(document) : text)
}

export function write(command: Command, text: string): void {
  command.configureOutput().writeOut?.(`${text}\n`)
}

export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows]
    .map((row) =>
      row
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const TERMINAL_INTERVAL_MS = SECOND_MS / 5
const LOG_INTERVAL_MS = 5 * SECOND_MS

/** Reports progress on stderr: one line that is overwritten on a terminal, a new line every five seconds in a log. */
export function progress(
  command: Command,
  verb: string,
  noun = 'row',
): { note(name: string, count: number): void; end(): void } {
  const terminal = process.stderr.isTTY
  if (wantsJson(command) && !terminal) return { note: () => {}, end: () => {} }
  const writeErr = terminal ? (text: string) => process.stderr.write(text) : command.configureOutput().writeErr
  const intervalMs = terminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS
  let shownAtMs = systemClock()
  let shown = false
  return {
    note: (name, count) => {
      const nowMs = systemClock()
      if (nowMs - shownAtMs < intervalMs) return
      shownAtMs = nowMs
      shown = true
      const text = `${verb} ${plural(count, noun)} so far (${name})`
      writeErr?.(terminal ? `\r\x1b[K${text}` : `${text}\n`)
    },
    end: () => {
      if (terminal && shown) writeErr?.('\r\x1b[K')
    },
  }
}
