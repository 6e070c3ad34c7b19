import { auditEvents } from '@dmp/contract/auditEvents'
import { anActivity } from '@dmp/contract/examples'
import { phrases } from './activityPhrases.ts'
import { splitSentence, toSentence } from './activitySentence.ts'

it.each(auditEvents)('%s is said in a sentence of its own, which names who did it', (event) => {
  expect(Object.keys(phrases)).toContain(event)
  const pieces = splitSentence(toSentence(anActivity({ event })).text)
  expect(pieces).toContainEqual({ of: 'who' })
  // More than the person.
  expect(pieces.join('')).toMatch(/[a-z]{3}/)
})

it('no two events are said alike', () => {
  const said = auditEvents.map((event) => toSentence(anActivity({ event, subject: [] })).text)
  expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([])
})
