import { expect, test } from 'vitest'
import { Library } from '../../../testing/data/article-library.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const SETTINGS = `Put these lines into the settings file.

## Spindle

max_speed: 900. The default value is the highest speed of the spindle in turns per minute.

## Belt

max_tension: 35. How far the belt may be tightened before the machine stops.`

const OFFSET = `The offset says how far the blade stands from the edge of the table.

Measure the distance with a ruler and enter it in millimetres.`

const PUMP = `Check whether the fan is dusty.

Then replace the fuse next to the plug.`

const LEAKS = 'Tighten the four screws of the drain and put a towel below it.'

/** The documentation of a fictional machine. */
async function createDocumentation() {
  const library = await Library.create(harness)
  const ids = {
    settings: await library.publish('Settings file', SETTINGS),
    offset: await library.publish('Blade offset', OFFSET),
    pump: await library.publish('Troubleshooting', `# My KX pump motor turns off\n\n${PUMP}`),
    leaks: await library.publish('Machine leaks at the bottom', LEAKS),
    policy: await library.publish('Compiling', 'It is our policy of compiling every release twice.'),
    tools: await library.publish('Tools', 'You need equipment for less than 15 euros, and a table.'),
  }
  return { library, ids }
}

test('gives the value of the setting that is asked for, and none of another one', async () => {
  const { library, ids } = await createDocumentation()
  const tension = await library.ask('default value of max_tension?')
  expect(tension).toMatchObject({ isAnswered: true, citations: [{ article_id: ids.settings }] })
  expect(tension.text).toMatch(/^max_tension: 35\./)
  expect((await library.ask('default value of max_speed?')).text).toMatch(/^max_speed: 900\./)
  for (const unknown of ['default value of max_accel?', 'What is the default value of max_speed_z?', 'maxLoad default'])
    expect((await library.ask(unknown)).text, unknown).not.toMatch(/900|35/)
})

test('does not answer because of one shared word, and suggests nothing unrelated', async () => {
  const { library } = await createDocumentation()
  for (const question of [
    'What is your refund policy?',
    'How much does the delivery cost?',
    'a table for the guests',
  ]) {
    const answer = await library.ask(question)
    expect(answer, question).toMatchObject({ isAnswered: false, citations: [], nearest: [] })
    expect(answer.text).toBe("I don't know the answer to that.")
  }
})

test('a title answers every form of a question for the thing that it names', async () => {
  const { library, ids } = await createDocumentation()
  for (const question of [
    'What is the blade offset?',
    'How do I compute the blade offset?',
    'How can I calibrate the blade offset?',
    'blade offset',
  ]) {
    const answer = await library.ask(question)
    expect(answer, question).toMatchObject({ isAnswered: true, citations: [{ article_id: ids.offset }] })
  }
})

test('finds a heading in other words', async () => {
  const { library, ids } = await createDocumentation()
  const answer = await library.ask('The KX pump turns off all the time')
  expect(answer).toMatchObject({ isAnswered: true, citations: [{ article_id: ids.pump }] })
  expect(answer.text).toContain('dusty')
})

test('answers a story by the passage that has many of its words, and none that has few', async () => {
  const { library } = await createDocumentation()
  const twist = await library.publish('Twist calibration', 'If the gantry is bent, the probe measures one side higher.')
  const story = await library.ask(
    'Since we moved house last month my neighbour keeps joking that the gantry looks bent, and the probe says every time that ' +
      'the left side is higher than it is. Is there any cheap trick before I buy another one?',
  )
  expect(story).toMatchObject({ isAnswered: true, citations: [{ article_id: twist }] })
  const other = await library.ask(
    'Since we moved house last month my neighbour keeps joking that the gantry squeaks, and my dog barks every time that ' +
      'the motor starts. Is there any cheap trick before I buy another one?',
  )
  expect(other).toMatchObject({ isAnswered: false })
})

test('corrects misspelt words first, then judges, and says what it understood', async () => {
  const { library, ids } = await createDocumentation()
  const ask = () => library.ask('machne leeks at teh bottom')
  // The vocabulary follows the index.
  await eventually(async () => (await ask()).isAnswered)
  const answer = await ask()
  expect(answer).toMatchObject({
    citations: [{ article_id: ids.leaks }],
    correctedQuestion: 'machine leaks at the bottom',
  })
  expect(answer.text).toMatch(/^Did you mean “machine leaks at the bottom”\?\n\nTighten the four screws/)
  const german = await library.ask('machne leeks at teh bottom', {}, { language: 'de' })
  expect(german.text).toMatch(/^Meinten Sie „machine leaks at the bottom“\?/)
  const known = await library.ask('The machine leaks at the bottom')
  expect(known).toMatchObject({ isAnswered: true })
  expect(known.correctedQuestion).toBeUndefined()
  expect(known.text).not.toContain('Did you mean')
})

test('a word that the language has is not taken for a misspelt one', async () => {
  const { library } = await createDocumentation()
  // One letter from "cost".
  await library.publish('Coast', 'The coast is near the machine, and the machine is near the coast.')
  await eventually(async () => (await library.ask('Where is the caost?')).isAnswered)
  expect(await library.ask('What does the machine cost?')).toMatchObject({ isAnswered: false })
})

test('`ask` returns the corrected question', async () => {
  const { library } = await createDocumentation()
  const { body: bot } = await library.tenant.post('/v1/chatbots', { name: 'Helper' })
  const ask = async (question: string) =>
    (await library.tenant.post(`/v1/chatbots/${bot.id}/ask`, { question, language: 'en' })).body
  await eventually(async () => (await ask('machne leeks')).corrected_question === 'machine leaks')
  expect((await ask('machne leeks')).text).toMatch(/^Did you mean “machine leaks”\?/)
  expect(await ask('machine leaks')).toMatchObject({ corrected_question: null })
})
