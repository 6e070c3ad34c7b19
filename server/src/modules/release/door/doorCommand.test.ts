import { openFolderStore } from '@dmp/release/store/folderStore'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { release as releaseCommand } from '@dmp/release/cli'
import { aFolder } from '@dmp/release/testing/aBuild'
import { captureOutput, printed, printedJson } from '@dmp/release/testing/releaseCommand'
import { findCallsUnansweredBy, openDoor } from '@dmp/release'
import type { ReleaseScope } from '@dmp/contract/apiToken'
import type { PreviewReport } from '@dmp/contract/releasePreview'
import { createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { answered, createMachine, toArrival, tryInBrowser } from './doorInTests.ts'
import { release } from '@dmp/contract'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let to: string
const part = 'remote-far'
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  to = await server.listen()
})
afterAll(() => server.close())
captureOutput()

const tokenOf = async (...scopes: ReleaseScope[]) => (await makeApiToken(root, { scopes, parts: [part] })).token

/** As it is typed on a computer that has no store; returns the exit code. */
const run = (token: string | undefined, ...words: string[]) =>
  releaseCommand(words, {
    store: aFolder(),
    by: 'nobody',
    door: { to: undefined, readToken: () => token },
  })

async function bring(code: string): Promise<string> {
  const ask = createMachine(server, await tokenOf('publish'))
  return (await ask(release.publish, await toArrival(part, code, { calls: answered }))).data.releaseId
}

