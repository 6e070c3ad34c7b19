import * as complaint from '@dmp/contract/complaint'
import { aComplaint } from '@dmp/contract/examples'
import { CallError, useData } from '@dmp/kit'
import { Link, Route, Routes } from '@dmp/kit/router'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Screen } from './Screen.tsx'

function Detail() {
  const item = useData(complaint.get, { id: aComplaint().id })
  return <p>{item.complaintNumber}</p>
}
const trail = [
  { name: 'Dashboard', url: '/dashboard' },
  { name: 'List', url: '/complaint', queryParams: { page: '2' } },
  { name: 'Detail', isActive: true },
]
const app = (
  <Routes>
    <Route
      path="/a"
      element={
        <Screen title="First" breadcrumbs={trail} actions={<button type="button">Add</button>}>
          <Detail />
        </Screen>
      }
    />
    <Route
      path="/b"
      element={
        <Screen title="Ruth Sample" documentTitle="Scan">
          <Link to="/a">back</Link>
        </Screen>
      }
    />
  </Routes>
)

describe('Screen', () => {
  it('says behind a ? what it is for, until Escape or a click elsewhere [P76]', async () => {
    const { user } = renderScreen(
      <Screen title="Bin" help={['Deleted scans stay here.', 'Restore brings one back.']} />,
      {
        at: '/',
      },
    )
    expect(screen.getByText('Deleted scans stay here.')).not.toBeVisible()
    await user.click(screen.getByLabelText('Help for this page'))
    for (const sentence of ['Deleted scans stay here.', 'Restore brings one back.'])
      expect(screen.getByText(sentence)).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.getByText('Deleted scans stay here.')).not.toBeVisible()
    expect(screen.getByLabelText('Help for this page')).toHaveFocus()
  })

  it('leads by its breadcrumbs to every place but the one where it is [2.35]', () => {
    const places = [
      { name: 'Dashboard', url: '/dashboard' },
      { name: 'Group' },
      { name: 'Here', url: '/here', isActive: true },
      { name: 'Below', url: '/here/below', isActive: false },
    ]
    renderScreen(<Screen title="Here" breadcrumbs={places} />, { at: '/here' })
    const trailOf = screen.getByRole('navigation', { name: 'Breadcrumb' })
    expect(
      within(trailOf)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Dashboard', 'Below'])
    expect([...trailOf.querySelectorAll('[aria-current]')].map((place) => place.textContent)).toEqual(['Here'])
  })

  it('has one h1, its breadcrumbs with names, addresses and the active one, and its data [2.35]', async () => {
    renderScreen(app, { at: '/a', answers: [answer(complaint.get, aComplaint())] })
    expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible()
    expect(await screen.findByText('C-000010')).toBeVisible()
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    const steps = screen.getByRole('navigation', { name: 'Breadcrumb' })
    expect(screen.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(screen.getByRole('link', { name: 'List' })).toHaveAttribute('href', '/complaint?page=2')
    expect(steps).toHaveTextContent('Detail')
    expect(screen.getByText('Detail')).toHaveAttribute('aria-current', 'page')
  })

  it('says of an address without a real id that nothing is there, not what an id is [2.30]', async () => {
    const refusal = new CallError(400, 'INVALID', 'This is not an id of this platform.')
    renderScreen(app, { at: '/a', answers: [answer(complaint.get, refusal)] })
    expect(await screen.findByRole('alert')).toHaveTextContent('This does not exist, or you have no access to it.')
    expect(screen.queryByText(/not an id/)).not.toBeInTheDocument()
  })

  it('moves the focus to the heading on a route change, and not on the first page of a visit [P29]', async () => {
    const { user } = renderScreen(app, { at: '/b', answers: [answer(complaint.get, aComplaint())] })
    expect(document.body).toHaveFocus()
    await user.click(screen.getByRole('link', { name: 'back' }))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'First' })).toHaveFocus())
  })

  it.each([
    ['a field', <input key="one" aria-label="there" autoFocus />],
    ['a button of the page', <button key="one" type="button" aria-label="there" autoFocus />],
  ])('leaves the focus in %s that has it already [P29]', async (_what, first) => {
    const pages = (
      <Routes>
        <Route path="/a" element={<Screen title="First">{first}</Screen>} />
        <Route
          path="/b"
          element={
            <Screen title="Second">
              <Link to="/a">back</Link>
            </Screen>
          }
        />
      </Routes>
    )
    const { user } = renderScreen(pages, { at: '/b' })
    await user.click(screen.getByRole('link', { name: 'back' }))
    await screen.findByRole('heading', { name: 'First' })
    expect(screen.getByLabelText('there')).toHaveFocus()
  })

  it('keeps the name of a patient out of the document’s title [P23]', () => {
    renderScreen(app, { at: '/b' })
    expect(document.title).toBe('Scan · Data Management Platform')
  })

  it('shows a failed call’s message in an alert with a retry that asks again [8.03]', async () => {
    let isDown = true
    const { user } = renderScreen(app, {
      at: '/a',
      answers: [
        answer(complaint.get, () =>
          isDown ? new CallError(404, 'NOT_FOUND', 'There is no such complaint.') : aComplaint(),
        ),
      ],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such complaint.')
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('C-000010')).toBeVisible()
  })

  it('heals by itself when the line comes back [P28]', async () => {
    let isDown = true
    renderScreen(app, {
      at: '/a',
      answers: [answer(complaint.get, () => (isDown ? new CallError(0, 'UNREACHABLE', '') : aComplaint()))],
    })
    expect(await screen.findByRole('alert', {}, { timeout: 5000 })).toHaveTextContent(
      'The server cannot be reached right now. Please try again.',
    )
    isDown = false
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByText('C-000010')).toBeVisible()
  })

  it('leads to the not-authorized page of the refused call [8.01, 6.10]', async () => {
    const { path } = renderScreen(app, {
      at: '/a',
      answers: [answer(complaint.get, new CallError(403, 'FORBIDDEN', 'Not allowed.'))],
    })
    await waitFor(() => expect(path()).toBe('/not-authorized/Complaint/get'))
  })
})
