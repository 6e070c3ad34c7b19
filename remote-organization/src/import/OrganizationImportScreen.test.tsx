import { organization } from '@dmp/contract'
import { anExport, anImport, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { addData, answer, expectAskedEvery, renderScreen } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { sendArchive, type SendingOptions } from './sendArchive.ts'

jest.mock('./sendArchive.ts', () => ({ sendArchive: jest.fn() }))
const send = jest.mocked(sendArchive)
afterEach(() => send.mockReset())

const at = `/account/organization/import?organizationId=${northClinic.id}`
const archive = new File(['0123456789'], 'export.zip', { type: 'application/zip' })
const uploading = anImport({
  state: 'Uploading',
  bytes: 10,
  bytesArrived: 4,
  from: null,
  objects: 0,
  stored: 0,
  present: 0,
  refused: 0,
  refusals: [],
  records: [],
  endedDate: null,
})
const draw = (
  imports: readonly organization.OrganizationImport[],
  more: Parameters<typeof renderScreen>[1]['answers'] = [],
) =>
  renderScreen(<App notFound={null} />, {
    at,
    as: 'admin',
    answers: [answer(organization.listImports, [...imports]), ...more],
  })
const password = 'Some Passw0rd!'

describe('import into an organization', () => {
  it('asks for the password, sends the archive, and shows how far it is [P75]', async () => {
    const { promise: sending, resolve: isSent } = Promise.withResolvers<undefined>()
    let options: SendingOptions | undefined
    send.mockImplementation(async (_id, _file, given) => {
      options = given
      await sending
    })
    const { user, calls } = draw([], [answer(organization.startImport, [uploading])])
    const empty = 'Nothing was imported in the last months.'
    expect(await screen.findByText(empty, undefined, { timeout: 20_000 })).toBeInTheDocument()
    await user.upload(screen.getByLabelText('Archive'), archive)
    const dialog = await screen.findByRole('dialog', { name: `Import into ${northClinic.name}?` })
    await user.type(within(dialog).getByLabelText('Your password'), password)
    await user.click(within(dialog).getByRole('button', { name: 'Start import' }))
    expect(await screen.findByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', '40')
    expect(calls(organization.startImport)).toEqual([{ id: northClinic.id, bytes: 10, password }])
    expect(send.mock.calls[0]?.slice(0, 2)).toEqual([uploading.id, archive])
    act(() => options?.onProgress(7, false))
    expect(screen.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', '70')
    act(() => options?.onProgress(7, true))
    expect(screen.getByText(/^There is no connection\./)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Choose archive' })).toBeDisabled()
    await act(async () => isSent(undefined))
  })

  it('goes on with the same archive alone, and says why the server refuses [P75]', async () => {
    send.mockRejectedValue(new CallError(404, 'NOT_FOUND', 'The upload of this import is not here.'))
    const { user } = draw([uploading])
    addData('The upload of this import is not here.')
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await user.upload(screen.getByLabelText('Archive'), new File(['other'], 'other.zip', { type: 'application/zip' }))
    expect(await screen.findByText(/^This is another file/)).toBeInTheDocument()
    expect(send).not.toHaveBeenCalled()
    await user.upload(screen.getByLabelText('Archive'), archive)
    expect(await screen.findByText('The upload of this import is not here.')).toBeInTheDocument()
  })

  it('says nothing more of a refusal while the archive is sent again [8.03, P75]', async () => {
    send.mockRejectedValueOnce(new CallError(404, 'NOT_FOUND', 'The upload of this import is not here.'))
    send.mockImplementation(() => new Promise(() => undefined))
    const { user } = draw([uploading])
    addData('The upload of this import is not here.')
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await user.upload(screen.getByLabelText('Archive'), archive)
    expect(await screen.findByRole('alert')).toHaveTextContent('The upload of this import is not here.')
    await user.upload(screen.getByLabelText('Archive'), archive)
    expect(await screen.findByText(/^Keep this page open until the archive has arrived\./)).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('says in counts what became of an archive, and names what was refused [P75]', async () => {
    const { user } = draw([anImport()])
    expect(await screen.findByText(/^Of 1,200 objects, 1,190 were stored, 8 were there already/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Details' }))
    const dialog = await screen.findByRole('dialog', { name: 'Result of the import' })
    expect(within(dialog).getByText('scans-0001/DICOM/D00000/I00003')).toBeInTheDocument()
    expect(within(dialog).getByText(/4 added, 1 were there already, 0 refused/)).toBeInTheDocument()
    await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  })

  it('is followed while it runs and somebody looks, also by whoever comes to its page later [P75]', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = draw([anImport({ state: 'Running', stored: 300, endedDate: null })])
    expect(await screen.findByText('An import is under way. You are told when it is over.')).toBeVisible()
    await expectAskedEvery(2500, () => calls(organization.listImports).length)
    jest.useRealTimers()
  })

  it('is stopped after asking, and says why one failed [P75]', async () => {
    const ended = anImport({ state: 'Ended', reason: 'Person', endedBy: 'Ms Ada Berg' })
    const failed = anImport({ id: anExport().id, state: 'Failed', reason: 'NotWhole', files: ['people.json'] })
    const { user, calls } = draw([uploading, failed], [answer(organization.endImport, [ended])])
    expect(await screen.findByText(/^Files of it are not what was exported\./)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    const dialog = await screen.findByRole('dialog', { name: 'Stop this import?' })
    await user.click(within(dialog).getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/^Ms Ada Berg ended it\./)).toBeInTheDocument()
    expect(calls(organization.endImport)).toEqual([{ id: northClinic.id, importId: uploading.id }])
  })

  it('shows nothing more of an upload that was stopped, whatever still comes of it [P75]', async () => {
    let options: SendingOptions | undefined
    send.mockImplementation(async (_id, _file, given) => {
      options = given
      await new Promise((_, reject) => given.signal.addEventListener('abort', () => reject(new Error('stopped'))))
    })
    const ended = anImport({ state: 'Ended', reason: 'Person', endedBy: 'Ms Ada Berg' })
    const { user } = draw([uploading], [answer(organization.endImport, [ended])])
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await user.upload(screen.getByLabelText('Archive'), archive)
    await waitFor(() => expect(options).toBeDefined())
    act(() => options?.onProgress(7, true))
    expect(screen.getByText(/^There is no connection\./)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    const dialog = await screen.findByRole('dialog', { name: 'Stop this import?' })
    await user.click(within(dialog).getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/^Ms Ada Berg ended it\./)).toBeInTheDocument()
    act(() => options?.onProgress(9, true))
    expect(screen.queryByText(/^There is no connection\./)).not.toBeInTheDocument()
  })

  it.each([
    [
      { state: 'Expired' as const, objects: 0, records: [] },
      /^Nothing arrived for \d+ days, so the upload was removed\./,
      false,
    ],
    [{ state: 'Ended' as const, reason: 'Person' as const, objects: 0, records: [] }, /^Somebody ended it\./, false],
    [
      { state: 'Failed' as const, reason: 'NotWhole' as const, objects: 0, records: [], files: ['a.json'] },
      /^Files of it/,
      true,
    ],
    [{ state: 'Done' as const, objects: 0, endedDate: null }, /^Done$/, true],
  ])('says how one ended, and has details only of what has any: %j', async (over, said, hasDetails) => {
    draw([anImport(over)])
    const table = within(await screen.findByRole('table', { name: 'Imports' }))
    expect(await table.findByText(said)).toBeVisible()
    expect(table.queryByRole('button', { name: 'Details' }) !== null).toBe(hasDetails)
  })

  it('begins at nothing while nobody knows how much there is, and has no list of records without any', async () => {
    const { user } = draw([
      anImport({
        state: 'Waiting',
        objects: 0,
        stored: 0,
        present: 0,
        refused: 0,
        files: ['a.json'],
        records: [],
        endedDate: null,
      }),
    ])
    expect(await screen.findByRole('progressbar', { name: 'Import' })).toHaveAttribute('aria-valuenow', '0')
    await user.click(screen.getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Result of the import' }))
    await waitFor(() => expect(dialog.getByText('a.json')).toBeVisible())
    expect(dialog.queryByText(/added,/)).toBeNull()
  })

  it('asks nothing for those who may not [6.02, P75]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, { at, as: 'staff', answers: [] })
    expect(await screen.findByText('You are not allowed to import into the organization.')).toBeInTheDocument()
    expect(calls(organization.listImports)).toEqual([])
  })
})
