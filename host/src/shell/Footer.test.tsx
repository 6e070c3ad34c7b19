import * as scan from '@dmp/contract/scan'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { Footer } from './Footer.tsx'

afterEach(() => {
  jest.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'userAgentData')
})

const firefox = (system: string): string => `Mozilla/5.0 (${system}; rv:145.0) Gecko/20100101 Firefox/145.0`
it.each([
  ['windows', firefox('Windows NT 10.0; Win64; x64'), undefined],
  ['macos', firefox('Macintosh; Intel Mac OS X 10.15'), undefined],
  ['linux', firefox('X11; Linux x86_64'), undefined],
  ['windows', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1', undefined],
  ['windows', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0 Safari/537.36', undefined],
  ['macos', firefox('Windows NT 10.0'), 'macOS'],
  ['linux', firefox('Windows NT 10.0'), 'Linux'],
  ['windows', firefox('X11; Linux x86_64'), 'Windows'],
  ['windows', firefox('X11; Linux x86_64'), 'Android'],
])(
  'asks for the uploader for %s where the browser is %s and says %s [2.41, 7.38]',
  async (...[platform, agent, system]) => {
    jest.spyOn(window, 'open').mockReturnValue(null)
    jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
    if (system) Object.assign(navigator, { userAgentData: { platform: system } })
    const { user, calls } = renderScreen(<Footer />, {
      at: '/',
      answers: [answer(scan.getUploader, { url: '/uploader' })],
    })
    await user.click(screen.getByRole('button', { name: 'Uploader' }))
    await waitFor(() => expect(calls(scan.getUploader)).toMatchObject([{ platform }]))
  },
)

it('asks once, however often it is clicked while the address is on its way, and says nothing that is not known', async () => {
  const opened = jest.spyOn(window, 'open').mockReturnValue(null)
  const address = Promise.withResolvers<{ url: string }>()
  const { user, calls } = renderScreen(<Footer />, {
    at: '/',
    answers: [answer(scan.getUploader, () => address.promise)],
  })
  const button = screen.getByRole('button', { name: 'Uploader' })
  await user.click(button)
  await user.click(button)
  await user.click(screen.getByRole('button', { name: 'IFU' }))
  address.resolve({ url: '/uploader/linux' })
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(button).toBeEnabled())
  expect(calls(scan.getUploader)).toHaveLength(1)
  expect(screen.queryByText(/SHA-256/)).toBeNull()
})

it('says size and checksum of the uploader that it opens, and where it stands how to start it [2.41]', async () => {
  jest.spyOn(window, 'open').mockReturnValue(null)
  const uploader = { url: '/uploader/linux', fileName: 'dmp-uploader', size: 121_500_000, sha256: 'a1b2c3' }
  const { user } = renderScreen(<Footer />, { at: '/', answers: [answer(scan.getUploader, uploader)] })
  await user.click(screen.getByRole('button', { name: 'Uploader' }))
  const said = await screen.findByText(/SHA-256 a1b2c3/)
  expect(said).toHaveTextContent(/dmp-uploader, 122\sMB, SHA-256 a1b2c3. How to start it: Scans, Upload\./)
})
