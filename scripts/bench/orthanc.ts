import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, proportionalMb } from './postgres.ts'
import { seriesNumber } from '../../server/src/testing/manySeries.ts'

const plugin = '/usr/share/orthanc/plugins/libOrthancDicomWeb.so'

const postgresPlugin = '/usr/share/orthanc/plugins/libOrthancPostgreSQLIndex.so'

export interface Orthanc {
  readonly url: string
  readonly pid: number
  readonly dicomPort: number
  memoryMb(): number
  stop(): Promise<void>
}

/**
 * Orthanc as its package brings it, with its DICOMweb plugin, its index in SQLite or in the PostgreSQL that is given,
 * and no password.
 */
export async function startOrthanc(folder: string, postgresUrl?: string): Promise<Orthanc> {
  if (!existsSync(plugin)) throw new Error('Orthanc is not installed: apt-get install orthanc orthanc-dicomweb')
  if (postgresUrl !== undefined) installPostgresPlugin()
  const [port, dicomPort] = [await freePort(), await freePort()]
  const file = join(folder, 'orthanc.json')
  writeFileSync(
    file,
    JSON.stringify({
      StorageDirectory: join(folder, 'orthanc'),
      HttpPort: port,
      DicomServerEnabled: true,
      DicomPort: dicomPort,
      AuthenticationEnabled: false,
      Plugins: postgresUrl === undefined ? [plugin] : [plugin, postgresPlugin],
      ...(postgresUrl !== undefined && {
        PostgreSQL: {
          EnableIndex: true,
          EnableStorage: false,
          ConnectionUri: postgresUrl.replace('postgres:', 'postgresql:'),
        },
      }),
      DicomWeb: { Enable: true, Root: '/dicom-web/' },
    }),
  )
  const child = spawn('Orthanc', [file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/system`).then(
      (response) => response.ok,
      () => false,
    ))
  )
    await pause(100)
  const pid = child.pid ?? 0
  return { url, pid, dicomPort, memoryMb: () => proportionalMb(pid), stop: () => ended(child) }
}

/** Debian's package, from the sources that this machine has. */
function installPostgresPlugin(): void {
  if (existsSync(postgresPlugin)) return
  console.log('Installing orthanc-postgresql, with which Orthanc keeps its index in PostgreSQL …')
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const [command = '', ...args] = [
    ...sudo,
    'apt-get',
    'install',
    '-q',
    '-y',
    '--no-install-recommends',
    'orthanc-postgresql',
  ]
  try {
    execFileSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  } catch {
    throw new Error(
      'orthanc-postgresql could not be installed. Install it (apt-get install orthanc-postgresql), or leave out --one-by-one.',
    )
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const processEnd = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await processEnd
}

const patientLevel = 1
const studyLevel = 2
const seriesLevel = 3
const instanceLevel = 4

/**
 * Puts the index rows of so many series into the SQLite of a stopped Orthanc, as its own uploads of one instance each
 * make them (read off 1.10.1: resources, main tags, identifiers in capitals, metadata, attached files), without the
 * files, which no list and no search of main tags reads.
 */
export function fillOrthanc(folder: string, count: number): void {
  const database = new DatabaseSync(join(folder, 'orthanc', 'index'))
  database.exec('pragma synchronous = off; pragma locking_mode = exclusive; begin')
  // A trigger of the schema calls a function of the program; it is for deletions only.
  const resource = database.prepare('insert into Resources values (?, ?, ?, ?)')
  const tag = database.prepare('insert into MainDicomTags values (?, ?, ?, ?)')
  const identifier = database.prepare('insert into DicomIdentifiers values (?, ?, ?, ?)')
  const metadata = database.prepare('insert into Metadata values (?, ?, ?)')
  const attached = database.prepare('insert into AttachedFiles values (?, 1, ?, 528384, 528384, 1, ?, ?)')
  let last = 0
  const add = (type: number, publicId: string, parent: number | null): number => {
    last += 1
    resource.run(last, type, publicId, parent)
    metadata.run(last, 7, '20261121T120000')
    return last
  }
  const both = (id: number, group: number, element: number, value: string): void => {
    tag.run(id, group, element, value)
    identifier.run(id, group, element, value.toUpperCase())
  }
  let patient = { id: 0, patientId: '' }
  let study = { id: 0, studyUID: '' }
  for (let i = 0; i < count; i += 1) {
    const row = seriesNumber(i)
    const name = `${row.family}^${row.given}`
    const day = row.date.replaceAll('-', '')
    if (patient.patientId !== row.patientId) {
      patient = { id: add(patientLevel, publicId('a', i), null), patientId: row.patientId }
      both(patient.id, 0x10, 0x10, name)
      both(patient.id, 0x10, 0x20, row.patientId)
    }
    if (study.studyUID !== row.studyUID) {
      study = { id: add(studyLevel, publicId('b', i), patient.id), studyUID: row.studyUID }
      both(study.id, 0x10, 0x10, name)
      both(study.id, 0x10, 0x20, row.patientId)
      both(study.id, 0x20, 0x0d, row.studyUID)
      both(study.id, 0x08, 0x20, day)
    }
    const series = add(seriesLevel, publicId('c', i), study.id)
    both(series, 0x20, 0x0e, row.seriesUID)
    tag.run(series, 0x08, 0x21, day)
    tag.run(series, 0x08, 0x60, row.modality)
    tag.run(series, 0x08, 0x103e, row.description)
    metadata.run(series, 3, '')
    const instance = add(instanceLevel, publicId('d', i), series)
    both(instance, 0x08, 0x18, `${row.seriesUID}.1`)
    tag.run(instance, 0x20, 0x13, '1')
    for (const [kind, value] of [
      [2, '20261121T120000'],
      [3, ''],
      [8, 'RestApi'],
      [9, '1.2.840.10008.1.2.1'],
      [10, '1.2.840.10008.5.1.4.1.1.2'],
      [1, '1'],
    ] as const)
      metadata.run(instance, kind, value)
    attached.run(instance, publicId('e', i), publicId('f', i), publicId('f', i))
  }
  database.exec('commit')
  database.close()
}

/** The shape of its identifiers: 40 hexadecimal digits in five groups. */
function publicId(kind: string, i: number): string {
  const digits = `${kind}${((i * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}${i.toString(16).padStart(31, '0')}`
  return digits.match(/.{8}/g)?.join('-') ?? ''
}
