import { sendApplicationError } from '@dmp/contract/email'
import { guestLimits } from '@dmp/contract/guest'
import { becomeGuest, lastActive, recordActivity, session, useKeys } from '@dmp/kit'
import { addData, answer, placeSettings, renderScreen, serve, signInAs } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { loadRemote, prefetchModule } from '../remotes/loadRemote.ts'
import { observePage } from '../remotes/releaseReports.ts'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { Report } from '../testing/Report.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import GuestFrame from './GuestFrame.tsx'

const guest = { ...createRemote('remote-report'), guest: { calls: ['GET /Complaint/list'] } }

/** What the page says. */
let told: unknown[] = []
/** What the guest says, and the page hears. */
let say: (data: unknown) => void = () => undefined
let isClosed = false

class FakeChannel {
  readonly port1 = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (message: unknown) => void told.push(message),
    close: () => {
      isClosed = true
    },
  }
  constructor() {
    isClosed = false
    say = (data) => this.port1.onmessage?.({ data })
  }
  readonly port2 = {}
}

beforeAll(() => {
  placeSettings()
  observePage()
})
beforeEach(() => {
  told = []
  serve([], placeSettings().apiRoot)
  signInAs('staff')
  placeSnapshot(guest)
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  Object.assign(globalThis, { MessageChannel: FakeChannel, __webpack_public_path__: '/' })
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const findFrame = () => screen.getByTitle<HTMLIFrameElement>('Report')

describe('the frame of a guest', () => {
  it('has a name, no origin, and the releases of this page, in its language and colours [P29, P30]', () => {
    document.documentElement.dataset.theme = 'dark'
    renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    expect(findFrame()).toHaveAttribute('sandbox', 'allow-scripts allow-forms')
    expect(findFrame()).toHaveAttribute(
      'src',
      `/guest-frame/remote-report/${guest.releaseId}/${'1'.repeat(16)}?language=en&theme=dark&density=comfortable`,
    )
  })

  it('gives way to a card when it does not load, which starts it again [P26]', async () => {
    jest.useFakeTimers()
    const person = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) })
    renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    addData('timeout')
    act(() => jest.advanceTimersByTime(20_000))
    expect(screen.getByRole('alert')).toHaveTextContent('Report cannot be shown right now')
    expect(screen.queryByTitle('Report')).not.toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(findFrame()).toBeInTheDocument()
  })

  it('gives way to a card when its document is another one than at first [P30]', () => {
    renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    addData('left')
    fireEvent.load(findFrame())
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    fireEvent.load(findFrame())
    expect(screen.getByRole('alert')).toHaveTextContent('This part left its place, so it was stopped.')
  })

  it('gives way to a card when it gives no sign of life [P26]', () => {
    jest.useFakeTimers()
    renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    addData('silent')
    fireEvent.load(findFrame())
    act(() => say({ drawn: true }))
    act(() => jest.advanceTimersByTime(15_000))
    expect(screen.getByRole('alert')).toHaveTextContent('This part stopped responding, so it was stopped.')
  })

  it('goes on when the page comes back to sight, however long ago it was asked for a sign of life [P26]', () => {
    jest.useFakeTimers()
    renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    fireEvent.load(findFrame())
    act(() => say({ drawn: true }))
    act(() => jest.advanceTimersByTime(guestLimits.pingMs))
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => jest.advanceTimersByTime(10 * guestLimits.silentMs))
    sight.mockReturnValue('visible')
    act(() => jest.advanceTimersByTime(guestLimits.pingMs))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('is over when it is left: its port is closed, and it is not found unready later', async () => {
    jest.useFakeTimers()
    const reports = new Report()
    reports.begin()
    const left = { ...guest, releaseId: 'f'.repeat(16) }
    placeSnapshot(left)
    const { unmount } = renderScreen(<GuestFrame remote={left} />, { at: '/report' })
    fireEvent.load(findFrame())
    unmount()
    expect(isClosed).toBe(true)
    act(() => jest.advanceTimersByTime(30_000))
    jest.useRealTimers()
    expect((await reports.sent()).filter(({ releaseId }) => releaseId === left.releaseId)).toEqual([])
  })

  it('asks before it is left as long as something in it is unsaved', async () => {
    const { goTo, path } = renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    fireEvent.load(findFrame())
    act(() => say({ isUnsaved: true }))
    await goTo('/report/7')
    expect(screen.getByRole('dialog')).toBeInTheDocument()
    expect(path()).toBe('/report')
  })

  it('lets go of what was saved at once: the guest goes on in the same breath', () => {
    const { path } = renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
    fireEvent.load(findFrame())
    act(() => say({ isUnsaved: true }))
    act(() => {
      say({ isUnsaved: false })
      say({ go: '/report/7', isReplacing: false })
    })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(path()).toBe('/report/7')
  })
})

