import { element, icon } from './element.ts'
import { Banner, failurePage } from './notice.ts'

describe('failures on the page', () => {
  it('say what is wrong and offer a retry where it can help [7.42, P28]', () => {
    const retry = jest.fn()
    const page = failurePage('network', retry)
    expect(page).toHaveAttribute('role', 'alert')
    expect(page).toHaveTextContent('Connection lost')
    page.querySelector('button')!.click()
    expect(retry).toHaveBeenCalledTimes(1)
    expect(failurePage('unsupported', retry).querySelector('button')).toBeNull()
  })

  it('stand above the pictures while the line is away [7.42, P28]', () => {
    const banner = new Banner(jest.fn())
    expect(banner.root).toHaveProperty('hidden', true)
    banner.show('network')
    expect(banner.root).toHaveProperty('hidden', false)
    expect(banner.root).toHaveTextContent('Connection lost.')
    banner.hide()
    expect(banner.root).toHaveProperty('hidden', true)
  })
})

describe('elements', () => {
  it('show what stands in a header as text [P14]', () => {
    const made = element('p', { title: '"><script>' }, '<img src=x onerror=alert(1)>')
    expect(made.children).toHaveLength(0)
    expect(made.textContent).toBe('<img src=x onerror=alert(1)>')
    expect(made.getAttribute('title')).toBe('"><script>')
  })

  it('write ARIA states out and leave absent attributes away [P29]', () => {
    const made = element('button', { 'aria-pressed': false, hidden: false, disabled: true })
    expect(made.getAttribute('aria-pressed')).toBe('false')
    expect(made.hasAttribute('hidden')).toBe(false)
    expect(made.getAttribute('disabled')).toBe('')
    expect(icon('M0 0')).toHaveAttribute('aria-hidden', 'true')
  })
})
