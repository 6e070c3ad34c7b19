import { createRemote, placePage } from '../testing/createRemote.ts'
import { adoptPageScripts } from './adoptPageScripts.ts'
import { offerEarlierAddresses, toEarlierAddress, toOwnAddress, toOwnAddresses } from './since.ts'

const [now, before, older] = ['1'.repeat(16), '2'.repeat(16), '3'.repeat(16)]
const remote = createRemote('remote-scan')
const base = `${location.origin}/releases`
const at = (release: string, file: string, part = 'host'): string => `${base}/${part}/${release}/${file}`

const page = { dmpAddressOf: undefined as ((url: string) => string) | undefined }

beforeEach(() => {
  document.head.replaceChildren()
  Object.assign(globalThis, page)
  placePage({
    host: now,
    remotes: [remote],
    since: {
      host: { [before]: ['749.js', '749.css', 'texts/de.json'], [older]: ['libraries.js'] },
      'remote-scan': { [before]: ['App.js'] },
    },
  })
})

describe('a file that an earlier release had already comes from there [P96]', () => {
  it('the first time; a second request goes to the folder of its own release', () => {
    const own = at(now, '749.5d75b63c.js')
    expect(toEarlierAddress(own)).toBe(at(before, '749.5d75b63c.js'))
    expect(toEarlierAddress(own)).toBe(own)
    expect(toEarlierAddress(at(now, '749.0a1b2c3d.css'))).toBe(at(before, '749.0a1b2c3d.css'))
    expect(toEarlierAddress(at(now, 'texts/de.json'))).toBe(at(before, 'texts/de.json'))
    expect(toEarlierAddress(`/releases/remote-scan/${remote.releaseId}/App.0a1b2c3d.js`)).toBe(
      `/releases/remote-scan/${before}/App.0a1b2c3d.js`,
    )
  })

  it.each([
    ['of which none is known', at(now, '935.083cd96a.js')],
    ['of a release that is not the page’s', at(older, '749.5d75b63c.js')],
    ['that is asked for again', `${base}/again/host/${now}/749.aaaaaaaa.js`],
    ['of a development server', 'http://localhost:4001/749.js'],
    ['of nobody', 'https://elsewhere.example/'],
  ])('but not one %s', (_what, url) => expect(toEarlierAddress(url)).toBe(url))

  it('is known to the code of parts where the page names any', () => {
    const offered = globalThis as unknown as typeof page
    offerEarlierAddresses()
    expect(offered.dmpAddressOf?.(at(now, 'libraries.bbbbbbbb.js'))).toBe(at(older, 'libraries.bbbbbbbb.js'))
    offered.dmpAddressOf = undefined
    placePage({ host: now })
    offerEarlierAddresses()
    expect(offered.dmpAddressOf).toBeUndefined()
  })
})

describe('what came from an earlier release is of the page’s own [P96]', () => {
  it('for the code that looks for it on the page, which does not load it again', () => {
    const again = at(before, '749.1a1b2c3d.css')
    document.head.insertAdjacentHTML(
      'beforeend',
      `<link rel="stylesheet" href="/releases/host/${before}/749.0a1b2c3d.css">
       <link rel="stylesheet" href="/releases/again/host/${before}/749.1a1b2c3d.css" data-href="${again}">
       <link rel="stylesheet" href="/releases/host/${now}/main.0a1b2c3d.css">`,
    )
    document.head.append(
      Object.assign(document.createElement('script'), {
        type: 'text/plain',
        src: `/releases/remote-scan/${before}/App.0a1b2c3d.js`,
      }),
    )
    adoptPageScripts()
    expect([...document.querySelectorAll('link')].map((link) => link.dataset.href)).toEqual([
      at(now, '749.0a1b2c3d.css'),
      at(now, '749.1a1b2c3d.css'),
      at(now, 'main.0a1b2c3d.css'),
    ])
    expect(document.querySelector('script[src]')?.getAttribute('src')).toBe(
      at(remote.releaseId, 'App.0a1b2c3d.js', 'remote-scan'),
    )
  })

  it('for whoever looks for a fault: the release that runs, not the one that its file is from', () => {
    const stack = (app: string, host: string): string =>
      `TypeError: x
  at f (${at(app, 'App.0a1b2c3d.js', 'remote-scan')}:1:2)
  at g (${at(host, 'libraries.0a1b2c3d.js')}:3:4)`
    expect(toOwnAddresses(stack(before, older))).toBe(stack(remote.releaseId, now))
    for (const other of [at(older, '749.5d75b63c.js'), at(before, 'App.0a1b2c3d.js')])
      expect(toOwnAddress(other)).toBe(other)
  })
})
