import { renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { news } from './news.ts'
import { UserMenu } from './UserMenu.tsx'

it('the user menu says what is new, by day, newest first [P76]', async () => {
  const { user } = renderScreen(<UserMenu onChoose={() => undefined} />, { at: '/dashboard' })
  await user.click(screen.getByRole('button', { name: 'User menu' }))
  await user.click(await screen.findByRole('menuitem', { name: 'What’s new' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'What’s new' }))
  const days = news.map(({ day }) => day)
  await waitFor(() => expect(dialog.getByText(news[0]?.sentences[0] ?? '')).toBeVisible())
  expect(dialog.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(days)
  expect(days).toEqual(days.toSorted().toReversed())
  for (const sentence of news.flatMap(({ sentences }) => sentences)) expect(dialog.getByText(sentence)).toBeVisible()
})
