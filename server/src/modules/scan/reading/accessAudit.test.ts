import type { Writer } from '../../../db/write.ts'
import { createAccessAudit } from './accessAudit.ts'

const events: string[] = []
const write = (async (_context: unknown, change: (step: unknown) => Promise<unknown>) =>
  change({ audit: async (entry: { event: string }) => void events.push(entry.event) })) as Writer
const context = (userId: string) => ({ viewer: { userId, organizationId: 'one' }, request: { id: 'x', ip: 'x' } })
const viewed = (seriesUID: string) => ({ event: 'ScanViewed', subject: { seriesUID } }) as const

let clock: jest.SpiedFunction<typeof performance.now>
const began = Math.ceil(performance.now())
beforeEach(() => {
  events.length = 0
  clock = jest.spyOn(performance, 'now').mockReturnValue(began)
})
afterEach(() => clock.mockRestore())

describe('seeing the same thing again', () => {
  it('is one event for a minute, for each person and each thing [P24]', async () => {
    const recordAccess = createAccessAudit({ write })
    await recordAccess(context('one'), viewed('1.2'))
    clock.mockReturnValue(began + 59_999)
    await recordAccess(context('one'), viewed('1.2'))
    expect(events).toHaveLength(1)
    await recordAccess(context('two'), viewed('1.2'))
    await recordAccess(context('one'), viewed('1.3'))
    expect(events).toHaveLength(3)
    clock.mockReturnValue(began + 60_000)
    await recordAccess(context('one'), viewed('1.2'))
    expect(events).toHaveLength(4)
  })

  it('is remembered of twenty thousand things, so that memory has an end [P18, P24]', async () => {
    const recordAccess = createAccessAudit({ write })
    for (let n = 0; n < 20_000; n += 1) await recordAccess(context('one'), viewed(`1.${n}`))
    await recordAccess(context('one'), viewed('1.0'))
    expect(events).toHaveLength(20_000)
    await recordAccess(context('one'), viewed('1.20000'))
    await recordAccess(context('one'), viewed('1.0'))
    expect(events).toHaveLength(20_002)
  })
})
