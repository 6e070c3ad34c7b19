import { sendApplicationError } from '@dmp/contract/email'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { ScreenBoundary } from './ScreenBoundary.tsx'

it('draws again what an edit broke once any part was updated, and nothing that stands', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  let [isBroken, drawings] = [true, 0]
  function Edited() {
    drawings += 1
    if (isBroken) throw new Error('The form’s schema has no reference')
    return <p>Your reference</p>
  }
  renderScreen(
    <ScreenBoundary>
      <Edited />
    </ScreenBoundary>,
    { at: '/complaint', answers: [answer(sendApplicationError, null)] },
  )
  expect(screen.getByText('This part of the page could not be shown.')).toBeVisible()
  isBroken = false
  act(() => void dispatchEvent(new Event('dmp:updated')))
  expect(screen.getByText('Your reference')).toBeVisible()
  const before = drawings
  act(() => void dispatchEvent(new Event('dmp:updated')))
  expect(drawings).toBe(before)
})

it.each([
  [0, true],
  [404, false],
])('draws again what failed with %i when the line is back: %p [P28]', (status, isAgain) => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  let isBroken = true
  function Asking() {
    if (isBroken) throw new CallError(status, 'X', 'It failed.')
    return <p>It works.</p>
  }
  renderScreen(
    <ScreenBoundary>
      <Asking />
    </ScreenBoundary>,
    { at: '/complaint' },
  )
  isBroken = false
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.queryAllByText('It works.')).toHaveLength(isAgain ? 1 : 0)
})
