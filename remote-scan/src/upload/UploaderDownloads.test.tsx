import { scan } from '@dmp/contract'
import type { Answer } from '@dmp/contract/endpoint'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

describe('the uploader, beside the upload in the page', () => {
  const drawWith = (uploader: Answer<typeof scan.getUploader> | CallError) =>
    renderScreen(<App notFound={null} />, {
      at: '/scan/upload',
      as: 'staff',
      answers: [answer(scan.getUploader, uploader)],
    })

  it.each([
    ['Windows', 'windows'],
    ['macOS', 'macos'],
    ['Linux', 'linux'],
  ])('is got for %s, whatever system the page is read on [2.41, 7.38]', async (name, platform) => {
    const open = jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
    const { user, calls } = drawWith({ url: '/uploader' })
    await user.click(await screen.findByRole('button', { name: `Uploader for ${name}` }))
    await waitFor(() => expect(open).toHaveBeenCalledWith('/uploader', '_blank'))
    expect(calls(scan.getUploader)).toMatchObject([{ platform }])
  })

  it.each([
    ['Windows', 'dmp-uploader.exe', /Run anyway/, 'dmp-uploader.exe window'],
    ['macOS', 'dmp-uploader.tar.gz', /Install Node 24/, './dmp-uploader/dmp-uploader window'],
    ['Linux', 'dmp-uploader', /sha256sum dmp-uploader/, 'chmod +x dmp-uploader'],
  ])('for %s has its size and checksum beside it, and how to start it [2.41]', async (name, fileName, how, line) => {
    jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
    const { user } = drawWith({ url: '/uploader', fileName, size: 121_500_000, sha256: 'a1b2c3' })
    await user.click(await screen.findByRole('button', { name: `Uploader for ${name}` }))
    for (const fact of [fileName, /^122\sMB$/, 'a1b2c3', how]) expect(await screen.findByText(fact)).toBeVisible()
    expect(screen.getByText((text) => text.includes(line), { selector: 'pre' })).toBeVisible()
  })

  it.each([
    ['Windows', '"%LOCALAPPDATA%\\dmp-uploader\\dmp-uploader.exe" service install'],
    ['macOS', '~/Applications/dmp-uploader/dmp-uploader service install'],
    ['Linux', '~/.local/bin/dmp-uploader service install'],
  ])(
    'for %s has in its last lines where it can stay, and how it starts with the machine [2.41]',
    async (name, line) => {
      jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
      const { user } = drawWith({ url: '/uploader' })
      await user.click(await screen.findByRole('button', { name: `Uploader for ${name}` }))
      expect(await screen.findByText(/runs only while its terminal is open/)).toBeVisible()
      const last = [...(await screen.findByRole('status', { name: '' })).querySelectorAll('pre')].at(-1)
      expect(last?.textContent?.split('\n').at(-1)).toBe(line)
    },
  )

  it('of a server of before has no checksum, and says how to start it [2.41]', async () => {
    jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
    const { user } = drawWith({ url: '/uploader' })
    await user.click(await screen.findByRole('button', { name: 'Uploader for Linux' }))
    expect(await screen.findByText(/chmod \+x/)).toBeVisible()
    expect(screen.queryByText('SHA-256')).toBeNull()
  })

  it('says why there is none [8.08]', async () => {
    const { user } = drawWith(new CallError(503, 'NO_UPLOADER', 'The uploader is not installed.'))
    await user.click(await screen.findByRole('button', { name: 'Uploader for Linux' }))
    expect(await screen.findByText('The uploader is not installed.')).toBeVisible()
  })
})
