import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { deidentify, newReport } from '../../../dicom/deidentify.ts'
import { textValue, type RawElement } from '../../../dicom/elementWriter.ts'
import { readInstanceBytes, type Instance } from '../../../dicom/read.ts'
import { rewrittenBytes } from '../../../dicom/rewrite.ts'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { uidMapper } from '../../../dicom/uidMap.ts'
import { commit, isPrepared, prepare, type IncomingObject, type Prepared } from '../intake/intake.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { demoPatients, type DemoPatient } from './demoPatients.ts'
import { demoScans, type DemoScan } from './demoScanPlan.ts'

const places = [
  { organization: 'North-Clinic', rounds: 3, firstPatient: 0 },
  { organization: 'South-Clinic', rounds: 1, firstPatient: 7 },
] as const

const GROUP = 32
const MAX_BYTES = 64 * 2 ** 20

/**
 * Real objects of several modalities and transfer syntaxes for the demo. Public samples may carry real names, so each
 * is de-identified and gets the label of somebody who does not exist, under UIDs of its own. Runs once: an organization
 * that has scans is left alone.
 */
export async function seedScans(deps: Dependencies): Promise<number> {
  const samples = new Map(sampleObjects().map((path) => [basename(path), path]))
  // Production installs have no development packages, and no demo.
  if (samples.size === 0) return 0
  const read = new Map<string, Instance>()
  let seeded = 0
  for (const place of places) {
    const organizationId = await emptyStoreOf(deps, place.organization)
    if (organizationId === undefined) continue
    const arrival: IncomingObject = {
      organizationId,
      source: 'Demo',
      context: { request: { id: 'seed', ip: '127.0.0.1' } },
    }
    let group: Prepared[] = []
    for (const scan of demoScans(place.rounds, place.firstPatient, demoPatients.length)) {
      for (const file of scan.sample.files) {
        const instance = read.get(file) ?? (await readInstanceBytes(readFileSync(samples.get(file) ?? '')))
        read.set(file, instance)
        const prepared = await relabelled(deps, arrival, place.organization, scan, instance)
        group.push(prepared)
      }
      if (group.length < GROUP) continue
      seeded += (await commit(deps, arrival, group)).length
      group = []
    }
    if (group.length > 0) seeded += (await commit(deps, arrival, group)).length
  }
  return seeded
}

async function emptyStoreOf({ db }: Dependencies, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organizations')
    .leftJoin('scan_totals', 'scan_totals.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.datastore_id', 'scan_totals.organization_id as seeded'])
    .where('organizations.name', '=', name)
    .executeTakeFirst()
  return row?.datastore_id && !row.seeded ? row.id : undefined
}

async function relabelled(
  deps: Dependencies,
  arrival: IncomingObject,
  organization: string,
  scan: DemoScan,
  instance: Instance,
): Promise<Prepared> {
  const secret = createHash('sha256')
    .update(`demo ${organization} ${scan.patient} ${scan.date} ${scan.sample.series}`)
    .digest()
  const copy = await deidentify(instance, secret, newReport(), labels(organization, scan))
  const prepared = await prepare(deps.objects, arrival, rewrittenBytes(instance, copy), MAX_BYTES)
  if (!isPrepared(prepared))
    throw new Error(`A demo scan was refused: ${prepared.kind === 'refused' ? prepared.sentence : prepared.kind}`)
  return prepared
}

/** Something short and stable that looks like a number of an order. */
const numberOf = (text: string): string =>
  String(parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16) % 1_000_000).padStart(6, '0')

const ageAt = (date: string, { birthDate }: DemoPatient): string =>
  `${String(Math.floor((Number(date) - Number(birthDate)) / 10_000)).padStart(3, '0')}Y`

function labels(organization: string, { sample, patient, visit, date, time }: DemoScan): Map<string, RawElement> {
  const person = demoPatients[patient] as DemoPatient
  const studyUID = uidMapper(Buffer.from(`demo study ${organization}`))(visit)
  const entries: ReadonlyArray<readonly [tag: string, vr: string, value: string]> = [
    ['00080005', 'CS', 'ISO_IR 192'],
    ['00080020', 'DA', date],
    ['00080021', 'DA', date],
    ['00080022', 'DA', date],
    ['00080030', 'TM', time],
    ['00080031', 'TM', time],
    ['00080032', 'TM', time],
    ['00080050', 'SH', `A${numberOf(`${organization} ${visit}`)}`],
    ['00080080', 'LO', organization],
    ['00080090', 'PN', 'Referrer^Robin^^Dr'],
    ['00081030', 'LO', sample.study],
    ['0008103E', 'LO', sample.series],
    ['00100010', 'PN', person.name],
    ['00100020', 'LO', `${organization.slice(0, 1)}-${numberOf(person.name)}`],
    ['00100030', 'DA', person.birthDate],
    ['00100040', 'CS', person.sex],
    ['00101010', 'AS', ageAt(date, person)],
    ['00101020', 'DS', String(person.height)],
    ['00101030', 'DS', String(person.weight)],
    ['00102160', 'SH', person.ethnicity],
    ['00180015', 'CS', sample.bodyPart],
    ['00181000', 'LO', `SN-${numberOf(`${organization} ${sample.series}`)}`],
    ['0020000D', 'UI', studyUID],
    ['00200010', 'SH', numberOf(visit)],
    ['00321032', 'PN', 'Requester^Alex^^Dr'],
    ...(sample.laterality ? ([['00200060', 'CS', sample.laterality]] as const) : []),
  ]
  return new Map(entries.map(([tag, vr, value]) => [tag, textValue(vr, value)]))
}
