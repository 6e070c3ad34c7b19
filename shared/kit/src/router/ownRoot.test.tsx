import { act, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { ownRoot, type Mount, type OwnPage } from './ownRoot.tsx'

class Card extends Component<{ children: ReactNode }, { said?: string }> {
  override state: { said?: string } = {}
  static getDerivedStateFromError = (error: unknown) => ({ said: String(error) })
  override render = () => this.state.said ?? this.props.children
}

function open(mount: Mount) {
  const App = ownRoot(mount)
  const router = createMemoryRouter(
    [
      {
        path: '/other/*',
        element: (
          <Card>
            <App />
          </Card>
        ),
      },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: ['/other?a=1#b'] },
  )
  render(<RouterProvider router={router} />)
  return router
}

describe('a part that draws by itself', () => {
  it('is mounted once, follows the address, leads to others, and is taken away when it is left', async () => {
    const pages: OwnPage[] = []
    const heard: string[] = []
    const unmount = jest.fn()
    const router = open((element, page) => {
      element.textContent = 'drawn by itself'
      pages.push(page)
      page.follow((at) => heard.push(at))
      return unmount
    })
    expect(screen.getByText('drawn by itself')).toBeVisible()
    const [page] = pages
    expect(page?.at()).toBe('/other?a=1#b')
    await act(() => router.navigate('/other/7'))
    act(() => page?.go('/other/8', { replace: true }))
    expect(heard.slice(-2)).toEqual(['/other/7', '/other/8'])
    expect(page?.at()).toBe('/other/8')
    await act(() => router.navigate(-1))
    expect(page?.at()).toBe('/other?a=1#b')
    expect([pages.length, unmount.mock.calls.length]).toEqual([1, 0])
    act(() => page?.go('/scan'))
    expect(await screen.findByText('elsewhere')).toBeVisible()
    expect(unmount).toHaveBeenCalledTimes(1)
  })

  it('hears nothing more where it stopped following, and leaves its place to a card when it fails', () => {
    const pages: OwnPage[] = []
    const listener = jest.fn()
    open((_element, page) => {
      pages.push(page)
      page.follow(listener)()
      return () => undefined
    })
    act(() => pages[0]?.go('/other/1'))
    expect(listener).not.toHaveBeenCalled()
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    act(() => pages[0]?.fail(new Error('It cannot go on.')))
    expect(screen.getByText('Error: It cannot go on.')).toBeVisible()
  })
})
