import { history, status, type ShownPart } from '@dmp/contract/releaseCalls'
import { listPreviews } from '@dmp/contract/releasePreview'
import { answer } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { scans, watch } from '../testing/shownPart.ts'

const before = { releaseId: '9'.repeat(16), version: '1.4.0' }
const canary = { ...scans.live, releaseId: 'c'.repeat(16), percent: 10, users: [] }

const draw = (part: ShownPart, actions: string[], over: Partial<typeof watch> = {}) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform',
    as: 'super_admin',
    user: { policy: [{ moduleId: '1', module: 'Release', actions }] },
    answers: [
      answer(status, { version: 2, parts: [part], watch: { ...watch, ...over } }),
      answer(history, []),
      answer(listPreviews, []),
    ],
  })
}
const card = async () => within(await screen.findByRole('region', { name: 'Scans' }))
const buttons = async () => (await card()).getAllByRole('button').map(({ textContent }) => textContent)

describe('what a person may do with a part', () => {
  it.each([
    [
      ['List', 'Update'],
      ['Keep…', 'Try another release…'],
    ],
    [['List'], ['Try another release…']],
    [
      ['List', 'Rollback'],
      ['Roll back to 1.4.0…', 'Try another release…'],
    ],
    [
      ['List', 'Canary'],
      ['Promote…', 'Stop…', 'Try another release…'],
    ],
  ])('is what the policy allows: %j [6.02]', async (actions, shown) => {
    draw({ ...scans, canary, before }, actions)
    expect((await buttons()).filter((text) => text?.endsWith('…'))).toEqual(shown)
    expect((await card()).queryByText('No earlier release')).toBeNull()
  })

  it('is not to keep a release where none is rolled back by itself, which is said [P31]', async () => {
    draw({ ...scans, before }, ['List', 'Rollback', 'Update'], { isOn: false })
    expect(await screen.findByText('Automatic rollback is switched off.')).toBeVisible()
    expect(await buttons()).not.toContain('Keep…')
  })
})

describe('the release to try', () => {
  it.each([
    ['the canary', { canary, before }, canary.releaseId, /c{16} is the canary, 9{16} was live before\.$/],
    ['else the one before', { canary: null, before }, before.releaseId, /8080\. 9{16} was live before\.$/],
    ['else none', { canary: null, before: null }, '', /8080\.$/],
  ])('is %s', async (_which, over, releaseId, help) => {
    const { user } = draw({ ...scans, ...over }, ['List'])
    await user.click((await card()).getByRole('button', { name: 'Try another release of Scans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Try another release of Scans' }))
    expect(dialog.getByLabelText(/Release/)).toHaveValue(releaseId)
    expect(dialog.getByLabelText(/Release/)).toHaveAccessibleDescription(help)
  })
})
