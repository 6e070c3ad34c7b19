import { screen, within } from '@testing-library/react'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { fakeScripts, type ScriptOutcome } from '../testing/fakeScripts.ts'
import { addData } from '@dmp/kit/testing'
import { DashboardScreen } from './DashboardScreen.tsx'

const card = (name: string, title: string, needs: 'session' | { module: string; action: string }, order: number) => ({
  name,
  title,
  needs,
  order,
})
const runs = (name: string, module: unknown): ScriptOutcome => ({
  global: name.replaceAll('-', '_'),
  container: { get: async () => () => module },
})

beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => jest.restoreAllMocks())

describe('the dashboard', () => {
  it.each([
    ['staff', 'Staff'],
    ['super_admin', 'Super Administrator'],
  ] as const)('says whose it is: %s [2.09]', (role, name) => {
    placeSnapshot()
    renderPage(<DashboardScreen />, { at: '/dashboard', as: role })
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(screen.getByText(`This is the ${name} dashboard`)).toBeVisible()
  })

  it('shows the cards that the remotes contribute for this policy, in their order [2.09]', async () => {
    const scan = createRemote('remote-one', {
      cards: [card('NewestScansCard', 'Newest scans', { module: 'Scan', action: 'List' }, 30)],
    })
    const user = createRemote('remote-two', {
      cards: [
        card('HelloCard', 'Hello', 'session', 10),
        card('UsersCard', 'Users', { module: 'BusinessUser', action: 'List' }, 20),
      ],
    })
    placeSnapshot(scan, user)
    fakeScripts((path) =>
      path.includes('remote-one')
        ? runs('remote-one', { NewestScansCard: () => <p>three scans</p> })
        : runs('remote-two', { HelloCard: () => <p>hello</p>, UsersCard: () => <p>users</p> }),
    )
    renderPage(<DashboardScreen />, { at: '/dashboard', as: 'staff' })
    expect(await screen.findByText('three scans')).toBeVisible()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Hello',
      'Newest scans',
    ])
  })

  it('holds the place of a card on its way with its title and three grey lines [2.09]', () => {
    placeSnapshot(createRemote('remote-six', { cards: [card('SlowCard', 'Slow', 'session', 1)] }))
    fakeScripts(() => 'hangs')
    renderPage(<DashboardScreen />, { at: '/dashboard' })
    const region = screen.getByRole('region', { name: 'Slow' })
    expect(within(region).getByRole('heading', { level: 2, name: 'Slow' })).toBeVisible()
    expect(region.querySelectorAll('.dmp-skeleton .dmp-grey')).toHaveLength(3)
  })

  it('says of a card whether it may be empty and how wide it is, as the part declares it, and names none itself [P53]', () => {
    const plain = card('PlainCard', 'Plain', 'session', 2)
    const special = { ...card('SpecialCard', 'Special', 'session', 1), mayBeEmpty: true, isWide: true }
    placeSnapshot(createRemote('remote-seven', { cards: [plain, special] }))
    fakeScripts(() => 'hangs')
    const { container } = renderPage(<DashboardScreen />, { at: '/dashboard' })
    const classOf = (name: string) => container.querySelector(`[data-card="${name}"]`)?.className
    expect(classOf('PlainCard')).toBe('dmp-card')
    expect(classOf('SpecialCard')).toBe('dmp-card dmp-card--may-be-empty dmp-card--wide')
  })

  it('draws the card of a guest itself, with the way to it, and loads nothing of it [2.09, P30]', () => {
    const guest = createRemote('remote-report', { cards: [card('ReportsCard', 'Newest reports', 'session', 1)] })
    placeSnapshot({ ...guest, guest: { calls: [] } })
    const page = fakeScripts(() => 'http')
    renderPage(<DashboardScreen />, { at: '/dashboard' })
    addData('Newest reports Report')
    const region = screen.getByRole('region', { name: 'Newest reports' })
    expect(within(region).getByRole('link', { name: 'Open Report' })).toHaveAttribute('href', '/report')
    expect(page.asked).toEqual([])
  })

  it('lets each card fail alone [2.09, P26]', async () => {
    placeSnapshot(
      createRemote('remote-three', { cards: [card('WorkingCard', 'Working', 'session', 1)] }),
      createRemote('remote-four', {
        cards: [card('ThrowingCard', 'Throwing', 'session', 2), card('MissingCard', 'Missing', 'session', 3)],
      }),
      createRemote('remote-five', { cards: [card('DeadCard', 'Dead', 'session', 4)] }),
    )
    const ThrowingCard = () => {
      throw new Error('thrown while drawing')
    }
    fakeScripts((path) =>
      path.includes('five')
        ? 'http'
        : path.includes('four')
          ? runs('remote-four', { ThrowingCard })
          : runs('remote-three', { WorkingCard: () => <p>it works</p> }),
    )
    renderPage(<DashboardScreen />, { at: '/dashboard' })
    for (const title of ['Throwing', 'Missing', 'Dead'])
      expect(await within(screen.getByRole('region', { name: title })).findByRole('alert')).toBeVisible()
    expect(within(screen.getByRole('region', { name: 'Working' })).getByText('it works')).toBeVisible()
  })
})
