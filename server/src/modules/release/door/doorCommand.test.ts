import { openFolderStore } from '@dmp/release/store/folderStore'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { release as releaseCommand } from '@dmp/release/cli'
import { aFolder } from '@dmp/release/testing/aBuild'
import { captureOutput, printed, printedJson } from '@dmp/release/testing/releaseCommand'
import { findCallsUnansweredBy, openDoor } from '@dmp/release'
import type { ReleaseScope } from '@dmp/contract/apiToken'
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
