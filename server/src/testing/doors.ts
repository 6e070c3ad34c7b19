import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../core/access.ts'
import { startServer, type TestServer } from './server.ts'

/** A route as it is really added, and what it says of who may enter. */
export interface Door {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** A server, and every door that it has. */
export async function startServerWithDoors(
  variables: Readonly<Record<string, string>> = {},
): Promise<{ server: TestServer; doors: readonly Door[] }> {
  let newestApp: FastifyInstance | undefined
  const doors: Door[] = []
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    newestApp = fastify
    doors.length = 0
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat())
        doors.push({ name: `${each} ${url}`, method: each, url, access: config?.access as Access })
    })
  }
  channel('fastify.initialization').subscribe(listen)
  const server = await startServer(variables)
  channel('fastify.initialization').unsubscribe(listen)
  if (newestApp !== server.app) throw new Error('The doors are those of another server.')
  return { server, doors }
}
