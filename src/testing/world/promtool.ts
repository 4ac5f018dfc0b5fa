import { spawnSync } from 'node:child_process'
import { findDebianProgram } from './debian-program.ts'

/** Why a test is skipped. */
export const NO_PROMTOOL = 'promtool is neither installed nor in a package that can be downloaded'

/** Finds the program of Prometheus that checks rules and metrics. */
export const findPromtool = () =>
  findDebianProgram({ name: 'promtool', packageName: 'prometheus', versionArgs: ['--version'] })

/** Runs it, and returns what it prints. */
export function runPromtool(program: string, args: string[], input = ''): { code: number | null; output: string } {
  const { status: code, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  return { code, output: stdout + stderr }
}
