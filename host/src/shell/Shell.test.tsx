import * as account from '@dmp/contract/account'
import * as scan from '@dmp/contract/scan'
import { CallError, session } from '@dmp/kit'
import { answer, renderScreen, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { PublicFrame } from './PublicFrame.tsx'
import { Shell } from './Shell.tsx'

// The modules of the specification; a later remote adds its own entry.
const specified = readDeclarations().filter(({ name }) =>
  /^remote-(?:account|complaint|organization|registration|scan|user)$/.test(name),
)

function draw(options: Partial<ScreenOptions> = {}) {
  placeSnapshot(...specified.map((declaration) => createRemote(declaration.name, declaration)))
  return renderScreen(
    <Shell>
      <h1>Page</h1>
    </Shell>,
    { at: '/dashboard', ...options },
  )
}
const side = () => screen.getByRole('complementary', { name: 'Side navigation' })
const entries = () =>
  within(within(side()).getByRole('navigation'))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

afterEach(() => jest.restoreAllMocks())

describe('side navigation', () => {
  it('shows full name, organization and role display name [2.32]', () => {
    draw({ as: 'admin', user: { fullName: 'Ms Ada Berg' } })
    for (const text of ['Ms Ada Berg', 'North-Clinic', 'Administrator'])
      expect(within(side()).getByText(text)).toBeVisible()
  })

  it.each([
    ['staff', ['Worklist', 'Dashboard', 'Complaint', 'Scan', 'Profile', 'Security']],
    [
      'admin',
      [
        'Worklist',
        'Dashboard',
        'Complaint',
        'Scan',
        'User',
        'Profile',
        'Security',
        'API tokens',
        'Webhooks',
        'DICOM partners',
        'Stations',
      ],
    ],
    [
      'super_admin',
      [
        'Worklist',
        'Dashboard',
        'Complaint',
        'Organization',
        'Registration',
        'Scan',
        'User',
        'Platform',
        'Profile',
        'Security',
        'API tokens',
        'Webhooks',
        'DICOM partners',
        'Stations',
      ],
    ],
  ] as const)(
    'lists for %s the worklist, then Dashboard and the modules that the policy lists, and the Account group [2.32, 2.33, 1.02]',
    (role, names) => {
      draw({ as: role })
      expect(entries()).toEqual(names)
      expect(within(side()).getByRole('group', { name: 'Account' })).toHaveTextContent(/Profile.*Security/)
    },
  )

  it('leads to the route links and marks where one is [2.32, 3.18]', () => {
    draw({ as: 'super_admin', at: '/user/detail/1' })
    const links = Object.fromEntries(
      within(side())
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    )
    expect(links).toEqual({
      'Data Management Platform': '/dashboard',
      Provider: '/account/organization',
      Worklist: '/scan/worklist',
      Dashboard: '/dashboard',
      Complaint: '/complaint',
      Organization: '/organization',
      Registration: '/registration',
      Scan: '/scan',
      User: '/user',
      Platform: '/platform',
      Profile: '/account/profile',
      Security: '/account/Security',
      'API tokens': '/account/api-tokens',
      Webhooks: '/account/webhooks',
      'DICOM partners': '/account/dicom-partners',
      Stations: '/account/stations',
    })
    expect(within(side()).getByRole('link', { current: 'page' })).toHaveTextContent('User')
  })

  it.each([
    ['/scan/worklist', 'Worklist'],
    ['/scan', 'Scan'],
    ['/scan/detail/1/2', 'Scan'],
  ])('marks at %s the entry %s alone, where one lies below the other', (at, name) => {
    draw({ as: 'staff', at })
    expect(within(side()).getByRole('link', { current: 'page' })).toHaveTextContent(name)
    expect(side().querySelectorAll('a.active')).toHaveLength(1)
  })

  it('shows any other module that is in the policy, and none that is not a front-end module [2.32, 2.33]', () => {
    const entry = { fontAwesomeClass: 'fa-solid fa-star', module: 'Audit', order: 65 }
    placeSnapshot(
      createRemote('remote-audit', {
        navigation: [
          { ...entry, alias: 'Audit', routerLink: '/audit', frontEndModule: true },
          { ...entry, alias: 'Hidden', routerLink: '/hidden', frontEndModule: false },
        ],
      }),
    )
    const policy = [{ moduleId: '1', module: 'Audit', actions: ['Get'] }]
    renderScreen(<Shell>page</Shell>, { at: '/dashboard', user: { policy } as NonNullable<ScreenOptions['user']> })
    expect(entries()).toEqual(['Dashboard', 'Audit'])
  })

  it('is 220 px wide and 100 px when collapsed; a click toggles between active and inactive [2.32, 4.09, 9.14]', async () => {
    const { user, container } = draw()
    const shell = container.querySelector<HTMLElement>('.dmp-shell')!
    expect(shell.dataset.side).toBe('UNINITIALIZED')
    expect(shell.style.getPropertyValue('--dmp-side-full')).toBe('220px')
    expect(shell.style.getPropertyValue('--dmp-side-small')).toBe('100px')
    await user.click(screen.getByRole('button', { name: 'Collapse' }))
    expect(shell.dataset.side).toBe('INACTIVE')
    await user.click(screen.getByRole('button', { name: 'Toggle navigation' }))
    expect(shell.dataset.side).toBe('ACTIVE')
  })

  it('is on narrow screens a drawer over the page, which closes when a place was chosen [4.09]', async () => {
    jest.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query.includes('767px'),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    )
    const { user, container, path } = draw()
    const shell = container.querySelector<HTMLElement>('.dmp-shell')!
    await user.click(screen.getByRole('button', { name: 'Toggle navigation' }))
    expect(shell.dataset.side).toBe('INACTIVE')
    await user.click(within(side()).getByRole('link', { name: 'Scan' }))
    expect(path()).toBe('/scan')
    expect(shell.dataset.side).toBe('ACTIVE')
    await user.click(screen.getByRole('button', { name: 'Toggle navigation' }))
    await user.click(screen.getByRole('button', { name: 'Close navigation' }))
    expect(shell.dataset.side).toBe('ACTIVE')
  })
})

