import type { release } from '@dmp/contract'
import type { Parsed } from '@dmp/contract/endpoint'
import { addRelease, nameBuild, type Build } from '@dmp/release/addRelease'
import { besideRelease } from '@dmp/release/besideRelease'
import { openEnvelope } from '@dmp/release/signing/envelope'
import { countingKeys, nameKeys, readPartKeys } from '@dmp/release/signing/releaseKeys'
import { signatureKey, statementType } from '@dmp/release/signing/signatures'
import { isAbout } from '@dmp/release/signing/statement'
import { readRelease, releaseKey, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { FairTurns } from '../../../core/fairTurns.ts'
import { createRefuse } from '../refuseStore.ts'
import type { ReleaseDependencies } from '../reports.ts'
import { assertMayPart } from './assertMayPart.ts'
import { drawnHandlers } from './drawn.ts'
import { judgeRelease } from './judge.ts'
import { notePublication, toAuthorName, toPersonId } from './publications.ts'

/** Compressing takes seconds of processor time: one build after the other, and few files of it at once. */
const filesAtOnce = 2
/** Each token waits for itself; what waits holds its build in memory. */
const publishingTurns = { atOnce: 1, perCustomer: 1, perPerson: 1, waitingPerPerson: 2, waitingInAll: 8 } as const

/** Builds and signatures come in; the server alone writes them. */
export const arrivalHandlers = (
  deps: ReleaseDependencies,
  store: ReleaseStore,
): Pick<Handlers<typeof release>, 'publish' | 'sign' | 'judge' | 'getHost' | 'addDrawn'> => {
  const turns = new FairTurns(publishingTurns)
  const refuseStore = createRefuse(store)
  return {
    ...drawnHandlers(deps, store),

    publish: async (input, context) => {
      const { part, commit } = input
      const { viewer } = context
      assertMayPart(viewer, part)
      const build = toBuild(input)
      const releaseId = nameOrRefuse(build, refuseStore)
      const publisher = await toAuthorName(deps.db, viewer)
      // Noted before it can be used, so that nobody makes live alone what they brought.
      await deps.write(context, async ({ trx, audit }) => {
        await notePublication(trx, { part, releaseId, personId: toPersonId(viewer), publisher, commit })
        await audit({ event: 'ReleasePublished', subject: { part, releaseId, commit } })
      })
      const { release, isNew } = await turns
        .run({ customer: viewer.organizationId, person: viewer.userId }, () => add(store, build, input))
        .catch(refuseStore)
      return {
        ...(await judgeRelease(store, viewer, release).catch(refuseStore)),
        isNew,
        publishedAt: release.publishedAt,
        commit: release.commit,
        files: release.files.length,
        brotliBytes: release.files.reduce((sum, { brotli }) => sum + brotli, 0),
      }
    },

    sign: async ({ part, releaseId, envelope }, context) => {
      assertMayPart(context.viewer, part)
      const release = await readRelease(store, part, releaseId).catch(refuseStore)
      const keys = countingKeys((await readPartKeys(store, part).catch(refuseStore))?.keys ?? [])
      const content = Buffer.from(envelope)
      const opened = openEnvelope(statementType, content)
      const key = keys.find((candidate) => opened?.isSignedBy(candidate))
      if (opened === undefined || key === undefined || !isAbout(opened.value, release))
        throw new Refusal(
          400,
          'INVALID',
          keys.length === 0
            ? `${part} has no release key that counts. The platform's team registers one: npm run release -- key add ${part}`
            : `This is not a signature of release ${releaseId} of ${part} by ${nameKeys(keys)}.`,
          [{ path: 'envelope', message: 'This signature does not fit.' }],
        )
      await deps.write(context, async ({ audit }) => {
        await audit({ event: 'ReleaseSigned', subject: { part, releaseId, key: key.name } })
        await store.add(signatureKey(release, key.keyId), content)
      })
      return null
    },

    judge: async ({ part, releaseId }, { viewer }) => {
      assertMayPart(viewer, part)
      return judgeRelease(store, viewer, { name: part, releaseId }).catch(refuseStore)
    },
  }
}

type Arrival = Parsed<typeof release.publish>

const add = (store: ReleaseStore, build: Build, { commit, billOfMaterials }: Arrival) =>
  addRelease(store, build, {
    commit,
    atOnce: filesAtOnce,
    addBeside: async ({ name, releaseId }) => {
      if (billOfMaterials === undefined) return
      const content = Buffer.from(billOfMaterials, 'base64')
      await store.add(releaseKey(name, releaseId, besideRelease.billOfMaterials), content)
    },
  })

/** Names that the server writes itself, beside or in place of a file; also as a folder, and in other letters. */
const isOurs = (path: string): boolean =>
  /^(?:(?:release|build|sbom\.cdx)\.json(?:\/|$)|provenance\.|drawn\.)|\.(?:br|gz)(?:\/|$)/i.test(path)

/** Files are stored under longer names than they are served by. */
const longestPath = 200
/** What builds note of themselves has 2 to 12 KB; it is read at each look at a release. */
const longestRecord = 200_000

/** Why files cannot lie beside each other under these names, on whatever disk. */
function findNameFault(paths: readonly string[]): string | undefined {
  const reserved = paths.find(isOurs)
  if (reserved !== undefined) return `${reserved} is a name that the store needs for itself. Leave that file out.`
  const map = paths.find((path) => path.toLowerCase().endsWith('.map'))
  if (map !== undefined) return `${map} would be served to everybody. Leave it out, and bring it with Release/addMaps.`
  const names = new Set(paths.map((path) => path.toLowerCase()))
  if (names.size < paths.length) return 'Name each file once, also where large and small letters are the same.'
  const long = paths.find((path) => path.length > longestPath)
  if (long !== undefined) return `A file is named by at most ${longestPath} characters, not by ${long.length}.`
  const folders = [...names].flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index)))
  const both = folders.find((folder) => names.has(folder))
  return both && `${both} cannot be a file and a folder.`
}

function toBuild({ part, record, files }: Arrival): Build {
  const invalid = (path: string, message: string): Refusal => new Refusal(400, 'INVALID', message, [{ path, message }])
  if (record.name !== part) throw invalid('record.name', `This is a build of ${record.name}, not of ${part}.`)
  const declared = record.declaration?.name
  if (declared !== undefined && declared !== part)
    throw invalid('record.declaration.name', `Its remote.json names ${declared}, not ${part}.`)
  if (JSON.stringify(record).length > longestRecord)
    throw invalid('record', `What a build notes of itself has at most ${longestRecord} characters.`)
  const fault = findNameFault(files.map(({ path }) => path))
  if (fault !== undefined) throw invalid('files', fault)
  const contents = new Map(files.map(({ path, content }) => [path, Buffer.from(content, 'base64')]))
  // The order is part of a release's name, so it is the server's.
  return { record, contents: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function nameOrRefuse(build: Build, refuse: (error: unknown) => never): string {
  try {
    return nameBuild(build)
  } catch (error) {
    return refuse(error)
  }
}
