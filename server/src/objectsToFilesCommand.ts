import type { Server } from './app.ts'
import { StartFailure } from './core/StartFailure.ts'

/** `npm run admin -- objects-to-files`: before servers that know no segments get the data folder back. */
export async function objectsToFiles({ deps }: Server): Promise<string> {
  if (deps.settings.appendsObjects)
    throw new StartFailure(
      'DMP_APPEND_OBJECTS is set: the next upload would be appended again. Unset it here and at every server, and restart these.',
    )
  const { moved, left } = await deps.objects.compact(true)
  if (left > 0)
    throw new StartFailure(
      `${moved} objects are files now. ${left} segments may still be written to by another server: stop it, and try again in an hour. What is left then is damaged: npm run fsck names it.`,
    )
  return `${moved} objects are files now. Servers of earlier versions can read the data folder.`
}
