import { add, remove } from '@dmp/contract/override'
import { CallError } from '@dmp/kit'
import { addData, answer, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { loadRemote } from '../remotes/loadRemote.ts'
import { HostBoundary } from '../pages/HostBoundary.tsx'
import { adoptDevServers } from '../remotes/devServers.ts'
import { remotes } from '../remotes/snapshot.ts'
import { Pages } from '../pages/Pages.tsx'
import { createRemote, placePage } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { releaseAddress } from '../trustedTypes.ts'
import { questionKey, hasOverridesOrQuestion } from '../remotes/activeOverrides.ts'
import { resetOverrideState, readQuestion } from '../remotes/overrideState.ts'

const local = 'http://localhost:8123'
const scan = createRemote('remote-scan', { title: 'Scans' }, true)

// What is loaded late is drawn late; that is not what is looked at here.
beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  resetOverrideState()
  jest.restoreAllMocks()
  history.replaceState(null, '', '/')
})

const draw = (
  answers: readonly Line[] = [],
  {
    as = 'super_admin' as const,
    isDemo = false,
    ...over
  }: Partial<Parameters<typeof renderPage>[1]> & { isDemo?: boolean } = {},
) => renderPage(<Pages />, { at: '/dashboard', as, settings: { isDemo }, answers, ...over })
const follow = (link: string): void => {
  history.replaceState(null, '', link)
  readQuestion()
}
const bar = () => screen.findByRole('region', { name: 'Overrides of this browser' })

describe('an override of this browser', () => {
  it('is named on every screen, with the way out [P30]', async () => {
    placePage({
      remotes: [scan],
      overrides: [
        { part: 'remote-scan', releaseId: 'b'.repeat(16), version: '1.4.2' },
        { part: 'remote-user', address: local },
      ],
    })
    const { user, calls } = draw([answer(remove, new CallError(503, 'DOWN', 'Not now.'))])
    const shown = within(await bar())
    expect(shown.getByText('Scans (remote-scan) in release 1.4.2 · bbbbbbbbbbbbbbbb')).toBeVisible()
    expect(shown.getByText(`remote-user from ${local}`)).toBeVisible()
    await user.click(shown.getByRole('button', { name: 'Remove the override of Scans (remote-scan)' }))
    expect(await shown.findByRole('alert')).toHaveTextContent('Not now.')
    await user.click(shown.getByRole('button', { name: 'Remove all' }))
    await waitFor(() => expect(calls(remove)).toEqual([{ part: 'remote-scan' }, {}]))
  })

  it('is there for who is signed out too', async () => {
    placePage({
      remotes: [createRemote('remote-login', { routes: [{ prefix: '/login', guard: 'guest' }] })],
      overrides: [{ part: 'remote-login', address: local }],
    })
    fakeScripts(() => 'hangs')
    draw([], { at: '/login', as: null as never })
    expect(await bar()).toBeVisible()
    // One has a button of its own.
    expect(screen.queryByRole('button', { name: 'Remove all' })).toBeNull()
  })

  it('that cannot be loaded takes itself out with a note; what is live is shown [P26]', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const broken = createRemote('remote-brokenoverride', { title: 'Broken' }, true)
    placePage({ remotes: [broken], overrides: [{ part: 'remote-brokenoverride', releaseId: broken.releaseId }] })
    const { calls } = draw([answer(remove, null)])
    fakeScripts((path) =>
      path === broken.previous?.entry
        ? { global: 'remote_brokenoverride', container: { get: async () => () => ({ App: () => null }) } }
        : 'http',
    )
    expect(await loadRemote(broken, './App')).toHaveProperty('App')
    expect(
      await screen.findByText(
        /The override of Broken \(remote-brokenoverride\) was removed, .* The server could not deliver this part\./,
      ),
    ).toBeVisible()
    await waitFor(() => expect(calls(remove)).toEqual([{ part: 'remote-brokenoverride' }]))
    expect(screen.queryByRole('region', { name: 'Overrides of this browser' })).toBeNull()
    screen.getByRole('button', { name: 'Close' }).click()
    await waitFor(() => expect(screen.queryByText(/was removed/)).toBeNull())
  })
})

