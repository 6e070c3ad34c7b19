import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { dicomFile, slice, text, u16 } from '../../server/src/dicom/testing/dicomFile.ts'
import { stowBody } from '../../server/src/testing/stow.ts'
import { openBenchServer, send } from './load.ts'
import { startOrthanc } from './orthanc.ts'
import { freePort, startPostgres } from './postgres.ts'
import { processorSeconds } from './processorTime.ts'
import { RawSender } from './rawSender.ts'

const laneCount = 4
const ourTitle = 'BENCH'

type Lanes = readonly (readonly Buffer[])[]

/** Takes in objects, each lane one after the other. */
export interface Receiver {
  readonly name: string
  /** Whose processor time is its own: server and database. */
  readonly pids: readonly number[]
  /** Signs in, opens lines and writes files; what it returns sends, and is measured. */
  prepare(lanes: Lanes): Promise<() => Promise<void>>
}

export interface OneByOne {
  readonly perSecond: number
  /** Of each process that counts, in milliseconds an object. */
  readonly processorMs: readonly number[]
}

/** A series for each lane. */
export function createLanes(count: number, bytes: number, lanes = laneCount): Buffer[][] {
  const pixels = randomBytes(bytes)
  return Array.from({ length: lanes }, () => createSlices(Math.ceil(count / lanes), pixels).objects)
}

/** A new series of so many slices. */
export function createSlices(count: number, pixels: Buffer): { series: string; objects: Buffer[] } {
  const series = `2.25.${BigInt(`0x${randomBytes(12).toString('hex')}`)}`
  const objects = Array.from({ length: count }, (_, index) =>
    dicomFile({
      elements: slice({
        '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
        '00080018': text('UI', `${series}.${index + 1}`),
        '0020000D': text('UI', `${series}.0`),
        '0020000E': text('UI', series),
        '00200013': text('IS', String(index + 1)),
        '00280010': u16(pixels.length / 2 / 64),
        '00280011': u16(64),
        '7FE00010': { vr: 'OW', value: pixels },
      }),
    }),
  )
  return { series, objects }
}

export async function measureOneByOne(receiver: Receiver, count: number, bytes: number): Promise<OneByOne> {
  const lanes = createLanes(count, bytes)
  const objects = lanes.flat().length
  const takeIn = await receiver.prepare(lanes)
  const before = receiver.pids.map(processorSeconds)
  const began = performance.now()
  await takeIn()
  const seconds = (performance.now() - began) / 1000
  return {
    perSecond: objects / seconds,
    processorMs: receiver.pids.map((pid, index) => ((processorSeconds(pid) - (before[index] ?? 0)) * 1000) / objects),
  }
}

export async function postAll(
  url: string,
  path: string,
  lanes: Lanes,
  headers: Readonly<Record<string, string>>,
  together = 1,
): Promise<() => Promise<void>> {
  const isStow = path !== '/instances'
  const all = await Promise.all(
    lanes.map(async (objects) => ({
      sender: await RawSender.open(url),
      requests: isStow
        ? inGroups(objects, together).map((group) => stowBody(group))
        : objects.map((object) => ({ payload: object, headers: {} })),
    })),
  )
  const run = async ({ sender, requests }: (typeof all)[number]): Promise<void> => {
    for (const request of requests) await sender.post(path, request.payload, { ...headers, ...request.headers })
    sender.close()
  }
  return async () => void (await Promise.all(all.map(run)))
}

const inGroups = (objects: readonly Buffer[], size: number): (readonly Buffer[])[] =>
  Array.from({ length: Math.ceil(objects.length / size) }, (_, at) => objects.slice(at * size, (at + 1) * size))

/** `storescu` of dcmtk, one association for each lane. */
async function storeAll(folder: string, port: number, calledTitle: string, lanes: Lanes): Promise<() => Promise<void>> {
  const below = mkdtempSync(join(folder, 'sent-'))
  lanes.forEach((objects, lane) => {
    mkdirSync(join(below, String(lane)))
    objects.forEach((object, index) => writeFileSync(join(below, String(lane), `${index}.dcm`), object))
  })
  const run = async (objects: readonly Buffer[], lane: number): Promise<void> => {
    const args = [
      '-v',
      '-aet',
      ourTitle,
      '-aec',
      calledTitle,
      '127.0.0.1',
      String(port),
      '+sd',
      join(below, String(lane)),
    ]
    const { stdout, stderr } = await promisify(execFile)('storescu', args, { maxBuffer: 2 ** 26 })
    const stored = (stdout + stderr).split('Success').length - 1
    if (stored < objects.length) throw new Error(`storescu stored ${stored} of ${objects.length}.`)
  }
  return async () => {
    await Promise.all(lanes.map(run))
    rmSync(below, { recursive: true })
  }
}

type Stops = (() => Promise<void> | void)[]

