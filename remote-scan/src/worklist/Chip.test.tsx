import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DaysChip } from './Chip.tsx'

afterEach(() => jest.useRealTimers())

it.each([
  ['Today', '2026-03-09'],
  ['Last 7 days', '2026-03-03'],
  ['Last 30 days', '2026-02-08'],
])('%s begins on a day of the person, not of Greenwich, late in the evening too', async (name, first) => {
  // Where the tests run it is still the ninth.
  jest.useFakeTimers({ now: new Date('2026-03-10T01:00:00Z'), advanceTimers: true })
  const person = userEvent.setup({ advanceTimers: jest.advanceTimersByTime })
  const onChange = jest.fn()
  render(<DaysChip title="Received" from="" to="" onChange={onChange} />)
  await person.click(screen.getByText('Received', { selector: 'summary, summary *' }))
  await person.click(screen.getByRole('button', { name }))
  expect(onChange).toHaveBeenCalledWith(first, '')
})
