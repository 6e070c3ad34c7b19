import { apiToken } from '@dmp/contract'
import { anApiToken, aNewApiToken } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (answers: readonly Line[] = [], as: 'admin' | 'sys_admin' | 'super_admin' = 'admin') =>
  renderScreen(<App notFound={null} />, {
    at: '/account/api-tokens',
    as,
    answers: [...answers, answer(apiToken.list, { rows: [anApiToken()], total: 1 })],
  })

async function openDialog(user: ReturnType<typeof draw>['user']) {
  await user.click(await screen.findByRole('button', { name: 'New API token' }))
  return within(await screen.findByRole('dialog', { name: 'New API token' }))
}

describe('API tokens', () => {
  it('are listed, and each leads to its page [P35]', async () => {
    const { user, path } = draw([answer(apiToken.get, anApiToken())])
    const link = await screen.findByRole('link', { name: 'Orthanc in room 3' })
    expect(within(screen.getByRole('row', { name: /Orthanc in room 3/ })).getByText('Upload')).toBeVisible()
    await user.click(link)
    expect(path()).toBe(`/account/api-tokens/detail/${anApiToken().id}`)
  })

  it('are made with scopes, an expiry, networks and the own password, and shown once [P35]', async () => {
    const made = aNewApiToken({ name: 'CT 2' })
    const { user, calls } = draw([answer(apiToken.add, made)])
    const dialog = await openDialog(user)
    expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
    await waitFor(() => expect(dialog.getByText('Still needed: Name, Scopes, Your password.')).toBeVisible())
    await user.type(dialog.getByLabelText('Name'), 'CT 2')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
    expect(dialog.getByText('Still needed: Scopes.')).toBeVisible()
    await user.click(dialog.getByRole('checkbox', { name: 'Upload scans' }))
    await user.selectOptions(dialog.getByLabelText('Expires after'), '30')
    await user.type(dialog.getByLabelText('Networks (optional)'), '10.1.0.0/16, 192.0.2.7')
    await user.click(dialog.getByRole('button', { name: 'Create API token' }))
    const shown = within(await screen.findByRole('dialog', { name: 'API token for CT 2' }))
    expect(calls(apiToken.add)).toEqual([
      {
        name: 'CT 2',
        scopes: ['upload'],
        expireInDays: 30,
        addresses: ['10.1.0.0/16', '192.0.2.7'],
        password: 'secret word',
      },
    ])
    expect(shown.getByLabelText('API token')).toHaveValue(made.token)
    const refused = jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no'))
    await user.click(shown.getByRole('button', { name: 'Copy' }))
    expect(await shown.findByText(/^This browser does not allow copying\. Select the API token/)).toBeInTheDocument()
    expect(screen.queryByText('API token copied to clipboard.')).toBeNull()
    refused.mockRestore()
    await user.click(shown.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText('API token copied to clipboard.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(made.token)
    const [close] = shown.getAllByRole('button', { name: 'Close' }).toReversed()
    await user.click(close!)
    await waitFor(() => expect(document.body).not.toHaveTextContent(made.token))
    expect(screen.queryByDisplayValue(made.token)).not.toBeInTheDocument()
  })

  it('are made for the releases of a part by a super administrator, and by nobody else [P57]', async () => {
    const { user, calls } = draw([answer(apiToken.add, aNewApiToken({ name: 'CI' }))], 'super_admin')
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'CI of report')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('checkbox', { name: 'Bring releases, which makes nothing live' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Roll a part back' }))
    expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
    await user.type(dialog.getByLabelText('Parts (for releases)'), 'remote-report, remote-audit')
    await user.click(dialog.getByRole('button', { name: 'Create API token' }))
    await screen.findByRole('dialog', { name: 'API token for CI' })
    expect(calls(apiToken.add)).toMatchObject([
      { scopes: ['publish', 'rollback'], parts: ['remote-report', 'remote-audit'] },
    ])
  })

  it('for previews name the people who may open them [P83]', async () => {
    const { user, calls } = draw([answer(apiToken.add, aNewApiToken({ name: 'CI' }))], 'super_admin')
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'CI of report')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('checkbox', { name: /^Bring releases and let named people open them/ }))
    await user.type(dialog.getByLabelText('Parts (for releases)'), 'remote-report')
    await user.type(dialog.getByLabelText('People who open its previews (optional)'), 'Ann@Clinic.example, bob')
    await user.tab()
    expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
    await user.type(dialog.getByLabelText('People who open its previews (optional)'), '@clinic.example')
    await user.click(dialog.getByRole('button', { name: 'Create API token' }))
    await screen.findByRole('dialog', { name: 'API token for CI' })
    expect(calls(apiToken.add)).toMatchObject([
      { scopes: ['preview'], parts: ['remote-report'], previewers: ['ann@clinic.example', 'bob@clinic.example'] },
    ])
  })

  it('of an administrator are not for releases [P57]', async () => {
    const { user } = draw()
    const dialog = await openDialog(user)
    expect(dialog.queryByRole('checkbox', { name: 'Roll a part back' })).not.toBeInTheDocument()
    expect(dialog.queryByLabelText('Parts (for releases)')).not.toBeInTheDocument()
  })

  it('need a scope, and networks that are some [P35]', async () => {
    const { user } = draw()
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'CT 2')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.type(dialog.getByLabelText('Networks (optional)'), 'the hospital')
    await user.tab()
    expect(dialog.getByText(/^Write an address or a network/)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
  })

  it('say at the field why they are not made [8.03]', async () => {
    const wrong = 'This password is not correct.'
    const { user } = draw([
      answer(
        apiToken.add,
        new CallError(400, 'WRONG_PASSWORD', wrong, { fields: [{ path: 'password', message: wrong }] }),
      ),
    ])
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'CT 2')
    await user.type(dialog.getByLabelText('Your password'), 'guess')
    await user.click(dialog.getByRole('checkbox', { name: 'Upload scans' }))
    await user.click(dialog.getByRole('button', { name: 'Create API token' }))
    await waitFor(() =>
      expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription(expect.stringContaining(wrong)),
    )
  })

  it('offer no scope that the person does not have [6.02]', async () => {
    const { user } = draw([], 'sys_admin')
    const dialog = await openDialog(user)
    expect(dialog.getAllByRole('checkbox').map((box) => box.getAttribute('name'))).toEqual(['read', 'upload'])
  })
})

