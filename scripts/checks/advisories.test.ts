import { readText } from '../workspace/files.ts'
import { exceptionsFile, judgeAdvisories } from './advisories.ts'

const now = new Date('2026-11-23')
const answer = (severity: string): string =>
  JSON.stringify({
    advisories: { 1: { github_advisory_id: 'GHSA-1', module_name: 'leftpad', severity, title: 'Pads to the right' } },
  })

describe('advisories', () => {
  it.each(['high', 'critical'])('fails on a %s advisory that no dated exception names', (severity) => {
    const { problems } = judgeAdvisories(answer(severity), [], now)
    expect(problems).toEqual([expect.stringContaining(`leftpad has a known vulnerability (${severity}, GHSA-1)`)])
  })

  it('does not fail on a lesser one, and counts it', () => {
    const { problems, note } = judgeAdvisories(answer('moderate'), [], now)
    expect([problems, note]).toEqual([[], expect.stringContaining('1 advisories, 0 of them high')])
  })

  it('lets an exception pass until its day, and not longer', () => {
    const exception = { advisory: 'GHSA-1', reason: 'we do not pad', until: '2026-12-31' }
    expect(judgeAdvisories(answer('high'), [exception], now).problems).toEqual([])
    expect(judgeAdvisories(answer('high'), [exception], new Date('2027-01-01')).problems).toEqual([
      expect.stringContaining('ended on 2026-12-31'),
    ])
    expect(judgeAdvisories(answer('high'), [{ ...exception, until: 'some day' }], now).problems).toHaveLength(1)
  })

  it('says that nobody was asked where the registry does not answer, and does not fail by that', () => {
    for (const text of ['', 'Error: ERR_PNPM_AUDIT_BAD_RESPONSE responded with 405:', '{"error":{}}', '<html>{'])
      expect(judgeAdvisories(text, [], now)).toEqual({
        problems: [],
        note: expect.stringContaining('Not asked'),
        isAsked: false,
      })
  })

  it('has exceptions with a reason and a day', () => {
    for (const { reason, until } of JSON.parse(readText(exceptionsFile)) as { reason: string; until: string }[])
      expect([reason.length > 20, /^\d{4}-\d{2}-\d{2}$/.test(until)]).toEqual([true, true])
  })
})
