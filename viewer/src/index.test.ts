import { tag } from '@dmp/dicom'
import { waitFor } from '@testing-library/dom'
import { ViewerFailure } from './failure.ts'

const showViewer = jest.fn()
let isReachable = true
jest.doMock('./viewer.ts', () => {
  if (!isReachable) throw new Error('The code could not be fetched')
  return { showViewer }
})

const series = [{ [tag.SeriesInstanceUID]: { Value: ['1.2.3'] }, [tag.Modality]: { Value: ['CT'] } }]
const said = jest.spyOn(console, 'error').mockImplementation(() => undefined)
const complaints = () => said.mock.calls.map(([first]) => String(first))
/** jsdom does not load a page anew; it complains of being asked to. */
const reloads = () => complaints().filter((words) => words.includes('navigation')).length

/** Opens the page at the address; the server answers as told. */
async function opened(search: string, answer: () => Response = () => Response.json(series)) {
  jest.resetModules()
  said.mockClear()
  showViewer.mockReset()
  history.replaceState(null, '', `/viewer/${search}`)
  document.body.innerHTML = '<div id="root"></div>'
  const asked = jest.fn(async (_path: unknown) => answer())
  globalThis.fetch = asked as typeof fetch
  await import('./index.ts')
  const root = document.getElementById('root')!
  return { root, asked, again: () => root.querySelector('button')!.click() }
}

describe('the page of the viewer', () => {
  beforeEach(() => (isReachable = true))

  it('says what it is for, drops the session from its address and shows the study [7.42, P23]', async () => {
    const { root } = await opened('?sessionId=abc&StudyInstanceUIDs=1.2')
    expect(root).toHaveTextContent('Not for diagnostic use')
    expect(location.search).toBe('?StudyInstanceUIDs=1.2')
    await waitFor(() =>
      expect(showViewer).toHaveBeenCalledWith(
        root.querySelector('main'),
        expect.anything(),
        expect.objectContaining({ uid: '1.2.3' }),
      ),
    )
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

  it('leaves a page alone that has no place for it', async () => {
    jest.resetModules()
    document.body.innerHTML = '<p>Something else</p>'
    await import('./index.ts')
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
