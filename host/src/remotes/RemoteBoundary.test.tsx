import type { RemoteOnPage } from '@dmp/contract/release'
import { sendApplicationError } from '@dmp/contract/email'
import { addData, answer, placeSettings, renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { Report } from '../testing/Report.ts'
import { takeUnfinished } from './beginnings.ts'
import type { ReactNode } from 'react'
import { loadRemote } from './loadRemote.ts'
import { drawnMark, partMark } from './pageMarks.ts'
import { patienceMs, RemoteBoundary } from './RemoteBoundary.tsx'
import { observePage } from './releaseReports.ts'

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

beforeAll(() => {
  placeSettings()
  observePage()
})
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
    addData('unready')
    await act(() => jest.advanceTimersByTimeAsync(patienceMs - 2000))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(() => jest.advanceTimersByTimeAsync(4000))
    expect(screen.getByRole('alert')).toHaveTextContent('This part was loaded, but shows nothing yet.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
    jest.useRealTimers()
    const told = (await reports.sent()).filter(({ what }) => what !== 'loaded')
    expect(told).toEqual([{ part: remote.declaration.name, releaseId: remote.releaseId, what: 'unready' }])
  })

  it('is drawn again once an edit has mended what it could not draw', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const remote = await aLoadedRemote()
    let isBroken = true
    const Edited = () => {
      if (isBroken) throw new Error('edited')
      return <p>There it is</p>
    }
    renderScreen(
      <RemoteBoundary remote={remote}>
        <Edited />
      </RemoteBoundary>,
      { at: '/late', answers: [answer(sendApplicationError, null)] },
    )
    addData('render')
    expect(screen.getByRole('alert')).toHaveTextContent('cannot be shown right now')
    isBroken = false
    act(() => void dispatchEvent(new Event('dmp:updated')))
    expect(screen.getByText('There it is')).toBeVisible()
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
    addData('unready')
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

describe('a part on the page', () => {
  let left: string[] = []
  const ground = {
    enter: jest.fn(),
    leave: () => () => left,
    begin: jest.fn(),
    end: jest.fn(),
    findPart: () => '',
  }
  beforeEach(() => {
    left = []
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    Object.assign(globalThis, { dmpGround: ground })
  })
  afterEach(() => void Reflect.deleteProperty(globalThis, 'dmpGround'))

  /** In the page's frame, as the shell has it. */
  async function draw(remote: RemoteOnPage, screens: ReactNode) {
    jest.useFakeTimers({ advanceTimers: true })
    const Page = () => (
      <div data-testid="frame">
        <header />
        <main id="content">
          <RemoteBoundary remote={remote}>{screens}</RemoteBoundary>
        </main>
      </div>
    )
    const drawn = renderScreen(<Page />, { at: '/late', answers: [answer(sendApplicationError, null)] })
    addData('unready')
    return drawn
  }

  it('that draws nothing gets the card of one that never comes, and is told of', async () => {
    const remote = await aLoadedRemote()
    await draw(remote, null)
    await act(() => jest.advanceTimersByTimeAsync(patienceMs - 1000))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(() => jest.advanceTimersByTimeAsync(2000))
    expect(screen.getByRole('alert')).toHaveTextContent('This part was loaded, but shows nothing yet.')
    jest.useRealTimers()
    expect(await reports.sent()).toContainEqual({
      part: remote.declaration.name,
      releaseId: remote.releaseId,
      what: 'unready',
    })
  })

  it('that hides the frame is stopped, and what it wrote on the page goes [P26]', async () => {
    const remote = await aLoadedRemote()
    Object.assign(HTMLElement.prototype, {
      checkVisibility(this: HTMLElement) {
        return this.closest<HTMLElement>('[style*="none"]') === null
      },
    })
    await draw(remote, <p>There it is</p>)
    document.body.style.display = 'none'
    await act(() => jest.advanceTimersByTimeAsync(1500))
    expect(screen.getByRole('alert')).toHaveTextContent('This part hid the rest of the page, so it was stopped.')
    expect(document.body.style.display).toBe('')
    jest.useRealTimers()
    expect(await reports.sent()).toContainEqual({
      part: remote.declaration.name,
      releaseId: remote.releaseId,
      what: 'error',
    })
    Reflect.deleteProperty(HTMLElement.prototype, 'checkVisibility')
  })

  it('names the page from when it is there, and its team is told what it left', async () => {
    const remote = await aLoadedRemote()
    const { unmount } = await draw(remote, <p>There it is</p>)
    expect(ground.enter).toHaveBeenLastCalledWith(remote.declaration.name)
    jest.mocked(console.error).mockClear()
    unmount()
    await jest.advanceTimersByTimeAsync(1500)
    expect(console.error).not.toHaveBeenCalled()
    const again = await draw(remote, <p>There it is</p>)
    left = ['interval', 'keydown']
    again.unmount()
    await jest.advanceTimersByTimeAsync(1500)
    expect(jest.mocked(console.error)).toHaveBeenCalledWith(
      `[${remote.declaration.name}@${remote.releaseId}]`,
      new Error('It was left and kept on the page: interval, keydown.'),
    )
  })
})

it('notes for the times of a page when a part comes, is drawn and goes [P85]', async () => {
  const marks: string[] = []
  const before = performance.mark
  performance.mark = (name: string) => {
    marks.push(name)
    return {} as PerformanceMark
  }
  const remote = await aLoadedRemote()
  const { unmount } = renderScreen(
    <RemoteBoundary remote={remote}>
      <p>The screens of the part</p>
    </RemoteBoundary>,
    { at: '/late' },
  )
  expect(await screen.findByText('The screens of the part')).toBeVisible()
  unmount()
  performance.mark = before
  const { name } = remote.declaration
  expect(marks).toEqual([
    `${partMark} ${name} ${remote.releaseId}`,
    `${drawnMark} ${name}`,
    expect.stringMatching(`^${partMark} host `),
  ])
})
