import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Link, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { GuestRouter } from './GuestRouter.tsx'

function Place() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <p>at {pathname + search}</p>
      <Link to="/report/1">one</Link>
      <button type="button" onClick={() => void navigate('/report?page=2', { replace: true })}>
        second page
      </button>
    </>
  )
}

it('tells the page around where the person goes, follows where that goes, and tells nothing of that', async () => {
  const person = userEvent.setup()
  const listeners = new Set<(at: string) => void>()
  const went: [string, boolean][] = []
  const before = location.href
  render(
    <GuestRouter
      at="/report?page=1"
      onGo={(to, isReplacing) => went.push([to, isReplacing])}
      follow={(listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }}
    >
      <Routes>
        <Route path="*" element={<Place />} />
      </Routes>
    </GuestRouter>,
  )
  expect(screen.getByText('at /report?page=1')).toBeVisible()
  await person.click(screen.getByRole('link', { name: 'one' }))
  await person.click(screen.getByRole('button', { name: 'second page' }))
  expect(went).toEqual([
    ['/report/1', false],
    ['/report?page=2', true],
  ])
  act(() => listeners.forEach((listener) => listener('/report/7')))
  expect(await screen.findByText('at /report/7')).toBeVisible()
  expect(went).toHaveLength(2)
  expect(location.href).toBe(before)
})
