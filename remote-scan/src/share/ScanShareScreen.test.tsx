import { scan } from '@dmp/contract'
import { anId, aSharedStudy } from '@dmp/contract/examples'
import type { SharedScan } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { openViewer } from './openShare.ts'

jest.mock('./warmViewer.ts', () => ({ warmViewer: jest.fn(async () => undefined) }))
jest.mock('./openShare.ts', () => ({ ...jest.requireActual('./openShare.ts'), openViewer: jest.fn() }))

const aSharedScan = (over: Partial<SharedScan> = {}): SharedScan => ({
  expireDate: '2026-06-01T10:00:00.000Z',
  hasPassword: false,
  usesLeft: null,
  codeGoesTo: null,
  allowsDownload: true,
  sharedBy: { person: 'Ms Ada Berg', organization: 'North-Clinic', logo: null },
  studies: [
    { description: 'MR Heart', patient: 1, studyDate: '2026-05-02', modalities: ['MR'], series: 2, images: 28 },
  ],
  opened: null,
  ...over,
})
const opened = { id: anId(50), untilDate: '2026-05-31T18:00:00.000Z', studies: [aSharedStudy()] }
const gone = new CallError(404, 'LINK_GONE', 'This link is invalid or has expired.')
/** The page waits for the end of the link; here until the test lets it come. */
const watching = (until: Promise<unknown> = new Promise(() => undefined)) =>
  answer(scan.watchShared, () => until.then(() => Promise.reject(gone)) as never)
const draw = (shared: Partial<SharedScan>, answers: readonly Line[] = [], end = watching()) =>
  renderScreen(<App notFound={null} />, {
    at: '/share/secret-token',
    as: null,
    answers: [end, answer(scan.getShared, aSharedScan(shared)), ...answers],
  })

let open: jest.SpyInstance
beforeEach(() => {
  jest.mocked(openViewer).mockClear()
  open = jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
})
afterEach(() => open.mockRestore())

