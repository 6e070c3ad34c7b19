import { createLocalBus } from './bus.ts'
import { NewsWaits } from './newsWaits.ts'

const aboutShare = (id: string) => (news: { kind: string; shareIds?: readonly string[] }) =>
  news.kind === 'sharesChanged' && (news.shareIds ?? []).includes(id)
const hasEnded = async (ended: Promise<void>) =>
  Promise.race([ended.then(() => true), new Promise<boolean>((done) => setImmediate(() => done(false)))])

describe('a reader that waits for news', () => {
  const bus = createLocalBus()
  const waits = new NewsWaits(bus)
  afterAll(() => waits.close())

  it('is answered by the news that it is about and by no other', async () => {
    const { ended } = waits.begin(aboutShare('a'), 60_000)
    bus.publish({ kind: 'sharesChanged', shareIds: ['b'] })
    expect(await hasEnded(ended)).toBe(false)
    bus.publish({ kind: 'sharesChanged', shareIds: ['b', 'a'] })
    expect(await hasEnded(ended)).toBe(true)
  })

  it('is answered when news may have been missed, when its time is up, and when it leaves', async () => {
    const missed = waits.begin(aboutShare('a'), 60_000)
    bus.publish({ kind: 'missed' })
    expect(await hasEnded(missed.ended)).toBe(true)
    await waits.begin(aboutShare('a'), 1).ended
    const left = waits.begin(aboutShare('a'), 60_000)
    left.stop()
    expect(await hasEnded(left.ended)).toBe(true)
  })

  it('takes the place of nobody in another group, and of the one that has waited longest in its own [P18]', async () => {
    const wait = (...keys: string[]) =>
      waits.begin(
        aboutShare('a'),
        60_000,
        keys.map((key) => ({ key, most: 2 })),
      )
    const other = wait('share b', 'address 2')
    const [first, second] = [wait('share a', 'address 1'), wait('share a', 'address 3')]
    expect([await hasEnded(first.ended), await hasEnded(second.ended)]).toEqual([false, false])
    const third = wait('share a', 'address 4')
    expect([await hasEnded(first.ended), await hasEnded(second.ended)]).toEqual([true, false])
    second.stop()
    const fourth = wait('share a', 'address 5')
    const all = [other, third, fourth]
    expect(await Promise.all(all.map(async ({ ended }) => hasEnded(ended)))).toEqual([false, false, false])
    for (const { stop } of all) stop()
  })

  it('keeps no server from closing', async () => {
    const { ended } = waits.begin(aboutShare('a'), 60_000)
    waits.close()
    expect(await hasEnded(ended)).toBe(true)
    expect(await hasEnded(waits.begin(aboutShare('a'), 60_000).ended)).toBe(true)
  })
})
