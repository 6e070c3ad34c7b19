import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openBucket } from '@dmp/bucket'
import { startS3Server } from '@dmp/bucket/testing'
import { segmentObjectStore } from '../outside/objectStoreSegments.ts'
import { isTestEncrypted, testArchiveUrl, testObjects } from '../settings/settings.ts'

export interface TestObjects {
  /** Settings that lead the server to the store. */
  readonly variables: Readonly<Record<string, string>>
  /** SOP instance UIDs of all objects that the store holds, each as often as it is there. */
  held(dataDir: string): Promise<string[]>
  close(): Promise<void>
}

/**
 * Where a test server keeps its objects: in its folder, or where `TEST_OBJECTS` says (`npm test` runs the tests of
 * scans on each).
 */
export async function freshObjects(kind = testObjects(), isEncrypted = isTestEncrypted()): Promise<TestObjects> {
  const objects =
    kind === 'bucket'
      ? await freshBucket()
      : kind === 'archive'
        ? await freshArchive()
        : kind === 'segments'
          ? segments
          : folder
  if (!isEncrypted) return objects
  return { ...objects, variables: { ...objects.variables, DMP_ENCRYPTION_KEY: createTestMasterKey() } }
}

export const createTestMasterKey = (): string => randomBytes(32).toString('base64')

const parseUid = (key: string): string => basename(key).split('~')[0] ?? ''

const folder: TestObjects = {
  variables: {},
  held: async (dataDir) => {
    const below = join(dataDir, 'objects')
    return readdirSync(below, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(below, name)).isFile())
      .map(parseUid)
      .sort()
  },
  close: async () => undefined,
}

/** The folder, with small objects appended to each other. */
const segments: TestObjects = {
  variables: { DMP_APPEND_OBJECTS: '1' },
  held: async (dataDir) => {
    const uids: string[] = []
    for await (const { key } of segmentObjectStore(dataDir, { appends: false }).list()) uids.push(parseUid(key))
    return uids.sort()
  },
  close: async () => undefined,
}

async function freshBucket(): Promise<TestObjects> {
  const server = await startS3Server('tests/')
  const held = async (): Promise<string[]> => {
    const uids: string[] = []
    for await (const { key } of openBucket(server.location).list('objects/')) uids.push(parseUid(key))
    return uids.sort()
  }
  return { variables: server.variables, held, close: () => server.close() }
}

/**
 * An Orthanc with its DICOMweb plugin; the address holds user and password. Emptied first, so that one test file at a
 * time uses it.
 */
async function freshArchive(): Promise<TestObjects> {
  const address = new URL(testArchiveUrl() ?? '')
  const { username, password } = address
  address.username = address.password = ''
  const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  const ask = async <T>(path: string, method = 'GET'): Promise<T> =>
    (await (await fetch(new URL(path, address), { method, headers })).json()) as T
  for (const id of await ask<string[]>('/patients')) await ask(`/patients/${id}`, 'DELETE')
  const held = async (): Promise<string[]> =>
    (await ask<{ MainDicomTags: { SOPInstanceUID: string } }[]>('/instances?expand'))
      .map((entry) => entry.MainDicomTags.SOPInstanceUID)
      .sort()
  return {
    variables: {
      DMP_DICOMWEB_URL: address.href,
      DMP_DICOMWEB_USER: username,
      DMP_DICOMWEB_PASSWORD: password,
      DMP_DICOMWEB_DELETE: 'orthanc',
    },
    held,
    close: async () => undefined,
  }
}
