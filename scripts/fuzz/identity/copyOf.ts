import { createReport, deidentify } from '../../../server/src/dicom/deidentify.ts'
import { readInstanceBytes } from '../../../server/src/dicom/instance.ts'
import { readRewritten } from '../../../server/src/dicom/rewrite.ts'

/** A de-identified copy, as a transfer makes it. */
export async function copyOf(bytes: Buffer, secret: Uint8Array): Promise<Buffer> {
  const instance = await readInstanceBytes(bytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of readRewritten(instance.part10.source, await deidentify(instance, secret, createReport())))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}
