import { ground } from './remotes/ground.ts'

/**
 * Gives the page's nonce to style elements that libraries create. antd locks scrolling behind a dialog and measures
 * scroll bars with such elements, and the content security policy would block them. Styles that come with markup still
 * have no nonce.
 */
export function giveStylesTheNonce(page: Document): void {
  const nonce = page.querySelector<HTMLElement>('script[nonce]')?.nonce
  if (!nonce) return
  const createElement = page.createElement.bind(page)
  const createWithNonce = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = createElement(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  page.createElement = createWithNonce as Document['createElement']
}

// Later servers do it by themselves, before any part runs.
if (!ground()) giveStylesTheNonce(document)
