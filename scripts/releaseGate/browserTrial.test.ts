import { activate } from '../../shared/release/src/activate.ts'
import { replaceReleases } from '../../shared/release/src/move.ts'
import { preflight } from '../../shared/release/src/preflight/preflight.ts'
import { publish } from '../../shared/release/src/publish.ts'
import { readRegistry, readSnapshot } from '../../shared/release/src/store/ReleaseStore.ts'
import { aBuild, aStore } from '../../shared/release/src/testing/aBuild.ts'
import { aPicture } from '../../server/src/testing/pictures.ts'
import { findLooks, toFindings } from './browserTrial.ts'
import { toPicture } from './pictures.ts'
import type { JourneyResult } from './smokeJourneys.ts'

const journey = (part: string, hasPassed = true, reason = ''): JourneyResult => ({
  parts: [part],
  title: `${part} starts`,
  hasPassed,
  isFlaky: false,
  reason,
  seconds: 1,
})

describe('findings of a browser trial', () => {
  it('show the screen at which a journey failed', () => {
    const [failed] = toFindings([{ ...journey('remote-scan', false, 'no row'), picture: 'c2Vlbg==' }], ['remote-scan'])
    expect(failed).toMatchObject({ check: 'journey remote-scan', passed: false, pictures: { seen: 'c2Vlbg==' } })
  })

  it('is a finding on the candidate, one on each other that fails beside it, and one on the rest', () => {
    const found = toFindings(
      [journey('remote-scan'), journey('remote-user', false, 'its first screen shows no error'), journey('host')],
      ['remote-scan'],
    )
    expect(found.map(({ check, passed }) => [check, passed])).toEqual([
      ['journey remote-scan', true],
      ['journey remote-user', false],
      ['journeys beside it', true],
    ])
    expect(found[1]?.says).toBe('"remote-user starts" fails: its first screen shows no error')
    expect(found[1]?.cure).toContain('check remote-user')
  })

  it.each([
    ['', true, 'axe finds nothing against WCAG 2.2 A and AA on the first screen of remote-scan.'],
    ['color-contrast, label', false, 'axe finds on the first screen of remote-scan: color-contrast, label.'],
  ])('says what axe found on the first screen of the candidate: “%s” [P83]', (violations, passed, says) => {
    const found = toFindings([{ ...journey('remote-scan'), violations }, journey('remote-user')], ['remote-scan'])
    expect(found.map(({ check }) => check)).toEqual([
      'journey remote-scan',
      'accessibility remote-scan',
      'journeys beside it',
    ])
    expect(found[1]).toMatchObject({ passed, says })
  })
})

describe('how the first screen of a candidate looks', () => {
  const screenOf = async (width: number) => toPicture(await aPicture(width, 400).png().toBuffer())

  it('is shown beside the release that is live, where its own trial kept a picture; it refuses nothing [P83]', async () => {
    const store = aStore()
    const parts = await Promise.all(
      [aBuild('host', 'one'), aBuild('remote-scan', 'one')].map((dist) => publish(store, dist, { commit: 'abc' })),
    )
    await activate(store, { parts }, { by: 'test' })
    const trial = async (release: string, width: number) => {
      const { name, releaseId } = await publish(store, aBuild('remote-scan', release), { commit: 'abc' })
      const live = await readSnapshot(store, (await readRegistry(store))!.live)
      const looks = await findLooks(
        store,
        [{ ...journey('remote-scan'), firstScreen: await screenOf(width) }, journey('host')],
        ['remote-scan'],
      )
      const snapshot = replaceReleases(live, [{ name, releaseId }])
      await preflight(store, snapshot, ['remote-scan'], { by: 'ann', trial: async () => ({ findings: looks }) })
      await activate(store, { parts: [{ name, releaseId }] }, { by: 'test' })
      return looks
    }
    const first = await trial('two', 800)
    expect(first).toEqual([
      {
        check: 'looks remote-scan',
        passed: true,
        says: 'The first screen of remote-scan as the trial saw it; of the release that is live no trial kept a picture.',
        seconds: 0,
        pictures: { seen: await screenOf(800) },
      },
    ])
    const [wider] = await trial('three', 1000)
    expect(wider?.says).toBe('20.0 % of the first screen of remote-scan looks different from live.')
    expect(wider?.pictures).toEqual({ seen: await screenOf(1000), live: await screenOf(800) })
    expect((await trial('four', 1000))[0]?.says).toBe('The first screen of remote-scan looks as live.')
  })

  it('is not said of parts that nobody looked at', async () => {
    expect(await findLooks(aStore(), [journey('remote-scan')], ['remote-scan'])).toEqual([])
  })
})
