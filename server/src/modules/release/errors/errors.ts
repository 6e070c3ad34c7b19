import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { release } from '@dmp/contract'
import type { ErrorGroup, PageError } from '@dmp/contract/releaseErrors'
import { toErrorName, toSafeMessage } from '@dmp/contract/safeMessage'
import { longestMap, storeMaps } from '@dmp/release/maps'
import { hasRelease, readRelease, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { BoundedMap } from '../../../core/BoundedMap.ts'
import { sharedNow } from '../../../core/clock.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { readPersonCookie } from '../../../identity/personCookie.ts'
import { assertMayPart } from '../door/assertMayPart.ts'
import { createRefuse } from '../refuseStore.ts'
import { listHeard, listOfferedReleases, type ReleaseDependencies } from '../reports.ts'
import { findWitness } from '../witness.ts'
import { toBrowser } from './browser.ts'
import { listGroups, recordError } from './errors.repository.ts'
import { createSourcePlaces } from './sourcePlaces.ts'

const unzip = promisify(gunzip)

/** Of one session within a day: a page tells of five, and a person who meets more is no better witness. */
const errorsInADay = 20
const maxSessions = 10_000
/** Of one release, in memory at the same time; gzip makes little of much. */
const mostMapBytes = 16_000_000

type ErrorHandlers = Pick<Handlers<typeof release>, 'reportErrors' | 'listErrors' | 'addMaps'>

/** What teams learn of the errors of their parts. */
export const errorHandlers = (deps: ReleaseDependencies, store: ReleaseStore): ErrorHandlers => {
  const refuse = createRefuse(store)
  return {
    reportErrors: reportErrorsHandler(deps, store),

    listErrors: async ({ part }, { viewer }) => {
      assertMayPart(viewer, part)
      const groups = await listGroups(deps.db, part)
      const releaseIds = new Set(groups.flatMap(({ releases }) => releases.map(({ releaseId }) => releaseId)))
      const versions = new Map<string, string>()
      for (const releaseId of releaseIds) versions.set(releaseId, await readVersion(store, part, releaseId))
      return groups.map(({ releases, browsers, stack, ...group }): ErrorGroup => ({
        ...group,
        stack: [...stack],
        reports: releases.reduce((sum, { reports }) => sum + reports, 0),
        releases: releases.map((of) => ({ ...of, version: versions.get(of.releaseId) ?? '' })),
        browsers: [...browsers],
      }))
    },

    addMaps: async ({ part, releaseId, maps }, context) => {
      assertMayPart(context.viewer, part)
      const stored = await readRelease(store, part, releaseId).catch(refuse)
      const contents = new Map<string, Buffer>()
      let bytes = 0
      for (const { script, map } of maps) {
        const content = await unpack(map)
        bytes += content.length
        if (bytes > mostMapBytes) throw refuseMap(`Maps of a release have at most ${mostMapBytes} bytes, unpacked.`)
        contents.set(script, content)
      }
      await deps.write(context, async ({ audit }) => {
        await audit({ event: 'ReleaseMapsAdded', subject: { part, releaseId, maps: contents.size } })
        await storeMaps(store, stored, contents).catch(refuse)
      })
      return null
    },
  }
}

/** Whose word counts is as with reports that take releases back. */
function reportErrorsHandler({ db, keys }: ReleaseDependencies, store: ReleaseStore): ErrorHandlers['reportErrors'] {
  const findPlaces = createSourcePlaces(store)
  const spent = new BoundedMap<string, number>(maxSessions)

  /** Takes one of the errors that a session may tell of in a day. */
  const spend = (sessionId: string, day: string): boolean => {
    const key = `${sessionId} ${day}`
    const count = spent.get(key) ?? 0
    spent.set(key, count + 1)
    return count < errorsInADay
  }

  return async ({ errors }, { cookies, request }) => {
    const person = readPersonCookie(keys, cookies.read('dmp-audience'))
    const witness = person?.sessionId === undefined ? undefined : await findWitness(db, person.sessionId)
    if (person === undefined || witness === undefined) return null
    const offered = await listOfferedReleases(store, person)
    const credible = errors.filter(({ part, releaseId }) => offered.has(`${part} ${releaseId}`))
    const day = new Date(sharedNow()).toISOString().slice(0, 10)
    for (const error of await listHeard(store, witness, credible)) {
      if (!spend(witness.sessionId, day)) return null
      const { part, releaseId } = error
      const frames = await listOwnFrames(store, error)
      if (frames.length === 0) continue
      await recordError(db, {
        part,
        releaseId,
        name: toErrorName(error.name),
        message: toSafeMessage(error.message),
        places: await findPlaces(part, releaseId, frames),
        browser: toBrowser(request.userAgent),
        day,
        toPersonHash: (groupId) => keys.digest('errorWitness', `${person.key} ${part} ${groupId} ${day}`),
      })
    }
    return null
  }
}

const unpack = (map: string): Promise<Buffer> =>
  unzip(Buffer.from(map, 'base64'), { maxOutputLength: longestMap }).catch(() => {
    throw refuseMap(`A map is sent as gzip in base64, and has at most ${longestMap} bytes.`)
  })

const refuseMap = (message: string): Refusal => new Refusal(400, 'INVALID', message, [{ path: 'maps', message }])

/** Frames in files that the release really has. */
async function listOwnFrames(store: ReleaseStore, { part, releaseId, frames }: PageError) {
  const { files } = await readRelease(store, part, releaseId)
  const paths = new Set(files.map(({ path }) => path))
  return frames.filter(({ file }) => paths.has(file))
}

/** Empty where the release is gone, or has none. */
export async function readVersion(store: ReleaseStore, part: string, releaseId: string): Promise<string> {
  try {
    if (!(await hasRelease(store, part, releaseId))) return ''
    return (await readRelease(store, part, releaseId)).declaration?.version ?? ''
  } catch (error) {
    if (error instanceof StoreError) return ''
    throw error
  }
}
