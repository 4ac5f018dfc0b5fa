import { setTimeout as sleep } from 'node:timers/promises'
import { ms } from '../../../bench/support/table.ts'
import { addMember } from '../../../src/modules/account/members/index.ts'
import { createUser } from '../../../src/modules/account/users/index.ts'
import { countMails } from '../../../src/modules/mail/mails/index.ts'
import { systemClock, timestamp } from '../../../src/platform/clock/index.ts'
import { eventually } from '../../../src/testing/eventually.ts'
import { TestSmtpServer } from '../../../src/testing/world/smtp-server.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { visitorHeaders } from '../sending.ts'
import { onStage, type Stage } from '../stage.ts'

const AGENTS = 3
const OTHERS_EVERY_MS = 1000
/** Before the attack. Others may cause as many mails during it without reaching a limit of theirs. */
const IDLE_SECONDS = 6
/** Workers look for mails once a second. A mail that waits for longer waits for those of others. */
const MAIL_MS_MAX = 1000

/** An organisation whose members get a mail when a visitor asks for a person. */
interface Team {
  /** The slug of its chatbot. */
  slug: string
  agents: string[]
}

/** What three organisations are asked for, each against another limit, and for how many requests their teams get mails. */
const MAILED = { 'from many addresses': 30, 'from one address': 6, 'in one conversation': 1 }

export const teamMails: Scenario = {
  number: 41,
  title: '100 visitors at once ask for a person, again and again',
  run: async (engine) => {
    const smtp = await TestSmtpServer.start()
    const settings = { TRUST_PROXY: '127.0.0.0/8', SMTP_URL: smtp.settings.smtpUrl, MAIL_FROM: smtp.settings.from }
    try {
      return await onStage(engine, { settings }, async (stage) => {
        const teams = [await createTeam(stage), await createTeam(stage), await createTeam(stage)]
        const other = await createTeam(stage)
        const waiting = teams[2] as Team
        const { headers } = await ask(stage, waiting, '203.0.113.2')
        const cookie = headers.getSetCookie().map((set) => set.split(';', 1)[0])
        const idle = await timeMails(stage, smtp, other, IDLE_SECONDS)
        const given = [...teams.map(({ slug }) => slug), cookie.join('; ')]
        let attacked: number[] = []
        const found = await underAttack(stage, { attack: 'people', given }, ['scan', 'me', 'write'], {
          meanwhile: async (seconds) => {
            attacked = await timeMails(stage, smtp, other, seconds)
          },
        })
        const waitedMs = Math.max(...attacked)
        return both(
          found,
          {
            holds: waitedMs <= MAIL_MS_MAX,
            figures: `slowest mail of others ${ms(Math.max(...idle))} → ${ms(waitedMs)}`,
          },
          ...(await countMailed(stage, smtp, teams)),
          { holds: true, figures: `attacker: ${describeStatuses(found.statuses)}` },
        )
      })
    } finally {
      await smtp.close()
    }
  },
}

async function createTeam(stage: Stage): Promise<Team> {
  const { orgId, client } = await stage.createTenant('hostile')
  const agents = Array.from({ length: AGENTS }, (_, n) => `agent-${n}@${orgId}.example`)
  const now = timestamp(systemClock())
  await stage.database.write(async (tx) => {
    for (const email of agents) {
      const { id } = await createUser(tx, { email, first_name: 'Kim', last_name: null, passwordHash: null }, now)
      await addMember(tx, orgId, id, 'agent', now)
    }
  })
  const bot = { name: 'Support', status: 'active', human_support_enabled: true }
  const { status, body, text } = await client.post('/v1/chatbots', bot)
  if (status !== 201) throw new Error(`cannot create a chatbot: ${text}`)
  return { slug: body.public_slug, agents }
}

/** Asks for a person in a new conversation. */
async function ask({ port }: Stage, { slug }: Team, address: string, contact_email = ''): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}/c/${slug}/agent`, {
    method: 'POST',
    headers: visitorHeaders(address),
    body: new URLSearchParams({ contact_email }).toString(),
    redirect: 'manual',
  })
  if (response.status !== 303) throw new Error(`asking for a person returned ${response.status}`)
  return response
}

let visitors = 0

/** How long it takes from a visitor's request until the mail server has the mail, for a visitor in each second. */
async function timeMails(stage: Stage, smtp: TestSmtpServer, team: Team, seconds: number): Promise<number[]> {
  const [agent = ''] = team.agents
  const timed: Promise<number>[] = []
  for (let n = 0; n * OTHERS_EVERY_MS < seconds * 1000; n++) {
    const address = `198.51.100.${++visitors}`
    const email = `visitor-${visitors}@acme.example`
    const startedMs = performance.now()
    const mail = ask(stage, team, address, email)
      .then(() => eventually(() => smtp.to(agent).some(({ text }) => text.includes(email))))
      .then(() => performance.now() - startedMs)
    // It is awaited with the others.
    mail.catch(() => {})
    timed.push(mail)
    await sleep(OTHERS_EVERY_MS)
  }
  return Promise.all(timed)
}

/** Every mail was in the queue, so that what was sent says how many it held. */
async function countMailed(stage: Stage, smtp: TestSmtpServer, teams: readonly Team[]): Promise<Finding[]> {
  await eventually(async () => (await countMails(stage.database.read)) === 0)
  return Object.entries(MAILED).map(([how, requests], n) => {
    const mails = teams[n]?.agents.flatMap((agent) => smtp.to(agent)).length ?? 0
    const holds = mails > 0 && mails <= requests * AGENTS
    return { holds, figures: `${mails} mails to ${AGENTS} agents when asked ${how}` }
  })
}
