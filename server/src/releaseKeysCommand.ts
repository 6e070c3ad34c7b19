import { PartName } from '@dmp/contract/remote'
import * as v from 'valibot'
import type { Server } from './app.ts'
import { StartFailure } from './core/StartFailure.ts'

export const releaseKeysUsage = `  npm run admin -- release-keys forget remote-scan
      lets a part begin with release keys anew, after you removed its keys from the release store;
      restart the servers afterwards`

/** `npm run admin -- release-keys …`: the arguments behind it, of which a wrong one ends with `usage`. */
export function parseReleaseKeysCommand(args: readonly string[], usage: string): (server: Server) => Promise<string> {
  const [command, part, ...more] = args
  if (command !== 'forget' || !v.is(PartName, part) || more.length > 0) throw new StartFailure(usage)
  return (server) => forgetReleaseKeys(server, part)
}

/** Whoever may do so may write to the database, and not to the release store alone. */
export async function forgetReleaseKeys({ deps }: Pick<Server, 'deps'>, part: string): Promise<string> {
  const { numDeletedRows } = await deps.db.deleteFrom('seen_release_keys').where('part', '=', part).executeTakeFirst()
  return numDeletedRows === 0n
    ? `No release keys of ${part} were remembered.`
    : `The release keys of ${part} are forgotten. Restart the servers: those that run remember them.`
}
