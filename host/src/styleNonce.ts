/**
 * Lets the styles that libraries make carry the page's nonce: antd locks scrolling behind a dialog and measures scroll
 * bars with styles that it makes without one, and the policy of the page would block them. What markup brings along
 * still has none.
 */
export function giveStylesTheNonce(page: Document): void {
  const nonce = page.querySelector<HTMLElement>('script[nonce]')?.nonce
  if (!nonce) return
  const make = page.createElement.bind(page)
  const made = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = make(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  page.createElement = made as Document['createElement']
}

giveStylesTheNonce(document)
