import { audit, override, release } from '@dmp/contract'
import type { PreviewReport } from '@dmp/contract/releasePreview'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import {
  aPart,
  colleague,
  machineFor,
  openBrowser,
  pilot,
  show,
  startPreviewServer,
  type PreviewServer,
} from './previewsInTests.ts'

let on: PreviewServer
beforeAll(async () => {
  on = await startPreviewServer()
})
afterAll(() => on.server.close())

const nowhere = { part: 'remote-nowhere', id: '0'.repeat(32), releaseId: '0'.repeat(16) }

describe('a preview', () => {
  it('is made with a token of that step alone, opens for the people whom it names after their yes, and changes nothing else [P83]', async () => {
    const part = aPart()
    const { ask, token } = await machineFor(on, part)
    const before = await readRegistry(on.releases.store)
    const made = await show(ask, part, 'one', { days: 3, change: 'pr-17' })
    expect(made).toMatchObject({
      part,
      change: 'pr-17',
      users: [colleague, pilot],
      commit: 'abc1234',
      live: null,
      by: expect.stringMatching(/^Machine \d+ \(API token of super@dmp\.example\)$/) as string,
    })
    expect(made.path).toMatch(new RegExp(`^/${part.slice(7)}.*\\?dmp-preview=${part}\\.${made.id}$`))
    expect(Date.parse(made.endsDate) - Date.parse(made.madeDate)).toBe(3 * 86_400_000)
    // Nobody tried it in a browser yet: that is told, and refuses nothing.
    expect(made.findings.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual([`journey ${part}`])

    const browser = await openBrowser(on, colleague)
    expect(await browser.look()).toEqual([])
    expect((await browser.read(made)).data).toMatchObject({
      releaseId: made.releaseId,
      weight: made.weight,
      // Who else may open it is not for them.
      users: [],
    })
    expect(await browser.look()).toEqual([])
    expect((await browser.agree(made)).status).toBe(200)
    const preview = { id: made.id, endsDate: made.endsDate }
    expect(await browser.look()).toEqual([{ part, releaseId: made.releaseId, version: '1.0.0', preview }])

    // Nobody else's page is another one, nothing moved, and the person may what they might before.
    expect(await (await openBrowser(on, pilot)).look()).toEqual([])
    expect(await readRegistry(on.releases.store)).toEqual(before)
    const person = await on.server.signIn(colleague)
    expect((await person.call(override.add, { part, source: made.releaseId })).status).toBe(403)
    expect((await person.call(release.listPreviews, {})).status).toBe(403)

    const rows = (await on.root.call(audit.list, { limit: 50 })).data.filter((row) =>
      JSON.stringify(row).includes(part),
    )
    expect(rows.map(({ event }) => event)).toEqual([
      'ReleasePreviewOpened',
      'ReleasePreviewed',
      'ReleasePublished',
      'ApiTokenAdded',
    ])
    expect(token.previewers).toEqual([colleague, pilot])
  })

  it('stands beside what is live: what it weighs, needs and calls [P83]', async () => {
    const live = await on.releases.put('host', 'another')
    const made = await on.root.call(release.preview, { part: 'host', releaseId: live.releaseId })
    expect(made.data.live?.weight.all).toBeGreaterThan(0)
    expect(made.data).toMatchObject({ users: [], by: 'super@dmp.example', needs: [], calls: null })
    expect(made.data.path).toBe(`/dashboard?dmp-preview=host.${made.data.id}`)
  })

  it('keeps its address for the same change; whoever agreed to the release before is asked again [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const first = await show(ask, part, 'one', { change: 'pr-17' })
    const browser = await openBrowser(on, colleague)
    await browser.agree(first)
    expect(await browser.look()).toHaveLength(1)
    const second = await show(ask, part, 'two', { change: 'pr-17' })
    expect([second.path, second.releaseId === first.releaseId]).toEqual([first.path, false])
    expect(await browser.look()).toEqual([])
    expect(await browser.agree(first)).toMatchObject({ status: 409, code: 'CHANGED_MEANWHILE' })
    expect((await browser.agree(second)).status).toBe(200)
    expect((await browser.look())[0]).toMatchObject({ releaseId: second.releaseId })
    expect((await ask(release.listPreviews, { part })).data).toHaveLength(1)
  })
})

describe('who opens a preview', () => {
  let made: PreviewReport
  beforeAll(async () => {
    const part = aPart()
    made = await show((await machineFor(on, part)).ask, part)
  })

  it.each([
    ['a super administrator', 'super@dmp.example', 200],
    ['the colleague whom the token names', colleague, 200],
    ['the customer whom the token names', pilot, 200],
    ['staff of a customer', 'staff@north.example', 404],
    ['an administrator of a customer', 'admin@north.example', 404],
    ['a service user', 'service@north.example', 404],
  ])('%s (%s): %i at every step [P83]', async (_who, email, status) => {
    const browser = await openBrowser(on, email)
    const [seen, opened] = [await browser.read(made), await browser.agree(made)]
    expect([seen.status, opened.status]).toEqual([status, status])
    expect(await browser.look()).toHaveLength(status === 200 ? 1 : 0)
    if (status === 200) return
    // Word for word what is said of nothing.
    const [none, noneOpened] = [await browser.read(nowhere), await browser.agree(nowhere)]
    expect([seen.message, opened.message]).toEqual([none.message, noneOpened.message])
  })

  it.each([
    ['a stranger', {}],
    ['nobody, with a token of nothing', { authorization: 'Bearer dmp_nonsense' }],
  ])('%s is asked to sign in, whether it is there or not [P83]', async (_who, headers) => {
    const ask = async ({ part, id, releaseId }: typeof nowhere) => [
      (await on.server.call(release.getPreview, { part, id }, { headers })).raw.body.replace(/"requestId":"[^"]*"/, ''),
      (await on.server.call(release.openPreview, { part, id, releaseId }, { headers })).status,
    ]
    expect(await ask(made)).toEqual(await ask(nowhere))
    expect((await ask(made))[1]).toBe(401)
    const pages = await Promise.all(
      [made.path, nowhere].map(async (path) => {
        const url = typeof path === 'string' ? path : made.path.replace(made.id, nowhere.id)
        const { body, statusCode } = await on.server.app.inject({ url })
        return [statusCode, /id="dmp-snapshot">(.*?)<\/script>/s.exec(body)?.[1]]
      }),
    )
    expect(pages[0]).toEqual(pages[1])
  })

  it('no machine does, not even the one that made it [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const own = await show(ask, part)
    expect((await ask(release.getPreview, { part, id: own.id })).status).toBe(403)
    expect((await ask(release.openPreview, { part, id: own.id, releaseId: own.releaseId })).status).toBe(403)
  })

  it('not whoever signs in after them on the same browser, nor anybody with their cookie [P83]', async () => {
    const first = await openBrowser(on, colleague)
    await first.agree(made)
    const grant = [...first.jar].find(([name]) => name.endsWith('dmp-overrides'))!
    for (const email of ['staff@north.example', 'super@dmp.example', colleague]) {
      const next = await openBrowser(on, email)
      next.jar.set(...grant)
      expect(await next.look()).toEqual([])
    }
    expect(await first.look()).toHaveLength(1)
    // A yes of theirs is not carried over by whoever agrees to something else.
    const root2 = await openBrowser(on, 'super@dmp.example')
    root2.jar.set(...grant)
    const part = aPart()
    await root2.agree(await show((await machineFor(on, part)).ask, part))
    expect((await root2.look()).map((one) => one.part)).toEqual([part])
  })
})
