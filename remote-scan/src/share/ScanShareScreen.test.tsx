import { scan } from '@dmp/contract'
import type { SharedScan } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const shared = (over: Partial<SharedScan> = {}) =>
  answer(scan.getShared, { expireDate: '2026-06-01T10:00:00.000Z', hasPassword: false, usesLeft: null, ...over })
const draw = (answers: readonly Line[]) =>
  renderScreen(<App notFound={null} />, { at: '/share/secret-token', as: null, answers })

let open: jest.SpyInstance
beforeEach(() => {
  open = jest.spyOn(window, 'open').mockReturnValue(null)
})
afterEach(() => open.mockRestore())

describe('the page of a share link', () => {
  it('says until when it works and downloads, without an account [1.07]', async () => {
    const { user, calls } = draw([shared({ usesLeft: 2 }), answer(scan.openShared, { downloadUrl: '/download/once' })])
    expect(await screen.findByText('Valid until')).toBeVisible()
    expect(screen.getByText('Downloads left').nextElementSibling).toHaveTextContent('2')
    await user.click(screen.getByRole('button', { name: 'Download' }))
    expect(await screen.findByText('Download started')).toBeVisible()
    expect(calls(scan.openShared)).toEqual([{ token: 'secret-token', password: null }])
    expect(open).toHaveBeenCalledWith('/download/once', '_blank', 'noopener,noreferrer')
  })

  it('asks for the password of the link, and says a wrong one once, at the field [8.03, P29]', async () => {
    const wrong = 'This password is wrong.'
    const { user, calls } = draw([
      shared({ hasPassword: true }),
      answer(
        scan.openShared,
        new CallError(400, 'WRONG_PASSWORD', wrong, { fields: [{ path: 'password', message: wrong }] }),
      ),
    ])
    expect(await screen.findByRole('button', { name: 'Download' })).toBeDisabled()
    await user.type(screen.getByLabelText('Password'), 'guess')
    await user.click(screen.getByRole('button', { name: 'Download' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(wrong)
    expect(screen.getAllByText(wrong)).toHaveLength(1)
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(expect.stringContaining(wrong))
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus())
    expect(calls(scan.openShared)).toEqual([{ token: 'secret-token', password: 'guess' }])
  })

  it('says the same for a wrong, expired and revoked link [P25]', async () => {
    draw([answer(scan.getShared, new CallError(404, 'NOT_FOUND', 'This link is invalid or has expired.'))])
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is invalid or has expired.')
  })
})
