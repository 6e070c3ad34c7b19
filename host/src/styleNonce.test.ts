import { giveStylesTheNonce } from './styleNonce.ts'

describe('nonce of styles', () => {
  it('is on every style that a script makes, and on nothing else [P30]', () => {
    const page = document.implementation.createHTMLDocument()
    const script = page.createElement('script')
    script.nonce = 'abc'
    script.setAttribute('nonce', 'abc')
    page.head.append(script)
    giveStylesTheNonce(page)
    expect(page.createElement('style').nonce).toBe('abc')
    expect(page.createElement('div').nonce || '').toBe('')
    page.body.insertAdjacentHTML('beforeend', '<style>p {}</style>')
    expect(page.body.querySelector('style')?.nonce || '').toBe('')
  })

  it('is left alone where the page has no policy', () => {
    const page = document.implementation.createHTMLDocument()
    const { createElement } = page
    giveStylesTheNonce(page)
    expect(page.createElement).toBe(createElement)
  })
})
