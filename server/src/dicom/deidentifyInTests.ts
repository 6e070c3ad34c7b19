import { type RawElement, part10Start } from '@dmp/dimse/elementWriter'
import { decodeFrame, encodeRunLengths } from './decodeFrame.ts'
import { deidentify, createReport } from './deidentify.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readInstanceBytes, type Instance } from './instance.ts'
import type { Look } from './lookedAt.ts'
import { readMaskingJob, type MaskFrame } from './maskedFrames.ts'
import { maskBytes } from './pixelMask.ts'
import { readRewritten } from './rewrite.ts'
import { dicomFile, slice, text, type Elements } from './testing/dicomFile.ts'

export const secret = Buffer.from('a secret of one transfer')
export const hiddenName = 'Canarybird'

export async function clean(
  bytes: Buffer,
  report = createReport(),
  look?: Look,
): Promise<{ bytes: Buffer; instance: Instance; report: typeof report }> {
  const instance = await readInstanceBytes(bytes)
  const chunks: Uint8Array[] = []
  const { source } = instance.part10
  const maskFrame: MaskFrame = async (pixels, frame) => {
    const job = await readMaskingJob(source, pixels, frame)
    const samples = await decodeFrame(new Uint8Array(job.frame), job.transferSyntaxUID, job.layout)
    maskBytes(pixels.mask, samples, 0)
    return encodeRunLengths(samples, job.layout)
  }
  const rewritten = await deidentify(instance, secret, report, { look })
  for await (const chunk of readRewritten(source, rewritten, maskFrame)) chunks.push(chunk)
  const out = Buffer.concat(chunks)
  return { bytes: out, instance: await readInstanceBytes(out), report }
}

export const cleaned = async (changes: Elements): Promise<JsonDataset> =>
  (await clean(dicomFile({ elements: slice(changes) }))).instance.header
export const hiddenText = (vr: string): RawElement => text(vr, hiddenName)
export const withHiddenName = (changes: Elements): Elements => ({
  '00100010': text('PN', `${hiddenName}^Tilda`),
  ...changes,
})

/** File meta information of an object of another SOP class. */
export const metaFor = (sopClassUID: string): Buffer =>
  part10Start({ sopClassUID, sopInstanceUID: '1.2.3.4.5', transferSyntaxUID: '1.2.840.10008.1.2.1' })
