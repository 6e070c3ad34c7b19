import { newsMail } from './news.mails.ts'
import type { News, SpentBudget, TakenBack } from './news.ts'

const nothing: News = { takenBack: [], spent: [], errors: [], errorCount: 0 }
const reader = { to: 'team@elsewhere.example', part: 'remote-scan', address: 'https://dmp.example/platform' }
const say = (news: Partial<News>) => newsMail(reader, { ...nothing, ...news })
const taken = (change: TakenBack['change'], isAutomatic: boolean) =>
  say({ takenBack: [{ version: 7, change, at: '2026-11-26T10:00:00Z', isAutomatic }] })

describe('what the team of a part reads [P85]', () => {
  it.each([
    ['stop', true, "The canary of remote-scan failed on people's pages and was stopped automatically."],
    ['stop', false, 'Somebody stopped the canary of remote-scan.'],
    ['rollback', true, "The live release of remote-scan failed on people's pages and was rolled back automatically."],
    ['rollback', false, 'Somebody rolled remote-scan back to the release before.'],
  ] as const)('tells a %s that was automatic: %s', (change, isAutomatic, sentence) => {
    const { subject, paragraphs } = taken(change, isAutomatic)
    expect([subject, paragraphs]).toEqual(['A release of remote-scan was taken back', [sentence]])
  })

  it.each<[SpentBudget['what'], string]>([
    ['start', 'Three in four pages need up to 90 ms until release r stands; its budget is 80 ms.'],
    ['firstRow', 'Three in four pages need up to 90 ms until release r shows its first data; its budget is 80 ms.'],
    ['inp', 'Three in four pages need up to 90 ms to answer a click in release r; its budget is 80 ms.'],
    ['cls', 'Release r moves what people look at by up to 90 thousandths of the page; its budget is 80.'],
  ])('says in its own words which time is over its budget: %s', (what, sentence) => {
    const spent = [{ what, releaseId: 'r', p75: 90, budget: 80 } as SpentBudget]
    expect(say({ spent })).toMatchObject({ subject: 'News of remote-scan', paragraphs: [sentence] })
  })

  it('counts the errors, and names the places that are known', () => {
    const [known, unknown] = [{ file: 'src/App.tsx', line: 3, column: 5, name: null, isMapped: true }, null]
    const errors = [known, unknown].map((place) => ({ name: 'TypeError', message: 'x is undefined', place }))
    const { paragraphs, quote } = say({ errors, errorCount: 12 })
    expect(paragraphs).toEqual(['Pages told of 12 errors of remote-scan that are new.'])
    expect(quote).toBe('TypeError: x is undefined (src/App.tsx:3:5)\nTypeError: x is undefined')
  })
})
