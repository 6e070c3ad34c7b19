import { remove } from '@dmp/contract/override'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { adoptDevServers } from '../remotes/devServers.ts'
import { resetOverrideState } from '../remotes/overrideState.ts'
import { remotes } from '../remotes/snapshot.ts'
import { createRemote, placePage } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { releaseAddress } from '../trustedTypes.ts'

const local = 'http://localhost:8123'
const scan = createRemote('remote-scan', { title: 'Scans' }, true)
const serves = (body: unknown) => {
  globalThis.fetch = (async () => ({ json: async () => body })) as never
}

afterEach(() => {
  resetOverrideState()
  jest.restoreAllMocks()
})

it('a development server is not asked for a release that the store has', async () => {
  placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', releaseId: 'b'.repeat(16), version: '1.4.2' }] })
  const asked = jest.fn()
  globalThis.fetch = asked
  await adoptDevServers()
  expect(asked).not.toHaveBeenCalled()
  expect(remotes()).toEqual([scan])
  expect(() => releaseAddress(`${local}/App.js`)).toThrow('Scripts are not loaded from')
})

it('a development server gives nothing to a part that runs in a frame of its own, and that is said [P30]', async () => {
  const guest = { ...scan, guest: { calls: [] } }
  const other = createRemote('remote-other')
  placePage({
    remotes: [guest, other],
    overrides: [
      { part: 'remote-scan', address: local },
      { part: 'remote-other', address: 'http://localhost:8124' },
    ],
  })
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  renderPage(<Pages />, { at: '/dashboard', as: 'super_admin', answers: [answer(remove, null)] })
  serves(other.declaration)
  await adoptDevServers()
  expect(remotes()[0]).toEqual(guest)
  expect(remotes()[1]).toMatchObject({ entry: 'http://localhost:8124/remoteEntry.js' })
  expect(await screen.findByText(/It runs in a frame of its own/)).toBeVisible()
  const shown = within(await screen.findByRole('region', { name: 'Overrides of this browser' }))
  expect(shown.getByText(/^Other/)).toBeVisible()
  expect(shown.queryByText(/^Scans/)).toBeNull()
})

it('each development server that cannot be used is taken out, and that is said of each', async () => {
  const other = createRemote('remote-other')
  placePage({
    remotes: [scan, other],
    overrides: [
      { part: 'remote-scan', address: local },
      { part: 'remote-other', address: 'http://localhost:8124' },
    ],
  })
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const { calls } = renderPage(<Pages />, { at: '/dashboard', as: 'super_admin', answers: [answer(remove, null)] })
  const others = globalThis.fetch
  globalThis.fetch = ((to: RequestInfo, init?: RequestInit) =>
    String(to).endsWith('/remote.json') ? Promise.reject(new TypeError('x')) : others(to, init)) as typeof fetch
  await adoptDevServers()
  expect(await screen.findByText(/is not a development server of remote-scan\./)).toBeVisible()
  expect(screen.getByText(/is not a development server of remote-other\./)).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Overrides of this browser' })).toBeNull()
  await waitFor(() => expect(calls(remove)).toHaveLength(2))
})
