import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DiskPlace, DiskSpace } from '../core/diskSpace.ts'
import { isDiskFull } from '../core/isDiskFull.ts'
import { diskFull } from './errorResponses.ts'

/** Signing in, and reading, leave a few bytes; without them nobody could delete or look at anything. */
const small = /^POST \/(?:account\/|scan\/(?:download|getShared|openShared)|release\/report)/i
/** What puts objects into the store. */
const large = /^(?:DICOMweb|begin an upload|continue an upload|POST \/scan\/transfer|PUT \/release\/publish)/i

/** While little of a disk is free, requests that would fill it are refused before their body is read (P21). */
export function registerDiskReserve(app: FastifyInstance, { disk }: { readonly disk: DiskSpace }): void {
  app.addHook('onRequest', async (request) => {
    const places = listPlaces(request)
    try {
      await disk.assertRoom(...places)
    } catch (error) {
      throw isDiskFull(error) ? diskFull() : error
    }
  })
}

function listPlaces({ method, routeOptions: { config } }: FastifyRequest): DiskPlace[] {
  const limit = config.limit ?? ''
  if (!['POST', 'PUT', 'PATCH'].includes(method) || small.test(limit)) return []
  return large.test(limit) ? ['database', 'objects'] : ['database']
}
