import { DataProvider } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'
import { act, render, screen, waitFor } from '@testing-library/react'
import { usePicture } from './usePicture.ts'

function Picture({ path }: { path: string | undefined }) {
  const src = usePicture(path)
  return src === undefined ? <p>none</p> : <img src={src} alt="inside" />
}
/** Draws the picture of a server that answers so; jsdom reads its own blobs only. */
function draw(path: string | undefined, answer: () => Partial<Response> | Promise<Response>) {
  placeSettings()
  signInAs('staff')
  const asked = jest.fn(async (_path: string, _how: RequestInit) => answer())
  globalThis.fetch = asked as unknown as typeof fetch
  const { unmount } = render(
    <DataProvider>
      <Picture path={path} />
    </DataProvider>,
  )
  return { asked, unmount }
}

describe('a picture that only signed-in people may see', () => {
  it('is asked for with the session’s token', async () => {
    const { asked } = draw('/dicom-web/a', () => ({
      ok: true,
      blob: async () => new Blob(['x'], { type: 'image/png' }),
    }))
    expect(await screen.findByRole('img', { name: 'inside' })).toHaveAttribute('src', expect.stringMatching(/^data:/))
    expect(
      asked.mock.calls.map(([path, { headers }]) => [path, (headers as Record<string, string>)['Authorization']]),
    ).toEqual([['/dicom-web/a', 'Bearer an-access-token']])
  })

  it('is not loaded any further once what it belongs to is gone', async () => {
    const { asked, unmount } = draw('/dicom-web/e', () => new Promise<Response>(() => undefined))
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
    const signal = asked.mock.calls[0]?.[1].signal
    expect(signal?.aborted).toBe(false)
    unmount()
    expect(signal?.aborted).toBe(true)
  })

  it('is none where it is refused', async () => {
    const { asked } = draw('/dicom-web/b', () => new Response('{}', { status: 404 }))
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
    await asked.mock.results[0]?.value
    expect(await screen.findByText('none')).toBeVisible()
    expect(screen.queryByRole('img')).not.toBeInTheDocument()
  })

  describe('in a browser that knows which task is less urgent', () => {
    type Task = { readonly run: () => void; readonly priority: string; readonly signal: AbortSignal }
    let waiting: Task[] = []
    beforeEach(() => {
      waiting = []
      const postTask = (ask: () => Promise<string>, how: Omit<Task, 'run'>): Promise<string> =>
        new Promise((done, fail) => {
          waiting.push({ ...how, run: () => done(ask()) })
          how.signal.addEventListener('abort', () => fail(how.signal.reason as Error))
        })
      Object.assign(globalThis, { scheduler: { postTask } })
    })
    afterEach(() => Reflect.deleteProperty(globalThis, 'scheduler'))

    it('is asked for after whatever else there is to do', async () => {
      const { asked } = draw('/dicom-web/c', () => ({ ok: true, blob: async () => new Blob(['x']) }))
      expect(waiting.map(({ priority }) => priority)).toEqual(['background'])
      expect(asked).not.toHaveBeenCalled()
      act(() => waiting[0]?.run())
      expect(await screen.findByRole('img', { name: 'inside' })).toBeVisible()
    })

    it('is given up when what it belongs to is gone before', () => {
      const { unmount } = draw('/dicom-web/d', () => new Response('{}'))
      expect(waiting[0]?.signal.aborted).toBe(false)
      unmount()
      expect(waiting[0]?.signal.aborted).toBe(true)
    })
  })

  it('is not asked for where there is none', () => {
    const { asked } = draw(undefined, () => new Response('{}'))
    expect(screen.getByText('none')).toBeVisible()
    expect(asked).not.toHaveBeenCalled()
  })
})
