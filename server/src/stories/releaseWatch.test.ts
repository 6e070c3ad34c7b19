import { gzipSync } from 'node:zlib'
import { account, release } from '@dmp/contract'
import { activate } from '@dmp/release/activate'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { demoPassword as password } from '../modules/account/demoAccounts.ts'
import { makeApiToken } from '../modules/apiToken/apiTokenInTests.ts'
import { byTests, createTestReleases } from '../testing/releases.ts'
import { story } from '../testing/story/story.ts'

const part = 'remote-scan'
const team = 'team@elsewhere.example'
const map = { version: 3, sources: ['src/list/Table.tsx'], names: ['rows', 'load'], mappings: 'UAGEA,UAKEC' }
const journey = {
  title: 'The list of scans opens [2.58]',
  outcome: 'failed' as const,
  area: 'use' as const,
  parts: [part],
  clauses: ['2.58'],
  sentence: 'its first screen shows no row',
}

story('Pages and monitors tell of a release, and its team hears of it', import.meta.url, async (teller) => {
  const { does, later, step, people, server, receiver } = teller
  const { root, system, admin, staff } = people
  const { store, first, second } = await step('The second release of a part is live.', async () => {
    const releases = await createTestReleases(server)
    const [one, two] = [await releases.put(part, 'one'), await releases.put(part, 'two')]
    for (const each of [one, two]) await activate(releases.store, { parts: [each] }, byTests)
    return { store: releases.store, first: one.releaseId, second: two.releaseId }
  })
  const seen = { part, releaseId: second }
  const browserOf = async (email: string) => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const { raw } = await server.call(account.login, { ClientId: 'dmp-web', email, password }, { headers })
    const cookie = `dmp-audience=${raw.cookies.find(({ name }) => name === 'dmp-audience')?.value}`
    await server.app.inject({ url: '/scan', headers: { cookie } })
    return { headers: { cookie, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' } }
  }
  const north = await step('Somebody of North opens a page.', () => browserOf(staff.email))
  const south = await step('Somebody of South does.', () => browserOf('admin@south.example'))
  await does(undefined, release.report, { seen: [{ ...seen, what: 'loaded', ms: 340 }] }, north)
  await does(
    undefined,
    release.report,
    { seen: [{ ...seen, what: 'timeout' }] },
    { ...south, title: 'It failed there.' },
  )
  await does(root, release.addMaps, {
    ...seen,
    maps: [{ script: 'App.js', map: gzipSync(JSON.stringify(map)).toString('base64') }],
  })

  await does(root, release.setNotices, { part, emails: [team], url: receiver.url, password })
  await does(root, release.setBudgets, { part, budgets: [{ what: 'start', p75: 1000 }] })
  const frames = [11, 21].map((column) => ({ file: 'App.js', line: 1, column }))
  const errors = [{ ...seen, name: 'TypeError', message: 'Cannot read properties of undefined', frames }]
  await does(undefined, release.reportErrors, { errors }, north)
  await does(undefined, release.reportErrors, { errors }, { ...south, title: 'In South as well.' })
  const times = [
    { ...seen, what: 'start', value: 2600 },
    { ...seen, what: 'inp', value: 40 },
    { ...seen, what: 'open', value: 0 },
  ]
  await does(undefined, release.reportTimes, { times }, north)
  await later(2)
  await does(root, release.listErrors, { part })
  await does(root, release.getFigures, { part })
  await does(root, release.getNotices, { part })
  await does(root, release.switchNotices, { part, isOn: false })
  await does(root, release.status, {})

  const { live: snapshot } = (await readRegistry(store))!
  const round = {
    kind: 'monitor',
    startedDate: '2040-03-05T09:20:00.000Z',
    endedDate: '2040-03-05T09:20:40.000Z',
    snapshot,
    parts: [{ name: part, releaseId: second }],
    journeys: [journey, { ...journey, title: 'It is drawn [2.59]', outcome: 'passed', sentence: 'it has a picture' }],
  }
  const token = await step('A monitor gets a token.', () =>
    makeApiToken(root, { scopes: ['monitor'], name: 'Night watch' }),
  )
  const monitor = { headers: { authorization: `Bearer ${token.token}` } }
  const { data: told } = await does(undefined, release.addRound, round, monitor)
  await does(root, release.getQuality, {})
  await does(root, release.switchNotices, { part, isOn: true }, { title: 'The team wants to hear again.' })
  await does(undefined, release.judgeRound, { id: told.id, part, passed: [journey.title] }, monitor)
  await later(2)

  const shown = { part, releaseId: second, days: 2, users: [system.email], change: 'feature/rows' }
  const { data: preview } = await does(root, release.preview, shown)
  const open = { part, id: preview.id }
  await does(system, release.getPreview, open)
  await does(admin, release.getPreview, open, { title: 'Not for others.' })
  await does(system, release.openPreview, { ...open, releaseId: first }, { title: 'Another release than it shows.' })
  await does(system, release.openPreview, { ...open, releaseId: second })
  await does(root, release.listPreviews, { part })
  await does(root, release.endPreviews, { part, change: 'feature/rows' })
  await later(60)
})
