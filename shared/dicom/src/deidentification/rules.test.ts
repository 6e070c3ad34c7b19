import neverWeaker from './neverWeaker.json' with { type: 'json' }
import { basicProfile, deidentificationAction, findDeidentificationRule, keptAttributes, toAction } from './index.ts'
import type { DeidentificationAction, ProfileAction } from './rules.ts'

/** The stricter, the higher: a removed attribute says least. */
const strictness: Readonly<Record<DeidentificationAction, number>> = {
  keep: 0,
  uid: 1,
  replace: 2,
  empty: 3,
  remove: 4,
}
const everyKind = [true, false]

describe('the de-identification profile (PS3.15 annex E) [P22]', () => {
  it('has every row once, in the order of the tags, with an action and words for people', () => {
    const tags = basicProfile.map(({ tag }) => tag)
    expect(tags).toEqual([...new Set(tags)].sort())
    const actions = /^(X|Z|D|U|X\/Z|X\/D|Z\/D|X\/Z\/D|X\/Z\/U\*)$/
    const broken = basicProfile.filter(
      ({ tag, action, keyword, name }) =>
        !/^[0-9A-F]{2}[0-9A-FX]{6}$/.test(tag) || !actions.test(action) || keyword === '' || name === '',
    )
    expect(broken).toEqual([])
  })

  it.each(Object.entries(neverWeaker))(
    'handles each attribute that was ever handled as %s at least as strictly',
    (action, tags) => {
      const required = action.split('').join('/') as ProfileAction
      const weaker = everyKind.flatMap((needsValues) =>
        tags
          .split(' ')
          .filter(
            (tag) =>
              strictness[deidentificationAction(tag, { needsValues })] < strictness[toAction(required, needsValues)],
          ),
      )
      expect(weaker).toEqual([])
    },
  )

  it.each(['00109999', '00160001', '00321000', '0038FFFF', '40080001', '50003000', '50FE0005', '60020010', '00091001'])(
    'removes %s: its whole group goes',
    (tag) => expect(deidentificationAction(tag, { needsValues: true })).toBe('remove'),
  )

  it('keeps of these groups only what says nothing about a person', () => {
    const actions = [...keptAttributes.keys()].map((tag) => deidentificationAction(tag, { needsValues: false }))
    expect(new Set(actions)).toEqual(new Set(['keep']))
  })

  it('names the rule for the report', () => {
    expect(findDeidentificationRule('00080023')).toEqual({ action: 'Z/D', rule: 'PS3.15 E.1-1 ZD' })
    expect(findDeidentificationRule('60043000')).toEqual({ action: 'X', rule: 'PS3.15 E.1-1 X' })
    expect(findDeidentificationRule('00109999')).toEqual({ action: 'X', rule: 'whole group 0010' })
    expect(findDeidentificationRule('00280010')).toBeUndefined()
  })

  it.each([
    ['X', 'remove', 'remove'],
    ['Z', 'empty', 'empty'],
    ['D', 'replace', 'replace'],
    ['U', 'uid', 'uid'],
    ['X/Z', 'empty', 'empty'],
    ['X/D', 'replace', 'empty'],
    ['Z/D', 'replace', 'empty'],
    ['X/Z/D', 'replace', 'empty'],
    ['X/Z/U*', 'uid', 'uid'],
  ] as const)('%s means %s in an object that needs values, else %s', (action, needing, other) =>
    expect([toAction(action, true), toAction(action, false)]).toEqual([needing, other]),
  )

  it('keeps UIDs apart: they are replaced by the same new one throughout', () => {
    expect(deidentificationAction('0020000D', { needsValues: false })).toBe('uid')
    expect(deidentificationAction('00081140', { needsValues: true })).toBe('uid')
  })
})
