import type { Endpoint } from '@dmp/contract/endpoint'

type Listener = (path: string) => void
const listeners = new Set<Listener>()

/** 8.01: tells where a refused call leads; module and action are taken from the call's path. */
export function announceForbidden({ definition }: Endpoint): void {
  const [module = '', action = ''] = definition.path.split('/').filter(Boolean)
  for (const listener of listeners)
    listener(`/not-authorized/${encodeURIComponent(module)}/${encodeURIComponent(action)}`)
}

/** Calls the listener with the page a 403 leads to. The router stands behind it. Answers a function that stops it. */
export function onForbidden(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
