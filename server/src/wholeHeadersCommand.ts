import type { Server } from './app.ts'
import { StartFailure } from './core/StartFailure.ts'
import { lengthenAll } from './modules/scan/headers/shortHeaders.ts'

/** `npm run admin -- whole-headers`: before servers that know no short headers get the database back. */
export async function wholeHeaders({ deps }: Server): Promise<string> {
  if (deps.settings.shortensHeaders)
    throw new StartFailure(
      'DMP_SHORT_HEADERS is set: headers would be shortened again. Unset it here and at every server, and restart these.',
    )
  const { headers, left } = await lengthenAll(deps, new AbortController().signal)
  if (left > 0)
    throw new StartFailure(
      `${headers} headers are whole now. Those of ${left} series are not: try again, and let npm run fsck name what is damaged.`,
    )
  return `${headers} headers are whole now. Servers of earlier versions can read the database.`
}
