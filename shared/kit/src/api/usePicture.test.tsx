import { DataProvider } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'
import { render, screen, waitFor } from '@testing-library/react'
import { usePicture } from './usePicture.ts'

function Picture({ path }: { path: string | undefined }) {
  const src = usePicture(path)
  return src === undefined ? <p>none</p> : <img src={src} alt="inside" />
}
/** Draws the picture of a server that answers so; jsdom reads its own blobs only. */
function draw(path: string | undefined, answer: () => Partial<Response>) {
  placeSettings()
  signInAs('staff')
  const asked = jest.fn(async (_path: string, _how: RequestInit) => answer())
  globalThis.fetch = asked as unknown as typeof fetch
  render(
    <DataProvider>
      <Picture path={path} />
    </DataProvider>,
  )
  return asked
}

describe('a picture that only signed-in people may see', () => {
  it('is asked for with the session’s token', async () => {
    const asked = draw('/dicom-web/a', () => ({ ok: true, blob: async () => new Blob(['x'], { type: 'image/png' }) }))
    expect(await screen.findByRole('img', { name: 'inside' })).toHaveAttribute('src', expect.stringMatching(/^data:/))
    expect(
      asked.mock.calls.map(([path, { headers }]) => [path, (headers as Record<string, string>)['Authorization']]),
    ).toEqual([['/dicom-web/a', 'Bearer an-access-token']])
  })

  it('is none where it is refused', async () => {
    const asked = draw('/dicom-web/b', () => new Response('{}', { status: 404 }))
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
    await asked.mock.results[0]?.value
    expect(await screen.findByText('none')).toBeVisible()
    expect(screen.queryByRole('img')).not.toBeInTheDocument()
  })

  it('is not asked for where there is none', () => {
    const asked = draw(undefined, () => new Response('{}'))
    expect(screen.getByText('none')).toBeVisible()
    expect(asked).not.toHaveBeenCalled()
  })
})
