import * as account from '@dmp/contract/account'
import { session, type Search } from '@dmp/kit'
import { addData, answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Shell } from '../shell/Shell.tsx'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { aSearch, placeSearches } from '../testing/placeSearches.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { renderPage } from '../testing/renderPage.ts'
import { goKeys } from './goKeys.ts'

const draw = (as: 'staff' | 'super_admin' = 'staff') =>
  renderPage(
    <Shell>
      <h1>Page</h1>
    </Shell>,
    { at: '/dashboard', as, answers: [answer(account.logout, null)] },
  )
const field = () => screen.findByRole('combobox', { name: 'Search everything' })
const options = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((option) => option.querySelector('.dmp-palette-text')?.textContent)

afterEach(() => jest.restoreAllMocks())

describe('what the palette offers', () => {
  const place = () =>
    placeSnapshot(
      ...readDeclarations()
        .filter(({ name }) => name !== 'host')
        .map((declaration) => createRemote(declaration.name, { ...declaration, searches: [] })),
    )

  it('is what the policy allows: pages and actions of others are not there [P33]', async () => {
    place()
    const { user } = draw('staff')
    await user.keyboard('{Control>}k{/Control}')
    await field()
    expect(options('Pages')).toEqual(['Worklist', 'Dashboard', 'Complaint', 'Scan', 'Profile', 'Security'])
    expect(options('Actions and settings')).toEqual([
      'Inbox',
      'Change password',
      'Sign out other devices',
      'Two-step verification',
      'Inbox choices',
      'Keyboard settings',
      'Make a complaint',
      'My organization',
      'Upload scans',
      'Keyboard shortcuts',
      'Log out',
    ])
  })

  it('names more to those who may do more, and finds it by other words', async () => {
    place()
    const { user, path } = draw('super_admin')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'invite')
    expect(options('Actions and settings')).toEqual(['Add a user'])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/user/add'))
  })

  it('gives each page a letter of its own', () => {
    const keys = readDeclarations().flatMap(({ navigation }) => navigation.map(({ key }) => key))
    expect(keys).not.toContain(undefined)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('offers nothing that leads nowhere on this page, and no code of a guest [P30, P33]', async () => {
    const searchGuests = jest.fn<ReturnType<Search>, Parameters<Search>>(async () => [])
    const command = (title: string, routerLink: string) => ({
      title,
      routerLink,
      needs: 'session' as const,
      words: 'qq',
    })
    const commands = [command('Here', '/audit/here'), command('Away', '/nowhere')]
    const guest = createRemote('remote-report', { searches: [aSearch('searchGuests', 'Guests')] })
    placeSnapshot(createRemote('remote-audit', { commands }), { ...guest, guest: { calls: [] } })
    const asked = fakeScripts(() => 'http').asked
    const { user } = draw('staff')
    addData('Here Away')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'qq')
    await waitFor(() => expect(options('Actions and settings')).toEqual(['Here']))
    await screen.findByText('1 result')
    expect([asked, searchGuests.mock.calls]).toEqual([[], []])
    expect(screen.queryByRole('group', { name: 'Guests' })).toBeNull()
  })

  it('gives a letter that two pages want to the upper one', () => {
    const page = (key: string, routerLink: string, order: number) =>
      ({ key, alias: routerLink.slice(1), routerLink, order, frontEndModule: true }) as never
    const declared = createRemote('remote-audit', { navigation: [page('a', '/one', 2), page('a', '/two', 1)] })
    const keys = goKeys([declared.declaration], [])
    expect(keys.map(({ keys: key, to }) => `${key} ${to}`)).toEqual(['g a /two'])
  })

  it('asks no search that the policy does not allow, and does not even load it [P33]', async () => {
    const searchSecrets = jest.fn<ReturnType<Search>, Parameters<Search>>(async () => [])
    const searchOwn = jest.fn<ReturnType<Search>, Parameters<Search>>(async () => [{ to: '/own', text: 'Own' }])
    const needs = { module: 'Organization', action: 'List' }
    const asked = placeSearches(
      { searches: [aSearch('searchSecrets', 'Organizations', { needs })], module: { searchSecrets } },
      { searches: [aSearch('searchOwn', 'Own things')], module: { searchOwn } },
    )
    const { user } = draw('staff')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'south')
    expect(await screen.findByRole('option', { name: 'Own' })).toBeVisible()
    expect(screen.queryByRole('group', { name: 'Organizations' })).toBeNull()
    expect([asked.length, searchSecrets.mock.calls.length, searchOwn.mock.calls.length]).toEqual([1, 0, 1])
  })
})

describe('what was opened a moment ago', () => {
  const searchPatients: Search = async () => [{ to: '/scan/detail/1/2', text: 'Sample, Anna', note: 'P-1' }]
  const openPatient = async (user: ReturnType<typeof draw>['user']) => {
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'anna')
    await screen.findByRole('option', { name: /Sample, Anna/ })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }

  it('stands first, and only there', async () => {
    placeSearches({ searches: [aSearch('searchPatients', 'Patients')], module: { searchPatients } })
    const { user } = draw()
    await openPatient(user)
    await user.keyboard('{Control>}k{/Control}')
    await field()
    expect(within(screen.getByRole('listbox')).getAllByRole('group')[0]).toHaveAccessibleName('Recent')
    expect(options('Recent')).toEqual(['Sample, Anna'])
    // Opened once more, it still stands there once.
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('{Control>}k{/Control}')
    await field()
    expect(options('Recent')).toEqual(['Sample, Anna'])
    await user.type(await field(), 'sam')
    await waitFor(() => expect(screen.getByText('1 result')).toBeInTheDocument())
    expect(screen.getAllByRole('option')).toHaveLength(1)
  })

  it('is in the memory of this tab only, and gone with its person [P23, P33]', async () => {
    placeSearches({ searches: [aSearch('searchPatients', 'Patients')], module: { searchPatients } })
    const first = draw()
    await openPatient(first.user)
    for (const storage of [localStorage, sessionStorage]) expect(JSON.stringify({ ...storage })).not.toContain('Sample')
    first.unmount()
    await session.end()
    const next = draw()
    await next.user.keyboard('{Control>}k{/Control}')
    await field()
    expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
  })
})
