import type { Container } from '../remotes/container.ts'

/** The outcome of a requested script: it runs, or it fails with a fault. */
export type ScriptOutcome =
  | { readonly container: Partial<Container>; readonly global: string; readonly isVar?: boolean }
  | 'http'
  | 'network'
  | 'hangs'
  | 'throws'
  | 'empty'
  | 'altered'

interface Page {
  /** The requested addresses, in order. */
  readonly asked: string[]
}

/**
 * Replaces script loading, which jsdom lacks: decides the outcome of each address and provides webpack's share scope.
 */
export function fakeScripts(outcomeFor: (path: string) => ScriptOutcome): Page {
  const requestedUrls: string[] = []
  Object.assign(globalThis, {
    __webpack_init_sharing__: async () => undefined,
    __webpack_share_scopes__: { default: {} },
  })
  let otherFetch = globalThis.fetch
  const fetchReleases = (url: string | Request, init?: RequestInit) =>
    typeof url === 'string' && toPath(url).startsWith('/releases/')
      ? toResponse(outcomeFor(toPath(url)))
      : otherFetch(url, init)
  // A later fake of the server gets all other calls; releases stay here.
  Object.defineProperty(globalThis, 'fetch', {
    configurable: true,
    get: () => fetchReleases,
    set: (value: typeof otherFetch) => {
      otherFetch = value
    },
  })
  const append = document.head.append.bind(document.head)
  jest.spyOn(document.head, 'append').mockImplementation((node) => {
    if (!(node instanceof HTMLScriptElement) || node.src === '') return append(node ?? '')
    requestedUrls.push(toPath(node.src))
    queueMicrotask(() => applyOutcome(node, outcomeFor(toPath(node.src))))
  })
  return { asked: requestedUrls }
}

const toPath = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

function applyOutcome(script: HTMLScriptElement, outcome: ScriptOutcome): void {
  if (outcome === 'hangs') return
  if (outcome === 'http' || outcome === 'network' || outcome === 'altered') {
    script.dispatchEvent(new Event('error'))
    return
  }
  if (outcome === 'throws')
    window.dispatchEvent(
      new ErrorEvent('error', {
        filename: script.src,
        error: new Error('thrown by the script'),
        message: 'thrown by the script',
      }),
    )
  else if (outcome !== 'empty') {
    const value = { init: () => undefined, ...outcome.container }
    // What a script declares by `var` can be written and not deleted.
    if (outcome.isVar === true) Object.defineProperty(globalThis, outcome.global, { value, writable: true })
    else (globalThis as unknown as Record<string, unknown>)[outcome.global] = value
  }
  script.dispatchEvent(new Event('load'))
}

async function toResponse(outcome: ScriptOutcome): Promise<Partial<Response>> {
  if (outcome === 'network') throw new TypeError('Failed to fetch')
  return { ok: outcome !== 'http', arrayBuffer: async () => new TextEncoder().encode('other bytes').buffer }
}
