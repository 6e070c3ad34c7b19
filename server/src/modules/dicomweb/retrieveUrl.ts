import type { Settings } from '../../settings/settings.ts'
import type { ReadScope, UidPath } from './scope.ts'

/**
 * Where a study, series or instance is retrieved: with the public address of the product where that is known, because
 * many programs do not join addresses; otherwise from the root of the server, as PS3.5 allows.
 */
export const retrieveUrl = (
  { settings }: { settings: Pick<Settings, 'publicUrl'> },
  { root }: Pick<ReadScope, 'root'>,
  path: UidPath,
): string =>
  [
    `${settings.publicUrl ?? ''}${root}`,
    path.study && `studies/${path.study}`,
    path.series && `series/${path.series}`,
    path.instance && `instances/${path.instance}`,
  ]
    .filter(Boolean)
    .join('/')
