import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/settings.ts'
import type { ReadScope, UidPath } from './scope.ts'

/**
 * What addresses in answers begin with, because many programs do not join addresses: the public address of the product.
 * A demo without one is called as the request calls it, which was judged (`ownHost.ts`); a header that nobody judged is
 * not repeated, and addresses begin at the root of the server then, as PS3.5 allows.
 */
export function originOf(
  { publicUrl, isDemo }: Pick<Settings, 'publicUrl' | 'isDemo'>,
  { protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>,
): string {
  if (publicUrl !== undefined) return publicUrl
  return isDemo && headers.host !== undefined ? `${protocol}://${headers.host}` : ''
}

/** Where a study, series or instance is retrieved, within the reach of who asks. */
export const retrieveUrl = ({ origin, root }: Pick<ReadScope, 'origin' | 'root'>, path: UidPath): string =>
  [
    `${origin}${root}`,
    path.study && `studies/${path.study}`,
    path.series && `series/${path.series}`,
    path.instance && `instances/${path.instance}`,
  ]
    .filter(Boolean)
    .join('/')
