import { stringifyDataset, writeStoreResponse } from '@dmp/dicom'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import { isPrepared, prepare, type IntakeOutcome } from '../scan/intake/intake.ts'
import { commit } from '../scan/intake/commit.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { toIncomingObject } from './incomingObject.ts'
import type { KeptOutcomes } from './keptOutcomes.ts'
import type { Scope } from './scope.ts'
import type { UploadRooms } from './unfinishedUploads.ts'
import type { UploadStore } from './uploads/uploadStore.ts'

interface FinishingDependencies {
  readonly deps: Dependencies
  readonly thumbnails: Pick<ThumbnailWarmer, 'warm'>
  readonly files: UploadStore
  readonly unfinished: Pick<UploadRooms, 'forget'>
  readonly outcomes: Pick<KeptOutcomes, 'add'>
  /** Of all servers one finishes an upload at a time. */
  readonly exclusively: <T>(uploadId: string, act: () => Promise<T>) => Promise<T>
}

/**
 * Stores uploads whose last byte has arrived, each once: whoever asks meanwhile or afterwards, because the answer got
 * lost, gets the same outcome.
 */
export class FinishedUploads {
  readonly #deps: FinishingDependencies
  readonly #running = new Map<string, Promise<IntakeOutcome>>()

  constructor(deps: FinishingDependencies) {
    this.#deps = deps
  }

  finish(uploadId: string, scope: Scope): Promise<IntakeOutcome> {
    const { exclusively } = this.#deps
    const running =
      this.#running.get(uploadId) ??
      exclusively(uploadId, () => this.#finish(uploadId, scope)).finally(() => this.#running.delete(uploadId))
    this.#running.set(uploadId, running)
    return running
  }

  /**
   * Before an upload is said to be complete, its object is stored and still there: clients take "all bytes arrived" for
   * the end, and a store that was away at the last byte would have lost the object. A refused one is gone afterwards.
   */
  async settle(uploadId: string, scope: Scope): Promise<void> {
    const { deps, files } = this.#deps
    const upload = await files.getUpload(uploadId).catch(() => undefined)
    if (upload?.size === undefined || upload.offset !== upload.size) return
    const outcome = await this.finish(uploadId, scope)
    if (outcome.kind === 'refused') return
    const row = await deps.db
      .selectFrom('instances')
      .select('sop_instance_uid')
      .where('organization_id', '=', scope.store.organizationId)
      .where('sop_instance_uid', '=', outcome.sopInstanceUID)
      .executeTakeFirst()
    if (!row) await files.remove(uploadId)
  }

  async #finish(uploadId: string, scope: Scope): Promise<IntakeOutcome> {
    const { deps, thumbnails, files, unfinished, outcomes } = this.#deps
    const earlier = await files.findOutcome(uploadId)
    if (earlier) return earlier
    const outcome = await storeUpload(deps, scope, await files.readContent(uploadId))
    if (outcome.kind === 'refused') await files.remove(uploadId)
    else {
      await files.keepOutcome(uploadId, outcome)
      await outcomes.add(uploadId, { userId: scope.viewer.userId, organizationId: scope.store.organizationId })
    }
    unfinished.forget(uploadId)
    if (outcome.kind === 'stored') thumbnails.warm(scope.store.organizationId, [outcome.seriesUID])
    return outcome
  }
}

async function storeUpload(
  deps: Dependencies,
  scope: Scope,
  content: AsyncIterable<Uint8Array>,
): Promise<IntakeOutcome> {
  const incoming = toIncomingObject(scope)
  const prepared = await prepare(deps, incoming, content, maxUploadBytes(deps.settings))
  if (!isPrepared(prepared)) return prepared
  const [outcome] = await commit(deps, incoming, [prepared])
  if (!outcome) throw new Error('An object without an outcome.')
  return outcome
}

interface LastAnswer {
  readonly status_code?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/**
 * The answer to the last byte. Whoever accepts DICOM JSON gets the outcome as STOW-RS says it: 201, or 409 when it was
 * refused. Any other client of the protocol gets what that says, and 422 for a refused file: a 409 means "continue
 * elsewhere" there, and would be tried again.
 */
export function toLastAnswer(outcome: IntakeOutcome, accept: string | null, origin: string): LastAnswer {
  const isRefused = outcome.kind === 'refused'
  if (accept?.includes('application/dicom+json'))
    return {
      status_code: isRefused ? 409 : 201,
      headers: { 'content-type': 'application/dicom+json' },
      body: stringifyDataset(writeStoreResponse([{ part: 1, outcome }], origin)),
    }
  if (isRefused) throw new Refusal(422, outcome.reason, outcome.sentence)
  return {}
}
