import { renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { listNews } from './news.ts'
import { UserMenu } from './UserMenu.tsx'

it('the user menu says what is new, by day, newest first [P76]', async () => {
  const { user } = renderScreen(<UserMenu onChoose={() => undefined} />, { at: '/dashboard' })
  await user.click(screen.getByRole('button', { name: 'User menu' }))
  await user.click(await screen.findByRole('menuitem', { name: 'What’s new' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'What’s new' }))
  const days = listNews().map(({ day }) => day)
  await waitFor(() => expect(dialog.getByText(listNews()[0]?.sentences[0] ?? '')).toBeVisible())
  expect(dialog.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(days)
  expect(days).toEqual(days.toSorted().toReversed())
  const said = listNews().flatMap(({ sentences }) => sentences)
  for (const sentence of said) expect(dialog.getByText(sentence)).toBeVisible()
})