/**
 * All receivers, started side by side; each is measured by itself while the others rest. `together`: objects in a
 * request of STOW-RS.
 */
export async function openReceivers(
  folder: string,
  together: number,
): Promise<{ receivers: Receiver[]; close: () => Promise<void> }> {
  const stops: Stops = []
  // PostgreSQL runs as a user of its own, who has to get through to its folder.
  chmodSync(folder, 0o755)
  const receivers: Receiver[] = []
  for (const database of ['PostgreSQL', 'embedded'] as const)
    for (const objects of ['files', 'segments'] as const)
      receivers.push(...(await openOurs(folder, database, objects, together, stops)))
  for (const database of ['SQLite', 'PostgreSQL'] as const)
    receivers.push(...(await openOrthancs(folder, database, together, stops)))
  receivers.push(await openStorescp(folder, stops))
  const close = async (): Promise<void> => {
    for (const stop of stops) await stop()
  }
  return { receivers, close }
}

async function openDatabase(name: string, own: string, stops: Stops) {
  mkdirSync(own)
  const cluster = name === 'PostgreSQL' ? await startPostgres(own) : undefined
  if (cluster) stops.push(() => cluster.stop())
  return cluster
}

async function openOurs(
  folder: string,
  database: string,
  objects: 'files' | 'segments',
  together: number,
  stops: Stops,
): Promise<Receiver[]> {
  const own = join(folder, `ours-${database}-${objects}`)
  const cluster = await openDatabase(database, own, stops)
  const dicomPort = await freePort()
  const server = await openBenchServer(join(own, 'data'), {
    DMP_DICOM_PORT: String(dicomPort),
    DMP_APPEND_OBJECTS: objects === 'segments' ? '1' : '0',
    DMP_DICOM_NETWORKS: '127.0.0.0/8',
    ...(cluster && { DATABASE_URL: cluster.url }),
  })
  stops.unshift(() => server.stop())
  const signIn = async () => ({ authorization: `Bearer ${await server.tokenOf('admin@north.example')}` })
  const title = await addPartner(server.url, await signIn())
  const pids = [server.pid, ...(cluster ? [cluster.pid] : [])]
  return [
    {
      name: `ours, ${database}, ${objects}, STOW-RS`,
      pids,
      prepare: async (lanes) => postAll(server.url, '/dicom-web/studies', lanes, await signIn(), together),
    },
    {
      name: `ours, ${database}, ${objects}, C-STORE`,
      pids,
      prepare: (lanes) => storeAll(folder, dicomPort, title, lanes),
    },
  ]
}

async function openOrthancs(folder: string, database: string, together: number, stops: Stops): Promise<Receiver[]> {
  const own = join(folder, `orthanc-${database}`)
  const cluster = await openDatabase(database, own, stops)
  const { url, pid, dicomPort, stop } = await startOrthanc(own, cluster?.url)
  stops.unshift(stop)
  const pids = [pid, ...(cluster ? [cluster.pid] : [])]
  const accept = { accept: 'application/dicom+json' }
  const name = `Orthanc, ${database}`
  return [
    { name: `${name}, STOW-RS`, pids, prepare: (lanes) => postAll(url, '/dicom-web/studies', lanes, accept, together) },
    { name: `${name}, its own POST`, pids, prepare: (lanes) => postAll(url, '/instances', lanes, {}) },
    { name: `${name}, C-STORE`, pids, prepare: (lanes) => storeAll(folder, dicomPort, 'ORTHANC', lanes) },
  ]
}

/** A file for each object and no index; it syncs nothing. */
async function openStorescp(folder: string, stops: Stops): Promise<Receiver> {
  const own = join(folder, 'storescp')
  mkdirSync(own)
  const port = await freePort()
  const child = spawn('storescp', ['--fork', '-od', own, String(port)], { stdio: 'ignore' })
  stops.unshift(() => void child.kill('SIGTERM'))
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => (socket.destroy(), resolve(true))).on('error', () => resolve(false))
    })
  while (!(await answers())) await pause(50)
  return {
    name: 'dcmtk storescp, C-STORE',
    pids: [child.pid ?? 0],
    prepare: (lanes) => storeAll(folder, port, 'STORESCP', lanes),
  }
}

/** Returns the title under which the server is called. */
async function addPartner(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const draft = {
    name: 'Bench',
    aeTitle: ourTitle,
    services: ['Store'],
    addresses: ['127.0.0.1'],
    fingerprint: null,
    host: null,
    port: null,
    usesTls: false,
    password: 'DemoPassw0rd!',
  }
  const added = await send(`${url}/api/DicomPartner/add`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(draft),
  })
  if (added.status !== 200) throw new Error(`The partner was not added: ${added.body.slice(0, 200)}`)
  const node = await send(`${url}/api/DicomPartner/getNode`, { headers })
  return (JSON.parse(node.body) as { data: { aeTitle: string } }).data.aeTitle
}
