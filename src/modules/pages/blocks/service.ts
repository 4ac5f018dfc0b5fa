import type { Db } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { requireDestinationUrl, toDestination, toDestinationColumns } from '../../codes/destinations/index.ts'
import type { Block, BlockInput, BlockType, TemplateBlock } from './contract.ts'
import { Patterns } from './patterns.ts'

/** The blocks as they are stored. `ownIds` are those of the blocks that the page has already. */
export async function toBlocks(
  db: Db,
  orgId: OrgId,
  inputs: readonly BlockInput[],
  ownIds: ReadonlySet<string>,
): Promise<Block[]> {
  refuse(findProblems(inputs, ownIds))
  for (const [n, input] of inputs.entries()) {
    if (input.type !== 'button') continue
    await requireDestinationUrl(db, orgId, input.config.destination, `blocks[${n}].config.destination`)
  }
  return inputs.map((input, n) => ({ ...stored(input), id: input.id ?? newId(), sort_order: n }) as Block)
}

/** The blocks of a template or of another page, for a new page. */
export const toOwnBlocks = (blocks: readonly TemplateBlock[]): Block[] =>
  blocks.map((block, n) => ({ ...block, id: newId(), sort_order: n }))

function stored(input: BlockInput): Omit<Block, 'id' | 'sort_order'> {
  if (input.type !== 'button') return input as Omit<Block, 'id' | 'sort_order'>
  const { destination = null } = input.config
  const shown = destination === null ? null : toDestination(toDestinationColumns(destination))
  return { ...input, config: { ...input.config, destination: shown } }
}

export const isFormField = (type: BlockType): boolean => type.startsWith('form_') && type !== 'form_submit'

/** The rules that no schema can check. Each problem names the block. */
function findProblems(inputs: readonly BlockInput[], ownIds: ReadonlySet<string>): Record<string, string[]> {
  const problems: Record<string, string[]> = {}
  const report = (n: number, field: string, problem: string) => {
    problems[`blocks[${n}].${field}`] = [problem]
  }
  const ids = new Set<string>()
  const names = new Set<string>()
  const patterns = new Patterns()
  let hasSubmit = false
  for (const [n, { id, type, config }] of inputs.entries()) {
    if (id !== undefined) {
      if (!ownIds.has(id)) report(n, 'id', 'The page has no block with this id. Omit it for a new block')
      else if (ids.has(id)) report(n, 'id', 'Two blocks have this id')
      ids.add(id)
    }
    if ('name' in config && isFormField(type)) {
      if (names.has(config.name)) report(n, 'config.name', 'Two fields have this name')
      names.add(config.name)
    }
    if (type === 'form_submit') {
      if (hasSubmit) report(n, 'type', 'A page has at most one form_submit block')
      hasSubmit = true
    }
    if ('min' in config && 'max' in config && config.min !== null && config.max !== null && config.min > config.max) {
      report(n, 'config.max', 'Must not be less than min')
    }
    if (type === 'form_checkbox' && config.min !== null && config.min > config.options.length) {
      report(n, 'config.min', 'Must not be more than the number of options')
    }
    if ('pattern' in config && config.pattern !== null) {
      const problem = patterns.findProblem(config.pattern)
      if (problem !== undefined) report(n, 'config.pattern', problem)
    }
  }
  return problems
}

function refuse(problems: Record<string, string[]>): void {
  if (Object.keys(problems).length > 0) throw invalidPayload(problems)
}
