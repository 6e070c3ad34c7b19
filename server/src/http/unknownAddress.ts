import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address takes, such as `GET` and `HEAD`; none where there is nothing. */
    methodsAt: (url: string) => string[]
  }
}

/** Remembers what is routed from now on. */
export function rememberAddresses(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    // What takes the rest of an address is where nothing else is.
    if (url.endsWith('*')) return
    const all = methods.get(url) ?? new Set()
    for (const each of [method].flat()) all.add(each)
    methods.set(url, all)
  })
  app.decorate('methodsAt', (url) => {
    const asked = toSegments(url.split('?')[0] ?? '')
    const found = [...methods].filter(([route]) => isOf(toSegments(route), asked))
    return [...new Set(found.flatMap(([, each]) => [...each]))]
  })
}

const toSegments = (path: string): string[] => path.toLowerCase().replace(/\/$/, '').split('/')

/** As the router takes it: capitals and a slash at the end make no difference. */
const isOf = (route: readonly string[], asked: readonly string[]): boolean =>
  route.length === asked.length &&
  route.every((segment, at) => segment === asked[at] || (segment.startsWith(':') && asked[at] !== ''))

/**
 * The end of every request that no route takes, before its body is read: 405 with `Allow` where the address takes
 * other methods (RFC 9110, 15.5.6), what it takes where that was the question (9.3.7), and 404 anywhere else.
 */
export async function refuseUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const methods = request.server.methodsAt(request.url)
  // With a method that it takes, the router did not take the address itself: a part of it is too long.
  if (methods.length === 0 || methods.includes(request.method)) throw notFound()
  void reply.header('allow', [...new Set([...methods, 'OPTIONS'])].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  throw new Refusal(405, 'INVALID', 'This address does not support that method.')
}
