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
  /** It is gone at once, with whatever it is at; what it has answered for is in its folder. */
  crash(): Promise<void>
  /** After a crash: at the same address. */
  restart(): Promise<void>
  /** It answers nothing, and its connections stay open. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** Starts an S3 server in its own process, for tests. It checks signatures and keeps objects in a temporary folder. */
export async function startS3Server(prefix = ''): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'dmp-s3-'))
  const bucket = 'dmp-objects'
  const start = async (port = '0') => {
    // It encrypts its continuation tokens with a cipher that OpenSSL 3 has moved to the legacy provider.
    const started = spawn(
      process.execPath,
      [
        '--openssl-legacy-provider',
        '--disable-warning=ExperimentalWarning',
        fileURLToPath(new URL('./s3ServerProcess.ts', import.meta.url)),
        directory,
        bucket,
        port,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    const [line] = (await once(started.stdout, 'data')) as [Buffer]
    return { started, port: line.toString().trim() }
  }
  const first = await start()
  const { port } = first
  let child = first.started
  const location: BucketLocation = {
    endpoint: `http://127.0.0.1:${port}`,
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
    crash: async () => {
      const childExit = once(child, 'exit')
      child.kill('SIGKILL')
      await childExit
    },
    restart: async () => {
      child = (await start(port)).started
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    close: async () => {
      const childExit = once(child, 'exit')
      child.stdin.end()
      await childExit
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
