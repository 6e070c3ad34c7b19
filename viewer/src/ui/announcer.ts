import { element, setText } from './element.ts'

const quietForMs = 600

/** Says the last of a run of texts, once they have stopped changing: hearing every slice of a scroll would be noise. */
export class Announcer {
  readonly root = element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = ''

  say(text: string): void {
    if (text === this.#last) return
    this.#last = text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => setText(this.root, text), quietForMs)
  }
}
