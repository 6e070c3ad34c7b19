import { renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen, within } from '@testing-library/react'
import { CallError } from '@dmp/kit'
import {
  ActionBox,
  CardLinks,
  ConfirmModal,
  CopyText,
  formatDate,
  DateText,
  ErrorAlert,
  Facts,
  PublicScreen,
  Section,
} from './index.ts'

describe('dates', () => {
  it('are dd / MMM / yyyy on the profile [9.10, 2.46]', () => {
    expect(formatDate('2026-01-05T08:15:00.000Z', 'day', 'UTC')).toBe('05 / Jan / 2026')
  })

  it('are year-month-day, hour:minute am/pm with zone in detail tables [9.10]', () => {
    expect(formatDate('2026-01-05T08:15:00.000Z', 'moment', 'UTC')).toBe('2026-01-05, 08:15 am UTC')
    expect(formatDate('2026-01-05T12:00:00.000Z', 'moment', 'UTC')).toBe('2026-01-05, 12:00 pm UTC')
    expect(formatDate('2026-01-05T00:05:00.000Z', 'moment', 'UTC')).toBe('2026-01-05, 12:05 am UTC')
  })

  it('have their seconds where they are exact, and a day stays a day', () => {
    expect(formatDate('2026-01-05T08:15:07.000Z', 'exact', 'UTC')).toBe('2026-01-05, 08:15:07 am UTC')
    expect(formatDate('2026-01-05', 'exact', 'Asia/Tokyo')).toBe('2026-01-05')
  })

  it('are shown in the viewer’s zone [9.10]', () => {
    expect(formatDate('2026-01-05T23:30:00.000Z', 'moment', 'Europe/Berlin')).toBe('2026-01-06, 12:30 am GMT+1')
    expect(formatDate('2026-07-05T23:30:00.000Z', 'short', 'America/New_York')).toBe('2026-07-05')
  })

  it('of DICOM keep their day in every zone [9.10]', () => {
    expect(formatDate('2026-01-05', 'short', 'America/Los_Angeles')).toBe('2026-01-05')
    expect(formatDate('2026-01-05', 'moment', 'Asia/Tokyo')).toBe('2026-01-05')
  })

  it('that are none stay what they are', () => {
    expect(formatDate('', 'day')).toBe('')
    expect(formatDate(null, 'day')).toBe('')
    expect(formatDate('soon', 'day')).toBe('soon')
    renderScreen(<DateText value={null} format="day" />, { at: '/' })
    expect(screen.getByLabelText('None')).toHaveTextContent('–')
  })
})