describe('an API token', () => {
  const drawDetail = (over: Parameters<typeof anApiToken>[0], answers: readonly Line[] = []) =>
    renderScreen(<App notFound={null} />, {
      at: `/account/api-tokens/detail/${anApiToken().id}`,
      as: 'admin',
      answers: [...answers, answer(apiToken.get, anApiToken(over))],
    })

  it('says what it may, and how a machine uses it [P35]', async () => {
    drawDetail({})
    expect(await screen.findByText('Search, view and download scans')).toBeVisible()
    expect(screen.getByText('Upload scans')).toBeVisible()
    expect(screen.queryByText('Delete scans')).not.toBeInTheDocument()
    expect(screen.getByText(`${window.location.origin}/dicom-web`)).toBeVisible()
    expect(screen.getByText(anApiToken().id)).toBeVisible()
  })

  it('is ended after a question [P35]', async () => {
    const ended = anApiToken({ status: 'Ended', endedDate: '2026-05-07T09:00:00.000Z', endedBy: 'Ms Ada Berg' })
    const { user, calls } = drawDetail({}, [answer(apiToken.end, ended)])
    await user.click(await screen.findByRole('button', { name: 'End API token' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End API token' }))
    await user.click(dialog.getByRole('button', { name: 'End API token' }))
    expect(await screen.findByText('Orthanc in room 3 ended')).toBeVisible()
    expect(calls(apiToken.end)).toEqual([{ id: ended.id }])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End API token' })).not.toBeInTheDocument())
    expect(screen.getByText('Ended', { selector: '.dmp-badge' })).toBeVisible()
  })

  it('says why it is suspended [P35]', async () => {
    drawDetail({ status: 'Suspended' })
    expect(await screen.findByText(/^Its owner or the organization is deactivated/)).toBeVisible()
  })
})
