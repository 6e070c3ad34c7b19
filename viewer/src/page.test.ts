import { tag } from '@dmp/dicom'
import { waitFor } from '@testing-library/dom'
import { ViewerFailure } from './failure.ts'

const showViewer = jest.fn()
let isReachable = true
let hasFinger = false
window.matchMedia = (() => ({ matches: hasFinger })) as unknown as typeof matchMedia
jest.doMock('./viewerCode.ts', () => {
  if (!isReachable) throw new Error('The code could not be fetched')
  return { runViewer: async () => ({ showViewer }) }
})

const series = [{ [tag.SeriesInstanceUID]: { Value: ['1.2.3'] }, [tag.Modality]: { Value: ['CT'] } }]
const said = jest.spyOn(console, 'error').mockImplementation(() => undefined)
const complaints = () => said.mock.calls.map(([first]) => String(first))
/** jsdom does not load a page anew; it complains of being asked to. */
const reloads = () => complaints().filter((words) => words.includes('navigation')).length

/** Opens the page at the address; the server answers as told. */
async function opened(
  search: string,
  answer: (path: string) => Response | Promise<Response> = () => Response.json(series),
) {
  jest.resetModules()
  said.mockClear()
  showViewer.mockReset().mockReturnValue(() => undefined)
  history.replaceState(null, '', `/viewer/${search}`)
  document.body.innerHTML = '<div id="root"></div>'
  const asked = jest.fn(async (path: unknown) => answer(String(path)))
  globalThis.fetch = asked as typeof fetch
  const root = document.getElementById('root')!
  const { openPage } = await import('./page.ts')
  const leave = openPage(root)
  return { root, asked, leave, again: () => root.querySelector('button')!.click() }
}

