import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildStale } from '../workspace/builds.ts'
import { node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

export interface DemoServer {
  url: string
  /** Everything that it has written so far. */
  output: () => string
  stop: () => Promise<void>
}

/**
 * Brings up the whole product in demo mode on a free port with a data folder of its own, ready to be used.
 *
 * @param fill puts releases into the data folder; without it, the builds of this checkout are live
 */
export async function startDemoServer(
  env: Record<string, string> = {},
  fill?: (dataFolder: string) => Promise<unknown>,
): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-journeys-'))
  // Building from nothing takes longer than a start may; it is not part of the waiting.
  if (fill) await fill(folder)
  else await buildStale()
  const port = await freePort()
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', join(root, fill ? 'server/src/main.ts' : 'scripts/commands/start.ts')],
    {
      env: {
        ...(fill ? withoutSettings(process.env) : process.env),
        DATABASE_URL: '',
        DMP_DEMO: '1',
        // Searched for names and secrets (P23).
        DMP_LOG_LEVEL: 'info',
        DMP_UPLOADER_MEANWHILE: '0',
        // The journeys have a receiver of webhooks on this machine.
        DMP_WEBHOOK_HOSTS: '127.0.0.1',
        // And one that calls as a modality does.
        DMP_DICOM_PORT: String(await freePort()),
        DMP_DICOM_HOST: '127.0.0.1',
        ...env,
        PORT: String(port),
        DMP_DATA_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://localhost:${port}`
  for (let waited = 0; waited < 240; waited += 0.25) {
    if (child.exitCode !== null) break
    if (await isReady(url)) return { url, stop, output: () => output }
    await pause(250)
  }
  await stop()
  throw new Error(`The product did not start. Its last output:\n${output.trim().split('\n').slice(-20).join('\n')}`)
}

/** A trial must not reach the mail server, the bucket or the database of its developer. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:DMP_|SMTP_|AWS_|S3_)/.test(name)))

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  return response?.ok ?? false
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const childExit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await childExit
  clearTimeout(patience)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