it('is turned off by a link where the host itself failed [P26]', () => {
  placePage({ remotes: [scan], overrides: [{ part: 'host', releaseId: 'b'.repeat(16) }] })
  const Broken = (): never => {
    throw new Error('broken')
  }
  renderPage(
    <HostBoundary>
      <Broken />
    </HostBoundary>,
    { at: '/scan', as: null as never, answers: [] },
  )
  expect(screen.getByRole('link', { name: 'Turn the override off' })).toHaveAttribute('href', '?dmp-override=off')
})

it.each([
  ['nothing is put in or asked for', {}, '/dashboard?page=2', false],
  ['something is put in', { overrides: [{ part: 'host', releaseId: 'b'.repeat(16) }] }, '/dashboard', true],
  ['a link asks for something', {}, `/dashboard?dmp-override=remote-scan@${local}`, true],
])('is only thought of where there is a reason: %s', (_when, page, link, concerns) => {
  placePage({ remotes: [scan], ...page })
  history.replaceState(null, '', link)
  expect(hasOverridesOrQuestion()).toBe(concerns)
})

it('is only thought of where a question waits, and never where the browser keeps none', () => {
  placePage({ remotes: [scan] })
  sessionStorage.setItem(questionKey, `remote-scan@${local}`)
  expect(hasOverridesOrQuestion()).toBe(true)
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('blocked')
  })
  expect(hasOverridesOrQuestion()).toBe(false)
  jest.restoreAllMocks()
  sessionStorage.removeItem(questionKey)
})