describe('the page of the viewer', () => {
  beforeEach(() => {
    isReachable = true
    sessionStorage.clear()
  })

  it('says what it is for, drops the session from its address and shows the study [7.42, P23]', async () => {
    document.title = 'As the server wrote it · The Application'
    const { root } = await opened('?sessionId=abc&StudyInstanceUIDs=1.2')
    expect(document.title).toBe('Image viewer · The Application')
    expect(root).toHaveTextContent('Not for diagnostic use')
    expect(location.search).toBe('?StudyInstanceUIDs=1.2')
    await waitFor(() =>
      expect(showViewer).toHaveBeenCalledWith(
        expect.objectContaining({ place: root.querySelector('main') }),
        expect.anything(),
        expect.objectContaining({ uid: '1.2.3' }),
        undefined,
      ),
    )
  })

  describe('before its code runs', () => {
    const slices = ['1', '2', '3'].map((number) => ({
      [tag.SOPInstanceUID]: { Value: [`1.2.3.${number}`] },
      [tag.InstanceNumber]: { Value: [number] },
      [tag.Rows]: { Value: [4] },
      [tag.Columns]: { Value: [4] },
    }))
    const answer = (path: string) => Response.json(path.endsWith('/metadata') ? slices : series)
    const asked: string[] = []
    let drawing = Promise.withResolvers<void>()
    beforeEach(() => {
      asked.length = 0
      drawing = Promise.withResolvers()
      HTMLImageElement.prototype.decode = function () {
        asked.push(new URL(this.src).pathname)
        return drawing.promise
      }
    })
    afterEach(() => (hasFinger = false))
    const middle = '/dicom-web/studies/1.2/series/1.2.3/instances/1.2.3.2/frames/1/rendered'

    it('shows the slice that it opens on, drawn by the server, before the code runs, and hands it over [7.42]', async () => {
      hasFinger = true
      const { root } = await opened('?StudyInstanceUIDs=1.2', answer)
      let onScreen: string | null | undefined
      showViewer.mockImplementation(() => (onScreen = root.querySelector('.preview img')?.getAttribute('alt')))
      await waitFor(() => expect(asked).toEqual([middle]))
      expect(showViewer).not.toHaveBeenCalled()
      drawing.resolve()
      await waitFor(() => expect(showViewer).toHaveBeenCalled())
      expect(onScreen).toBe('Preview of Series, Slice 2 of 3')
      expect(showViewer.mock.calls[0]).toEqual([
        expect.objectContaining({ place: root.querySelector('main') }),
        expect.anything(),
        expect.objectContaining({ uid: '1.2.3' }),
        expect.objectContaining({ root: root.querySelector('.preview') }),
      ])
    })

    it('opens without that picture where the server draws none', async () => {
      hasFinger = true
      await opened('?StudyInstanceUIDs=1.2', answer)
      drawing.reject(new Error('406'))
      await waitFor(() => expect(showViewer).toHaveBeenCalled())
      expect(showViewer.mock.calls[0]?.[3]).toBeUndefined()
    })

    it('does not stand where the session has ended while it came [4.08]', async () => {
      hasFinger = true
      const { root } = await opened('?StudyInstanceUIDs=1.2', answer)
      await waitFor(() => expect(asked).toEqual([middle]))
      window.dispatchEvent(new StorageEvent('storage', { key: 'authData', newValue: null }))
      drawing.resolve()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(root.querySelector('.preview')).toBeNull()
      expect(root.querySelector('[role=alert]')).toHaveTextContent('Your session has expired')
      expect(showViewer).not.toHaveBeenCalled()
    })

    it('does not wait for it on a computer, where it never takes the place of the viewer', async () => {
      const { root } = await opened('?StudyInstanceUIDs=1.2', answer)
      await waitFor(() => expect(showViewer).toHaveBeenCalled())
      drawing.resolve()
      await drawing.promise
      expect(root.querySelector('.preview')).toBeNull()
    })
  })

  it('shows what a share link opens, and takes the pictures away the moment that the link ends [P25]', async () => {
    const end = Promise.withResolvers<Response>()
    const { root, asked } = await opened('?share=0f0e0d0c-0000-4000-8000-00000000000a', () => Response.json(series))
    // Its page waits for the end from the beginning on.
    asked.mockImplementation(async (path) => (String(path).endsWith('/watch') ? end.promise : Response.json(series)))
    await waitFor(() => expect(showViewer).toHaveBeenCalled())
    await waitFor(
      () => expect(asked.mock.calls.filter(([path]) => String(path).endsWith('/watch')).length).toBeGreaterThan(1),
      { timeout: 3000 },
    )
    expect(root).not.toHaveTextContent('This link has ended')
    end.resolve(new Response(null, { status: 404 }))
    await waitFor(() => expect(root.querySelector('[role=alert]')).toHaveTextContent('This link has ended'))
    expect(reloads()).toBe(1)
  })

  it('tells the script of its page what is wrong with itself [P28]', async () => {
    const told = jest.fn()
    globalThis.reportError = told
    const opening = opened('?StudyInstanceUIDs=1.2')
    const odd = new TypeError('odd')
    showViewer.mockImplementation(() => {
      throw odd
    })
    await opening
    await waitFor(() => expect(told).toHaveBeenCalledWith(odd))
    Reflect.deleteProperty(globalThis, 'reportError')
    expect(complaints()).toEqual([])
  })

  it('takes the pictures away when its person signs out in another tab, and says so after the load [4.08]', async () => {
    const { root } = await opened('?StudyInstanceUIDs=1.2')
    await waitFor(() => expect(showViewer).toHaveBeenCalled())
    window.dispatchEvent(new StorageEvent('storage', { key: 'authData', newValue: null }))
    expect(root.querySelector('[role=alert]')).toHaveTextContent('Your session has expired')
    expect(root.querySelector('[role=alert] a')).toHaveTextContent('Sign in')
    expect(root.querySelector('[role=alert] a')).toHaveAttribute('href', '/login')
    // The pages of the tests before hear it, too.
    expect(reloads()).toBeGreaterThan(0)
  })

  it('asks for nothing after that load, as the server may not know yet, and again when it is asked to [4.08]', async () => {
    await opened('?StudyInstanceUIDs=1.2')
    await waitFor(() => expect(showViewer).toHaveBeenCalled())
    window.dispatchEvent(new StorageEvent('storage', { key: 'authData', newValue: null }))
    const { root, asked } = await opened('?StudyInstanceUIDs=1.2')
    expect(root.querySelector('[role=alert]')).toHaveTextContent('Your session has expired')
    expect(asked).not.toHaveBeenCalled()
    await opened('?StudyInstanceUIDs=1.2')
    await waitFor(() => expect(showViewer).toHaveBeenCalled())
  })

  it.each([
    ['its series are listed', '/series'],
    ['its headers are here', '/metadata'],
  ])('shows nothing of a share link that ends before %s [P25]', async (_when, awaited) => {
    const end = Promise.withResolvers<Response>()
    const late = Promise.withResolvers<void>()
    const patient = { ...series[0], [tag.PatientName]: { Value: ['DOE^JANE'] } }
    jest.useFakeTimers()
    const { root } = await opened('?share=0f0e0d0c-0000-4000-8000-00000000000a', (path) => {
      if (path.endsWith('/watch')) return end.promise
      return path.endsWith(awaited) ? late.promise.then(() => Response.json([patient])) : Response.json(series)
    })
    await jest.advanceTimersByTimeAsync(0)
    const shownBefore = showViewer.mock.calls.length
    end.resolve(new Response(null, { status: 404 }))
    await jest.advanceTimersByTimeAsync(0)
    expect(root.querySelector('[role=alert]')).toHaveTextContent('This link has ended')
    late.resolve()
    await jest.advanceTimersByTimeAsync(10_000)
    jest.useRealTimers()
    expect(root).not.toHaveTextContent('DOE')
    expect(root.querySelector('.patient')).toHaveProperty('hidden', true)
    expect(root.querySelector('[role=alert]')).toHaveTextContent('This link has ended')
    // A page that has shown no pictures holds none: it need not be loaded anew.
    expect([showViewer.mock.calls.length - shownBefore, reloads()]).toEqual([0, shownBefore])
  })

  it('leaves a page alone that has no place for it', async () => {
    jest.resetModules()
    document.body.innerHTML = '<p>Something else</p>'
    const { openPage } = await import('./page.ts')
    openPage(document.getElementById('root'))
    expect(document.body).toHaveTextContent('Something else')
  })

  it.each([
    ['was not found', 'These images were not found', () => new Response(null, { status: 404 })],
    [
      'did not come over a line that was away',
      'Connection lost',
      () => {
        throw new TypeError('Failed to fetch')
      },
    ],
    ['came in half', 'The server could not complete the request', () => new Response('[{')],
  ])('asks again, where it is, for what %s [7.42, P28]', async (_what, words, answer) => {
    const { root, asked, again } = await opened('?StudyInstanceUIDs=1.2', answer)
    await waitFor(() => expect(root).toHaveTextContent(words))
    const before = asked.mock.calls.length
    again()
    await waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(before))
    expect(complaints()).toEqual([])
  })

  it.each([
    ['its code could not be fetched', 'Connection lost', () => (isReachable = false), 0],
    [
      'the browser cannot draw',
      'This browser cannot show the images',
      () =>
        showViewer.mockImplementation(() => {
          throw new ViewerFailure('graphics')
        }),
      0,
    ],
    [
      'something is wrong with itself',
      'This browser cannot show the images',
      () =>
        showViewer.mockImplementation(() => {
          throw new TypeError('odd')
        }),
      1,
    ],
  ])('is loaded anew when %s [7.42, P28]', async (_what, words, go, odd) => {
    const opening = opened('?StudyInstanceUIDs=1.2')
    go()
    const { root, asked, again } = await opening
    await waitFor(() => expect(root).toHaveTextContent(words))
    expect(complaints().filter((complaint) => complaint.includes('odd'))).toHaveLength(odd)
    const before = asked.mock.calls.length
    again()
    await waitFor(() => expect(reloads()).toBe(1))
    expect(asked.mock.calls.length).toBe(before)
  })
})
