import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { scan } from '@dmp/contract'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

export let server: TestServer
export let admin: SignedIn
export let south: SignedIn
export let northId: string
export let southId: string

export const hiddenName = 'Canarybird'
const canaries = Array.from({ length: 40 }, (_, index) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.11.1.${index + 1}`),
      '0020000D': text('UI', '1.11'),
      '0020000E': text('UI', '1.11.1'),
      '00200013': text('IS', String(index + 1)),
      '00100010': text('PN', `${hiddenName}^Tilda`),
      '00100020': text('LO', `${hiddenName}-77`),
      '00081030': text('LO', `Knee of ${hiddenName}`),
      '00080080': text('LO', 'North hospital'),
      '00081140': [
        {
          '00081155': text('UI', `1.11.1.${((index + 1) % 40) + 1}`),
          '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
        },
      ],
    }),
  }),
)
export async function startWithCanaries(): Promise<void> {
  server = await startServer()
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  const ids = await server.deps.db.selectFrom('organizations').select(['id', 'name']).execute()
  northId = ids.find((organization) => organization.name === 'North-Clinic')?.id ?? ''
  southId = ids.find((organization) => organization.name === 'South-Clinic')?.id ?? ''
  const samples = sampleObjects()
    .filter((path) => ['rle.dcm', 'US-PAL-8-10x-echo.dcm'].includes(basename(path)))
    .map((path) => readFileSync(path))
  expect((await stow(server, admin, [...canaries, ...samples])).statusCode).toBe(200)
}

export const begin = (scans: { studyUID: string; seriesUID: string }[], more: object = {}) =>
  admin.call(scan.transfer, {
    organizationId: northId,
    scans,
    dstOrganizationName: 'South-Clinic',
    anonymize: true,
    ...more,
  })
export const canary = { studyUID: '1.11', seriesUID: '1.11.1' }

/** Holds copying at these images, counted from now on, each until its gate opens. */
export function holdAt(...images: readonly number[]) {
  const holds = images.map((image) => ({
    image,
    reached: Promise.withResolvers<void>(),
    gate: Promise.withResolvers<void>(),
  }))
  const { runStored } = server.deps.reader
  let copied = 0
  jest.spyOn(server.deps.reader, 'runStored').mockImplementation(async (kind, input, more) => {
    if (kind === 'copy') copied += 1
    const hold = kind === 'copy' ? holds.find(({ image }) => image === copied) : undefined
    hold?.reached.resolve()
    await hold?.gate.promise
    return runStored.call(server.deps.reader, kind, input, more) as never
  })
  return {
    reached: (nth = 0) => holds[nth]?.reached.promise,
    goOn: (nth = 0) => holds[nth]?.gate.resolve(),
  }
}

export async function getFinished(id: string) {
  for (let tries = 0; tries < 600; tries++) {
    const transfer = (await admin.call(scan.listTransfers, {})).data.find((transfer) => transfer.id === id)
    if (transfer?.finishedDate) return transfer
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('The transfer did not finish.')
}
