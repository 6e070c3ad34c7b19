import { registration } from '@dmp/contract'
import { waitNames } from '@dmp/contract/waits'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { RegistrationAgesCard } from './RegistrationAgesCard.tsx'

const counts = (longer: number) =>
  waitNames.map((wait) => ({ wait, count: wait === 'longer' ? longer : 0, isMore: wait === 'longer' && longer > 9 }))

it('says for how long, each age the way to those that it counts [P53]', async () => {
  renderScreen(<RegistrationAgesCard />, { at: '/dashboard', answers: [answer(registration.countPending, counts(10))] })
  expect(await screen.findByRole('table', { name: 'New registrations by age' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'More than 30 days' })).toHaveAttribute(
    'href',
    '/registration?status=New&wait=longer',
  )
  expect(screen.getByRole('row', { name: 'More than 30 days 10+' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Less than a day' })).toBeNull()
})

it('is empty where none waits [P53]', async () => {
  const card = (
    <section aria-label="card">
      <RegistrationAgesCard />
    </section>
  )
  renderScreen(card, { at: '/dashboard', answers: [answer(registration.countPending, counts(0))] })
  expect(await screen.findByRole('region', { name: 'card' })).toBeEmptyDOMElement()
})
