import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import contractPackage from '@dmp/contract/package.json' with { type: 'json' }
import type { Release } from '@dmp/contract/release'
import { activate } from '../activate.ts'
import { getBudget, measureWeight } from './budgets.ts'
import { preflight, getVerdict, type BrowserTrial } from './preflight.ts'
import { unpackBaseline } from '../baseline.ts'
import { replaceReleases } from '../move.ts'
import { publish } from '../publish.ts'
import { readRegistry, readSnapshot } from '../store/ReleaseStore.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'
import { toPairing, readVerdict, formatVerdict } from './verdicts.ts'

const tried: string[][] = []
const works: BrowserTrial = async (_snapshot, names) => {
  tried.push([...names])
  return {
    findings: [{ check: `journey ${names.join()}`, passed: true, says: 'Its smoke journey passes.', seconds: 2 }],
    report: '/report/index.html',
  }
}
beforeEach(() => void tried.splice(0))

async function liveStore(): Promise<FolderStore> {
  const store = aStore()
  const releases = await Promise.all(
    [aBuild('host', 'one'), aBuild('remote-scan', 'one'), aBuild('remote-user', 'one')].map((dist) =>
      publish(store, dist, { commit: 'abc' }),
    ),
  )
  await activate(store, { parts: releases }, { by: 'test' })
  return store
}

async function candidate(store: FolderStore, release: Release) {
  const live = await readSnapshot(store, (await readRegistry(store))!.live)
  return replaceReleases(live, [{ name: release.name, releaseId: release.releaseId }])
}

async function judged(build: string, change: (store: FolderStore, release: Release) => void = () => undefined) {
  const store = await liveStore()
  const release = await publish(store, build, { commit: 'abc' })
  change(store, release)
  const snapshot = await candidate(store, release)
  return { store, snapshot, verdict: await preflight(store, snapshot, [release.name], { by: 'ann', trial: works }) }
}

const fileOf = ({ folder }: FolderStore, { name, releaseId }: Release, file: string): string =>
  path.join(folder, name, releaseId, file)
const card = { name: 'NewestCard', title: 'Newest', needs: 'session' as const, order: 1 }
const search = { name: 'searchNews', title: 'News', needs: 'session' as const, order: 1 }
const declared = (cards: (typeof card)[], searches?: (typeof search)[]) => ({
  declaration: {
    name: 'remote-scan',
    title: 'Scan',
    version: '1.0.0',
    routes: [{ prefix: '/scan', guard: 'session' as const }],
    navigation: [],
    cards,
    ...(searches ? { searches } : {}),
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
  },
})

