import { runInThisContext } from 'node:vm'
import type { PagesToDraw } from './pageToDraw.ts'

/**
 * As much of a page as host and remotes touch while their modules run and their screens are drawn as markup, on the
 * globals of a thread that does nothing else. There is no document: whatever looks for an element finds none.
 */
export function openDrawingPage({ language, snapshot, files }: Pick<PagesToDraw, 'language' | 'snapshot' | 'files'>) {
  const data = new Map([['dmp-snapshot', snapshot]])
  const page = {
    currentScript: null as FakeElement | null,
    defaultView: globalThis,
    baseURI: origin,
    documentElement: new FakeElement('html'),
    body: new FakeElement('body'),
    scripts: [],
    hidden: false,
    visibilityState: 'visible',
    readyState: 'complete',
    addEventListener: nothing,
    removeEventListener: nothing,
    getElementById: (id: string) => (data.has(id) ? { textContent: data.get(id) } : null),
    querySelector: () => null,
    querySelectorAll: () => [],
    getElementsByTagName: () => [],
    createElement: (name: string) => new FakeElement(name),
    head: { append: load, appendChild: load },
  }

  /** Scripts run as a browser runs them, one at a time; styles are there. */
  function load(element: FakeElement): FakeElement {
    queueMicrotask(() => element.tell(element.tagName === 'SCRIPT' && !run(element) ? 'error' : 'load'))
    return element
  }
  function run(script: FakeElement): boolean {
    const text = files.get(new URL(script.src, origin).pathname)
    if (text === undefined) return false
    page.currentScript = script
    runInThisContext(text, { filename: script.src })
    page.currentScript = null
    return true
  }

  const give = (name: string, value: unknown): void =>
    void Object.defineProperty(globalThis, name, { configurable: true, writable: true, value })
  const show = (path: string): void => give('location', new URL(path, origin))
  for (const [name, value] of Object.entries({ ...windowLike(files), document: page, dmpDrawing: true }))
    give(name, value)
  give('navigator', { languages: [language], language, onLine: true, userAgent: '' })
  show('/')
  return {
    runScript: (address: string): boolean => run(Object.assign(new FakeElement('script'), { src: origin + address })),
    show(path: string, settings: string): void {
      data.set('dmp-settings', settings)
      show(path)
    },
  }
}

const origin = 'https://page.invalid'
const nothing = (): undefined => undefined

/** An element that stands nowhere. */
class FakeElement {
  readonly tagName: string
  readonly style = {}
  readonly dataset = {}
  readonly listeners: { readonly name: string; readonly listener: (event: unknown) => void }[] = []
  src = ''
  onload: ((event: unknown) => void) | null = null
  onerror: ((event: unknown) => void) | null = null
  constructor(name: string) {
    this.tagName = name.toUpperCase()
  }
  addEventListener(name: string, listener: (event: unknown) => void): void {
    this.listeners.push({ name, listener })
  }
  removeEventListener(): void {}
  setAttribute(name: string, value: unknown): void {
    Object.assign(this, { [name]: value })
  }
  getAttribute(name: string): unknown {
    return (this as unknown as Record<string, unknown>)[name] ?? null
  }
  append(): void {}
  appendChild(): void {}
  remove(): void {}
  tell(type: 'load' | 'error'): void {
    const event = { type, target: this }
    this[`on${type}`]?.(event)
    for (const { name, listener } of this.listeners) if (name === type) listener(event)
  }
}

function windowLike(files: ReadonlyMap<string, string>): Record<string, unknown> {
  const fakes = ['Element', 'HTMLInputElement', 'HTMLSelectElement', 'HTMLStyleElement', 'HTMLScriptElement', 'Node']
  return {
    ...Object.fromEntries(fakes.map((name) => [name, class {}])),
    HTMLElement: FakeElement,
    window: globalThis,
    self: globalThis,
    history: { state: null, length: 1, replaceState: nothing, pushState: nothing, go: nothing },
    // A browser that keeps nothing.
    localStorage: undefined,
    sessionStorage: undefined,
    addEventListener: nothing,
    removeEventListener: nothing,
    dispatchEvent: () => true,
    matchMedia: () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }),
    innerWidth: 1280,
    innerHeight: 800,
    dmpGround: { findPart: () => '', enter: nothing, leave: nothing, guard: nothing, begin: nothing, end: nothing },
    fetch: async (url: string | URL) => {
      const text = files.get(new URL(url, origin).pathname)
      return text === undefined ? new Response(null, { status: 404 }) : new Response(text)
    },
  }
}
