import type { Release } from '@dmp/contract/release'
import { activate } from '../activate.ts'
import { compose } from '../composition.ts'
import { publish } from '../publish.ts'
import type { Signer } from '../signing/keyPair.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { readRegistry } from '../store/ReleaseStore.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'
import { aHostThatDraws, aPartToDraw, changed } from '../testing/drawnBuilds.ts'
import { captureOutput, runOn } from '../testing/releaseCommand.ts'
import { aKey, register } from '../testing/signing.ts'
import { drawPages } from './drawPages.ts'

captureOutput()
let store: FolderStore
const said: string[] = []

const bring = (dist: string, signer?: Signer): Promise<Release> => publish(store, dist, { commit: 'abc', signer })
const bringHost = (code?: string): Promise<Release> => bring(aHostThatDraws(code))
const bringPart = (code?: string, signer?: Signer): Promise<Release> =>
  bring(aPartToDraw('remote-account', code), signer)

/** Makes them live as a checkout does, and returns what their pages carry. */
async function goLive(parts: readonly Release[], signer?: Signer) {
  await drawPages(store, parts, { signer, log: (line) => void said.push(line) })
  await activate(store, { parts }, { by: 'test' })
  return shownPages()
}
const shownPages = async () =>
  (await compose(store, (await readRegistry(store))?.live ?? '')).drawn.get('remote-account') ?? {}

beforeEach(() => {
  store = aStore()
  said.length = 0
})

describe('the public pages of builds that go live [P99]', () => {
  it('are drawn by their own files: each address that a guest sees, in each language of both, plain and as a demo', async () => {
    const pages = await goLive([await bringHost(), await bringPart()])
    expect(said).toEqual([])
    expect(Object.keys(pages)).toEqual(['/login', '/forgot-password'])
    expect(Object.keys(pages['/login'] ?? {})).toEqual(['en', 'de'])
    // A name is the place of a server's own, and nothing of Node is there.
    expect(pages['/login']?.de?.plain).toMatch(
      /^<p>\/login 0\.\d+ de false \u{E000}applicationName\u{E001} undefined<\/p>$/u,
    )
    expect(pages['/login']?.en?.demo).toMatch(
      /^<p>\/login 0\.\d+ en true \u{E000}applicationName\u{E001} undefined<\/p>$/u,
    )
  })

  it('are drawn once, and again when the host or the part is another', async () => {
    const [first, part] = [await bringHost(), await bringPart()]
    const pages = await goLive([first, part])
    expect(await goLive([first, part])).toEqual(pages)
    const withOther = await goLive([await bringHost(changed.host), part])
    expect(withOther).not.toEqual(pages)
    expect(Object.keys(withOther)).toEqual(Object.keys(pages))
    expect(await goLive([first, await bringPart(changed.part)])).not.toEqual(pages)
    expect(await goLive([first, part])).toEqual(pages)
  })

  it('come with their code where it draws more than markup, or fails; the others are drawn', async () => {
    const [script, fault] = ["'<script>steal()</script>'", "(() => { throw new Error('no window') })()"]
    for (const drawn of [script, fault]) {
      said.length = 0
      const code = `globalThis.part = (path) => path === '/login' ? ${drawn} : path`
      expect(Object.keys(await goLive([await bringHost(), await bringPart(code)]))).toEqual(['/forgot-password'])
      expect(said[0]).toContain(drawn === script ? '/login comes with its code: it has more' : 'no window')
    }
  })

  it('are drawn without more of Node than that, also where a host finds its process', async () => {
    const curious = `let node
      Object.defineProperty(Object.prototype, 'noDeprecation', { configurable: true, get() { node ??= this } })
      Buffer(1)
      delete Object.prototype.noDeprecation
      const powers = ['kill', '_debugProcess', 'getBuiltinModule', 'binding', '_linkedBinding', 'execve', 'report']
      const has = [...powers.filter((name) => name in node), typeof node.send, typeof console._stdout]
      globalThis.dmpDraw = async () => '<p>' + has + '</p>'`
    const pages = await goLive([await bringHost(curious), await bringPart()])
    expect(said).toEqual([])
    expect(pages['/login']?.en?.plain).toBe('<p>function,undefined</p>')
  })

  it('come with their code where a host answers with something else than pages', async () => {
    for (const answer of ['1', 'null', '{ drawn: 1 }', "{ drawn: { '/login': { plain: 1, demo: {} } } }"]) {
      const sends = `let node
        Object.defineProperty(Object.prototype, 'noDeprecation', { configurable: true, get() { node ??= this } })
        Buffer(1)
        delete Object.prototype.noDeprecation
        node.send(${answer})`
      expect(await goLive([await bringHost(sends), await bringPart()])).toEqual({})
    }
  })

  it('come with their code where the host does not run', async () => {
    expect(await goLive([await bringHost('}{'), await bringPart()])).toEqual({})
    expect(said).toEqual([expect.stringMatching(/^Public pages come with their code: SyntaxError/)])
  })

  it('say in one line what a host says of its fault, which steers no terminal and no pipeline', async () => {
    const host = String.raw`throw '\x1b[2J\n::add-mask::' + 'a'.repeat(9000)`
    expect(await goLive([await bringHost(host), await bringPart()])).toEqual({})
    expect(said).toEqual([expect.stringMatching(/^Public pages come with their code: {2}\[2J ::add-mask::a{1,2000}$/)])
  })

  it('come with their code beside a host of before, of which nothing is run', async () => {
    expect(await goLive([await bring(aBuild('host', changed.host)), await bringPart()])).toEqual({})
    expect(said).toEqual([])
  })

  it('of a part with keys are shown as its key signed them', async () => {
    const key = aKey('team')
    await register(store, 'remote-account', key)
    const parts = [await bringHost(), await bringPart(undefined, key.signer)]
    expect(await goLive(parts)).toEqual({})
    expect(Object.keys(await goLive(parts, key.signer))).toEqual(['/login', '/forgot-password'])
  })

  it('are drawn with the live host where the part is built and released alone', async () => {
    await activate(store, { parts: [await bringHost()] }, { by: 'test' })
    expect(await runOn(store, ['activate', 'remote-account', '--from', aPartToDraw()])).toBe(0)
    expect(Object.keys(await shownPages())).toEqual(['/login', '/forgot-password'])
  })
})