describe('the verdict on a release beside what is live', () => {
  it('has a finding for each check and is kept, so that the same releases are not tried twice', async () => {
    const { store, snapshot, verdict } = await judged(aBuild('remote-scan', 'two'))
    expect(verdict.passed).toBe(true)
    expect(verdict.findings.map(({ check }) => check)).toEqual([
      'needs',
      'routes',
      'contract',
      'calls',
      'names',
      'styles',
      'budget',
      'files',
      'journey remote-scan',
    ])
    expect(verdict.findings.find(({ check }) => check === 'files')?.says).toBe(
      'All 2 files in the store are as they were released.',
    )
    expect(verdict.findings.find(({ check }) => check === 'needs')?.says).toMatch(
      /^The host [0-9a-f]{16} provides everything that the remotes need: @dmp\/contract 1\.0\.0, @dmp\/kit 1\.0\.0, react 19\.3\.1\.$/,
    )
    expect(await readVerdict(store, toPairing(snapshot, ['remote-scan']))).toEqual(verdict)
    expect(await getVerdict(store, snapshot, ['remote-scan'], { by: 'bob', trial: works })).toEqual(verdict)
    expect(tried).toHaveLength(1)
  })

  it('says the contract of the server and the one that the part needs [P90]', async () => {
    const build = aBuild('remote-scan', 'two')
    writeFileSync(path.join(build, 'calls.json'), '{}')
    expect((await judged(build)).verdict.findings.find(({ check }) => check === 'calls')).toMatchObject({
      passed: true,
      says: `The server, of contract ${contractPackage.version}, answers all 0 calls of remote-scan, which needs ^1.0.0.`,
    })
  })

  it('says how long each check took', async () => {
    let now = 10_000
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 700))
    const { verdict } = await judged(aBuild('remote-scan', 'two'))
    clock.mockRestore()
    for (const { check, seconds } of verdict.findings.filter(({ check }) => !check.startsWith('journey')))
      expect([check, seconds]).toEqual([check, 0.7])
  })

  it('is asked for anew when another release stands beside it, or when somebody checks again', async () => {
    const { store, snapshot } = await judged(aBuild('remote-scan', 'two'))
    const user = await publish(store, aBuild('remote-user', 'two'), { commit: 'abc' })
    await getVerdict(store, replaceReleases(snapshot, [user]), ['remote-scan'], { by: 'bob', trial: works })
    expect(tried).toHaveLength(2)
    await preflight(store, snapshot, ['remote-scan'], { by: 'bob', trial: works })
    expect((await readVerdict(store, toPairing(snapshot, ['remote-scan'])))?.by).toBe('bob')
  })

  /** The document of the release, with every file as heavy as this. */
  const weighing = (brotli: number) => (store: FolderStore, release: Release) => {
    const document = fileOf(store, release, 'release.json')
    const { files, ...rest } = JSON.parse(readFileSync(document, 'utf8')) as Release
    writeFileSync(document, JSON.stringify({ ...rest, files: files.map((file) => ({ ...file, brotli })) }))
  }
  it('takes a first script that weighs its budget, and not a byte more', async () => {
    const { entry } = getBudget('remote-scan')
    expect((await judged(aBuild('remote-scan', 'two'), weighing(entry))).verdict.passed).toBe(true)
    const { verdict } = await judged(aBuild('remote-scan', 'two'), weighing(entry + 1))
    expect(verdict.findings.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(['budget'])
  })

  it('takes pictures, which do not become smaller and lie in the store in one form', async () => {
    const build = aBuild('remote-scan', 'two')
    writeFileSync(path.join(build, 'logo.png'), 'a picture')
    const { verdict } = await judged(build)
    expect([verdict.passed, verdict.findings.find(({ check }) => check === 'files')?.says]).toEqual([
      true,
      'All 3 files in the store are as they were released.',
    ])
  })

  const nothing = (): void => undefined
  const wrong: [
    what: string,
    check: string,
    says: RegExp,
    build: () => string,
    change: (store: FolderStore, release: Release) => void,
  ][] = [
    [
      'asks for what the live host lacks',
      'needs',
      /needs @dmp\/kit \^9\.0\.0; the host \w+ provides 1\.0\.0/,
      () => aBuild('remote-scan', 'two', { kit: '^9.0.0' }),
      nothing,
    ],
    [
      'claims an address of another part',
      'routes',
      /both claim \/user/,
      () => aBuild('remote-scan', 'two', { routes: ['/scan', '/user'] }),
      nothing,
    ],
    [
      'declares nothing',
      'contract',
      /^remote-scan has no declaration/,
      () => aBuild('remote-scan', 'two', { record: { declaration: undefined } as never }),
      nothing,
    ],
    [
      'does not expose its route table',
      'contract',
      /does not expose \.\/App/,
      () => aBuild('remote-scan', 'two', { record: { chunks: {} } }),
      nothing,
    ],
    [
      'declares a card that it does not expose',
      'contract',
      /declares the card NewestCard but does not expose \.\/cards/,
      () => aBuild('remote-scan', 'two', { record: declared([card]) }),
      nothing,
    ],
    [
      'declares a search that it does not expose',
      'contract',
      /declares the search searchNews but does not expose \.\/search/,
      () => aBuild('remote-scan', 'two', { record: declared([], [search]) }),
      nothing,
    ],
    [
      'has a style that reaches the shell',
      'styles',
      /App\.css of remote-scan has a style for \*, which reaches the shell and other parts/,
      () => {
        const build = aBuild('remote-scan', 'two')
        writeFileSync(path.join(build, 'App.css'), '.scan-list{gap:8px}*{display:none}')
        return build
      },
      nothing,
    ],
    [
      'weighs more than its budget',
      'budget',
      /first script of remote-scan weighs \d+ bytes \(brotli\); its budget is \d+/,
      () => aBuild('remote-scan', noise(getBudget('remote-scan').firstRoute * 2)),
      nothing,
    ],
    [
      'holds a file that somebody changed',
      'files',
      /App\.js has another hash\. It differs from release \w+ of remote-scan as it was published/,
      () => aBuild('remote-scan', 'two'),
      (store, release) => writeFileSync(fileOf(store, release, 'App.js'), 'window.stolen = true'),
    ],
  ]
  it.each(wrong)(
    'refuses a release that %s, with a cure and without a browser',
    async (_what, check, says, build, change) => {
      const { verdict } = await judged(build(), change)
      const failed = verdict.findings.filter(({ passed }) => !passed)
      expect(failed[0]).toMatchObject({
        check,
        says: expect.stringMatching(says) as unknown,
        cure: expect.stringMatching(/\w/) as unknown,
      })
      expect(verdict.passed).toBe(false)
      expect(tried).toEqual([])
    },
  )

  it('refuses a release whose journey fails, and says where to look', async () => {
    const store = await liveStore()
    const release = await publish(store, aBuild('remote-scan', 'two'), { commit: 'abc' })
    const trial: BrowserTrial = async () => ({
      findings: [
        { check: 'journey remote-scan', passed: false, says: 'It shows an error.', cure: 'Look.', seconds: 3 },
      ],
      report: '/report/index.html',
    })
    const verdict = await preflight(store, await candidate(store, release), ['remote-scan'], { by: 'ann', trial })
    expect(verdict.passed).toBe(false)
    expect(formatVerdict(verdict)).toMatch(
      /✗ journey remote-scan {2}It shows an error\. \(3\.0 s\)\n +→ Look\.\n {2}Report: \/report\/index\.html/,
    )
  })
})

