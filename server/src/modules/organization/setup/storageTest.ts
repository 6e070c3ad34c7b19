import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { providerOrganizationId } from '@dmp/contract/organization'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { createObjectKey } from '../../scan/intake/objectKeys.ts'

type Store = Pick<Dependencies, 'objects' | 'encryption' | 'settings' | 'log'>

/** Where objects go, without anything that is secret. */
export function describeStorage({ objects, encryption, settings }: Store): string {
  if (objects.isArchive) return 'Scans are kept in a DICOM archive (DMP_DICOMWEB_URL).'
  const { s3Bucket } = settings
  if (s3Bucket !== undefined)
    return encryption.isOn
      ? `Scans are kept in the bucket ${s3Bucket}, encrypted.`
      : `Scans are kept in the bucket ${s3Bucket}.`
  return encryption.isOn
    ? 'Scans are kept in the data folder of the server, encrypted. Include it in your backups.'
    : 'Scans are kept in the data folder of the server. Include it in your backups.'
}

export interface Tested {
  readonly isGood: boolean
  readonly sentence: string
}

/** Takes the way of a scan: written, kept, read back, removed. An archive takes DICOM only, so it is only asked. */
export async function testStorage({ objects, encryption, log }: Store): Promise<Tested> {
  try {
    if (objects.isArchive) {
      await objects.ready()
      return { isGood: true, sentence: 'The archive answered. Nothing was written to it: it takes DICOM only.' }
    }
    const content = randomBytes(4096)
    const dataKey = await encryption.current(providerOrganizationId)
    const staged = await objects.stage(content, { dataKey })
    const uid = `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`
    const ids = { studyUID: uid, seriesUID: uid, sopInstanceUID: uid }
    const key = createObjectKey(objects, providerOrganizationId, ids, staged)
    await objects.intend([{ staged, key }])
    await objects.keep([staged])
    let isSame = false
    try {
      isSame = (await buffer(await objects.read(key))).equals(content)
    } finally {
      await objects.remove([key])
    }
    return isSame
      ? { isGood: true, sentence: 'A test object was written, read back and removed.' }
      : { isGood: false, sentence: 'A test object came back changed. Do not store scans there; check the store.' }
  } catch (cause) {
    log.warn(cause, 'The test of the storage failed')
    return { isGood: false, sentence: describeFailure(cause) }
  }
}

function describeFailure(cause: unknown): string {
  if (cause instanceof ObjectStoreError) return cause.message
  const { code } = (cause ?? {}) as { code?: unknown }
  if (code === 'ENOSPC') return 'The disk is full, or its reserve is reached. Free some space and test again.'
  return typeof code === 'string'
    ? `The test object could not be stored (${code}). The log says more.`
    : 'The test object could not be stored. The log says more.'
}
