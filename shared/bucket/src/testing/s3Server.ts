import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BucketLocation } from '../bucket.ts'

export interface S3Server {
  readonly location: BucketLocation
  /** Environment variables that point the product to it. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts an S3 server in its own process, for tests. It checks signatures and keeps objects in a temporary folder. */
export async function startS3Server(prefix = ''): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'dmp-s3-'))
  const bucket = 'dmp-objects'
  // It encrypts its continuation tokens with a cipher that OpenSSL 3 has moved to the legacy provider.
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
  const location: BucketLocation = {
    endpoint: `http://127.0.0.1:${Number(line)}`,
    bucket,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    isPathStyle: true,
    prefix,
  }
  return {
    location,
    variables: {
      DMP_S3_ENDPOINT: location.endpoint,
      DMP_S3_BUCKET: bucket,
      DMP_S3_ACCESS_KEY_ID: location.accessKeyId,
      DMP_S3_SECRET_ACCESS_KEY: location.secretAccessKey,
      DMP_S3_PREFIX: prefix,
    },
    close: async () => {
      const childExit = once(child, 'exit')
      child.stdin.end()
      await childExit
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
