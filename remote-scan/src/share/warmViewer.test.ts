import { warmViewer } from './warmViewer.ts'

describe('the files of the viewer', () => {
  const real = globalThis.fetch
  afterEach(() => {
    globalThis.fetch = real
  })
  const serve = (answer: (path: string) => Response) => {
    const asked: string[] = []
    globalThis.fetch = jest.fn(async (input: RequestInfo | URL) => {
      asked.push(String(input))
      return answer(String(input))
    })
    return asked
  }

  it('are fetched ahead, those of its page and no others [7.42]', async () => {
    const page =
      '<link rel="icon" href="data:x"><script defer src="/releases/viewer/1/main.js"></script><link rel="preload" as="script" href="/releases/viewer/1/9.js">'
    const asked = serve((path) => new Response(path === '/viewer/' ? page : ''))
    await warmViewer()
    expect(asked).toEqual(['/viewer/', '/releases/viewer/1/main.js', '/releases/viewer/1/9.js'])
  })

  it('are left where there is no viewer, or no line', async () => {
    const asked = serve(() => new Response(null, { status: 404 }))
    await warmViewer()
    expect(asked).toEqual(['/viewer/'])
    serve(() => {
      throw new TypeError('Failed to fetch')
    })
    await expect(warmViewer()).resolves.toBeUndefined()
  })
})
