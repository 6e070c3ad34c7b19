import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BucketLocation } from '../bucket.ts'

export interface S3Server {
  readonly place: BucketLocation
  /** The settings of the product that lead to it. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** An S3 store in a process of its own, for tests: signatures are checked, objects lie in a temporary folder. */
export async function startS3Server(prefix = ''): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'dmp-s3-'))
  const bucket = 'dmp-objects'
  // Its tokens for the next page of a list are made with a cipher that OpenSSL 3 calls an old one.
  const child = spawn(
    process.execPath,
    [
      '--openssl-legacy-provider',
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('./s3ServerProcess.ts', import.meta.url)),
      directory,
      bucket,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const place: BucketLocation = {
    endpoint: `http://127.0.0.1:${Number(line)}`,
    bucket,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    isPathStyle: true,
    prefix,
  }
  return {
    place,
    variables: {
      DMP_S3_ENDPOINT: place.endpoint,
      DMP_S3_BUCKET: bucket,
      DMP_S3_ACCESS_KEY_ID: place.accessKeyId,
      DMP_S3_SECRET_ACCESS_KEY: place.secretAccessKey,
      DMP_S3_PREFIX: prefix,
    },
    close: async () => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
