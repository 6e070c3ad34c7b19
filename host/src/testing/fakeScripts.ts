import type { Container } from '../remotes/container.ts'

/** What happens to a script that is asked for: it runs, or one of the faults. */
export type ScriptOutcome =
  | { readonly container: Partial<Container>; readonly global: string }
  | 'http'
  | 'network'
  | 'hangs'
  | 'throws'
  | 'empty'
  | 'altered'

interface Page {
  /** Addresses that scripts were asked from, in order. */
  readonly asked: string[]
}

/**
 * Stands in for the browser's loading of scripts, which jsdom does not do: decides the fate of each address, and lets
 * webpack's share scope exist.
 */
export function fakeScripts(fateOf: (path: string) => ScriptOutcome): Page {
  const asked: string[] = []
  Object.assign(globalThis, {
    __webpack_init_sharing__: async () => undefined,
    __webpack_share_scopes__: { default: {} },
  })
  let others = globalThis.fetch
  const ofReleases = (url: string | Request, init?: RequestInit) =>
    typeof url === 'string' && pathOf(url).startsWith('/releases/')
      ? toResponse(fateOf(pathOf(url)))
      : others(url, init)
  // Whoever stands in for the server later keeps its calls; releases stay here.
  Object.defineProperty(globalThis, 'fetch', {
    configurable: true,
    get: () => ofReleases,
    set: (value: typeof others) => {
      others = value
    },
  })
  const append = document.head.append.bind(document.head)
  jest.spyOn(document.head, 'append').mockImplementation((node) => {
    if (!(node instanceof HTMLScriptElement) || node.src === '') return append(node ?? '')
    asked.push(pathOf(node.src))
    queueMicrotask(() => applyOutcome(node, fateOf(pathOf(node.src))))
  })
  return { asked }
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

function applyOutcome(script: HTMLScriptElement, fate: ScriptOutcome): void {
  if (fate === 'hangs') return
  if (fate === 'http' || fate === 'network' || fate === 'altered') {
    script.dispatchEvent(new Event('error'))
    return
  }
  if (fate === 'throws')
    window.dispatchEvent(
      new ErrorEvent('error', {
        filename: script.src,
        error: new Error('thrown by the script'),
        message: 'thrown by the script',
      }),
    )
  else if (fate !== 'empty')
    (globalThis as unknown as Record<string, unknown>)[fate.global] = { init: () => undefined, ...fate.container }
  script.dispatchEvent(new Event('load'))
}

async function toResponse(fate: ScriptOutcome): Promise<Partial<Response>> {
  if (fate === 'network') throw new TypeError('Failed to fetch')
  return { ok: fate !== 'http', arrayBuffer: async () => new TextEncoder().encode('other bytes').buffer }
}
