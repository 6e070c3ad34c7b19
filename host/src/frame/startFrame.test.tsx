import { aUser } from '@dmp/contract/examples'
import type { FromGuest, ToGuest } from '@dmp/contract/guest'
import { CallError, session, useUnsaved } from '@dmp/kit'
import { Link, useLocation } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { addData, placeSettings } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { drawnMark } from '../remotes/pageMarks.ts'
import { recordObservation } from '../remotes/releaseReports.ts'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { startFrame } from './startFrame.tsx'

const said: FromGuest[] = []
let mark: (list: { getEntries: () => { name: string }[] }) => void = () => undefined
const port = {
  onmessage: null as ((event: { data: ToGuest }) => void) | null,
  postMessage: (message: FromGuest) => void said.push(message),
}
const hear = (data: ToGuest): Promise<void> => act(async () => port.onmessage?.({ data }))

function App() {
  const { pathname } = useLocation()
  const [isTyped, setTyped] = useState(false)
  useUnsaved(isTyped)
  return (
    <Screen title={`Report ${pathname}`}>
      <label>
        Note <input type="checkbox" checked={isTyped} onChange={() => setTyped(!isTyped)} />
      </label>
      <Link to="/report/8">Next</Link>
    </Screen>
  )
}

beforeAll(async () => {
  placeSettings()
  placeSnapshot(createRemote('remote-report'))
  fakeScripts(() => ({ global: 'remote_report', container: { get: async () => () => ({ App }) } }))
  // jsdom has none.
  Object.assign(globalThis, {
    PerformanceObserver: class {
      observe = () => undefined
      constructor(tell: typeof mark) {
        mark = tell
      }
    },
  })
  document.body.innerHTML = '<div id="root"></div>'
  addData(['/report', '/report/7', '/report/8', '/report/9'])
  await act(async () =>
    startFrame({ start: { user: null, at: '/report', keys: [], texts: {} }, port: port as unknown as MessagePort }),
  )
  await screen.findByRole('heading', { level: 1, name: 'Report /report' })
})
beforeEach(() => said.splice(0))

/** How often the part went somewhere so far. */
let steps = 0
const goByLink = async (): Promise<void> => {
  steps += 1
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Next' })))
}

describe('a part in its frame', () => {
  it('tells of the first input at once, and of further input every five seconds at most', () => {
    jest.useFakeTimers()
    fireEvent.pointerDown(document.body)
    fireEvent.keyDown(document.body, { key: 'a' })
    expect(said).toEqual([{ isActive: true }])
    jest.advanceTimersByTime(5001)
    fireEvent.keyDown(document.body, { key: 'b' })
    expect(said).toEqual([{ isActive: true }, { isActive: true }])
    jest.useRealTimers()
  })

  it('goes where the page around goes, and tells where it goes itself', async () => {
    await hear({ at: '/report/7', after: steps })
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Report /report/7')
    expect(said.filter((message) => 'go' in message)).toEqual([])
    await goByLink()
    expect(said).toContainEqual({ go: '/report/8', isReplacing: false })
    expect(said.filter((message) => 'title' in message).at(-1)).toEqual({ title: 'Report /report/8' })
  })

  it('stays where it went meanwhile, until the page around has heard of that', async () => {
    await hear({ at: '/report/7', after: steps })
    await goByLink()
    await hear({ at: '/report/9', after: steps - 1 })
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Report /report/8')
    await hear({ at: '/report/9', after: steps })
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Report /report/9')
  })

  it('asks before it loses what was typed, and not where the page around has asked already [P27]', async () => {
    await hear({ at: '/report/7', after: steps })
    await act(async () => fireEvent.click(screen.getByLabelText('Note')))
    expect(said).toContainEqual({ isUnsaved: true })
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Next' })))
    expect(said.filter((message) => 'go' in message)).toEqual([])
    await act(async () => fireEvent.click(await screen.findByRole('button', { name: 'Stay' })))
    await hear({ at: '/report/9', after: steps })
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Report /report/9')
  })

  it('has the colours, the person and the keys of the page around, as they change [P30]', async () => {
    await hear({ theme: 'dark' })
    expect(document.documentElement.dataset.theme).toBe('dark')
    await hear({ theme: 'none' })
    expect(document.documentElement.dataset.theme).toBe('dark')
    const { email, fullName, organizationId, policy } = aUser('admin')
    const person = { email, fullName, organizationId, policy, role: 'admin', roleDisplayName: 'A', organization: 'N' }
    await hear({ user: person, keys: ['Mod+k', '?'] })
    expect(session.get().user).toEqual(person)
    said.splice(0)
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    fireEvent.keyDown(document.body, { key: 'x' })
    expect(said.filter((message) => 'key' in message)).toEqual([{ key: 'Mod+k' }])
  })

  it('tells when its screens stand, and not of other marks', () => {
    mark({ getEntries: () => [{ name: 'another mark' }] })
    expect(said).toEqual([])
    mark({ getEntries: () => [{ name: 'another mark' }, { name: `${drawnMark} remote-report` }] })
    expect(said).toEqual([{ drawn: true }])
  })

  it('tells of what fails in it, and not of refused calls, stopped requests and what is well [P26]', () => {
    const rejects = (reason: unknown) =>
      void window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
    rejects(new CallError(403, 'NO', 'No.'))
    rejects(new DOMException('stopped', 'AbortError'))
    recordObservation('remote-report', 'a'.repeat(16), 'loaded')
    expect(said).toEqual([])
    rejects(new TypeError('x is not a function'))
    rejects(undefined)
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('x') }))
    recordObservation('remote-report', 'a'.repeat(16), 'chunk')
    expect(said).toEqual([{ failed: 'error' }, { failed: 'error' }, { failed: 'error' }, { failed: 'chunk' }])
  })

  it.each([
    ['Plain', { title: 'Plain' }],
    ['x'.repeat(200), { title: 'x'.repeat(150) }],
  ])('tells its title without the name of the application: %s', async (title, told) => {
    document.title = title
    await act(async () => undefined)
    expect(said).toEqual([told])
  })
})
