import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const plugin = '/usr/share/orthanc/plugins/libOrthancDicomWeb.so'

/** How Orthanc's configuration describes a DICOMweb server. */
export interface OrthancPeer {
  readonly Url: string
  readonly HttpHeaders?: Readonly<Record<string, string>>
  readonly Username?: string
  readonly Password?: string
  readonly HasDelete?: boolean
}

export interface Orthanc {
  /** A call of its own interface; throws with its answer when it fails. */
  call<T>(path: string, body?: object | Uint8Array, method?: string): Promise<T>
  readonly url: string
  /** Where its own DICOM node answers, if it was asked for. */
  readonly dicomPort: number
  /** Stops the process where it stands, as a machine does that hangs, and lets it go on. */
  hang(): void
  goOn(): void
  close(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Orthanc as Debian packs it, which knows our server as `dmp`: as a part of its configuration says. */
export async function startOrthanc(peer: OrthancPeer, { node = false } = {}): Promise<Orthanc> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-orthanc-'))
  const [port, dicomPort] = [await freePort(), await freePort()]
  const configuration = {
    StorageDirectory: join(folder, 'storage'),
    HttpPort: port,
    DicomServerEnabled: node,
    DicomPort: dicomPort,
    DicomAlwaysAllowMove: true,
    // Modalities are added while it runs.
    DicomModalities: {},
    AuthenticationEnabled: false,
    Plugins: [plugin],
    DicomWeb: {
      Enable: true,
      Servers: { dmp: peer },
    },
  }
  writeFileSync(join(folder, 'orthanc.json'), JSON.stringify(configuration))
  const child = spawn('Orthanc', [join(folder, 'orthanc.json')], { stdio: 'ignore' })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('Orthanc has ended.')))
  })
  ended.catch(() => undefined)
  const url = `http://127.0.0.1:${port}`
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/system`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await Promise.race([isUp(), ended]))) await pause(100)
  return {
    url,
    dicomPort,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async call<T>(path: string, body?: object | Uint8Array, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
      const content = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body)
      const response = await fetch(url + path, { method, ...(content !== undefined && { body: content }) })
      const answer = await response.text()
      if (!response.ok) throw new Error(`Orthanc: ${method} ${path}: ${response.status} ${answer}`)
      return (answer === '' ? undefined : JSON.parse(answer)) as T
    },
    async close() {
      const end = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await end
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
