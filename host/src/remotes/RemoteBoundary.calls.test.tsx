import * as complaint from '@dmp/contract/complaint'
import { anId } from '@dmp/contract/examples'
import type { RemoteOnPage } from '@dmp/contract/release'
import { useData, useLookup } from '@dmp/kit'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { loadRemote } from './loadRemote.ts'
import { patienceMs, RemoteBoundary } from './RemoteBoundary.tsx'

let number = 0
/** A remote whose code is there; its screens are the test's. */
async function aLoadedRemote(): Promise<RemoteOnPage> {
  const remote = createRemote(`remote-calling${(number += 1)}`)
  fakeScripts(() => ({
    global: remote.declaration.name.replaceAll('-', '_'),
    container: { get: async () => () => ({ App: () => null }) },
  }))
  await loadRemote(remote, './App')
  return remote
}

beforeEach(() => {
  for (const kind of ['error', 'warn'] as const) jest.spyOn(console, kind).mockImplementation(() => undefined)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const Standing = () => <p>There it is</p>
const Asking = () => (useLookup(complaint.get, { id: anId(1) }).data ? <Standing /> : null)
const Suspended = () => <p>{useData(complaint.get, { id: anId(2) }).complaintNumber}</p>
it.each([
  ['a part that stands', Standing],
  ['a part that draws nothing while a call of it is under way', Asking],
  ['a part that waits for a call of it', Suspended],
])('%s gets no card, however long it takes [P26]', async (_what, Screens) => {
  jest.useFakeTimers({ advanceTimers: true })
  const remote = await aLoadedRemote()
  await act(async () => {
    renderScreen(
      <main id="content">
        <RemoteBoundary remote={remote}>
          <Screens />
        </RemoteBoundary>
      </main>,
      { at: '/late', answers: [answer(complaint.get, 'pending')] },
    )
  })
  await act(() => jest.advanceTimersByTimeAsync(patienceMs + 2000))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('a part whose chunk cannot be loaded gets it past the browser’s cache, and a card [P26]', async () => {
  const remote = await aLoadedRemote()
  const chunk = remote.entry.replace('remoteEntry', 'Detail')
  const asked: unknown[] = []
  const value = async (url: string, { cache }: RequestInit) => {
    asked.push([url, cache])
    return { arrayBuffer: async () => new ArrayBuffer(0) }
  }
  const Lacking = (): never => {
    Object.defineProperty(globalThis, 'fetch', { configurable: true, writable: true, value })
    throw Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', request: chunk })
  }
  renderScreen(
    <RemoteBoundary remote={remote} failure={({ fault }) => <p>{fault}</p>}>
      <Lacking />
    </RemoteBoundary>,
    { at: '/late' },
  )
  addData('chunk')
  expect(screen.getByText('chunk')).toBeVisible()
  await waitFor(() => expect(asked).toContainEqual([chunk, 'reload']))
})
