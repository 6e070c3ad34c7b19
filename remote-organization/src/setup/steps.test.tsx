import { organization, scan } from '@dmp/contract'
import { anAlertRules, anOrganization, aReadiness, aSetup, northClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import type { Readiness, Setup } from '@dmp/contract/organization'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { FirstStepsCard } from '../cards.ts'

const whole: Setup = aSetup({
  company: { name: 'DMP Imaging', isNamed: true, address: 'https://dmp.example', isAddressed: true },
  storage: { ...aSetup().storage, isProven: true },
  mail: { ...aSetup().mail, isProven: true },
  administrators: 2,
  customers: 1,
  firstCustomer: { id: northClinic.id, name: 'North-Clinic', hasDatastore: true, hasPictures: true },
})
const drawCard = (options: Partial<ScreenOptions>) =>
  renderScreen(<FirstStepsCard />, { at: '/dashboard', as: 'super_admin', ...options })
/** The answer is drawn in the next turns. */
const settle = () => act(() => new Promise((drawn) => setTimeout(drawn)))

describe('the card of an installation [P50]', () => {
  it.each<[string, Partial<Setup>]>([
    ['nothing', {}],
    ['a name', { company: { ...whole.company, isNamed: false } }],
    ['an address', { company: { ...whole.company, isAddressed: false } }],
    ['a storage that works', { storage: { ...whole.storage, isProven: false } }],
    ['mails', { mail: { ...whole.mail, isProven: false } }],
    ['a second administrator', { administrators: 1 }],
    ['a first customer', { customers: 0, firstCustomer: null }],
    ['a first picture', { firstCustomer: { ...whole.firstCustomer!, hasPictures: false } }],
  ])('is there as long as %s is missing', async (missing, over) => {
    const { calls, container } = drawCard({ answers: [answer(organization.getSetup, { ...whole, ...over })] })
    await waitFor(() => expect(calls(organization.getSetup)).toHaveLength(1))
    await settle()
    if (missing === 'nothing') expect(container).toBeEmptyDOMElement()
    else expect(screen.getByText(/^[45] of 6 done$/)).toBeVisible()
  })

  it.each([
    ['super_admin', organization.getSetup],
    ['admin', organization.getReadiness],
  ] as const)('says to the %s why it is not there', async (as, asked) => {
    drawCard({ as, answers: [answer(asked, new CallError(500, 'INTERNAL', 'This did not work.'))] })
    expect(await screen.findByText('This did not work.')).toBeVisible()
  })

  it.each([
    [undefined, /data folder of the server\.$/],
    [0, /server\. 0 MB are free\.$/],
    [10_239, /server\. 10239 MB are free\.$/],
    [10_240, /server\. 10 GB are free\.$/],
  ])('says of %s MB how much room there is', async (freeMegabytes, said) => {
    const { storage } = aSetup()
    const room = freeMegabytes === undefined ? { ...storage, freeMegabytes: null } : { ...storage, freeMegabytes }
    drawCard({ answers: [answer(organization.getSetup, aSetup({ storage: room }))] })
    expect(await screen.findByText(/^Scans are kept in the data folder/)).toHaveTextContent(said)
  })

  it('says what proves that storage and mail work', async () => {
    drawCard({ answers: [answer(organization.getSetup, { ...whole, administrators: 1 })] })
    expect(await screen.findByText(/Scans are stored already\.$/)).toBeVisible()
    expect(screen.getByText(/Mails were sent already\.$/)).toBeVisible()
    expect(screen.getByText('North-Clinic has scans.')).toBeVisible()
  })
})

describe('the steps of an organization [P50]', () => {
  const item = anOrganization()
  const sample = { studyUID: '2.25.1', seriesUID: '2.25.2' }
  const draw = (readiness: Readiness, { as = 'super_admin', user = {}, answers = [] }: Partial<ScreenOptions> = {}) => {
    const lines: readonly Line[] = [
      answer(organization.get, item),
      answer(organization.datastoreExists, { organizationExists: readiness.hasDatastore }),
      answer(organization.getReadiness, readiness),
      answer(organization.getLogo, null),
      answer(organization.getAlertRules, anAlertRules()),
      ...answers,
    ]
    const at = as === 'admin' ? '/account/organization' : `/organization/detail/${item.id}`
    return renderScreen(<App notFound={null} />, { at, as, user, answers: lines })
  }
  const step = async (name: string) => (await screen.findByText(name)).closest('li')!
  const buttonsOf = (element: HTMLElement) =>
    within(element)
      .queryAllByRole('button')
      .map(({ textContent }) => textContent)

  it.each([
    [{ people: 1 }, 'Add colleagues', 'To doSo far one person has an account.', ['Add user']],
    [{ people: 2, scans: 0 }, 'Add colleagues', 'Done2 people have an account.', ['Add user']],
    [{ scans: 1, people: 1 }, 'First scans', 'Done1 scan is stored.', []],
    [{ scans: 2, people: 1 }, 'First scans', 'Done2 scans are stored.', []],
    [{ scans: 0 }, 'First scans', 'To doNo scans are stored yet.', ['Add the sample study']],
    [
      { scans: 0, sample },
      'First scans',
      'To doNo scans are stored yet. The sample',
      ['Look at the sample', 'Remove the sample'],
    ],
    [{ scans: 0, status: 'Deactivated' }, 'First scans', 'To doNo scans are stored yet.', []],
    [{ status: 'Deactivated' }, 'Activate the organization', 'To doIt is deactivated', []],
    [{ confirmedAdministrators: 0 }, 'Its administrator has signed in', 'To doIt has no administrator', ['Add user']],
    [{ hasDatastore: false, scans: 0 }, 'Datastore', 'To doNothing can be uploaded without it. Press Create', []],
    [
      { confirmedAdministrators: 0, invitation: { email: 'ada@fjord.example', mail: 'sent' } },
      'Its administrator has signed in',
      'To doada@fjord.example is invited and has not signed in yet. The mail to them has left.',
      [],
    ],
  ] as const)('of %j in the step %s', async (over, title, said, buttons) => {
    draw(aReadiness(over as Partial<Readiness>))
    const shown = await step(title)
    expect(shown.textContent?.replace(`${title} `, '').replace('✓', '')).toMatch(
      new RegExp(`^${said.replaceAll('.', '[.]')}`),
    )
    expect(buttonsOf(shown)).toEqual(buttons)
  })

  it.each([
    ['everybody', toPolicy('admin'), ['Upload scans', 'Add the sample study'], ['Add user']],
    [
      'those who may add neither people nor samples',
      toPolicy('admin').flatMap((entry) => {
        if (entry.module === 'BusinessUser') return []
        return entry.module === 'Scan' ? [{ ...entry, actions: ['List', 'Get'] }] : [entry]
      }),
      ['Upload scans'],
      [],
    ],
  ])('offer in the own organization what %s may', async (_, policy, ofScans, ofPeople) => {
    draw(aReadiness({ scans: 0, people: 1 }), { as: 'admin', user: { policy } })
    expect(buttonsOf(await step('First scans'))).toEqual(ofScans)
    expect(buttonsOf(await step('Add colleagues'))).toEqual(ofPeople)
    expect(screen.queryByText('Licenses')).toBeNull()
  })

  it('show the sample to those who may not remove it', async () => {
    const policy = toPolicy('admin').map((entry) => (entry.module === 'Scan' ? { ...entry, actions: ['Get'] } : entry))
    draw(aReadiness({ scans: 0, sample }), { as: 'admin', user: { policy } })
    expect(buttonsOf(await step('First scans'))).toEqual(['Upload scans', 'Look at the sample'])
  })

  it('of an own one without a datastore wait for the provider', async () => {
    draw(aReadiness({ hasDatastore: false, scans: 0 }), { as: 'admin' })
    expect(await step('Datastore')).toHaveTextContent('Your provider still has to create it.')
  })

  it.each([true, false])(
    'are back on the dashboard by a button where they are hidden there: %s',
    async (isDismissed) => {
      const { user, calls } = draw(aReadiness({ scans: 0, isDismissed }), {
        as: 'admin',
        answers: [answer(organization.dismissSetup, null)],
      })
      await step('First scans')
      const back = screen.queryByRole('button', { name: 'Show on the dashboard' })
      expect(back !== null).toBe(isDismissed)
      if (back) await user.click(back)
      expect(calls(organization.dismissSetup)).toEqual(isDismissed ? [{ id: northClinic.id, isDismissed: false }] : [])
    },
  )

  it('lead to the sample', async () => {
    const { user, path } = draw(aReadiness({ sample }))
    await user.click(await screen.findByRole('button', { name: 'Look at the sample' }))
    expect(path()).toBe(`/scan/detail/${item.id}/2.25.2`)
  })

  it('say why a sample could not be added or removed', async () => {
    const refused = new CallError(409, 'NOT_NOW', 'Not now.')
    const first = draw(aReadiness({ scans: 0 }), { answers: [answer(scan.addSample, refused)] })
    await first.user.click(await screen.findByRole('button', { name: 'Add the sample study' }))
    expect(await screen.findByText('Not now.')).toBeVisible()
    first.unmount()
    const second = draw(aReadiness({ sample }), { answers: [answer(scan.removeSample, refused)] })
    await second.user.click(await screen.findByRole('button', { name: 'Remove the sample' }))
    expect(await screen.findByText('Not now.')).toBeVisible()
  })
})