describe('user menu', () => {
  it.each([
    ['Profile', '/account/profile'],
    ['Security', '/account/security'],
    ['Complaint', '/complaint/add'],
  ])('leads with %s to %s, whatever the policy says [2.32, 2.33]', async (item, to) => {
    const { user, path } = draw({ user: { policy: [] } })
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
    expect(path()).toBe(to)
  })

  it('has the languages after it, and keeps the choice', async () => {
    // jsdom loads no page, and says so.
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const { user, path } = draw()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Deutsch' }))
    expect(localStorage.getItem('preference:language')).toBe('de')
    expect(path()).toBe('/dashboard')
    localStorage.removeItem('preference:language')
  })

  it('logs out [2.32]', async () => {
    const end = jest.spyOn(session, 'end').mockResolvedValue()
    const { user } = draw()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    expect(end).toHaveBeenCalledWith()
  })
})

describe('top bar', () => {
  it('welcomes by the product’s name and logs out; it is 60 px high [1.01, 2.34, 9.14]', async () => {
    const end = jest.spyOn(session, 'end').mockResolvedValue()
    const { user, container } = draw()
    expect(screen.getByRole('banner')).toHaveTextContent('Welcome to Data Management Platform')
    expect(container.querySelector<HTMLElement>('.dmp-shell')!.style.getPropertyValue('--dmp-top-height')).toBe('60px')
    await user.click(within(screen.getByRole('banner')).getByRole('button', { name: 'Log out' }))
    expect(end).toHaveBeenCalledWith()
  })

  it('lets the keyboard skip past the navigation to the page [P29]', async () => {
    const { user } = draw()
    await user.tab()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
  })
})

describe('footer', () => {
  const footer = () => within(screen.getByRole('contentinfo'))

  it('has Terms Of Use, IFU, Device Label, Uploader, company, copyright and year, also where nobody is signed in [1.12, 2.36, 3.19]', () => {
    renderScreen(<PublicFrame>page</PublicFrame>, { at: '/login', as: null })
    expect(footer().getByRole('link', { name: 'Terms Of Use' })).toHaveAttribute(
      'href',
      'https://imaging.example/terms',
    )
    for (const name of ['IFU', 'Device Label', 'Uploader']) expect(footer().getByRole('button', { name })).toBeVisible()
    expect(screen.getByRole('contentinfo')).toHaveTextContent('© 2026 Example Imaging · v1.1.0')
  })

  it('opens the instructions for use in a new tab [2.41, 7.14]', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const { user } = draw({ answers: [answer(account.getIFU, 'https://imaging.example/ifu.pdf')] })
    await user.click(footer().getByRole('button', { name: 'IFU' }))
    await waitFor(() =>
      expect(open).toHaveBeenCalledWith('https://imaging.example/ifu.pdf', '_blank', 'noopener,noreferrer'),
    )
  })

  it('asks for the uploader for windows, for the own organization, and opens it in a new tab [2.41, 7.38]', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const { user, calls } = draw({ answers: [answer(scan.getUploader, { url: '/uploader/windows.exe' })] })
    await user.click(footer().getByRole('button', { name: 'Uploader' }))
    await waitFor(() => expect(open).toHaveBeenCalledWith('/uploader/windows.exe', '_blank', 'noopener,noreferrer'))
    expect(calls(scan.getUploader)).toEqual([
      { organizationId: '00000000-0000-4000-8000-000000000002', platform: 'windows' },
    ])
  })

  it('shows a failed call as an error notification with its message [8.08]', async () => {
    const { user } = draw({
      answers: [answer(account.getIFU, new CallError(503, 'NOT_READY', 'The document is not there yet.'))],
    })
    await user.click(footer().getByRole('button', { name: 'IFU' }))
    expect(await screen.findByText('The document is not there yet.')).toBeVisible()
  })

  it('leads from the name of the organization to its page [2.27]', async () => {
    draw()
    expect(await screen.findByRole('link', { name: 'North-Clinic' })).toHaveAttribute('href', '/account/organization')
  })

  it('shows the device label in a dialog that a click beside it does not close [2.39, 3.19, 9.12]', async () => {
    const { user } = draw()
    await user.click(footer().getByRole('button', { name: 'Device Label' }))
    const dialog = await screen.findByRole('dialog', { name: 'Device Label' })
    for (const text of [
      'Example Imaging',
      '1 Example Street, 10115 Berlin, Germany',
      '2024-09-26',
      '2 Example Street, 10115 Berlin, Germany',
      '(01)00000000000000',
      'DLT-002 Rev:3',
      'NOT FOR SALE',
      'NOT FOR CLINICAL USE',
      "'PRODUCT MANUALS' section after logging in",
      'within 7 calendar days of a request',
      'v1.1.0',
      'https://imaging.example/manual',
    ])
      expect(dialog).toHaveTextContent(text)
    await user.click(dialog.parentElement!)
    expect(screen.getByRole('dialog', { name: 'Device Label' })).toBeInTheDocument()
    await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
