import { sumUp } from './conditions.ts'

const told = (key: string) => ({ key, outcome: 'told apart' as const })

describe('conditions that could be forgotten', () => {
  it('are those that no statement told apart, each once with its place', () => {
    const at = (key: string, text: string) => ({ key, text, place: 'modules/scan/list.ts:7' })
    const findings = [at('a#0', '"status" = $1'), at('a#1', '"owner" = $1'), told('a#0'), at('a#1', '"owner" = $1')]
    expect(sumUp(findings)).toEqual({ judged: 2, unnoticed: ['modules/scan/list.ts:7 "owner" = $1'] })
  })

  it('are none that the same line asks in another statement which tells them apart', () => {
    const at = (key: string, place: string) => ({ key, text: '"owner" = $1', place })
    const findings = [at('a#0', 'one.ts:1'), at('b#2', 'one.ts:1'), at('c#0', 'two.ts:1'), told('b#2')]
    expect(sumUp(findings)).toEqual({ judged: 2, unnoticed: ['two.ts:1 "owner" = $1'] })
  })
})
