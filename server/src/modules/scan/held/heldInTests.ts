import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { readInstanceBytes, type Instance } from '../../../dicom/instance.ts'
import { dicomFile, slice, text, u16, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import { admin, begin, server, southId } from '../transfer/transferInTests.ts'

/** An 8 × 8 ultrasound image, whose every sample is 0x1111. */
export const ultrasound = (seriesUID: string, number: number, changes: Elements = {}): Buffer =>
  dicomFile({
    elements: slice({
      [tag.SOPInstanceUID]: text('UI', `${seriesUID}.${number}`),
      [tag.StudyInstanceUID]: text('UI', `${seriesUID}.0`),
      [tag.SeriesInstanceUID]: text('UI', seriesUID),
      [tag.InstanceNumber]: text('IS', String(number)),
      [tag.PatientName]: text('PN', 'Burned^In'),
      [tag.SeriesDescription]: text('LO', 'Abdomen'),
      [tag.Modality]: text('CS', 'US'),
      [tag.Rows]: u16(8),
      [tag.Columns]: u16(8),
      [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(128, 0x11) },
      ...changes,
    }),
  })

export async function upload(objects: readonly Buffer[]): Promise<void> {
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
}

export async function getTransfer(id: string) {
  const transfer = (await admin.call(scan.listTransfers, {})).data.find((each) => each.id === id)
  if (!transfer) throw new Error('no such transfer')
  return transfer
}

/** Uploads pictures of one series and transfers them; returns once they wait. */
export async function holdBack(seriesUID: string, objects: readonly Buffer[], more: object = {}) {
  await upload(objects)
  return holdAgain(seriesUID, more)
}

export async function holdAgain(seriesUID: string, more: object = {}) {
  const { id } = (await begin([{ studyUID: `${seriesUID}.0`, seriesUID }], more)).data
  return { transferId: id, holdId: await waitUntilHeld(id) }
}

export async function waitUntilHeld(transferId: string): Promise<string> {
  for (let tries = 0; tries < 1500; tries += 1) {
    const transfer = await getTransfer(transferId)
    const held = transfer.scans.find((each) => each.held)?.held
    if (held) return held.id
    if (transfer.finishedDate) throw new Error(`It was not held back: ${JSON.stringify(transfer.scans)}`)
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('The transfer was not held back.')
}

export const getHeld = async (id: string) => (await admin.call(scan.getHeld, { id })).data

/** Has every picture on the screen. */
export async function lookAtAll(id: string): Promise<void> {
  for (const { instanceUID } of (await getHeld(id)).heldPictures)
    expect((await admin.call(scan.getHeldPicture, { id, instanceUID, frame: 1 })).status).toBe(200)
}

export async function decide(id: string, over: object = {}) {
  // None once it is decided on.
  const held = await admin.call(scan.getHeld, { id })
  const revision = held.status === 200 ? held.data.revision : ''
  return admin.call(scan.decideHeld, {
    id,
    decision: 'Send',
    revision,
    masks: [],
    leftOut: [],
    isSeenElsewhere: false,
    ...over,
  })
}

/** The objects of a series that the destination has. */
export async function listCopies(seriesUID: string | null | undefined): Promise<Instance[]> {
  const rows = await server.deps.db
    .selectFrom('instances')
    .select('object_key')
    .where('organization_id', '=', southId)
    .where('series_uid', '=', seriesUID ?? '')
    .orderBy('instance_number')
    .execute()
  return Promise.all(
    rows.map(async ({ object_key: key }) => {
      const object = await server.deps.objects.open(key)
      const bytes = await object.read(0, object.size)
      await object.close()
      return readInstanceBytes(Buffer.from(bytes))
    }),
  )
}

export const toSamples = async ({ part10: { source, pixelData } }: Instance): Promise<Buffer> =>
  source.read(pixelData?.valueOffset ?? 0, pixelData?.length ?? 0)
