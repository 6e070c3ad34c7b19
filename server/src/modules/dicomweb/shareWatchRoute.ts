import type { FastifyInstance } from 'fastify'
import { forVisitorsOfAShare } from '../../core/access.ts'
import { notFound } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { waitForChange } from '../scan/sharing/shareWatch.ts'
import { findVisitedShare, sharedRoot } from './sharedScope.ts'

/**
 * For an open image viewer: answered when something about the link changes, else after half a minute; 404 once it has
 * ended.
 */
export function registerShareWatch(app: FastifyInstance, deps: Dependencies): void {
  const config = { limit: 'DICOMweb', access: forVisitorsOfAShare } as const
  app.get<{ Params: { share: string } }>(`${sharedRoot}/watch`, { config }, async (request, reply) => {
    const { share } = request.params
    if (!(await findVisitedShare(deps, request, share))) throw notFound()
    await waitForChange(deps, share, request.ip)
    if (!(await findVisitedShare(deps, request, share))) throw notFound()
    return reply.status(204).send()
  })
}
