import { activate } from '../activate.ts'
import { compose, type Composition } from '../composition.ts'
import { publish } from '../publish.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { readRegistry } from '../store/ReleaseStore.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'
import { aKey, register } from '../testing/signing.ts'
import { addDrawn, type DrawnPages } from './drawnDocument.ts'

const declaration = {
  name: 'remote-account',
  title: 'Account',
  version: '1.0.0',
  routes: [{ prefix: '/login', guard: 'guest' as const }],
  navigation: [],
  cards: [],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
}
const markup = (text: string): DrawnPages => ({ '/login': { en: { plain: text, demo: text } } })
let store: FolderStore

const bring = (name: string, code: string, signer = undefined as never) =>
  publish(store, aBuild(name, code, name === 'host' ? {} : { record: { declaration } }), { commit: 'abc', signer })

async function bringBoth(hostCode: string, code: string, signer = undefined as never) {
  const [host, part] = [await bring('host', hostCode), await bring('remote-account', code, signer)]
  await activate(store, { parts: [host, part] }, { by: 'test' })
  return { part: part.name, releaseId: part.releaseId, host: host.releaseId }
}
const page = async (): Promise<Composition> => compose(store, (await readRegistry(store))?.live ?? '')
const shown = async () => (await page()).drawn.get('remote-account')

beforeEach(() => {
  store = aStore()
})

describe('pages that were drawn before their code [P99]', () => {
  it('are those of exactly this host and this part: with another release of either there are none', async () => {
    const both = await bringBoth('one', 'one')
    expect(await shown()).toEqual({})
    await addDrawn(store, { ...both, pages: markup('<p>Login</p>') })
    expect(await shown()).toEqual(markup('<p>Login</p>'))
    await bringBoth('two', 'one')
    expect(await shown()).toEqual({})
    await bringBoth('one', 'two')
    expect(await shown()).toEqual({})
    await bringBoth('one', 'one')
    expect(await shown()).toEqual(markup('<p>Login</p>'))
  })

  it.each(['<script>alert(1)</script>', '<p onclick="x">', '<p style="x">', '<iframe src="x">', '<link rel="x">'])(
    'draw, and do nothing else: %s',
    async (text) => {
      const both = await bringBoth('one', 'one')
      await addDrawn(store, { ...both, pages: markup(text) })
      expect(await shown()).toEqual({})
    },
  )

  it('of a part with keys are shown only as one of them signed them', async () => {
    const [team, other] = [aKey('team'), aKey('other')]
    await register(store, 'remote-account', team)
    const both = await bringBoth('one', 'one', team.signer as never)
    await addDrawn(store, { ...both, pages: markup('<p>anybody’s</p>') })
    await addDrawn(store, { ...both, pages: markup('<p>another’s</p>') }, other.signer)
    expect(await shown()).toEqual({})
    await addDrawn(store, { ...both, pages: markup('<p>the team’s</p>') }, team.signer)
    expect(await shown()).toEqual(markup('<p>the team’s</p>'))
  })
})
