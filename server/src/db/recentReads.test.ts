import { createLocalBus } from './bus.ts'
import { RecentReads } from './recentReads.ts'

describe('rows that were read within the last seconds', () => {
  it('are read once, also by many at the same time, and again after news [P02, P18]', async () => {
    const bus = createLocalBus()
    const recent = new RecentReads(bus)
    const read = jest.fn(async () => ({ name: 'row' }))
    await Promise.all(Array.from({ length: 20 }, () => recent.find('key', read)))
    await recent.find('key', read)
    expect(read).toHaveBeenCalledTimes(1)
    for (const [times, news] of [
      [2, { kind: 'viewersChanged', organizationIds: ['north'] }],
      [3, { kind: 'scansChanged', organizationId: 'north' }],
      [4, { kind: 'sessionsEnded', sessionIds: [], reason: 'logout' }],
      [5, { kind: 'missed' }],
    ] as const) {
      bus.publish(news)
      await recent.find('key', read)
      expect(read).toHaveBeenCalledTimes(times)
    }
    // What people cause by the way costs nobody else a look.
    for (const news of [
      { kind: 'jobsWaiting', job: 'mail' },
      { kind: 'changesRecorded', organizationId: 'north' },
      { kind: 'inboxChanged', userId: 'person', organizationId: null },
      { kind: 'webhooksDue' },
      { kind: 'sharesChanged', shareIds: ['share'] },
      { kind: 'passedOn', sessionId: 'session', frame: 'idleTimeout', from: 'channel' },
    ] as const) {
      bus.publish(news)
      await recent.find('key', read)
      expect(read).toHaveBeenCalledTimes(5)
    }
    bus.publish({ kind: 'ofANewerServer' } as never)
    await recent.find('key', read)
    expect(read).toHaveBeenCalledTimes(6)
  })

  it('are not remembered when news came while they were read, when reading failed, or while no news can be heard', async () => {
    const bus = createLocalBus()
    const recent = new RecentReads(bus)
    const gate = Promise.withResolvers<object>()
    const old = recent.find('key', () => gate.promise)
    bus.publish({ kind: 'missed' })
    gate.resolve({ name: 'old' })
    await old
    expect(await recent.find('key', async () => ({ name: 'new' }))).toEqual({ name: 'new' })
    await expect(recent.find('none', () => Promise.reject(new Error('nothing')))).rejects.toThrow('nothing')
    expect(await recent.find('none', async () => ({ name: 'there' }))).toEqual({ name: 'there' })
    const deaf = new RecentReads({ ...createLocalBus(), hears: false })
    const read = jest.fn(async () => ({}))
    await deaf.find('key', read)
    await deaf.find('key', read)
    expect(read).toHaveBeenCalledTimes(2)
  })
})
