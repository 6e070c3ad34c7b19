import type { FastifyInstance } from 'fastify'

/**
 * A line may carry requests before the ones before them are answered (RFC 9112, 9.3.2). Node hands over all of them at
 * once, and what they open stays open until their answers have their turn on the line: a thousand files, for whoever
 * sends a thousand requests and reads nothing. No browser does so; here each begins when the one before is answered.
 */
export function registerOneAfterAnother(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, { raw }, next) => {
    // Node gives the line to an answer when it is its turn, and to none any more once the line is closed.
    if (raw.socket) next()
    else raw.once('socket', () => next())
  })
}