describe('the command at a deployment', () => {
  it('makes live, tries with some people and takes back with a token alone, by its exit codes [P57]', async () => {
    const token = await tokenOf('publish', 'canary', 'activate', 'rollback')
    const [first, second] = [await bring('one'), await bring('two')]
    const at = ['--to', to, '--json']

    expect(await run(token, 'activate', part, '--release', first, ...at)).toBe(3)
    expect(printedJson()).toMatchObject({
      ok: false,
      refusals: [
        {
          parties: [part, `journey ${part}`],
          cure: expect.stringContaining(`check ${part} --release ${first}`) as string,
        },
      ],
    })
    // What a team can do about it is done: the rest is the platform's.
    expect(await run(token, 'check', part, '--release', first, ...at)).toBe(0)

    await tryInBrowser(releases.store, part, first)
    expect(await run(token, 'activate', part, '--release', first, '--reason', 'the first', ...at)).toBe(0)
    expect(printedJson()).toMatchObject({ ok: true, state: { live: first } })
    await tryInBrowser(releases.store, part, second)
    expect(await run(token, 'canary', part, '--release', second, '--percent', '10', ...at)).toBe(0)
    expect(await run(token, 'canary', part, '--promote', ...at)).toBe(0)
    expect(printedJson()).toMatchObject({ state: { live: first, canary: { releaseId: second, percent: 50 } } })
    expect(await run(token, 'canary', part, '--promote', '--percent', '100', ...at)).toBe(0)
    expect(await run(token, 'rollback', part, '--reason', 'rows were missing', ...at)).toBe(0)
    expect(await run(token, 'status', part, '--to', to)).toBe(0)
    expect(printed.at(-1)).toContain(`${part}: ${first} is live`)
    expect((await readRegistry(openFolderStore(releases.store.folder)))?.history[0]).toMatchObject({
      reason: 'rows were missing',
    })
  })

  it('shows a change at one address with a token of that step alone, and ends it [P83]', async () => {
    const { token } = await makeApiToken(root, { scopes: ['preview'], parts: [part], previewers: ['sys@dmp.example'] })
    const ask = createMachine(server, token)
    const bringOne = async (code: string, over = {}) =>
      (await ask(release.publish, await toArrival(part, code, over))).data.releaseId
    const at = ['--to', to, '--json']
    const words = ['preview', part, '--release', await bringOne('shown'), '--change', 'pr-17', '--days', '2']
    expect(await run(token, ...words, ...at)).toBe(0)
    const { preview, summary } = printedJson() as { preview: PreviewReport & { address: string }; summary: string }
    expect(preview.address).toBe(`${to}/far?dmp-preview=${part}.${preview.id}`)
    expect(preview).toMatchObject({ change: 'pr-17', users: ['sys@dmp.example'] })
    expect(summary).toContain(preview.address)
    expect(await run(token, ...words, '--summary', '--to', to)).toBe(0)
    // The same change has the same address.
    expect(printed.at(-1)).toContain(`**[Open the preview](${preview.address})**`)

    const greedy = await bringOne('greedy', { kit: '^9.0.0' })
    expect(await run(token, 'preview', part, '--release', greedy, ...at)).toBe(3)
    expect(printedJson().refusals).toMatchObject([{ parties: [part, 'needs'] }])
    expect(await run(token, 'preview', part, '--release', greedy, '--users', 'ann@north.example', ...at)).toBe(3)
    expect(printedJson().error).toContain('does not name ann@north.example')

    expect(await run(token, 'preview', part, '--end', '--change', 'pr-17', ...at)).toBe(0)
    expect(printedJson().ended).toHaveLength(1)
    expect((await ask(release.listPreviews, { part })).data).toEqual([])
  })

  it('shows how people fare and who is told, and sets what it may cost them, with a token of the part [P85]', async () => {
    const token = await tokenOf('publish')
    const at = ['--to', to, '--json']
    expect(await run(token, 'figures', part, '--budget', 'start=1500,inp=200', ...at)).toBe(0)
    const budgets = [
      { what: 'start', p75: 1500 },
      { what: 'inp', p75: 200 },
    ]
    expect(printedJson()).toMatchObject({ figures: { part, budgets } })
    expect(await run(token, 'figures', part, '--to', to)).toBe(0)
    expect(printed.at(-1)).toMatch(/START \(1500\).*FIRSTROW.*INP \(200\)/)
    expect(await run(token, 'figures', part, '--budget', 'start=soon', ...at)).toBe(2)
    expect(printedJson()['error']).toContain('start=1500,inp=200')
    expect(await run(token, 'figures', part, '--budget', 'none', ...at)).toBe(0)
    expect(printedJson()).toMatchObject({ figures: { budgets: [] } })

    expect(await run(token, 'notices', part, '--to', to)).toBe(0)
    expect(printed.at(-1)).toContain(`Nobody is told of ${part}.`)
    const emails = ['team@elsewhere.example']
    await root.call(release.setNotices, { part, emails, url: null, password: 'DemoPassw0rd!' })
    expect(await run(token, 'notices', part, '--off', ...at)).toBe(0)
    expect(printedJson()).toMatchObject({ notices: { isOn: false, emails } })
    expect(await run(token, 'notices', part, '--to', to)).toBe(0)
    expect(printed.at(-1)).toContain('Switched off; otherwise told of remote-far: team@elsewhere.example')
  })

  it('says in a sentence what it needs, and sends no token in the clear or to anybody else [P57]', async () => {
    const token = await tokenOf('publish')
    const cases = [
      [undefined, ['status', part, '--to', to], 1, 'Put the API token into DMP_RELEASE_TOKEN.'],
      ['dmp_nonsense', ['status', part, '--to', to], 3, 'This API token is not valid'],
      [token, ['status', 'remote-other', '--to', to], 3, `This API token is for ${part}, not for remote-other.`],
      [token, ['status', part, '--to', 'http://dmp.example'], 1, 'Tokens go over https.'],
      [token, ['status', part, '--to', 'http://127.0.0.1:9'], 1, 'could not be reached'],
      [token, ['history', '--to', to], 1, 'history needs the store'],
      [token, ['rollback', part, '--to'], 2, '--to needs a value.'],
    ] as const
    for (const [given, words, code, says] of cases) {
      expect([words.join(' '), await run(given, ...words)]).toEqual([words.join(' '), code])
      expect(printed.at(-1)).toContain(says)
      expect(printed.at(-1)).not.toContain(token)
    }
  })

  it('lists the errors of its part, for people and for pipelines [P84]', async () => {
    const token = await tokenOf('rollback')
    expect(await run(token, 'errors', part, '--to', to)).toBe(0)
    expect(printed.at(-1)).toContain('No page told of an error in the last 30 days.')
    expect(await run(token, 'errors', part, '--to', to, '--json')).toBe(0)
    expect(printedJson()).toEqual({ command: 'errors', ok: true, errors: [] })
    expect(await run(token, 'errors', part)).toBe(1)
    expect(printed.at(-1)).toContain('Name it: --to https://')
  })

  it('rehearses with anybody which calls the deployment answers, fetching only the shapes that differ [P58]', async () => {
    const door = openDoor(to)
    expect(await findCallsUnansweredBy(door, part, JSON.stringify(answered))).toEqual([])
    const [[name, shape] = []] = Object.entries(answered)
    const other = { [name!]: { ...shape, takes: { is: 'object', of: { since: { is: 'text' } } } }, 'GET /Gone': shape }
    const reasons = (await findCallsUnansweredBy(door, part, JSON.stringify(other))).map(({ reason }) => reason)
    expect(reasons).toEqual([
      expect.stringContaining(`${name} in a way that the server does not answer: it sends “since”`),
      expect.stringContaining('GET /Gone, which the server does not answer'),
    ])
  })
})
