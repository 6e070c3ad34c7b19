import type { RemoteOnPage } from '@dmp/contract/release'
import { placeSettings, renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { Report } from '../testing/Report.ts'
import { takeUnfinished } from './beginnings.ts'
import { loadRemote } from './loadRemote.ts'
import { patienceMs, RemoteBoundary } from './RemoteBoundary.tsx'

let number = 0
const never = new Promise<never>(() => undefined)
function Never(): never {
  throw never
}

/** A remote whose code is there; its screens are the test's. */
async function aLoadedRemote(previous = false): Promise<RemoteOnPage> {
  const remote = createRemote(`remote-late${(number += 1)}`, {}, previous)
  fakeScripts(() => ({
    global: remote.declaration.name.replaceAll('-', '_'),
    container: { get: async () => () => ({ App: () => null }) },
  }))
  await loadRemote(remote, './App')
  return remote
}

const reports = new Report()

beforeAll(() => placeSettings())
beforeEach(() => {
  reports.begin()
  sessionStorage.clear()
  takeUnfinished()
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

describe('a remote that is loaded and never draws', () => {
  it('gets a card with a way out after a while, and its release is told of, once', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const remote = await aLoadedRemote()
    await act(async () => {
      renderScreen(
        <RemoteBoundary remote={remote}>
          <Never />
        </RemoteBoundary>,
        { at: '/late' },
      )
    })
    await act(() => jest.advanceTimersByTimeAsync(patienceMs - 2000))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(() => jest.advanceTimersByTimeAsync(4000))
    expect(screen.getByRole('alert')).toHaveTextContent('This part was loaded, but shows nothing yet.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
    jest.useRealTimers()
    const told = (await reports.sent()).filter(({ what }) => what !== 'loaded')
    expect(told).toEqual([{ part: remote.declaration.name, releaseId: remote.releaseId, what: 'unready' }])
  })

  it('is drawn from the beginning by Try again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const remote = await aLoadedRemote()
    let isReady = false
    const Sometimes = () => (isReady ? <p>There it is</p> : <Never />)
    await act(async () => {
      renderScreen(
        <RemoteBoundary remote={remote}>
          <Sometimes />
        </RemoteBoundary>,
        { at: '/late' },
      )
    })
    await act(() => jest.advanceTimersByTimeAsync(patienceMs + 2000))
    isReady = true
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('There it is')).toBeVisible()
  })
})

describe('a remote that held up the tab’s last page', () => {
  const hangs = (remote: RemoteOnPage) => {
    sessionStorage.setItem('dmp.beginnings', JSON.stringify({ [`${remote.declaration.name} ./App`]: remote.releaseId }))
    takeUnfinished()
  }

  it('is not started again by itself, and is when somebody asks', async () => {
    const remote = createRemote(`remote-late${(number += 1)}`)
    const page = fakeScripts(() => ({
      global: remote.declaration.name.replaceAll('-', '_'),
      container: { get: async () => () => ({ App: () => null }) },
    }))
    hangs(remote)
    await expect(loadRemote(remote, './App')).rejects.toMatchObject({ fault: 'hang' })
    expect(page.asked).toEqual([])
    const { forgetRemote } = await import('./loadRemote.ts')
    forgetRemote(remote)
    await expect(loadRemote(remote, './App')).resolves.toHaveProperty('App')
  })

  it('gives way to the release before it, where the page has one', async () => {
    const remote = createRemote(`remote-late${(number += 1)}`, {}, true)
    const page = fakeScripts(() => ({
      global: remote.declaration.name.replaceAll('-', '_'),
      container: { get: async () => () => ({ App: () => null }) },
    }))
    hangs(remote)
    await expect(loadRemote(remote, './App')).resolves.toHaveProperty('App')
    expect(page.asked).toEqual([remote.previous?.entry])
  })
})

it('a part that is drawn, while the page still answers, is no unfinished one', async () => {
  const remote = await aLoadedRemote()
  expect(sessionStorage.getItem('dmp.beginnings')).toContain(remote.releaseId)
  jest.useFakeTimers()
  renderScreen(
    <RemoteBoundary remote={remote}>
      <p>There it is</p>
    </RemoteBoundary>,
    { at: '/late' },
  )
  await act(() => jest.advanceTimersByTimeAsync(1500))
  expect(takeUnfinished()).toEqual([])
})
