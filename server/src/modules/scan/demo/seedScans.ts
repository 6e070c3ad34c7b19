import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { tag } from '@dmp/dicom'
import { textValue, type RawElement } from '@dmp/dimse/elementWriter'
import { deidentify, createReport } from '../../../dicom/deidentify.ts'
import { readInstanceBytes, type Instance } from '../../../dicom/instance.ts'
import { readRewritten } from '../../../dicom/rewrite.ts'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { createUidMapper } from '../../../dicom/uidMap.ts'
import { isPrepared, prepare, type IncomingObject, type PreparedObject } from '../intake/intake.ts'
import { commit } from '../intake/commit.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { demoPatients, type DemoPatient } from './demoPatients.ts'
import { planDemoScans, type DemoScan } from './demoScanPlan.ts'

const organizations = [
  { organization: 'North-Clinic', rounds: 3, firstPatient: 0 },
  { organization: 'South-Clinic', rounds: 1, firstPatient: 7 },
] as const

const groupSize = 32
const maxBytes = 64 * 2 ** 20

/**
 * Seeds the demo with real objects of several modalities and transfer syntaxes. Public samples may carry real names, so
 * each is de-identified and labelled with a made-up person, under UIDs of its own. Runs once: an organization that has
 * scans is left alone.
 */
export async function seedScans(deps: Dependencies): Promise<number> {
  const samples = new Map(sampleObjects().map((path) => [basename(path), path]))
  // Production has no development packages, and so no demo.
  if (samples.size === 0) return 0
  const instances = new Map<string, Instance>()
  let seeded = 0
  for (const entry of organizations) {
    const organizationId = await findEmptyOrganization(deps, entry.organization)
    if (organizationId === undefined) continue
    const incoming: IncomingObject = {
      organizationId,
      source: 'Demo',
      context: { request: { id: 'seed', ip: '127.0.0.1' } },
    }
    let group: PreparedObject[] = []
    for (const scan of planDemoScans(entry.rounds, entry.firstPatient, demoPatients.length)) {
      for (const file of scan.sample.files) {
        const instance = instances.get(file) ?? (await readInstanceBytes(readFileSync(samples.get(file) ?? '')))
        instances.set(file, instance)
        const prepared = await prepareScan(deps, incoming, entry.organization, scan, instance)
        group.push(prepared)
      }
      if (group.length < groupSize) continue
      seeded += (await commit(deps, incoming, group)).length
      group = []
    }
    if (group.length > 0) seeded += (await commit(deps, incoming, group)).length
  }
  return seeded
}

async function findEmptyOrganization({ db }: Dependencies, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organizations')
    .leftJoin('scan_totals', 'scan_totals.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.datastore_id', 'scan_totals.organization_id as seeded'])
    .where('organizations.name', '=', name)
    .executeTakeFirst()
  return row?.datastore_id && !row.seeded ? row.id : undefined
}

async function prepareScan(
  deps: Dependencies,
  incoming: IncomingObject,
  organization: string,
  scan: DemoScan,
  instance: Instance,
): Promise<PreparedObject> {
  const secret = createHash('sha256')
    .update(`demo ${organization} ${scan.patient} ${scan.date} ${scan.sample.series}`)
    .digest()
  const copy = await deidentify(instance, secret, createReport(), { labels: createLabels(organization, scan) })
  const prepared = await prepare(deps, incoming, readRewritten(instance.part10.source, copy), maxBytes)
  if (!isPrepared(prepared))
    throw new Error(`A demo scan was refused: ${prepared.kind === 'refused' ? prepared.sentence : prepared.kind}`)
  return prepared
}

/** A short, stable number that looks like an order number. */
const toNumber = (text: string): string =>
  String(parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16) % 1_000_000).padStart(6, '0')

const formatAge = (date: string, { birthDate }: DemoPatient): string =>
  `${String(Math.floor((Number(date) - Number(birthDate)) / 10_000)).padStart(3, '0')}Y`

function createLabels(organization: string, { sample, patient, visit, date, time }: DemoScan): Map<string, RawElement> {
  const person = demoPatients[patient] as DemoPatient
  const studyUID = createUidMapper(Buffer.from(`demo study ${organization}`))(visit)
  const entries: ReadonlyArray<readonly [tag: string, vr: string, value: string]> = [
    [tag.SpecificCharacterSet, 'CS', 'ISO_IR 192'],
    [tag.StudyDate, 'DA', date],
    [tag.SeriesDate, 'DA', date],
    [tag.AcquisitionDate, 'DA', date],
    [tag.StudyTime, 'TM', time],
    [tag.SeriesTime, 'TM', time],
    [tag.AcquisitionTime, 'TM', time],
    [tag.AccessionNumber, 'SH', `A${toNumber(`${organization} ${visit}`)}`],
    [tag.InstitutionName, 'LO', organization],
    [tag.ReferringPhysicianName, 'PN', 'Referrer^Robin^^Dr'],
    [tag.StudyDescription, 'LO', sample.study],
    [tag.SeriesDescription, 'LO', sample.series],
    [tag.PatientName, 'PN', person.name],
    [tag.PatientID, 'LO', `${organization.slice(0, 1)}-${toNumber(person.name)}`],
    [tag.PatientBirthDate, 'DA', person.birthDate],
    [tag.PatientSex, 'CS', person.sex],
    [tag.PatientAge, 'AS', formatAge(date, person)],
    [tag.PatientSize, 'DS', String(person.height)],
    [tag.PatientWeight, 'DS', String(person.weight)],
    [tag.EthnicGroup, 'SH', person.ethnicity],
    [tag.BodyPartExamined, 'CS', sample.bodyPart],
    [tag.DeviceSerialNumber, 'LO', `SN-${toNumber(`${organization} ${sample.series}`)}`],
    [tag.StudyInstanceUID, 'UI', studyUID],
    [tag.StudyID, 'SH', toNumber(visit)],
    [tag.RequestingPhysician, 'PN', 'Requester^Alex^^Dr'],
    ...(sample.laterality ? ([[tag.Laterality, 'CS', sample.laterality]] as const) : []),
  ]
  return new Map(entries.map(([tag, vr, value]) => [tag, textValue(vr, value)]))
}
