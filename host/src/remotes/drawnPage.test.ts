import { carryOver, isDrawn, settleDrawn, settleFrame } from './drawnPage.ts'

const form = `
  <form>
    <input name="email" type="email">
    <input name="name" type="text">
    <input name="agrees" type="checkbox">
    <select name="title"><option value="mr"></option><option value="dr"></option></select>
    <button type="submit">Send</button>
  </form>`
const find = <T extends HTMLElement>(name: string): T => document.querySelector<T>(`[name="${name}"]`)!
const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms)
let root: HTMLElement

/** The page as the server drew it. */
function place(held?: { pressed: HTMLElement; isEnter: boolean }): void {
  expect(isDrawn(root)).toBe(true)
  Object.assign(root, { dmpHeld: held })
}
/** As React does where its code draws another page. */
const drawAnew = () => {
  root.innerHTML = form
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  root = document.createElement('div')
  root.innerHTML = form
  root.dataset.drawn = 'page'
  root.addEventListener('submit', (event) => event.preventDefault())
  document.body.append(root)
})
afterEach(async () => {
  settleDrawn()
  await pass()
  root.remove()
  jest.useRealTimers()
})

describe('what a person did on a page before its code came [P99]', () => {
  it('is in the fields that are drawn in the place of those, each said once, and what was left alone is not', async () => {
    place()
    find<HTMLInputElement>('name').value = 'Ann'
    find<HTMLInputElement>('agrees').checked = true
    find<HTMLSelectElement>('title').value = 'dr'
    drawAnew()
    const said: string[] = []
    for (const kind of ['input', 'change'])
      root.addEventListener(kind, ({ target }) => said.push(`${kind} ${(target as HTMLInputElement).name}`))
    carryOver()
    await pass()
    expect(find<HTMLInputElement>('name').value).toBe('Ann')
    expect(find<HTMLInputElement>('agrees').checked).toBe(true)
    expect(find<HTMLSelectElement>('title').value).toBe('dr')
    expect(find<HTMLInputElement>('email').value).toBe('')
    expect(said).toEqual(['input name', 'input agrees', 'change agrees', 'change title'])
    carryOver()
    await pass()
    expect(find<HTMLInputElement>('agrees').checked).toBe(true)
  })

  it.each([
    ['name', [2, 3]],
    ['email', [null, null]],
    ['title', undefined],
  ] as const)('has the focus where it was, in %s, with its caret where fields tell it', async (name, caret) => {
    place()
    const before = find<HTMLInputElement>(name)
    before.value = name === 'title' ? 'dr' : 'Anna'
    before.focus()
    if (name === 'name') before.setSelectionRange(2, 3)
    document.dispatchEvent(new Event('selectionchange'))
    // A browser says so of what is taken away while it has the focus.
    before.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    drawAnew()
    await pass()
    carryOver()
    await pass()
    const now = find<HTMLInputElement>(name)
    expect(document.activeElement).toBe(now)
    if (caret) expect([now.selectionStart, now.selectionEnd]).toEqual(caret)
  })

  it('has the focus where the person went from one field to the next', async () => {
    place()
    find('name').focus()
    find('email').focus()
    await pass()
    drawAnew()
    carryOver()
    await pass()
    expect(document.activeElement).toBe(find('email'))
  })

  it('has no focus that the person took away, and none that a field took by itself', async () => {
    place()
    find('name').focus()
    find('name').blur()
    await pass()
    drawAnew()
    find('email').focus()
    find('email').blur()
    carryOver()
    await pass()
    expect(document.activeElement).toBe(document.body)
  })

  it('is answered once: Enter sends the form, in the field that was drawn anew as well', async () => {
    for (const isAnew of [false, true]) {
      place({ pressed: find('name'), isEnter: true })
      if (isAnew) drawAnew()
      const sent = jest.fn()
      root.querySelector('form')!.addEventListener('submit', sent)
      settleDrawn()
      settleDrawn()
      await pass()
      expect([sent.mock.calls.length, root.dataset.drawn]).toEqual([1, undefined])
      root.dataset.drawn = 'page'
    }
  })

  it('is a key for the form to say what is missing where it is not ready', async () => {
    place({ pressed: find('name'), isEnter: true })
    root.querySelector('button')!.disabled = true
    const keys: string[] = []
    root.addEventListener('keydown', ({ key, target }) => keys.push(`${key} ${(target as HTMLInputElement).name}`))
    settleDrawn()
    await pass()
    expect(keys).toEqual(['Enter name'])
  })

  it('is a click that is tried until the code of the button is there, and no longer than the button is', async () => {
    const button = Object.assign(document.createElement('button'), { type: 'button' })
    root.append(button)
    place({ pressed: button, isEnter: false })
    // React lets nothing through to what has no code yet.
    const hold = (event: Event) => event.stopImmediatePropagation()
    root.addEventListener('click', hold, true)
    const clicked = jest.fn()
    button.addEventListener('click', clicked)
    settleDrawn()
    await pass(250)
    expect(clicked).not.toHaveBeenCalled()
    root.removeEventListener('click', hold, true)
    await pass(1000)
    expect(clicked).toHaveBeenCalledTimes(1)
    const gone = jest.fn()
    const other = Object.assign(document.createElement('button'), { type: 'button', onclick: gone })
    root.dataset.drawn = 'page'
    root.append(other)
    place({ pressed: other, isEnter: false })
    settleDrawn()
    other.remove()
    await pass(1000)
    expect(gone).not.toHaveBeenCalled()
  })

  it('waits for the code of its part, where one is to come', async () => {
    place({ pressed: find('name'), isEnter: true })
    settleFrame(true)
    await pass()
    expect(root.dataset.drawn).toBe('content')
    settleFrame(false)
    await pass()
    expect(root.dataset.drawn).toBeUndefined()
  })
})

it('is nothing to a page that was not drawn before', async () => {
  delete root.dataset.drawn
  expect(isDrawn(root)).toBe(false)
  carryOver()
  settleFrame(false)
  await pass()
  expect(root.dataset.drawn).toBeUndefined()
})
