import { expect, test } from 'vitest'
import { useHarness } from '../testing/harness.ts'
import { allOperations, exampleBody, pathTo, resourceFamilies } from '../testing/operations.ts'
import { explain } from '../testing/plans.ts'

const harness = useHarness()

const lists = allOperations.filter(({ declared }) => declared.offset ?? declared.cursor)
/** Filters that are equalities have an index of their own too. */
const FILTERED = ['/v1/events?type=custom_domain.verified']

test.each([...lists.map((operation) => pathTo(operation)), ...FILTERED])(
  '%s reads its page in the order of an index, without sorting',
  async (path) => {
    const acme = await harness.createTenant()
    const family = resourceFamilies.find(({ list }) => list && pathTo(list) === path)
    if (family) await acme.post(pathTo(family.create), exampleBody(family.create))
    const statements = await harness.statementsOf(async () => {
      expect((await acme.get(path)).status).toBe(200)
    })
    const pages = statements.filter(({ sql }) => /^select .* order by .* limit /s.test(sql))
    expect(pages).toHaveLength(1)
    const plan = await explain(harness.service.database, pages[0]!)
    expect(plan).toMatch(/USING (COVERING )?INDEX|Index (Only )?Scan/)
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN (?!.*USING)|Sort|Seq Scan/)
    // The index finds the place in the filter, rather than every row being looked at in turn.
    expect(plan).not.toMatch(/Filter:/)
  },
)
