import { explanations, type FailureKind } from '../failure.ts'
import { element } from './element.ts'

const retryText = () => 'Try again'
const signInText = () => 'Sign in'

/** The pages of the application are at the same place as the viewer. */
export const signInLink = (): HTMLElement => element('a', { href: '/login', class: 'action' }, signInText())

/** The whole page shows the failure and its remedy. */
export function failurePage(kind: FailureKind, retry: () => void): HTMLElement {
  const { title, sentence, mayRetry } = explanations[kind]
  const page = element(
    'section',
    { class: 'failure', role: 'alert' },
    element('h2', {}, title),
    element('p', {}, sentence),
  )
  if (kind === 'expired') page.append(signInLink())
  if (mayRetry) {
    const button = element('button', { type: 'button', class: 'action' }, retryText())
    button.addEventListener('click', retry)
    page.append(button)
  }
  return page
}

/** A line above the pictures while the line or the server is away; it goes by itself when loading goes on. */
export class Banner {
  readonly root = element('div', { class: 'banner', role: 'alert', hidden: true })
  readonly #words = element('p')

  constructor(retry: () => void) {
    const button = element('button', { type: 'button', class: 'action' }, retryText())
    button.addEventListener('click', retry)
    this.root.append(this.#words, button)
  }

  show(kind: FailureKind): void {
    const { title, sentence } = explanations[kind]
    this.#words.textContent = `${title}. ${sentence}`
    this.root.hidden = false
  }

  hide(): void {
    this.root.hidden = true
  }
}
