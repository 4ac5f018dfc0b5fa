import { setBalance } from '../../../src/modules/account/credits/index.ts'
import { systemClock, timestamp } from '../../../src/platform/clock/index.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { onStage, type Tenant } from '../stage.ts'

const QUESTION = 'How often do I oil the oak table?'
/** Less than the answers of a usual minute cost, so that only the reserve ends it. */
const CREDITS = 20
/** A tenth. */
const RESERVED = 2

/** Visitors with many addresses, so that only the limits of the chatbot and of its organisation hold them. */
export const questions: Scenario = {
  number: 40,
  title: '100 anonymous questions at once, all for one chatbot',
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8', CREDITS: 'metered' } }, async (stage) => {
      const hostile = await stage.createTenant('hostile')
      await stage.database.write((tx) => setBalance(tx, hostile.orgId, CREDITS, timestamp(systemClock())))
      const { body: bot } = await hostile.client.post('/v1/chatbots', { name: 'Support', status: 'active' })
      const given = [bot.public_slug, QUESTION]
      const attacked = await underAttack(stage, { attack: 'questions', given }, ['scan', 'me', 'write'])
      const figures = `attacker: ${describeStatuses(attacked.statuses)}`
      return both(attacked, await creditsOf(hostile), await asksItself(hostile, bot.id), { holds: true, figures })
    }),
}

async function creditsOf({ client }: Tenant): Promise<Finding> {
  const { balance } = (await client.get('/v1/credits')).body
  return { holds: balance >= RESERVED && balance < CREDITS, figures: `${balance} of ${CREDITS} credits left` }
}

/** What visitors had to leave pays for an answer to somebody with a credential. */
async function asksItself({ client }: Tenant, chatbotId: string): Promise<Finding> {
  const { status } = await client.post(`/v1/chatbots/${chatbotId}/ask`, { question: QUESTION })
  return { holds: status === 200, figures: `own question: ${status}` }
}