describe('the page of a share link', () => {
  it('says who shared what until when, without the patient, and shows the images with one press [P25]', async () => {
    const { user, calls } = draw({ usesLeft: 2 }, [answer(scan.visitShared, opened)])
    expect(await screen.findByText(/has shared medical images with you/)).toHaveTextContent(
      'Ms Ada Berg of North-Clinic has shared medical images with you.',
    )
    expect(screen.getByText('2026-05-02 · MR Heart · MR · 2 series · 28 images')).toBeVisible()
    expect(screen.getByText('Valid until')).toBeVisible()
    expect(screen.getByText('2 more times')).toBeVisible()
    expect(document.body).not.toHaveTextContent('Sample')
    await user.click(screen.getByRole('button', { name: 'View images' }))
    expect(calls(scan.visitShared)).toEqual([{ token: 'secret-token' }])
    await waitFor(() => expect(openViewer).toHaveBeenCalledWith(anId(50)))
    expect(document.title).not.toMatch(/Sample|Heart/)
  })

  it('tells studies apart by their dates, and several patients by number [P25]', async () => {
    const study = { description: 'PET', studyDate: '2026-05-02', modalities: ['PT'], series: 1, images: 1 }
    const twoPatients = [
      { ...study, patient: 1 },
      { ...study, patient: 2, studyDate: '' },
    ]
    const { unmount } = draw({ studies: twoPatients })
    expect(await screen.findByText('Patient 1 · 2026-05-02 · PET · PT · 1 image')).toBeVisible()
    expect(screen.getByText('Patient 2 · PET · PT · 1 image')).toBeVisible()
    unmount()
    draw({ studies: [study, { ...study, studyDate: '2025-04-01' }].map((each) => ({ ...each, patient: 1 })) })
    expect(await screen.findByText('2026-05-02 · PET · PT · 1 image')).toBeVisible()
    expect(screen.getByText('2025-04-01 · PET · PT · 1 image')).toBeVisible()
  })

  it.each([
    ['View images', scan.visitShared],
    ['Download', scan.openShared],
  ] as const)('says why %s did not work', async (button, by) => {
    const { user } = draw({ usesLeft: 1, studies: [] }, [answer(by, new CallError(429, 'SLOW_DOWN', 'Wait a little.'))])
    expect(await screen.findByText('1 more time')).toBeVisible()
    await user.click(screen.getByRole('button', { name: button }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Wait a little.')
    expect(openViewer).not.toHaveBeenCalled()
    expect(open).not.toHaveBeenCalled()
  })

  it('says what is not known of what was shared, before and after it is opened [P25]', async () => {
    const study = { description: '', studyDate: '', modalities: [], series: 1, images: 1, patient: 1 }
    const { unmount } = draw({ studies: [study] })
    expect(await screen.findByText('No description · 1 image')).toBeVisible()
    unmount()
    const series = [{ seriesUID: '2.25.200', modality: '', description: '', images: 1 }]
    draw({ opened: { ...opened, studies: [aSharedStudy({ patientName: '', sex: null, series })] } })
    expect(await screen.findByRole('heading', { level: 2, name: 'Without a name' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Series 1 image' })).toBeVisible()
    const picture = document.querySelector('.share-picture img')!
    fireEvent.error(picture)
    expect(picture).not.toBeInTheDocument()
  })

  it('downloads where the sender allowed it, and offers it nowhere else [1.07]', async () => {
    const { user, calls, unmount } = draw({}, [answer(scan.openShared, { downloadUrl: '/download/once' })])
    await user.click(await screen.findByRole('button', { name: 'Download' }))
    await waitFor(() => expect(open).toHaveBeenCalledWith('/download/once', '_blank'))
    expect(calls(scan.openShared)).toEqual([{ token: 'secret-token' }])
    unmount()
    draw({ allowsDownload: false })
    expect(await screen.findByText('The sender allows looking only.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Download' })).not.toBeInTheDocument()
  })

  it('asks for the password of the link, and says a wrong one once, at the field [8.03, P29]', async () => {
    const wrong = 'This password is wrong.'
    const { user, calls } = draw({ hasPassword: true }, [
      answer(
        scan.visitShared,
        new CallError(400, 'WRONG_PASSWORD', wrong, { fields: [{ path: 'password', message: wrong }] }),
      ),
    ])
    expect(await screen.findByRole('button', { name: 'Open' })).toBeDisabled()
    await user.type(screen.getByLabelText('Password'), 'guess')
    await user.click(screen.getByRole('button', { name: 'Open' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(wrong)
    expect(screen.getAllByText(wrong)).toHaveLength(1)
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(expect.stringContaining(wrong))
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus())
    expect(calls(scan.visitShared)).toEqual([{ token: 'secret-token', password: 'guess' }])
  })

  it('sends a code to the recipient and opens with it [P25]', async () => {
    const { user, calls } = draw({ codeGoesTo: 'a•••@clinic.example' }, [
      answer(scan.sendShareCode, null),
      answer(scan.visitShared, opened),
    ])
    expect(await screen.findByText(/we send to a•••@clinic.example/)).toBeVisible()
    expect(screen.queryByLabelText('Code')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Send code' }))
    await user.type(await screen.findByLabelText('Code'), ' 123456')
    expect(screen.getByText(/We sent a code to a•••@clinic.example\./)).toHaveAttribute('role', 'status')
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await waitFor(() => expect(calls(scan.visitShared)).toEqual([{ token: 'secret-token', code: '123456' }]))
    expect(calls(scan.sendShareCode)).toEqual([{ token: 'secret-token' }])
  })

  it('shows whose images they are once it is opened, each with its way into the viewer [P25]', async () => {
    const { user } = draw({ hasPassword: true, opened })
    const study = within((await screen.findByRole('heading', { level: 2, name: 'Sample, Anna' })).closest('section')!)
    for (const text of ['P-1001', '1980-02-29', 'Female', 'MR Heart'])
      await waitFor(() => expect(study.getByText(text)).toBeVisible())
    expect(study.getByRole('link', { name: /Late enhancement MR · 12 images/ })).toHaveAttribute(
      'href',
      `/viewer/?share=${anId(50)}&SeriesInstanceUID=2.25.201`,
    )
    await user.click(screen.getByRole('button', { name: 'View images' }))
    expect(openViewer).toHaveBeenCalledWith(anId(50))
    expect(document.title).not.toContain('Sample')
  })

  it('says the same for a wrong, expired, revoked and used-up link, and what to do [P25]', async () => {
    renderScreen(<App notFound={null} />, {
      at: '/share/secret-token',
      as: null,
      answers: [watching(), answer(scan.getShared, gone)],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^This link is invalid or has expired.It may have been opened as often as its sender allowed.* Ask the person who sent it to you for a new one.$/,
    )
    // Asking again would not help [P78].
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  })

  it('can be asked for again where only the line was broken [8.03]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/share/secret-token',
      as: null,
      answers: [watching(), answer(scan.getShared, new CallError(503, 'NOT_READY', 'Not now.'))],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Not now.')).toBeVisible()
  })

  it('is dead as soon as the link has ended, what it showed with it [P25]', async () => {
    const end = Promise.withResolvers<void>()
    draw({ opened }, [], watching(end.promise))
    expect(await screen.findByText('Sample, Anna')).toBeVisible()
    end.resolve()
    expect(await screen.findByRole('alert')).toHaveTextContent('Ask Ms Ada Berg for a new one.')
    expect(document.body).not.toHaveTextContent('Sample')
    expect(screen.queryByRole('button', { name: 'View images' })).not.toBeInTheDocument()
  })

  it('shows the images after the last opening, which is that of this browser [P25]', async () => {
    const spent = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let asked = 0
    // A request that began before the link was opened here does not know whose opening was the last.
    const watched = answer(scan.watchShared, () => {
      asked += 1
      return (asked === 1 ? spent.promise.then(() => Promise.reject(gone)) : new Promise(() => undefined)) as never
    })
    let isOpened = false
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/share/secret-token',
      as: null,
      answers: [
        watched,
        answer(scan.getShared, () => aSharedScan({ hasPassword: true, opened: isOpened ? opened : null })),
        answer(scan.visitShared, async () => {
          spent.resolve()
          await answered.promise
          isOpened = true
          return opened
        }),
      ],
    })
    await user.type(await screen.findByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Open' }))
    answered.resolve()
    expect(await screen.findByText('Sample, Anna')).toBeVisible()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(asked).toBe(2)
  })
})
