import { element, setText } from './element.ts'

const quietForMs = 600

/** Says the last of a run of texts, once they have stopped changing: nobody wants to hear every slice of a scroll. */
export class Announcer {
  readonly root = element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = ''

  say(words: string): void {
    if (words === this.#last) return
    this.#last = words
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => setText(this.root, words), quietForMs)
  }
}