describe('parts of a screen', () => {
  it('show label and value, and a dash where there is none [2.59]', () => {
    renderScreen(
      <Facts
        facts={[
          { label: 'Name', value: 'North' },
          { label: 'Fax', value: null },
        ]}
        columns={3}
      />,
      { at: '/' },
    )
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Name', 'Fax'])
    expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual(['North', '–'])
  })

  it('show a failure of the server with its reference, and can be closed [8.02, 8.03]', async () => {
    const failed = (status: number) => new CallError(status, 'X', 'It broke.', { requestId: 'r-1' })
    const onClose = jest.fn()
    const { user, unmount } = renderScreen(<ErrorAlert error={failed(500)} onClose={onClose} />, { at: '/' })
    expect(screen.getByRole('alert')).toHaveTextContent('Reference: r-1')
    await user.click(screen.getByRole('button', { name: 'Copy Reference' }))
    expect(await navigator.clipboard.readText()).toBe('r-1')
    await user.click(screen.getByRole('button', { name: 'Close alert' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    unmount()
    renderScreen(<ErrorAlert error={failed(409)} />, { at: '/' })
    expect(screen.getByRole('alert')).not.toHaveTextContent('Reference')
    expect(screen.queryByRole('button', { name: 'Close alert' })).not.toBeInTheDocument()
  })

  it.each([['thrown text'], [new Error('')], [{ message: 'no error' }]])(
    'have words for what is no error that says anything: %p [8.02]',
    (error) => {
      renderScreen(<ErrorAlert error={error} />, { at: '/' })
      expect(screen.getByRole('alert')).toHaveTextContent('An unknown error occurred')
    },
  )

  it('collapse and expand by their heading [2.59]', async () => {
    const { user } = renderScreen(
      <Section title="Patient Details" collapsible>
        <p>inside</p>
      </Section>,
      { at: '/' },
    )
    const toggle = screen.getByRole('button', { name: 'Patient Details' })
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await user.click(toggle)
    expect(toggle).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getByText('inside')).not.toBeVisible()
    await user.click(toggle)
    expect(screen.getByText('inside')).toBeVisible()
  })

  it('say when they were collapsed and expanded, where a screen steers them [2.59]', async () => {
    const onToggle = jest.fn()
    const { user } = renderScreen(
      <Section title="Patient Details" collapsible open onToggle={onToggle}>
        <p>inside</p>
      </Section>,
      { at: '/' },
    )
    await user.click(screen.getByRole('button', { name: 'Patient Details' }))
    expect(onToggle.mock.calls).toEqual([[false]])
    expect(screen.getByText('inside')).toBeVisible()
  })

  it('say of an error what single fields add to it, nothing twice [8.02]', () => {
    const fields = [
      { path: 'a', message: 'It broke.' },
      { path: 'b', message: 'Too long.' },
      { path: 'c', message: 'Too long.' },
    ]
    renderScreen(<ErrorAlert error={new CallError(400, 'X', 'It broke.', { fields })} />, { at: '/' })
    expect(screen.getByText('Too long.')).toBeVisible()
    expect(screen.getAllByText('It broke.')).toHaveLength(1)
  })

  it('list on a card what can be opened with the way to the rest, or say that there is none [2.09]', () => {
    const all = { to: '/scan', text: 'All scans' }
    const { unmount } = renderScreen(
      <CardLinks links={[{ to: '/scan/1', text: 'Knee', note: 'today' }]} all={all} none="No scans yet." />,
      { at: '/' },
    )
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Knee', '/scan/1'],
      ['All scans', '/scan'],
    ])
    expect(screen.queryByText('No scans yet.')).not.toBeInTheDocument()
    unmount()
    renderScreen(<CardLinks links={[]} all={all} none="No scans yet." />, { at: '/' })
    expect(screen.getByText('No scans yet.')).toBeVisible()
  })

  it('stand on a public page in one card, with the ways on below it where there are some', () => {
    const { unmount, container } = renderScreen(
      <PublicScreen title="Login" footer={<p>Register</p>}>
        inside
      </PublicScreen>,
      { at: '/', as: null },
    )
    expect(screen.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    expect(screen.getByText('Register')).toBeVisible()
    expect(container.querySelector('.dmp-public-card-wide')).toBeNull()
    unmount()
    const { container: wide } = renderScreen(
      <PublicScreen title="Login" wide>
        inside
      </PublicScreen>,
      { at: '/', as: null },
    )
    expect(wide.querySelector('.dmp-public-card-wide')).toBeInTheDocument()
    expect(wide.querySelector('.dmp-public-footer')).toBeNull()
  })

  it('hide an Actions box without actions [6.09]', () => {
    const { rerender } = renderScreen(
      <ActionBox>
        {false}
        {null}
      </ActionBox>,
      { at: '/' },
    )
    expect(screen.queryByRole('heading', { name: 'Actions' })).not.toBeInTheDocument()
    rerender(<p />)
  })

  it('do not collapse where it is not said, and have the buttons that belong to them', () => {
    renderScreen(
      <Section title="Name">
        <p>inside</p>
      </Section>,
      { at: '/' },
    )
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
    expect(screen.getByText('inside')).toBeVisible()
  })

  it('copy a text and say so', async () => {
    const { user } = renderScreen(<CopyText text="1.2.3" label="StudyUID" />, { at: '/' })
    await user.click(screen.getByRole('button', { name: 'Copy StudyUID' }))
    expect(await navigator.clipboard.readText()).toBe('1.2.3')
    expect(await screen.findByText('StudyUID copied to clipboard.')).toBeVisible()
  })

  it('say where the browser does not let them copy', async () => {
    const { user } = renderScreen(<CopyText text="1.2.3" label="StudyUID" />, { at: '/' })
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    await user.click(screen.getByRole('button', { name: 'Copy StudyUID' }))
    expect(
      await screen.findByText('This browser does not allow copying. Select the text and copy it manually.'),
    ).toBeVisible()
    jest.restoreAllMocks()
  })

  it('ask in a dialog that waits for its answer, and not while one is on its way', async () => {
    const onClose = jest.fn()
    const ask = (busy?: boolean) => (
      <ConfirmModal
        title="Delete scan"
        confirmLabel="Delete"
        {...(busy ? { busy } : {})}
        onConfirm={() => {}}
        onClose={onClose}
      >
        Sure?
      </ConfirmModal>
    )
    const { user, unmount } = renderScreen(ask(), { at: '/' })
    const dialog = await screen.findByRole('dialog', { name: 'Delete scan' })
    expect(within(dialog).getByRole('button', { name: 'Delete' })).not.toHaveClass('dmp-button--danger')
    const beside = dialog.parentElement!
    for (const send of [fireEvent.mouseDown, fireEvent.mouseUp, fireEvent.click]) send(beside)
    expect(onClose).not.toHaveBeenCalled()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    unmount()
    renderScreen(ask(true), { at: '/' })
    expect(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' })).toBeDisabled()
  })

  it('ask in a dialog named by its title, whose button may wait for something [8.03]', async () => {
    const onConfirm = jest.fn()
    const { user, rerender } = renderScreen(
      <ConfirmModal
        title="Delete scan"
        confirmLabel="Delete"
        danger
        error={new Error('It is in use.')}
        onConfirm={onConfirm}
        onClose={() => {}}
      >
        Sure?
      </ConfirmModal>,
      { at: '/' },
    )
    const dialog = await screen.findByRole('dialog', { name: 'Delete scan' })
    expect(within(dialog).getByRole('alert')).toHaveTextContent('It is in use.')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledTimes(1)
    rerender(<p />)
  })
})

describe('an error of being offline', () => {
  const setOnline = (isOnline: boolean) => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    fireEvent(window, new Event(isOnline ? 'online' : 'offline'))
  }
  const offline = new CallError(0, 'OFFLINE', 'You are offline.')
  afterEach(() => jest.restoreAllMocks())

  it('beside a form goes once the connection is back, and any other stays', () => {
    setOnline(false)
    renderScreen(
      <>
        <ErrorAlert error={offline} />
        <ErrorAlert error={new CallError(503, 'NOT_READY', 'Not ready.')} />
      </>,
      { at: '/' },
    )
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(['You are offline.', 'Not ready.'])
    setOnline(true)
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(['Not ready.'])
  })

  it('stays where it has a button to try again', () => {
    setOnline(true)
    renderScreen(<ErrorAlert error={offline} onRetry={() => undefined} />, { at: '/' })
    expect(screen.getByRole('alert')).toHaveTextContent('You are offline.')
  })
})