describe('budgets', () => {
  // The kept releases are of 2026-11-21: since then parts say their texts in six languages, and have more screens.
  it('leave no part more than two and a quarter times the room that the heaviest of those under it took when it was kept', async () => {
    const baseline = (await unpackBaseline(aStore())).map((release) => ({
      budget: getBudget(release.name),
      weight: measureWeight(release),
    }))
    expect(baseline.length).toBeGreaterThan(5)
    for (const what of ['entry', 'firstRoute'] as const) {
      for (const { budget } of baseline) {
        const heaviest = Math.max(
          ...baseline.filter((part) => part.budget === budget).map(({ weight }) => weight[what]),
        )
        expect(budget[what]).toBeLessThan(2.25 * heaviest)
      }
    }
  })
})

describe('a verdict in words', () => {
  const says = (others: { name: string; releaseId: string }[]) =>
    formatVerdict({
      candidates: [{ name: 'remote-scan', releaseId: 'a'.repeat(16) }],
      others,
      passed: false,
      findings: [
        { check: 'needs', passed: true, says: 'All is there.', seconds: 0 },
        { check: 'journey', passed: false, says: 'It shows an error.', seconds: 0 },
      ],
      by: 'ann',
      at: '',
    }).split('\n')

  it('names what the release stood beside, and gives a cure only where there is one', () => {
    expect(says([{ name: 'host', releaseId: 'b'.repeat(16) }])).toEqual([
      `remote-scan ${'a'.repeat(16)} beside host bbbbbbbb:`,
      '  ✓ needs    All is there.',
      '  ✗ journey  It shows an error.',
    ])
    expect(says([])[0]).toMatch(/ beside nothing:$/)
  })
})

/** Text that does not become smaller. */
function noise(length: number): string {
  let state = 1
  return Array.from({ length }, () => String.fromCharCode(33 + ((state = (state * 48_271) % 2_147_483_647) % 90))).join(
    '',
  )
}
