import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { toAddressKey } from './addressKey.ts'
import type { Viewer } from './context.ts'
import type { Turn } from './fairTurns.ts'

/** For whom a request is answered: its address, until it is known who asks. */
export interface Asker {
  turn: Turn
}

declare module 'fastify' {
  interface FastifyRequest {
    asker?: Asker
  }
}

const asking = new AsyncLocalStorage<Asker>()
/** Work that nobody asked for at the moment: jobs, sweeps, what goes on after an answer. */
const ownTurn: Turn = { customer: 'server', person: 'server' }

/** Whose turn the present work takes, wherever in the code it is done. */
export const findCurrentTurn = (): Turn => asking.getStore()?.turn ?? ownTurn

/** Goes on with the request in the name of whoever asks. */
export function goOnFor(request: FastifyRequest, next: () => void): void {
  const address = `address ${toAddressKey(request.ip)}`
  request.asker ??= { turn: { customer: address, person: address } }
  asking.run(request.asker, next)
}

/** Does something for somebody who made no request of HTTP. */
export const inTurnOf = <T>(turn: Turn, work: () => T): T => asking.run({ turn }, work)

/** Whose turn it is once the request has shown who asks. */
export const nameAsker = (request: FastifyRequest, { organizationId, userId }: Viewer): void =>
  takeTurnOf(request, { customer: organizationId, person: userId })

export function takeTurnOf(request: FastifyRequest, turn: Turn): void {
  if (request.asker) request.asker.turn = turn
}

/** An iteration that goes on after its caller has returned: each step is taken in the name of whoever began it. */
export async function* inPresentName<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const inName = AsyncLocalStorage.snapshot()
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await inName(() => iterator.next())
      if (done) return
      yield value
    }
  } finally {
    await inName(async () => iterator.return?.())
  }
}
