/**
 * The markup of a public page that stands before its code (`server/src/gateway/drawnPage.browser.js`). React adopts it;
 * what was typed, chosen, focused or pressed meanwhile counts, also where React had to draw the page anew.
 */

/** What the page's own script notes at `#root`: what was pressed last and not answered yet. */
interface DrawnRoot extends HTMLElement {
  dmpHeld?: { readonly pressed: HTMLElement; readonly isEnter: boolean } | undefined
}

type Control = HTMLInputElement | HTMLSelectElement
interface Drawn {
  readonly root: DrawnRoot
  readonly controls: readonly Control[]
  focused: Element | null
  /** Where its caret is. An element that was taken away does not say it any more. */
  caret: readonly [number | null, number | null]
  readonly noteCaret: () => void
}

let drawn: Drawn | undefined

/** Whether markup stands in the page that the server put there; from now on it is known what is done with it. */
export function isDrawn(root: HTMLElement): boolean {
  if (root.dataset.drawn === undefined) return false
  const page: Drawn = {
    root,
    controls: [...root.querySelectorAll<Control>('input, select')],
    focused: document.activeElement,
    caret: [null, null],
    noteCaret: () => {
      const { focused } = page
      if (focused instanceof HTMLInputElement && focused.isConnected)
        page.caret = [focused.selectionStart, focused.selectionEnd]
    },
  }
  drawn = page
  page.noteCaret()
  document.addEventListener('selectionchange', page.noteCaret)
  // A field that is drawn in the place of one of these may take the focus by itself: that is not the person's doing.
  root.addEventListener('focusin', ({ target }) => {
    if (page.controls.includes(target as Control)) page.focused = target as Control
  })
  root.addEventListener('focusout', ({ target }) =>
    // What is taken away while it has the focus loses it, too.
    setTimeout(() => {
      if (page.focused === target && page.focused?.isConnected) page.focused = null
    }),
  )
  return true
}

/** The frame answers by itself from now on; its content may still be without its code. */
export function settleFrame(hasRemote: boolean): void {
  if (!drawn) return
  drawn.root.dataset.drawn = 'content'
  if (!hasRemote) settleDrawn()
}

/** The page stands, adopted or anew: fields that were replaced get what stood in them, before more is drawn. */
export function carryOver(): void {
  const page = drawn
  // React takes what is said to fields while it draws for a mistake of theirs. Nobody can press a key until then.
  if (page) queueMicrotask(() => carry(page))
}

function carry({ root, controls, focused, caret }: Drawn): void {
  for (const before of controls) {
    const now = before.isConnected ? undefined : findSame(root, before)
    if (now) fill(now, before)
    if (now && focused === before) focusAs(now, caret)
  }
}

/** The page answers by itself: what was pressed before is answered now. */
export function settleDrawn(): void {
  if (!drawn) return
  const { root, noteCaret } = drawn
  document.removeEventListener('selectionchange', noteCaret)
  drawn = undefined
  // What was adopted is drawn first: a button that was waiting for it can be pressed then.
  setTimeout(() => {
    const held = root.dmpHeld
    delete root.dataset.drawn
    delete root.dmpHeld
    if (held) answer(root, held)
  })
}

function findSame(root: HTMLElement, { tagName, name }: Control): Control | undefined {
  return [...root.querySelectorAll<Control>(tagName)].find((control) => control.name === name)
}

function fill(now: Control, before: Control): void {
  if (before instanceof HTMLInputElement && before.type === 'checkbox') {
    if ((now as HTMLInputElement).checked !== before.checked) now.click()
    return
  }
  if (now.value === before.value) return
  // Past React's own setter, which would take it for a value of its own.
  const prototype: unknown = Object.getPrototypeOf(now)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(now, before.value)
  now.dispatchEvent(new Event(now instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

function focusAs(now: Control, [start, end]: Drawn['caret']): void {
  now.focus()
  // Fields for addresses do not tell their caret.
  if (now instanceof HTMLInputElement && start !== null) now.setSelectionRange(start, end)
}

function answer(root: HTMLElement, { pressed, isEnter }: NonNullable<DrawnRoot['dmpHeld']>): void {
  if (!isEnter) {
    press(pressed)
    return
  }
  const field = pressed.isConnected ? (pressed as Control) : findSame(root, pressed as Control)
  const button = field?.form?.querySelector<HTMLButtonElement>('[type="submit"]')
  if (button && !button.disabled) button.form?.requestSubmit(button)
  // A form that is not ready says at this key what is missing.
  else field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
}

const [pressAgainMs, mostPresses] = [100, 100]

/** A part of the page may still be without its code: React lets no click through to it, which is tried again then. */
function press(button: HTMLElement, left = mostPresses): void {
  if (!button.isConnected || left === 0) return
  let isThrough = false
  button.addEventListener('click', () => (isThrough = true), { once: true })
  button.click()
  if (!isThrough) setTimeout(() => press(button, left - 1), pressAgainMs)
}
