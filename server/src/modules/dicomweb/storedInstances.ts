import { sql } from 'kysely'
import { frameLayout, type FrameLayout } from '../../dicom/frames.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readPart10, type Part10 } from '../../dicom/part10.ts'
import { unpackedHeader } from '../scan/intake/instanceRows.ts'
import { ObjectStoreError, type OpenObject } from '../../outside/objectStore.ts'
import { BoundedMap } from '../../core/BoundedMap.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound } from '../../core/errors.ts'
import type { Scope, UidPath } from './scope.ts'

/** What is stored of an instance, as WADO-RS needs it. */
export interface StoredInstance {
  readonly study_uid: string
  readonly series_uid: string
  readonly sop_instance_uid: string
  readonly sop_class_uid: string
  readonly transfer_syntax_uid: string
  readonly object_key: string
  readonly images: number
}

export const retrieveUrl = (one: StoredInstance): string =>
  `/dicom-web/studies/${one.study_uid}/series/${one.series_uid}/instances/${one.sop_instance_uid}`

/** Instances at once: a study of any size is answered in constant memory. */
const PAGE = 200

/**
 * Instances of a study, a series or one; never those of another organization or another launch. In the order of their
 * numbers.
 */
export async function* storedInstances(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): AsyncGenerator<StoredInstance & { header: Uint8Array }> {
  let after: { series_uid: string; instance_number: number; sop_instance_uid: string } | undefined
  for (;;) {
    const { rows } = await sql<StoredInstance & { header: Uint8Array; instance_number: number }>`
      select study_uid, series_uid, sop_instance_uid, sop_class_uid, transfer_syntax_uid, object_key, images, header,
      instance_number from instances
      where organization_id = ${scope.store.organizationId}
      ${path.study === undefined ? sql`` : sql`and study_uid = ${path.study}`}
      ${path.series === undefined ? sql`` : sql`and series_uid = ${path.series}`}
      ${path.instance === undefined ? sql`` : sql`and sop_instance_uid = ${path.instance}`}
      ${after ? sql`and (series_uid, instance_number, sop_instance_uid) > (${after.series_uid}, ${after.instance_number}, ${after.sop_instance_uid})` : sql``}
      order by series_uid, instance_number, sop_instance_uid limit ${PAGE}`.execute(deps.db)
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)
  }
}

/** The same, but a 404 when there is none: the first is looked for before anything is answered. */
export async function listInstances(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): Promise<AsyncGenerator<StoredInstance & { header: Uint8Array }>> {
  const all = storedInstances(deps, scope, path)
  const first = await all.next()
  if (first.done) throw notFound()
  return (async function* () {
    yield first.value
    yield* all
  })()
}

export async function getInstance(
  deps: Dependencies,
  scope: Scope,
  path: UidPath,
): Promise<StoredInstance & { header: JsonDataset }> {
  for await (const one of storedInstances(deps, scope, path)) return { ...one, header: unpackedHeader(one.header) }
  throw notFound()
}

interface Opened {
  readonly object: OpenObject
  readonly part10: Part10
  readonly layout: FrameLayout
}

interface Known {
  readonly part10: Part10
  readonly layout: FrameLayout
}

/** Where the frames of lately used objects lie; their headers are not kept. */
export class LayoutMemory {
  readonly #known = new BoundedMap<string, Known>(200)

  get(key: string): Known | undefined {
    return this.#known.get(key)
  }

  put(key: string, known: Known): void {
    // An inflated object holds all its bytes: it is read anew each time.
    if (known.part10.transferSyntax.isDeflated) return
    this.#known.set(key, { ...known, part10: { ...known.part10, header: Buffer.alloc(0) } })
  }
}

export const layoutMemory = (): LayoutMemory => new LayoutMemory()

/** Opens an object for reading frames; the caller closes it. */
export async function openInstance(
  deps: Dependencies,
  memory: LayoutMemory,
  one: StoredInstance & { header: JsonDataset },
): Promise<Opened> {
  const object = await deps.objects.open(one.object_key).catch((cause: unknown) => {
    if (cause instanceof ObjectStoreError && cause.fault === 'MISSING') throw notFound()
    throw cause
  })
  try {
    const known = memory.get(one.object_key)
    if (known) return { object, ...known, part10: { ...known.part10, source: object } }
    const part10 = await readPart10(object)
    const opened = { part10, layout: await frameLayout(part10, one.header) }
    memory.put(one.object_key, opened)
    return { object, ...opened }
  } catch (cause) {
    await object.close()
    throw cause
  }
}
