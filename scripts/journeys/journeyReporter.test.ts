import { formatSkips, listWrites, toMetadata, toRecord, type ReportedTest } from './journeyReporter.ts'
import { aDeployment } from './deploymentInTests.ts'

const ran = (
  title: string,
  outcome: ReturnType<ReportedTest['outcome']>,
  {
    annotations = [],
    message,
    tags = [],
  }: Partial<Pick<ReportedTest, 'annotations' | 'tags'>> & { message?: string } = {},
): ReportedTest => ({
  title,
  tags,
  location: { file: `${process.cwd()}/e2e/scan.e2e.ts` },
  annotations,
  results: [{ duration: 1234, errors: message ? [{ message }] : [] }],
  outcome: () => outcome,
  parent: { project: () => ({ name: 'desktop' }) },
})
const skipped = (title: string, because: string) =>
  ran(title, 'skipped', { annotations: [{ type: 'skip', description: `skipped, because ${because}` }] })

const record = toRecord(
  aDeployment(),
  [
    ran('passes', 'expected'),
    ran('fails', 'unexpected', { message: 'Error: the table is empty\n  at x' }),
    skipped('one', 'there is no mailbox'),
    skipped('two', 'there is no mailbox'),
    ran('cut off', 'skipped'),
  ],
  ['01:05:00 UTC rollback'],
  new Date('2026-11-23T01:00:00.000Z'),
)

describe('the reporter of the journeys', () => {
  it('records how each went, and why not', () => {
    expect(record.journeys.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', undefined],
      ['failed', 'the table is empty'],
      ['skipped', 'skipped, because there is no mailbox'],
      ['skipped', 'skipped, because there is no mailbox'],
      ['skipped', 'it did not run'],
    ])
    expect(record.journeys[0]).toMatchObject({
      seconds: 1.2,
      name: expect.stringMatching(/^desktop › .*scan\.e2e\.ts › passes$/),
    })
  })

  it('names the parts of a journey by its tags and its needs, and the states that it looked at', () => {
    const annotations = [
      { type: 'needs', description: 'staff' },
      { type: 'needs', description: 'remote-scan' },
      { type: 'looked at', description: 'rows' },
      { type: 'looked at', description: 'empty' },
    ]
    const { journeys } = toRecord(
      aDeployment(),
      [ran('opens', 'expected', { annotations, tags: ['@smoke', '@remote-scan', '@host'] })],
      [],
      new Date(),
    )
    expect(journeys[0]).toMatchObject({ parts: ['remote-scan', 'host'], area: 'use', states: 2 })
  })

  it('puts address, a line per part, the accounts and what changed at the head of the report', () => {
    expect(toMetadata(record)).toMatchObject({
      address: 'https://dmp.example',
      deployment: 'production, client id lakeside-web',
      'remote-scan': expect.stringContaining('commit c0ffee'),
      'account 1': expect.stringContaining('super'),
      'changed during the run 1': '01:05:00 UTC rollback',
    })
    expect(toMetadata({ ...record, changes: [] })).toMatchObject({ 'changed during the run': 'nothing' })
  })

  it('says each reason once', () => {
    expect(formatSkips(record.journeys)).toEqual([
      '2 journeys skipped, because there is no mailbox',
      '1 journey it did not run',
    ])
  })

  it('lists beforehand what will be written, each sentence once', () => {
    const writes = { annotations: [{ type: 'writes', description: 'a complaint' }] }
    const mailing = {
      annotations: [
        { type: 'needs', description: 'mailbox' },
        { type: 'writes', description: 'a user' },
      ],
    }
    const tests = [ran('a', 'expected', writes), ran('b', 'expected', writes), ran('c', 'expected', mailing)]
    expect(listWrites(tests, aDeployment())).toEqual(['a complaint', 'a user'])
    expect(listWrites(tests, aDeployment({ hasMailbox: false }))).toEqual(['a complaint'])
    expect(listWrites(tests, aDeployment({ mayWrite: false }))).toEqual([])
  })
})
