import { sendApplicationError } from '@dmp/contract/email'
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
