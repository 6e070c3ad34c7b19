import { startDownload } from './startDownload.ts'

let saved: string[] = []
beforeEach(() => {
  saved = []
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(`${this.getAttribute('href')} ${this.hasAttribute('download')}`)
  })
})
afterEach(() => jest.restoreAllMocks())

describe('a download', () => {
  it('begins in a tab of its own, which has no hold on this page [7.38]', () => {
    const tab = { opener: window } as unknown as Window
    const open = jest.spyOn(window, 'open').mockReturnValue(tab)
    startDownload('/download/once')
    expect(open.mock.calls).toEqual([['/download/once', '_blank']])
    expect(tab.opener).toBeNull()
    expect(saved).toEqual([])
  })

  it('begins here where the browser refuses the tab, and is saved instead of shown', () => {
    jest.spyOn(window, 'open').mockReturnValue(null)
    startDownload('/download/once')
    expect(saved).toEqual(['/download/once true'])
  })
})
