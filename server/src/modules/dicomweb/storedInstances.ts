import { sql, type RawBuilder } from 'kysely'
import { readFrameLayout, type FrameLayout } from '../../dicom/frames.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readPart10, type Part10 } from '../../dicom/part10.ts'
import { unpackHeader } from '../scan/intake/instanceRows.ts'
import { unsealHeader } from '../scan/intake/sealedHeaders.ts'
import { ObjectStoreError, type OpenObject } from '../../outside/objectStore.ts'
import { BoundedMap } from '../../core/BoundedMap.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound } from '../../core/errors.ts'
import type { Scope, UidPath } from './scope.ts'

/** A stored instance, as WADO-RS needs it. */
export interface StoredInstance {
  readonly study_uid: string
  readonly series_uid: string
  readonly sop_instance_uid: string
  readonly sop_class_uid: string
  readonly transfer_syntax_uid: string
  readonly object_key: string
  readonly images: number
}

export const retrieveUrl = (instance: StoredInstance): string =>
  `/dicom-web/studies/${instance.study_uid}/series/${instance.series_uid}/instances/${instance.sop_instance_uid}`

/** Instances per query: a study of any size is read in constant memory. */
const pageSize = 200

interface InstancePosition {
  readonly series_uid: string
  readonly instance_number: number
  readonly sop_instance_uid: string
}

const isAfter = (position: InstancePosition): RawBuilder<unknown> =>
  sql`and (series_uid, instance_number, sop_instance_uid)
    > (${position.series_uid}, ${position.instance_number}, ${position.sop_instance_uid})`

/**
 * Iterates over the instances of a study, of a series, or a single one, in the order of their numbers; never those of
 * another organization or launch.
 */
export async function* iterateInstances(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): AsyncGenerator<StoredInstance & { header: Uint8Array }> {
  let lastInstance: InstancePosition | undefined
  for (;;) {
    const { rows } = await sql<StoredInstance & { header: Uint8Array; instance_number: number }>`
      select study_uid, series_uid, sop_instance_uid, sop_class_uid, transfer_syntax_uid, object_key, images, header,
        instance_number
      from instances
      where organization_id = ${scope.store.organizationId}
      ${path.study === undefined ? sql`` : sql`and study_uid = ${path.study}`}
      ${path.series === undefined ? sql`` : sql`and series_uid = ${path.series}`}
      ${path.instance === undefined ? sql`` : sql`and sop_instance_uid = ${path.instance}`}
      ${lastInstance ? isAfter(lastInstance) : sql``}
      order by series_uid, instance_number, sop_instance_uid limit ${pageSize}`.execute(deps.db)
    for (const row of rows) {
      const ids = { organizationId: scope.store.organizationId, sopInstanceUID: row.sop_instance_uid }
      yield { ...row, header: await unsealHeader(deps.encryption, ids, row.header) }
    }
    if (rows.length < pageSize) return
    lastInstance = rows.at(-1)
  }
}

/** The same, but 404 when there are none: the first is read before the response begins. */
export async function listInstances(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): Promise<AsyncGenerator<StoredInstance & { header: Uint8Array }>> {
  const instances = iterateInstances(deps, scope, path)
  const first = await instances.next()
  if (first.done) throw notFound()
  return (async function* () {
    yield first.value
    yield* instances
  })()
}

export async function getInstance(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): Promise<StoredInstance & { header: JsonDataset }> {
  for await (const instance of iterateInstances(deps, scope, path))
    return { ...instance, header: unpackHeader(instance.header) }
  throw notFound()
}

interface Opened {
  readonly object: OpenObject
  readonly part10: Part10
  readonly layout: FrameLayout
}

interface CachedLayout {
  readonly part10: Part10
  readonly layout: FrameLayout
}

/** Frame layouts of recently used objects, without their headers. */
export class LayoutMemory {
  readonly #layouts = new BoundedMap<string, CachedLayout>(200)

  get(key: string): CachedLayout | undefined {
    return this.#layouts.get(key)
  }

  put(key: string, layout: CachedLayout): void {
    // An inflated object holds all its bytes, so it is read again each time.
    if (layout.part10.transferSyntax.isDeflated) return
    this.#layouts.set(key, { ...layout, part10: { ...layout.part10, header: Buffer.alloc(0) } })
  }
}

export const layoutMemory = (): LayoutMemory => new LayoutMemory()

/** Opens an object for reading frames; the caller closes it. */
export async function openInstance(
  deps: Dependencies,
  memory: LayoutMemory,
  instance: StoredInstance & { header: JsonDataset },
): Promise<Opened> {
  const object = await deps.objects.open(instance.object_key).catch((cause: unknown) => {
    if (cause instanceof ObjectStoreError && cause.fault === 'MISSING') throw notFound()
    throw cause
  })
  try {
    const layout = memory.get(instance.object_key)
    if (layout) return { object, ...layout, part10: { ...layout.part10, source: object } }
    const part10 = await readPart10(object)
    const opened = { part10, layout: await readFrameLayout(part10, instance.header) }
    memory.put(instance.object_key, opened)
    return { object, ...opened }
  } catch (cause) {
    await object.close()
    throw cause
  }
}
