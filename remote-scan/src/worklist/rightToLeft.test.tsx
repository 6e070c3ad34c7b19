import { screen } from '@testing-library/react'
import { draw, jonas, list } from './worklistInTests.tsx'

jest.mock('@dmp/kit', () => ({
  ...jest.requireActual('@dmp/kit'),
  direction: () => 'rtl',
}))

it('shows the series to the left and hides them to the right where lines go from right to left [P29]', async () => {
  const { user } = draw([list([jonas])])
  await screen.findByRole('link', { name: jonas.patientName })
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: jonas.patientName })).toHaveFocus()
  await user.keyboard('{ArrowRight}')
  expect(screen.queryByRole('link', { name: 'Cine' })).toBeNull()
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('link', { name: 'Cine' })).toBeVisible()
  await user.keyboard('{ArrowRight}')
  expect(screen.queryByRole('link', { name: 'Cine' })).toBeNull()
})
