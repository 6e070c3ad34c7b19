import { sendApplicationError } from '@dmp/contract/email'
import { addData, answer, placeSettings, renderScreen, signInAs } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { observePage } from '../remotes/releaseReports.ts'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { Report } from '../testing/Report.ts'
import { toFrameAddress } from './frameAddress.ts'
import GuestFrame from './GuestFrame.tsx'

const guest = { ...createRemote('remote-report'), guest: { calls: ['GET /Complaint/list'] } }

/** What the guest says, and the page hears. */
let say: (data: unknown) => void = () => undefined
class FakeChannel {
  readonly port1 = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: () => undefined,
    close: () => undefined,
  }
  readonly port2 = {}
  constructor() {
    say = (data) => this.port1.onmessage?.({ data })
  }
}

beforeAll(() => {
  placeSettings()
  observePage()
})
beforeEach(() => {
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

it.each([
  ['it draws nothing', false],
  ['nothing is wrong: it stands', true],
])('the frame of a guest gives way to a card after a while, or none, when %s [P26]', (_what, isDrawn) => {
  jest.useFakeTimers()
  renderScreen(<GuestFrame remote={guest} />, { at: '/report', answers: [answer(sendApplicationError, null)] })
  addData('unready')
  fireEvent.load(findFrame())
  if (isDrawn) act(() => say({ drawn: true }))
  for (let second = 0; second < 13; second += 1)
    act(() => {
      say({ pong: second })
      jest.advanceTimersByTime(1000)
    })
  const card = 'This part was loaded, but shows nothing yet.'
  expect(screen.queryByRole('alert')?.textContent.includes(card) ?? false).toBe(!isDrawn)
  expect(screen.queryAllByTitle('Report')).toHaveLength(isDrawn ? 1 : 0)
})

it('a guest is told of as loaded once, however often it says that it stands', async () => {
  const reports = new Report()
  reports.begin()
  const twice = { ...guest, releaseId: 'e'.repeat(16) }
  placeSnapshot(twice)
  renderScreen(<GuestFrame remote={twice} />, { at: '/report' })
  fireEvent.load(findFrame())
  act(() => {
    say({ failed: 'error' })
    say({ drawn: true })
  })
  const told = (await reports.sent()).filter(({ releaseId }) => releaseId === twice.releaseId)
  expect(told.map(({ what }) => what)).toEqual(['error'])
})

it.each([
  ['at the first page of a visit', false],
  ['where the person came to it from elsewhere on the page', true],
])('the frame of a guest has the focus, or not, %s [P29]', async (_when, isFrom) => {
  const { goTo } = renderScreen(<GuestFrame remote={guest} />, { at: '/report' })
  if (isFrom) await goTo('/report/7')
  fireEvent.load(findFrame())
  act(() => say({ drawn: true }))
  expect(document.activeElement === findFrame()).toBe(isFrom)
})

it('the frame of a guest has the colours and rows that the person chose, before the page itself has them', () => {
  delete document.documentElement.dataset.theme
  const toQuery = () => toFrameAddress(guest).split('?')[1]
  expect(toQuery()).toBe('language=en&theme=system&density=comfortable')
  localStorage.setItem('preference:theme', 'light')
  localStorage.setItem('preference:density', 'compact')
  expect(toQuery()).toBe('language=en&theme=light&density=compact')
  localStorage.clear()
})
