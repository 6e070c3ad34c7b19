import { RunOutcomes } from './RunOutcomes.ts'

const problem = (number: number) => ({ path: `/${number}.dcm`, reason: 'The object ends too early.' })

describe('what became of the files of a run', () => {
  it('counts as there already what was there and what was sent before [2.41]', () => {
    const tally = new RunOutcomes()
    Object.assign(tally.counts, { stored: 3, duplicate: 1, refused: 5 })
    Object.assign(tally.before, { stored: 20, duplicate: 400 })
    tally.failed.push(problem(1))
    expect(tally.progress).toBe('3 sent, 421 already stored, 5 refused, 1 not sent')
    expect(tally.summary(false)).toContain('421 were already stored.')
  })

  it('says no more than there is to say [2.41]', () => {
    const tally = new RunOutcomes()
    Object.assign(tally.counts, { stored: 2 })
    expect(tally.summary(false)).toEqual(['2 files sent (0.0 MB).'])
  })

  it('is clean only when nothing was refused, left behind or unreadable [2.41]', () => {
    const of = (refused: number, failed: number, unreadable: number) => {
      const tally = new RunOutcomes()
      tally.refused.push(...Array.from({ length: refused }, (_, at) => problem(at)))
      tally.failed.push(...Array.from({ length: failed }, (_, at) => problem(at)))
      tally.unreadable.push(...Array.from({ length: unreadable }, (_, at) => `/${at}`))
      return tally.isClean
    }
    expect(of(0, 0, 0)).toBe(true)
    for (const [refused, failed, unreadable] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 0],
      [1, 0, 1],
      [0, 1, 1],
    ] as const)
      expect(of(refused, failed, unreadable)).toBe(false)
  })

  it('is not clean where something was refused before, and says once what and why [2.41]', () => {
    const tally = new RunOutcomes()
    tally.settledBefore('/1.dcm', 'refused', 'The object ends too early.')
    tally.settledBefore('/2.dcm', 'stored')
    expect(tally.isClean).toBe(false)
    expect(tally.summary(false)).toEqual([
      '0 files sent (0.0 MB).',
      '1 was already stored.',
      '1 was refused before and has not changed. Use --again to send it again:',
      '  /1.dcm: The object ends too early.',
    ])
  })

  it('says a cause once, with three of its files and how many more there are [2.41]', () => {
    const said = (count: number) => {
      const tally = new RunOutcomes()
      tally.refused.push(...Array.from({ length: count }, (_, at) => problem(at)))
      return tally.summary(false).slice(1)
    }
    expect(said(3)).toEqual([
      '3 were refused and will not be sent again as they are:',
      ...[0, 1, 2].map((at) => `  /${at}.dcm: The object ends too early.`),
    ])
    expect(said(400)).toEqual([
      '400 were refused and will not be sent again as they are:',
      '  400 files: The object ends too early.',
      ...[0, 1, 2].map((at) => `    /${at}.dcm`),
      '    … and 397 more; see the log for all of them',
    ])
  })

  it('lists twenty causes, and says how many files more there are [2.41]', () => {
    const tally = new RunOutcomes()
    for (let at = 0; at < 23; at += 1) tally.refused.push({ path: `/${at}.dcm`, reason: `Element ${at} is missing.` })
    const lines = tally.summary(false)
    expect(lines.filter((line) => line.includes('.dcm:'))).toHaveLength(20)
    expect(lines.at(-1)).toBe('  … and 3 more; see the log for all of them')
  })
})