describe('a link that asks for one', () => {
  it('changes nothing by itself, leaves the address, and asks; nothing happens without a yes [P30]', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?page=2&dmp-override=remote-scan@${local}#x`)
    expect(location.pathname + location.search + location.hash).toBe('/dashboard?page=2#x')
    const { user, calls } = draw([answer(add, new CallError(403, 'NOT_ALLOWED', 'No.'))])
    const dialog = within(await screen.findByRole('dialog', { name: 'Use another release of Scans (remote-scan)?' }))
    expect(dialog.getByText(local)).toBeInTheDocument()
    expect(calls(add)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sessionStorage.getItem(questionKey)).toBeNull()
    expect(calls(add)).toEqual([])
  })

  it('is sent to the server after a yes, which may refuse it', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-override=scan@1.4.2`)
    const { user, calls } = draw([
      answer(add, new CallError(404, 'NO_RELEASE', 'The release store has no remote-scan@1.4.2.')),
    ])
    await user.click(await screen.findByRole('button', { name: 'Use it in this browser' }))
    expect(await screen.findByText('The release store has no remote-scan@1.4.2.')).toBeInTheDocument()
    expect(calls(add)).toEqual([{ part: 'remote-scan', source: '1.4.2' }])
  })

  it.each([
    'remote-scan@http://evil.example:80',
    'remote-scan@https://localhost.evil.example:1',
    'remote-scan@javascript:alert(1)',
    'remote-scan@//localhost:1',
    '<b>@1.0.0',
    'remote-scan@http://localhost:99999',
    'remote-scan',
  ])('that names %s is not even asked about [P30]', async (wanted) => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-override=${encodeURIComponent(wanted)}`)
    draw()
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
    expect(location.search).toBe('')
    expect(sessionStorage.getItem(questionKey)).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('waits for who has to sign in first, and is refused to who may not [P30]', async () => {
    placePage({ remotes: [createRemote('remote-login', { routes: [{ prefix: '/login', guard: 'guest' }] }), scan] })
    fakeScripts(() => 'hangs')
    follow(`/login?dmp-override=remote-scan@${local}`)
    const { unmount } = draw([], { at: '/login', as: null as never })
    expect(await screen.findByText(/A link asks to use another release of .* Sign in to decide/)).toBeVisible()
    unmount()
    follow('/dashboard')
    const { user } = draw([], { as: 'staff' as never })
    expect(await screen.findByText(/Only a super administrator can allow that\./)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByText(/Only a super administrator/)).toBeNull()
    expect(sessionStorage.getItem(questionKey)).toBeNull()
  })

  it('is for everybody in the demo', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-override=remote-scan@${local}`)
    draw([], { as: 'staff' as never, isDemo: true })
    expect(await screen.findByRole('dialog')).toBeInTheDocument()
  })
})

describe('a development server', () => {
  const serves = (body: unknown) => {
    globalThis.fetch = jest.fn(async (url: string) => {
      if (!String(url).startsWith(local)) throw new TypeError('Failed to fetch')
      return { json: async () => body }
    }) as never
  }

  it('declares its remote itself; what is live stands behind it', async () => {
    placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', address: local }] })
    serves({ ...scan.declaration, title: 'Scans, edited' })
    await adoptDevServers()
    expect(remotes()).toHaveLength(1)
    expect(remotes()[0]).toMatchObject({
      entry: `${local}/remoteEntry.js`,
      integrity: '',
      declaration: { title: 'Scans, edited' },
      previous: { releaseId: scan.releaseId, entry: scan.entry },
    })
  })

  it('brings a remote that was never live', async () => {
    placePage({ remotes: [scan], overrides: [{ part: 'remote-new', address: local }] })
    serves(createRemote('remote-new').declaration)
    await adoptDevServers()
    expect(remotes().map(({ declaration }) => declaration.name)).toEqual(['remote-scan', 'remote-new'])
  })

  it.each([
    ['answers as another remote', { ...scan.declaration, name: 'remote-user' }],
    ['answers nonsense', { hello: 'world' }],
  ])('that %s is taken out, and what is live stays', async (_what, body) => {
    placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', address: local }] })
    draw([answer(remove, null)])
    // What valibot says to developers.
    addData('Invalid key: Expected "name" but received undefined')
    serves(body)
    await adoptDevServers()
    expect(remotes()).toEqual([scan])
    expect(await screen.findByText(/was removed, and the live release is shown\./)).toBeVisible()
    // However often it fails, that is said once.
    await adoptDevServers()
    expect(screen.getAllByText(/was removed/)).toHaveLength(1)
  })

  it('stays where the page is left, or reloaded, while it is being loaded [P26]', async () => {
    placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', address: local }] })
    draw([answer(remove, null)])
    const asked: string[] = []
    globalThis.fetch = (to: RequestInfo | URL) => {
      asked.push(to instanceof Request ? to.url : String(to))
      return Promise.reject(new TypeError('cut off'))
    }
    const removals = () => asked.filter((address) => /\/override\/remove$/i.test(address))
    window.dispatchEvent(new Event('beforeunload'))
    await adoptDevServers()
    expect(screen.queryByText(/was removed/)).toBeNull()
    expect(asked).toContain(`${local}/remote.json`)
    expect(removals()).toEqual([])
    // Who stays after all, or comes back, is told.
    window.dispatchEvent(new Event('pageshow'))
    await adoptDevServers()
    expect(await screen.findByText(/is not a development server of remote-scan\./)).toBeVisible()
    await waitFor(() => expect(removals()).not.toEqual([]))
  })

  it('that says nothing is waited for four seconds, then what is live is shown [P26]', async () => {
    placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', address: local }] })
    draw([answer(remove, null)])
    const late = new AbortController()
    const patience = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    globalThis.fetch = ((_url: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new TypeError('late'))))) as never
    const adopted = adoptDevServers()
    expect(patience).toHaveBeenCalledWith(4000)
    late.abort()
    await adopted
    expect(remotes()).toEqual([scan])
  })

  it('may give scripts to a page that the server let it into, and to no other [P30]', () => {
    placePage({ overrides: [{ part: 'remote-scan', address: local }] })
    expect(releaseAddress(`${local}/App.js`)).toBe(`${local}/App.js`)
    expect(() => releaseAddress('http://localhost:9999/App.js')).toThrow('Scripts are not loaded from')
    placePage({})
    expect(() => releaseAddress(`${local}/App.js`)).toThrow('Scripts are not loaded from')
  })
})
