import { organization } from '@dmp/contract'
import { anAlertRules, aLicense, anId, anOrganization, aReadiness, provider } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = anOrganization({
  licenses: [
    aLicense({ id: anId(1), saas: 'BMD', isAutomaticAnalysis: true }),
    aLicense({ id: anId(2), saas: 'BMD', isAutomaticAnalysis: false }),
    aLicense({ id: anId(3), saas: 'PeekMed', isActive: false }),
  ],
})
const at = `/organization/detail/${item.id}`
const exists = answer(organization.datastoreExists, { organizationExists: true })
const ready = answer(organization.getReadiness, aReadiness())
const beside = [answer(organization.getLogo, null), answer(organization.getAlertRules, anAlertRules())]

describe('organization detail', () => {
  it('shows name, datastore and the active licenses, one per SaaS [2.14, 2.52, 3.08, 4.04, 4.06, 4.07]', async () => {
    renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [ready, ...beside, answer(organization.get, item), exists],
    })
    expect(await screen.findByText('North-Clinic', { selector: 'dd bdi' })).toBeInTheDocument()
    expect(await screen.findByText('Created')).toBeInTheDocument()
    const rows = within(screen.getByRole('table', { name: 'Assigned SaaS' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map((row) => row.textContent)).toEqual(['BMDEnabled'])
  })

  it('offers Deactivate to an activated one, asks first and says what happened [4.03, 6.05, 8.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        ready,
        ...beside,
        answer(organization.get, item),
        exists,
        answer(organization.deactivate, { ...item, status: 'Deactivated' }),
      ],
    })
    const actions = await screen.findByRole('region', { name: 'Actions' })
    expect(within(actions).queryByRole('button', { name: 'Activate' })).not.toBeInTheDocument()
    await user.click(within(actions).getByRole('button', { name: 'Deactivate' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText('North-Clinic deactivated')).toBeInTheDocument()
    expect(calls(organization.deactivate)).toEqual([{ id: item.id }])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('is activated again by Undo in the notice of its deactivation [4.03, 8.09]', async () => {
    let current = item
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        ready,
        ...beside,
        answer(organization.get, () => current),
        exists,
        answer(organization.deactivate, () => (current = { ...item, status: 'Deactivated' })),
        answer(organization.activate, () => (current = item)),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Deactivate' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deactivate' }))
    await screen.findByRole('button', { name: 'Activate' })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('North-Clinic activated')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Deactivate' })).toBeVisible()
    expect(calls(organization.activate)).toEqual([{ id: item.id }])
  })

  it('offers Activate to a deactivated one [4.03, 8.09]', async () => {
    const off = anOrganization({ status: 'Deactivated' })
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [ready, ...beside, answer(organization.get, off), exists, answer(organization.activate, item)],
    })
    await screen.findByRole('button', { name: 'Activate' })
    expect(screen.queryByRole('button', { name: 'Deactivate' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Activate' }))
    expect(await screen.findByText('North-Clinic activated')).toBeInTheDocument()
  })

  it('shows the status buttons only to those who have both actions [6.05]', async () => {
    renderScreen(<App notFound={null} />, {
      at,
      as: 'sys_admin',
      answers: [ready, ...beside, answer(organization.get, item), exists],
    })
    await screen.findByRole('button', { name: 'Edit' })
    expect(screen.queryByRole('button', { name: /^(Deactivate|Activate)$/ })).not.toBeInTheDocument()
  })

  it('creates the datastore when there is none, and the status becomes Created [4.04, 8.09]', async () => {
    let made = false
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        ready,
        ...beside,
        answer(organization.get, item),
        answer(organization.datastoreExists, () => ({ organizationExists: made })),
        answer(organization.createDatastore, () => {
          made = true
          return { organizationExists: true }
        }),
      ],
    })
    expect(await screen.findByText('Not Created')).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Create Datastore' }))
    expect(await screen.findByText('Datastore for North-Clinic created')).toBeInTheDocument()
    expect(await screen.findByText('Created')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Create Datastore' })).not.toBeInTheDocument())
  })

  it('says when the datastore could not be verified [4.04, 8.07]', async () => {
    renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        ready,
        ...beside,
        answer(organization.get, item),
        answer(organization.datastoreExists, new CallError(500, 'INTERNAL', 'Something broke.')),
      ],
    })
    expect(await screen.findByText('Error: Could not verify Datastore status')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Create Datastore' })).not.toBeInTheDocument()
  })

  it('hides the actions and the datastore of the internal organization [6.09]', async () => {
    const own = anOrganization({ ...provider })
    renderScreen(<App notFound={null} />, {
      at: `/organization/detail/${provider.id}`,
      as: 'super_admin',
      answers: [answer(organization.get, own), exists],
    })
    await screen.findByText('Provider', { selector: 'dd bdi' })
    expect(screen.queryByRole('region', { name: 'Actions' })).not.toBeInTheDocument()
    expect(screen.queryByText('Datastore Status')).not.toBeInTheDocument()
  })
})

it.each([
  [['Get', 'Activate'], true, []],
  [['Get', 'Activate', 'DeActivate'], true, ['Deactivate']],
  [['Get', 'AssignLicenses'], true, ['Assign SaaS']],
  [['Get', 'Export'], true, ['Export']],
  [['Get', 'Import'], true, ['Import']],
  [['Get', 'CreateDatastore'], false, ['Create Datastore']],
  [['Get', 'CreateDatastore'], true, []],
  [['Get', 'Update'], true, ['Edit']],
])(
  'offers to those who may %j, of one with a datastore %s: %j [6.05]',
  async (actions, organizationExists, offered) => {
    const policy = toPolicy('super_admin').map((entry) =>
      entry.module === 'Organization' ? { ...entry, actions } : entry,
    )
    renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      user: { policy },
      answers: [
        ready,
        ...beside,
        answer(organization.get, item),
        answer(organization.datastoreExists, { organizationExists }),
      ],
    })
    await screen.findByText('North-Clinic', { selector: 'dd bdi' })
    // Whether it has a datastore comes later.
    await act(() => new Promise((drawn) => setTimeout(drawn, 50)))
    const box = screen.queryByRole('region', { name: 'Actions' })
    const buttons = box === null ? [] : within(box).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
  },
)
