import { dicomPartner } from '@dmp/contract'
import { aDicomCaller, aDicomNode, aDicomPartner, northClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import type { DicomPartner } from '@dmp/contract/dicomPartner'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const toLists = (node = aDicomNode(), callers = [aDicomCaller()]) => [
  answer(dicomPartner.getNode, node),
  answer(dicomPartner.list, { rows: [aDicomPartner()], total: 1 }),
  answer(dicomPartner.listCallers, callers),
]
const draw = (answers: readonly Line[] = [], node = aDicomNode(), callers = [aDicomCaller()]) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/dicom-partners',
    as: 'admin',
    answers: [...answers, ...toLists(node, callers)],
  })

const drawDetail = (over: Partial<DicomPartner> = {}, answers: readonly Line[] = []) =>
  renderScreen(<App notFound={null} />, {
    at: `/account/dicom-partners/${aDicomPartner().id}`,
    as: 'admin',
    answers: [...answers, answer(dicomPartner.get, aDicomPartner(over)), ...toLists()],
  })

describe('DICOM partners', () => {
  it('are listed, with what a device is told and who was refused [P51]', async () => {
    draw()
    expect(await screen.findByRole('link', { name: 'CT in room 3' })).toBeVisible()
    expect(await screen.findByText('DMP3F9A1C07B2')).toBeVisible()
    expect(screen.getByText('11112')).toBeVisible()
    expect(screen.getByText('Host').nextElementSibling).toHaveTextContent(location.hostname)
    expect(await screen.findByText(/^No partner has this AE title\. 3 times/)).toBeVisible()
    expect(within(screen.getByRole('row', { name: /CT in room 3/ })).getByText(/^2026-05-06,? \d\d:30\b/)).toBeVisible()
  })

  it('say that nobody waits, not that nobody was refused, once all were let in or dismissed [P51]', async () => {
    draw([], aDicomNode(), [])
    expect(await screen.findByText(/^Nobody is waiting to be let in\./)).toBeVisible()
    expect(screen.queryByText(/was refused/)).toBeNull()
  })

  it('lead from a caller that is refused as a partner to that partner, and say what devices show [P51]', async () => {
    const partnerId = aDicomPartner().id
    draw([], aDicomNode(), [aDicomCaller({ reason: 'WrongAddress', partnerId })])
    const link = await screen.findByRole('link', { name: 'Partner MR_ROOM1' })
    expect(link).toHaveAttribute('href', expect.stringContaining(partnerId))
    expect(screen.queryByRole('button', { name: /^Add MR_ROOM1/ })).toBeNull()
    expect(screen.getByText('The device says “Called AE Title Not Recognized”')).toBeVisible()
  })

  it('say when the node is off [P51]', async () => {
    draw([], aDicomNode({ port: null }))
    expect(await screen.findByText(/^Off: an operator turns it on/)).toBeVisible()
    expect(screen.getByText('The DICOM node of this server is off: no partner can connect.')).toBeVisible()
    expect(screen.getByText(/^Whoever runs the server turns it on by .*DMP_DICOM_PORT=11112/)).toBeVisible()
  })

  it('say at a partner that the node is off, and do not promise of a new one that it may connect [P51]', async () => {
    const made = [answer(dicomPartner.add, aDicomPartner({ name: 'MR' })), answer(dicomPartner.get, aDicomPartner())]
    const { user } = draw(made, aDicomNode({ port: null }))
    await user.click(await screen.findByRole('button', { name: 'Add MR_ROOM1 from 192.0.2.9' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New DICOM partner' }))
    await user.type(dialog.getByLabelText('Name'), 'MR')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Add partner' }))
    expect(await screen.findByText('MR may connect once the DICOM node is on')).toBeVisible()
    await user.click(await screen.findByRole('link', { name: 'CT in room 3' }))
    expect(await screen.findByRole('heading', { name: 'Details' })).toBeVisible()
    expect(screen.getByText(/^The DICOM node of this server is off/)).toBeVisible()
  })

  it('say nothing of it where a port is open, be it with TLS alone [P51]', async () => {
    draw([], aDicomNode({ port: null, tlsPort: 2762 }))
    expect(await screen.findByText('2762 (TLS)')).toBeVisible()
    expect(screen.queryByText(/node of this server is off/)).toBeNull()
  })

  it('are made of a refused caller by a name and the own password [P51]', async () => {
    const { user, calls } = draw([answer(dicomPartner.add, aDicomPartner({ name: 'MR' }))])
    await user.click(await screen.findByRole('button', { name: 'Add MR_ROOM1 from 192.0.2.9' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New DICOM partner' }))
    await user.type(dialog.getByLabelText('Name'), 'MR')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Add partner' }))
    expect(await screen.findByText('MR may connect now')).toBeVisible()
    expect(calls(dicomPartner.add)).toEqual([
      {
        name: 'MR',
        aeTitle: 'MR_ROOM1',
        services: ['Store'],
        addresses: ['192.0.2.9'],
        fingerprint: null,
        host: null,
        port: null,
        usesTls: false,
        password: 'secret word',
      },
    ])
  })

  it('need a service, and a port that is one [P51]', async () => {
    const { user } = draw()
    await user.click(await screen.findByRole('button', { name: 'New partner' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New DICOM partner' }))
    await user.type(dialog.getByLabelText('Name'), 'MR')
    await user.type(dialog.getByLabelText('AE title'), 'MR')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    expect(dialog.getByRole('button', { name: 'Add partner' })).toBeEnabled()
    await user.type(dialog.getByLabelText('Port'), 'x')
    expect(dialog.getByRole('button', { name: 'Add partner' })).toBeDisabled()
    await user.clear(dialog.getByLabelText('Port'))
    await user.click(dialog.getByRole('checkbox', { name: /^Send scans/ }))
    expect(dialog.getByRole('button', { name: 'Add partner' })).toBeDisabled()
  })

  it('have callers that are dismissed [P51]', async () => {
    const { user, calls } = draw([answer(dicomPartner.dismissCaller, null)])
    await user.click(await screen.findByRole('button', { name: 'Dismiss MR_ROOM1 from 192.0.2.9' }))
    expect(calls(dicomPartner.dismissCaller)).toEqual([{ id: aDicomCaller().id }])
  })
})

describe('a DICOM partner', () => {
  it('is disabled, and says when that is refused [P51, 8.03]', async () => {
    const refused = new CallError(409, 'UNCHANGED', 'CT in room 3 is disabled already.')
    const { user } = drawDetail({}, [answer(dicomPartner.disable, refused)])
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('CT in room 3 is disabled already.')).toBeVisible()
  })

  it('is enabled again by Undo in the notice of its disabling [P51]', async () => {
    let current = aDicomPartner()
    const { user, calls } = drawDetail({}, [
      answer(dicomPartner.disable, () => (current = aDicomPartner({ status: 'Disabled' }))),
      answer(dicomPartner.enable, () => (current = aDicomPartner())),
    ])
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('CT in room 3 disabled')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Enable' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('CT in room 3 enabled')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Disable' })).toBeVisible()
    expect(calls(dicomPartner.enable)).toEqual([{ id: current.id }])
  })

  it('has no Undo for staff of the provider, who may not open the door again [P51]', async () => {
    const elsewhere = { organization: 'South-Clinic' }
    const { user } = drawDetail(elsewhere, [
      answer(dicomPartner.disable, aDicomPartner({ ...elsewhere, status: 'Disabled' })),
    ])
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('CT in room 3 disabled')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('is enabled again [P51]', async () => {
    const { user, calls } = drawDetail({ status: 'Disabled' }, [answer(dicomPartner.enable, aDicomPartner())])
    await user.click(await screen.findByRole('button', { name: 'Enable' }))
    expect(await screen.findByText('CT in room 3 enabled')).toBeVisible()
    expect(calls(dicomPartner.enable)).toEqual([{ id: aDicomPartner().id }])
  })

  it('is edited with the own password [P51]', async () => {
    const { user, calls } = drawDetail({}, [answer(dicomPartner.update, aDicomPartner({ name: 'CT 2' }))])
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit DICOM partner' }))
    expect(dialog.getByLabelText('Host')).toHaveValue('192.0.2.7')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('CT 2 saved')).toBeVisible()
    expect(calls(dicomPartner.update)[0]).toMatchObject({ host: '192.0.2.7', port: 104, services: ['Store'] })
  })

  it('is deleted after a question [P51]', async () => {
    const { user, path } = drawDetail({}, [answer(dicomPartner.remove, null)])
    await user.click(await screen.findByRole('button', { name: 'Delete partner' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete DICOM partner' }))
    await user.click(dialog.getByRole('button', { name: 'Delete partner' }))
    expect(await screen.findByText('CT in room 3 deleted')).toBeVisible()
    expect(path()).toBe('/account/dicom-partners')
  })
})

describe('the node of the partners', () => {
  it.each([
    [{ port: 11_112, tlsPort: null }, '11112', false],
    [{ port: 11_112, tlsPort: 2762 }, '11112, 2762 (TLS)', false],
    [{ port: null, tlsPort: 2762 }, '2762 (TLS)', false],
    [{ port: null, tlsPort: null }, 'Off: an operator turns it on with DMP_DICOM_PORT', true],
    [{ aeTitle: 'DMP' }, 'Off: an operator turns it on with DMP_DICOM_PORT', true],
  ])('with %j says where it is found: %s', async (node, said, isOff) => {
    draw([], { aeTitle: 'DMP', ...node } as ReturnType<typeof aDicomNode>)
    expect(await screen.findByText(said)).toBeVisible()
    expect(screen.queryByText(/^The DICOM node of this server is off/) !== null).toBe(isOff)
  })

  it('says of a caller who came once with a certificate so, and takes it into the form', async () => {
    const fingerprint = 'AA:BB:CC'
    const { user } = draw([], aDicomNode(), [aDicomCaller({ times: 1, fingerprint })])
    expect(await screen.findByText(/^No partner has this AE title\. Once, last on/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add MR_ROOM1 from 192.0.2.9' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New DICOM partner' }))
    expect(dialog.getByDisplayValue(fingerprint)).toBeInTheDocument()
  })
})

describe('what may be done with a partner', () => {
  it.each([
    [['List', 'Get'], northClinic.name, []],
    [['List', 'Get', 'Delete'], northClinic.name, ['Delete partner']],
    [['List', 'Get', 'Update'], northClinic.name, ['Edit', 'Disable']],
    [['List', 'Get', 'Update'], 'South-Clinic', ['Disable']],
  ])('by those who may %j, of %s: %j [P51]', async (actions, organization, offered) => {
    const policy = toPolicy('admin').map((entry) => (entry.module === 'DicomPartner' ? { ...entry, actions } : entry))
    renderScreen(<App notFound={null} />, {
      at: `/account/dicom-partners/${aDicomPartner().id}`,
      as: 'admin',
      user: { policy },
      answers: [answer(dicomPartner.get, aDicomPartner({ organization })), ...toLists()],
    })
    await screen.findByText('192.0.2.7:104')
    const box = screen.queryByRole('region', { name: 'Actions' })
    const buttons = box === null ? [] : within(box).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
  })

  it('says no destination of one that is sent to nowhere, and keeps its fields empty', async () => {
    const { user } = drawDetail({ host: null, port: null, fingerprint: 'AA:BB' })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(screen.queryByText(/^(?:null|undefined):/)).toBeNull()
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit DICOM partner' }))
    expect(dialog.getByLabelText('Port')).toHaveValue('')
    expect(dialog.getByDisplayValue('AA:BB')).toBeInTheDocument()
  })
})
