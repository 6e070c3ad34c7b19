import { renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { PublicFrame } from './PublicFrame.tsx'

const draw = (coming?: string[]) =>
  renderScreen(<PublicFrame>page</PublicFrame>, {
    at: '/login',
    as: null,
    ...(coming === undefined ? {} : { settings: { coming } }),
  })

describe('the sign-in page of a product of which not all is built', () => {
  it('says what is still coming', () => {
    draw(['the image viewer', 'the uploader'])
    expect(screen.getByRole('status')).toHaveTextContent(
      'Still being built when this page was opened: the image viewer, the uploader.',
    )
  })

  it('says nothing of it when all is there', () => {
    draw()
    expect(screen.queryByText(/Still being built/)).toBeNull()
  })
})

describe('the foot of the sign-in page', () => {
  it('asks strangers to sign in before IFU and Uploader, without a call', async () => {
    const { user, made } = draw()
    const foot = within(screen.getByRole('contentinfo'))
    await user.click(foot.getByRole('button', { name: 'IFU' }))
    expect(await screen.findByText('Sign in to open the instructions for use.')).toBeVisible()
    await user.click(foot.getByRole('button', { name: 'Uploader' }))
    expect(await screen.findByText('Sign in to download the uploader.')).toBeVisible()
    expect(made).toEqual([])
  })
})