describe('where a guest and the page around it are', () => {
  const places = () => told.filter((message) => 'at' in (message as object))
  const start = () => {
    const answers = [answer(sendApplicationError, null)]
    const page = renderScreen(<GuestFrame remote={guest} />, { at: '/report', answers })
    fireEvent.load(findFrame())
    told.splice(0)
    return page
  }
  const go = (to: string) => act(() => say({ go: to, isReplacing: false }))

  it('is not told of its own steps, which it may have left again by then', () => {
    const { path } = start()
    go('/report/7')
    act(() => {
      say({ go: '/report/8', isReplacing: false })
      say({ go: '/report/9', isReplacing: false })
    })
    expect(path()).toBe('/report/9')
    expect(places()).toEqual([])
  })

  it('is told of the page’s, by Back too, and of how many of its own were heard', async () => {
    const { goTo, path } = start()
    go('/report/7')
    await goTo(-1)
    expect(path()).toBe('/report')
    await goTo('/report/7')
    go('/report/7')
    await goTo('/report/8')
    expect(places()).toEqual([
      { at: '/report', after: 1 },
      { at: '/report/7', after: 1 },
      { at: '/report/8', after: 2 },
    ])
  })

  it.each(['/dashboard', '/not-authorized/Complaint/list'])(
    'may lead to %s, where every trail begins or ends',
    (to) => {
      const { path } = start()
      go(to)
      expect(path()).toBe(to)
    },
  )

  it.each([
    '/\\evil.example/report',
    '/\t/evil.example/report/7',
    '/\t/evil.example/dashboard',
    '/dashboard/else',
    '/not-authorized',
    '/user',
  ])('may not lead to %s [P30]', (to) => {
    const { path } = start()
    go(to)
    expect(path()).toBe('/report')
  })

  it('is called back from an address that is not its own', () => {
    const { path } = start()
    go('/scan')
    expect(path()).toBe('/report')
    expect(places()).toEqual([{ at: '/report', after: 1 }])
  })
})

describe('the keys of the shell in the frame of a guest', () => {
  const run = jest.fn()
  function Shell() {
    useKeys([{ label: 'Search everything', group: 'Everywhere', keys: ['Mod+k'], run }])
    return <GuestFrame remote={guest} />
  }
  const activate = (isActive: boolean | undefined) =>
    Object.defineProperty(navigator, 'userActivation', {
      configurable: true,
      value: isActive === undefined ? undefined : { isActive },
    })
  beforeEach(() => run.mockClear())
  afterEach(() => activate(undefined))

  it('do what they do in the page while the person is at the keyboard [P30]', () => {
    renderScreen(<Shell />, { at: '/report' })
    fireEvent.load(findFrame())
    activate(true)
    act(() => say({ key: 'Mod+k' }))
    expect(run).toHaveBeenCalledTimes(1)
  })

  it.each([
    [true, true],
    [undefined, true],
    [false, false],
  ])('and input in it, which the browser says was a person’s (%p), keeps the session: %p [4.13]', (isActive, keeps) => {
    renderScreen(<Shell />, { at: '/report' })
    fireEvent.load(findFrame())
    recordActivity(1000)
    activate(isActive)
    act(() => say({ isActive: true }))
    expect(lastActive() > 1000).toBe(keeps)
  })

  it.each([
    ['nobody pressed anything', false, 'Mod+k'],
    ['the browser cannot say so', undefined, 'Mod+k'],
    ['it is none of the shell', true, 'Delete'],
  ])('do nothing when %s [P30]', (_when, isActive, key) => {
    renderScreen(<Shell />, { at: '/report' })
    fireEvent.load(findFrame())
    activate(isActive)
    act(() => say({ key }))
    expect(run).not.toHaveBeenCalled()
  })
})

it('tells a guest that is open of another policy, and of the keys that come with it [P30]', () => {
  renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
  fireEvent.load(findFrame())
  const { user } = session.get()
  const changed = { ...user!, policy: [] }
  act(() => becomeGuest(changed))
  expect(told).toContainEqual({ user: changed, keys: [] })
})

it('never loads a guest’s code into the page, whoever asks for it [P30]', async () => {
  const page = fakeScripts(() => 'http')
  await expect(loadRemote(guest, './App')).rejects.toMatchObject({ name: 'RemoteError' })
  await expect(loadRemote(guest, './cards')).rejects.toMatchObject({ name: 'RemoteError' })
  await prefetchModule(guest, './App')
  expect(page.asked).toEqual([])
})
