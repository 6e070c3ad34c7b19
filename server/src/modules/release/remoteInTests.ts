import { release } from '@dmp/contract'
import type { PageSnapshot } from '@dmp/contract/release'
import type { Observation } from '@dmp/contract/releaseReport'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { byTests, type TestReleases } from '../../testing/releases.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'

let remotes = 0

/** A remote of its own for one test, live in its first release, with nothing reported and no mail sent. */
export async function addRemote(server: TestServer, { store }: TestReleases, root: SignedIn) {
  const name = `remote-t${(remotes += 1)}`
  const { db } = server.deps
  const put = (code: string, part = name) => publish(store, aBuild(part, code), { commit: 'abc' })
  await activate(store, { parts: [await put('one')] }, byTests)
  await db.deleteFrom('release_reports').execute()
  await db.deleteFrom('mails').execute()

  const createBrowser = (cookie: string) => openPages(server, name, cookie)

  /** A browser in which a user signed in, as far as pages and reports go. */
  async function openBrowser(email: string) {
    const { raw } = await server.call(
      {
        kind: 'endpoint',
        name: '',
        definition: { method: 'POST', path: '/account/login', summary: '', needs: 'nothing' },
      },
      { ClientId: 'dmp-web', email, password: 'DemoPassw0rd!' },
      { headers: { 'sec-fetch-site': 'same-origin' } },
    )
    const audienceCookie = raw.cookies.find((cookie) => cookie.name === 'dmp-audience')
    return {
      userId: raw.json<{ data: { userId: string } }>().data.userId,
      cookie: audienceCookie,
      ...createBrowser(`dmp-audience=${audienceCookie?.value}`),
    }
  }

  const listMoves = async () =>
    (await readRegistry(store))?.history
      .filter(({ parts }) => parts.includes(name))
      .map(({ change, by }) => `${change} by ${by}`)

  return {
    name,
    put,
    createBrowser,
    openBrowser,
    stranger: createBrowser(''),
    listMoves,
    waitForMove: (change: string) => waitUntil(listMoves, (moves) => moves?.[0] === `${change} by automatic`),
    findPart: async () => (await root.call(release.status, {})).data.parts.find((part) => part.name === name),
  }
}
export type TestRemote = Awaited<ReturnType<typeof addRemote>>

/** A browser with this cookie, as far as pages and reports of a remote go. */
function openPages(server: TestServer, name: string, cookie: string) {
  const open = () => server.app.inject({ url: `/${name.slice(7)}`, headers: { cookie } })
  const tell = async (...observations: (Pick<Observation, 'releaseId' | 'what'> & Partial<Observation>)[]) => {
    const { status } = await server.call(
      release.report,
      { seen: observations.map((observation) => ({ part: name, ...observation })) },
      { headers: { cookie } },
    )
    await server.deps.db.selectFrom('mails').select('id').execute()
    return status
  }
  return {
    /** Returns the release of the remote in the next page. */
    openPage: async (): Promise<string | undefined> => {
      const { body } = await open()
      const snapshot = JSON.parse(body.split('id="dmp-snapshot">')[1]?.split('</script>')[0] ?? 'null') as PageSnapshot
      const { data } = (await server.app.inject({ url: '/releases/live', headers: { cookie } })).json<{
        data: { snapshot: string }
      }>()
      expect(data.snapshot).toBe(snapshot.id)
      return snapshot.remotes.find(({ declaration }) => declaration.name === name)?.releaseId
    },
    /** Opens one more page, which tells this. */
    report: async (...observations: Parameters<typeof tell>) => {
      await open()
      return tell(...observations)
    },
    /** Tells this without opening a page. */
    tell,
  }
}

/** Asks again and again: a browser cannot see when background work has ended. */
export async function waitUntil<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const value = await ask()
    if (isRight(value)) return value
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('The expected value did not appear.')
}
