import type { FileHandle } from 'node:fs/promises'
import { createFileSource } from './byteSource.ts'
import { CannotDeidentify, createReport, deidentifyLooked } from './deidentify.ts'
import { readInstance } from './instance.ts'
import { DicomRefusal } from './refusal.ts'
import { readRewritten } from './rewrite.ts'

/** The object cannot be de-identified, or is none; nothing of it may leave. The sentence repeats nothing of it. */
export class NotDeidentified extends Error {}

/**
 * The de-identified copy of a DICOM file, in constant memory: what the uploader bundles of the server (docs/decisions/
 * 0147-de-identification-in-the-uploader.md). The same file and secret make the same bytes. Throws `NotDeidentified`.
 */
export async function deidentifyFile(
  handle: FileHandle,
  size: number,
  secret: Uint8Array,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    const instance = await readInstance(createFileSource(handle, size))
    return readRewritten(instance.part10.source, await deidentifyLooked(instance, secret, createReport()))
  } catch (cause) {
    if (cause instanceof CannotDeidentify || cause instanceof DicomRefusal) throw new NotDeidentified(cause.message)
    throw cause
  }
}
