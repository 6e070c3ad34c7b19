import { scan } from '@dmp/contract'
import { aScan, aSharedStudy, northClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import decodeQR from 'qr/decode.js'
import { App } from '../App.tsx'

const item = aScan()
const made = answer(scan.share, { downloadUrl: '/share/secret' })
const study = answer(scan.listShareable, [aSharedStudy()])

const draw = (answers: readonly Line[], subject: Line = study, person: ScreenOptions['user'] = {}) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/detail/${northClinic.id}/2.25.200`,
    as: 'staff',
    user: person,
    answers: [
      answer(scan.get, item),
      answer(scan.listShares, []),
      answer(scan.listStudies, { rows: [], total: 0 }),
      subject,
      ...answers,
    ],
  })

/** What a camera would read. */
function readQr(picture: HTMLElement): string {
  const side = Number(picture.getAttribute('viewBox')?.split(' ')[2])
  const dark = new Set([...(picture.innerHTML.matchAll(/M(\d+) (\d+)h/g) ?? [])].map(([, x, y]) => `${x} ${y}`))
  const scale = 4
  const data = new Uint8Array((side * scale) ** 2 * 4)
  for (let y = 0; y < side * scale; y += 1)
    for (let x = 0; x < side * scale; x += 1) {
      const isDark = dark.has(`${Math.floor(x / scale)} ${Math.floor(y / scale)}`)
      data.set([...Array<number>(3).fill(isDark ? 0 : 255), 255], (y * side * scale + x) * 4)
    }
  return decodeQR({ width: side * scale, height: side * scale, data })
}

async function openModal(user: ReturnType<typeof draw>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  return within(await screen.findByRole('dialog', { name: 'Share' }))
}

const sure = { name: /Are you sure you want to share (this scan|these scans)\?/ }
const plain = {
  organizationId: northClinic.id,
  seriesUID: '2.25.200',
  expireInDay: 1,
  allowsDownload: false,
}

describe('share', () => {
  it('lasts 1 to 7 days, 1 unless chosen, and needs the box ticked [5.13, 9.04]', async () => {
    const { user } = draw([])
    const dialog = await openModal(user)
    const slider = dialog.getByRole('slider', { name: 'Valid for' })
    expect(slider).toHaveAttribute('min', '1')
    expect(slider).toHaveAttribute('max', '7')
    expect(slider).toHaveValue('1')
    expect(slider).toHaveAttribute('aria-valuetext', '1 day')
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', sure))
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeEnabled()
  })

  it('creates the link, then copies it and closes [4.08, 3.14, 7.38, 8.09]', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    fireEvent.change(dialog.getByRole('slider'), { target: { value: '3' } })
    expect(dialog.getByText('3 days')).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    expect(await screen.findByLabelText('Share link')).toHaveValue('http://localhost/share/secret')
    expect(screen.queryByRole('button', { name: 'Create Share Link' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Copy Link' }))
    expect(await screen.findByText('Scan share link successfully copied to clipboard.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('http://localhost/share/secret')
    expect(screen.queryByLabelText('Share link')).not.toBeInTheDocument()
    expect(calls(scan.share)).toEqual([{ ...plain, expireInDay: 3 }])
  })

  it('says when the browser does not allow copying, and keeps the link to be copied by hand [4.08]', async () => {
    const { user } = draw([made])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(screen.queryByText(/does not allow copying/)).not.toBeInTheDocument()
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(screen.getByRole('button', { name: 'Copy Link' }))
    const notice = await screen.findByText('This browser does not allow copying. Select the link and copy it manually.')
    // The alert fades in.
    await waitFor(() => expect(notice).toBeVisible())
    expect(screen.getByLabelText('Share link')).toHaveValue('http://localhost/share/secret')
    expect(screen.queryByText('Scan share link successfully copied to clipboard.')).not.toBeInTheDocument()
  })

  it('takes a password and a number of openings', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Link password (optional)'), 'open sesame')
    await user.type(dialog.getByLabelText('Number of openings (optional)'), '2')
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toMatchObject([{ password: 'open sesame', maxUses: 2 }])
  })

  it('refuses a number of openings that is none', async () => {
    const { user } = draw([])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox', sure))
    await user.type(dialog.getByLabelText('Number of openings (optional)'), '0')
    await user.tab()
    expect(await dialog.findByText('Allow at least one opening.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeDisabled()
    for (const [uses, isFine] of [
      ['1', true],
      ['1001', false],
      ['1000', true],
    ] as const) {
      await user.clear(dialog.getByLabelText('Number of openings (optional)'))
      await user.type(dialog.getByLabelText('Number of openings (optional)'), uses)
      expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create Share Link' }).disabled).toBe(!isFine)
    }
  })

  it('names the patient, the study and the images, and takes further scans or the whole study', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    const group = within(await dialog.findByRole('group', { name: /Sample, Anna.*P-1001.*MR Heart/ }))
    // The dialog fades in.
    await waitFor(() => expect(dialog.getByText('The link opens 1 scan with 16 images.')).toBeVisible())
    const [cine, late] = ['MR · Cine · 16 images', 'MR · Late enhancement · 12 images'].map((name) =>
      group.getByRole('checkbox', { name }),
    )
    // One scan stays.
    expect([cine, late].map((box) => [(box as HTMLInputElement).checked, (box as HTMLInputElement).disabled])).toEqual([
      [true, true],
      [false, false],
    ])
    await user.click(group.getByRole('button', { name: 'Share the whole study' }))
    expect(dialog.getByText('The link opens 2 scans with 28 images.')).toBeVisible()
    expect(group.queryByRole('button')).not.toBeInTheDocument()
    await user.click(cine as HTMLElement)
    expect(late).toBeDisabled()
    await user.click(cine as HTMLElement)
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toEqual([{ ...plain, seriesUID: '2.25.201', alsoSeriesUIDs: ['2.25.200'] }])
  })

  it('shares the scan itself where its study could not be had, and says so [8.03]', async () => {
    const { user, calls } = draw(
      [made],
      answer(scan.listShareable, new CallError(500, 'FAILED', 'Something is wrong.')),
    )
    const dialog = await openModal(user)
    const wrong = await dialog.findByText('Something is wrong.')
    await waitFor(() => expect(wrong).toBeVisible())
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toEqual([plain])
  })

  it('goes out by mail, with a message and a code in place of a password [P25]', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    expect(dialog.queryByLabelText('Message (optional)')).not.toBeInTheDocument()
    await user.type(dialog.getByLabelText('Link password (optional)'), 'forgotten')
    await user.type(dialog.getByLabelText('Send the link to (optional)'), 'ada@clinic.example')
    await user.type(dialog.getByLabelText('Message (optional)'), 'Please compare.')
    const byCode = dialog.getByRole('checkbox', { name: 'Ask for a code instead of a password' })
    expect(byCode).toHaveAccessibleDescription(/^Not chosen: no code is sent/)
    await user.click(byCode)
    expect(byCode).toHaveAccessibleDescription('Each time the link is opened, a code goes to this address.')
    expect(dialog.queryByLabelText('Link password (optional)')).not.toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: 'Allow downloading' }))
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    expect(await screen.findByText('The link is on its way to ada@clinic.example.')).toBeInTheDocument()
    expect(calls(scan.share)).toEqual([
      { ...plain, recipient: 'ada@clinic.example', message: 'Please compare.', hasCode: true, allowsDownload: true },
    ])
  })

  it('asks for the password again where the address was taken away to which a code would have gone [P25]', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    const to = dialog.getByLabelText('Send the link to (optional)')
    await user.type(to, 'ada@clinic.example')
    await user.type(dialog.getByLabelText('Message (optional)'), 'Please compare.')
    await user.click(dialog.getByRole('checkbox', { name: 'Ask for a code instead of a password' }))
    await user.clear(to)
    await user.type(dialog.getByLabelText('Link password (optional)'), 'open sesame')
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toEqual([{ ...plain, password: 'open sesame' }])
  })

  it('names what is known of a study of one series, which has no box to leave it out', async () => {
    const bare = { patientName: '', patientID: '', birthDate: null, sex: null, description: '', studyDate: '' }
    const series = [{ seriesUID: '2.25.200', modality: '', description: '', images: 1 }]
    const { user } = draw([], answer(scan.listShareable, [aSharedStudy({ ...bare, series })]))
    const dialog = await openModal(user)
    const group = await dialog.findByRole('group', { name: /^Without a name/ })
    expect(group).toHaveTextContent('Without a nameStudy without a descriptionSeries · 1 image')
    expect(within(group).queryByRole('checkbox')).toBeNull()
    expect(within(group).queryByRole('button')).toBeNull()
  })

  it('has no download to allow for those who may not download themselves', async () => {
    const policy = toPolicy('staff').map((entry) => ({
      ...entry,
      actions: entry.actions.filter((action) => action !== 'Download'),
    }))
    const { user, calls } = draw([made], study, { policy })
    expect(await screen.findByRole('button', { name: 'Share' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
    const dialog = await openModal(user)
    expect(dialog.queryByRole('checkbox', { name: 'Allow downloading' })).toBeNull()
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toEqual([plain])
  })

  it('is shown as a QR code that says exactly the link', async () => {
    const { user } = draw([made])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    const picture = await screen.findByRole('img', { name: 'The share link as a QR code' })
    expect(readQr(picture)).toBe('http://localhost/share/secret')
  })

  it('shows a failure inside the dialog, which can be dismissed [8.03]', async () => {
    const { user } = draw([answer(scan.share, new CallError(429, 'SLOW_DOWN', 'Too many links in one hour.'))])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox', sure))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Too many links in one hour.')
  })
})
