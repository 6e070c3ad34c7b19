import { businessUser, organization, scan } from '@dmp/contract'
import { anAlertRules, anOrganization, aReadiness, aSetup, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { FirstStepsCard } from '../cards.ts'

const good = (sentence: string) => ({ isGood: true, sentence, date: '2026-11-23T10:00:00.000Z' })
const draw = (answers: readonly Line[], at = '/organization/setup') =>
  renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers })
const step = async (name: string) =>
  within(await screen.findByText(name).then((title) => title.closest('li') as HTMLElement))

describe('the checklist of an installation [P50]', () => {
  it('says each state in a word, and does one thing per step', async () => {
    let setup = aSetup()
    const { user, calls } = draw([
      answer(organization.getSetup, () => setup),
      answer(organization.testStorage, () => {
        setup = aSetup({
          storage: { ...setup.storage, test: good('A test object was written, read back and removed.') },
        })
        return setup.storage.test ?? good('')
      }),
    ])
    expect(await screen.findByText('0 of 6 done')).toBeVisible()
    expect((await step('Try the storage')).getByText('To do')).toBeVisible()
    expect((await step('Try the storage')).getByText(/50 GB are free/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Test storage' }))
    expect(await screen.findByText('1 of 6 done')).toBeVisible()
    expect((await step('Try the storage')).getByText('Done')).toBeVisible()
    expect(calls(organization.testStorage)).toHaveLength(1)
  })

  it('shows a test that failed as failed, with what the mail server said', async () => {
    const test = { ...good('mail.example refused the user or the password (535).'), isGood: false }
    draw([answer(organization.getSetup, aSetup({ mail: { sentence: 'Mails go out.', test, isProven: true } }))])
    expect((await step('Try the mail')).getByText('Failed')).toBeVisible()
    expect(screen.getByText(/refused the user or the password \(535\)/)).toBeVisible()
  })

  it('tries the mail when it is asked to, and shows how that went', async () => {
    let setup = aSetup()
    const { user, calls } = draw([
      answer(organization.getSetup, () => setup),
      answer(organization.testMail, () => {
        if (setup.mail.test) return new CallError(429, 'TOO_MANY', 'Wait a minute before the next test.')
        setup = aSetup({ mail: { ...setup.mail, test: good('A mail was sent to you.') } })
        return good('A mail was sent to you.')
      }),
    ])
    expect((await step('Try the mail')).getByText('To do')).toBeVisible()
    const send = () => user.click(screen.getByRole('button', { name: 'Send a test to me' }))
    await send()
    expect(await screen.findByText(/A mail was sent to you\./)).toBeVisible()
    expect((await step('Try the mail')).getByText('Done')).toBeVisible()
    expect((await step('Try the storage')).getByText('To do')).toBeVisible()
    await send()
    expect(await screen.findByText('Wait a minute before the next test.')).toBeVisible()
    expect(calls(organization.testMail)).toHaveLength(2)
  })

  it('adds the sample to the first customer and opens it', async () => {
    const firstCustomer = { id: northClinic.id, name: 'North-Clinic', hasDatastore: true, hasPictures: false }
    const { user, path } = draw([
      answer(organization.getSetup, aSetup({ customers: 1, firstCustomer })),
      answer(scan.addSample, { studyUID: '2.25.1', seriesUID: '2.25.2' }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Add the sample study' }))
    await waitFor(() => expect(path()).toBe(`/scan/detail/${northClinic.id}/2.25.2`))
  })
})

describe('the card of the dashboard [P50]', () => {
  it('is hidden by one press, has no steps then, and is back by Undo', async () => {
    let isDismissed = false
    const { user, calls, container } = renderScreen(<FirstStepsCard />, {
      at: '/dashboard',
      as: 'admin',
      answers: [
        answer(organization.getReadiness, () => aReadiness({ scans: 0, isDismissed })),
        answer(organization.getLogo, null),
        answer(organization.getAlertRules, anAlertRules()),
        answer(organization.dismissSetup, (input) => {
          isDismissed = input.isDismissed
          return null
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Hide here' }))
    await waitFor(() => expect(container).toBeEmptyDOMElement())
    expect(await screen.findByText('Checklist hidden from the dashboard')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Checklist back on the dashboard')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Hide here' })).toBeVisible()
    expect(calls(organization.dismissSetup)).toMatchObject([{ isDismissed: true }, { isDismissed: false }])
  })

  it('is no checklist once everything is there', async () => {
    const { calls, container } = renderScreen(<FirstStepsCard />, {
      at: '/dashboard',
      as: 'admin',
      answers: [answer(organization.getReadiness, aReadiness()), answer(organization.getLogo, null)],
    })
    await waitFor(() => expect(calls(organization.getReadiness)).toHaveLength(1))
    // The answer is drawn in the next turns.
    await act(() => new Promise((drawn) => setTimeout(drawn)))
    expect(container).toBeEmptyDOMElement()
  })
})

describe('an organization that its people cannot work in yet [P50]', () => {
  const item = anOrganization()
  const open = (readiness: organization.Readiness) =>
    draw(
      [
        answer(organization.get, item),
        answer(organization.datastoreExists, { organizationExists: readiness.hasDatastore }),
        answer(organization.getReadiness, readiness),
        answer(organization.getLogo, null),
        answer(organization.getAlertRules, anAlertRules()),
        answer(scan.removeSample, null),
      ],
      `/organization/detail/${item.id}`,
    )

  it('says what is missing and the next step', async () => {
    open(
      aReadiness({
        hasDatastore: false,
        confirmedAdministrators: 0,
        people: 1,
        scans: 0,
        invitation: { email: 'ada@fjord.example', mail: 'waiting' },
      }),
    )
    const steps = await screen.findByRole('list', { name: 'First steps' })
    expect(steps).toHaveTextContent('Nothing can be uploaded without it. Press Create Datastore.')
    expect(steps).toHaveTextContent(
      'ada@fjord.example is invited and has not signed in yet. The mail to them is still waiting',
    )
    expect(within(steps).queryByRole('button', { name: 'Add the sample study' })).not.toBeInTheDocument()
  })

  it('calls licenses optional while there are none, and done with one; both are said in the sum [P78]', async () => {
    const { unmount } = open(aReadiness({ scans: 0, saas: [] }))
    const steps = await screen.findByRole('list', { name: 'First steps' })
    expect(within(steps).getByText('Licenses').closest('li')).toHaveTextContent(
      'Licenses OptionalNo add-on app is licensed. Scans can be viewed without.',
    )
    expect(screen.getByText('3 of 4 done')).toBeVisible()
    unmount()
    open(aReadiness({ scans: 0, saas: ['BMD'] }))
    expect((await screen.findByText('Licenses')).closest('li')).toHaveTextContent('Licenses DoneLicensed: BMD.')
    expect(screen.getByText('4 of 5 done')).toBeVisible()
  })

  it('says when an invitation is over, and what to do', async () => {
    open(aReadiness({ confirmedAdministrators: 0, invitation: { email: 'ada@fjord.example', mail: 'over' } }))
    expect(await screen.findByRole('list', { name: 'First steps' })).toHaveTextContent(
      'Their temporary password is over; reset it to send another one.',
    )
  })

  it('offers to remove the sample, also when nothing else is left', async () => {
    const { user, calls } = open(aReadiness({ sample: { studyUID: '2.25.1', seriesUID: '2.25.2' } }))
    await user.click(await screen.findByRole('button', { name: 'Remove the sample' }))
    await waitFor(() => expect(calls(scan.removeSample)).toEqual([{ organizationId: item.id }]))
  })

  it('says nothing once nothing is missing', async () => {
    open(aReadiness())
    expect(await screen.findByRole('region', { name: 'Organization Details' })).toBeVisible()
    expect(screen.queryByRole('list', { name: 'First steps' })).not.toBeInTheDocument()
  })
})

describe('adding an organization [P50]', () => {
  const fill = async (user: ReturnType<typeof draw>['user']) => {
    await user.type(await screen.findByLabelText('Name'), 'Fjord-Clinic')
    await user.type(screen.getByLabelText('First Name'), 'Ada')
    await user.type(screen.getByLabelText('Last Name'), 'Fjord')
    await user.type(screen.getByLabelText('Email'), 'ada@fjord.example')
    await user.click(screen.getByRole('checkbox', { name: 'BMD' }))
    // The address was asked for meanwhile.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add organization' })).toBeEnabled())
  }
  const free = answer(businessUser.emailAvailable, { available: true, message: '' })

  it('sends name, datastore, licenses and the first administrator, and opens it', async () => {
    const item = anOrganization({ name: 'Fjord-Clinic' })
    const { user, calls, path } = draw(
      [
        free,
        answer(organization.add, item),
        answer(organization.get, item),
        answer(organization.getReadiness, aReadiness()),
        answer(organization.getLogo, null),
        answer(organization.getAlertRules, anAlertRules()),
        answer(organization.datastoreExists, { organizationExists: true }),
      ],
      '/organization/add',
    )
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Add organization' }))
    expect(await screen.findByText('Fjord-Clinic added')).toBeVisible()
    expect(path()).toBe(`/organization/detail/${item.id}`)
    expect(calls(organization.add)).toEqual([
      {
        name: 'Fjord-Clinic',
        withDatastore: true,
        civility: 'Mr',
        firstName: 'Ada',
        lastName: 'Fjord',
        email: 'ada@fjord.example',
        saas: ['BMD'],
      },
    ])
  })

  it('keeps the form with the sentence when the name is taken', async () => {
    const message = 'An organization with this name already exists. Choose another name.'
    const { user } = draw(
      [
        free,
        answer(organization.add, new CallError(409, 'NAME_TAKEN', message, { fields: [{ path: 'name', message }] })),
      ],
      '/organization/add',
    )
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Add organization' }))
    expect((await screen.findAllByText(message))[0]).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveValue('Fjord-Clinic')
  })
})
