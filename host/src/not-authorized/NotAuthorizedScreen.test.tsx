import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { HostPages } from '../pages/HostPages.tsx'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'

beforeEach(() => placeSnapshot())

describe('the 403 page', () => {
  it('names module and action, in the policy’s spelling, and leads back [2.29, 2.38]', async () => {
    const { user, path } = renderScreen(<HostPages />, { at: '/not-authorized/Complaint/list' })
    expect(screen.getByRole('heading', { level: 1, name: '403 Not Authorized' })).toBeVisible()
    expect(screen.getByText('You do not have access to Complaint module, List action')).toBeVisible()
    expect(screen.getByText('Kindly try accessing modules from the left panel.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Back to Dashboard' }))
    expect(path()).toBe('/dashboard')
  })

  it.each([
    ['businessUser', 'activateUser', 'BusinessUser module, Activate action'],
    ['Organization', 'deactivate', 'Organization module, DeActivate action'],
  ])('understands the names that calls have: %s/%s [8.01]', (module, action, text) => {
    renderScreen(<HostPages />, { at: `/not-authorized/${module}/${action}` })
    expect(screen.getByText(`You do not have access to ${text}`)).toBeVisible()
  })

  it('knows a module that only a remote of this page names [2.38]', () => {
    placeSnapshot(
      createRemote('remote-report', {
        navigation: [
          {
            alias: 'Reports',
            routerLink: '/report',
            fontAwesomeClass: 'fa-solid fa-star',
            frontEndModule: true,
            module: 'Reports',
            action: 'Read',
            order: 70,
          },
        ],
      }),
    )
    renderScreen(<HostPages />, { at: '/not-authorized/reports/read' })
    expect(screen.getByText('You do not have access to Reports module, Read action')).toBeVisible()
  })

  it.each([
    ['You%20won', 'a%20prize'],
    ['Scan', 'call%20555-1234'],
    ['__proto__', 'constructor'],
  ])('shows no word that is not a name of the product: %s/%s [2.38]', (module, action) => {
    renderScreen(<HostPages />, { at: `/not-authorized/${module}/${action}` })
    expect(screen.getByText('You do not have access to this page.')).toBeVisible()
    expect(document.body).not.toHaveTextContent(/prize|555|proto/)
  })
})

it('shows the terms as a static page [2.08]', () => {
  renderScreen(<HostPages />, { at: '/terms', as: null })
  expect(screen.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
})
