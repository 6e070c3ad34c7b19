import { tag, toParserKey, type InstanceIdentity } from '@dmp/dicom'
import type { Encoding } from '@dmp/dimse/elementWriter'
import type { ByteSource, Range } from './byteSource.ts'
import { readCommitment, writeReport, type Commitment, type Judged } from './commitment.ts'
import { composeObjects, type BulkValue, type ComposingLimits, type FilePiece } from './composeObject.ts'
import { CannotDeidentify, copyUnderNewUids, createReport, deidentifyLooked } from './deidentify.ts'
import { digestContent, type DigestedPart } from './contentDigest.ts'
import { createDicomdir, type DirectoryContent } from './dicomdir.ts'
import { CannotTranscode, toExplicitForm, type ExplicitForm } from './explicitForm.ts'
import { readFrameTable, sampleBytes, type FrameTable } from './frames.ts'
import { headerTasks, toLittleEndian } from './headerTasks.ts'
import { inflateBeside, inflateToFile, type Inflate } from './inflate.ts'
import { parseDataSet, readInstance } from './instance.ts'
import type { JsonDataset } from './jsonModel.ts'
import { keepValues } from './keptValues.ts'
import type { Look } from './lookedAt.ts'
import { dicomLimits, smallDicomLimits, storedDicomLimits, type DicomLimits } from './limits.ts'
import { packHeader, pickFirstItems, unpackHeader } from './packedHeader.ts'
import { readPart10, readStart } from './part10.ts'
import { readImageShape } from './pixelCheck.ts'
import { DicomRefusal } from './refusal.ts'
import { numberBytesOf } from './swapValue.ts'
import type { Rewritten } from './rewrite.ts'

/** What a task is given besides its input. */
export interface TaskContext {
  /** The bytes of the object that the task is about. */
  readonly source: ByteSource
  /** Names a file for this task, which is removed after it. */
  createScratchFile(): string
  closeAfterwards(close: () => Promise<void>): void
}

/** What is kept of an object that arrives. */
export interface ReadObject extends InstanceIdentity {
  readonly transferSyntaxUID: string
  readonly images: number
  /** Packed, as the database keeps it. */
  readonly header: Uint8Array
  /** The attributes that were asked for. */
  readonly attributes: JsonDataset
}

export interface CopiedObject {
  readonly rewritten: Rewritten
  readonly counts: ReadonlyMap<string, number>
  readonly warnings: ReadonlySet<string>
}

/** Where a value lies; `frames` where it is compressed pixel data. */
export type FoundValue =
  | { readonly kind: 'frames' }
  | { readonly kind: 'value'; readonly ranges: readonly Range[]; readonly swapBytes: FrameTable['swapBytes'] }

async function takeWithin(
  limits: DicomLimits,
  tags: readonly string[],
  source: ByteSource,
  inflate?: Inflate,
): Promise<ReadObject> {
  const instance = await readInstance(source, { limits, ...(inflate && { inflate }) })
  const { part10, header, sopClassUID, sopInstanceUID, studyUID, seriesUID } = instance
  return {
    sopClassUID,
    sopInstanceUID,
    studyUID,
    seriesUID,
    transferSyntaxUID: part10.transferSyntax.uid,
    images: part10.pixelData ? readImageShape(header).frames : 0,
    header: packHeader(header, limits.jsonBytes),
    attributes: keepValues(header, tags),
  }
}

/** The same for an object that is small enough for any thread; undefined when it is not. */
export async function takeSmall(source: ByteSource, tags: readonly string[]): Promise<ReadObject | undefined> {
  try {
    return await takeWithin(smallDicomLimits, tags, source)
  } catch (cause) {
    if (cause instanceof DicomRefusal && (cause.reason === 'TOO_LARGE' || cause.reason === 'DEPTH')) return undefined
    throw cause
  }
}

const stored = { limits: storedDicomLimits, isInflated: true }

/** The work of the reading threads, by name. Whatever walks, parses, inflates or converts an object is one of these. */
export const readerTasks = {
  ...headerTasks,

  /** Checks an object that arrives; throws `DicomRefusal`. A copy of a stored object may be as large as that one. */
  take: ({ tags, isCopy }: { tags: readonly string[]; isCopy: boolean }, context: TaskContext): Promise<ReadObject> =>
    takeWithin(isCopy ? storedDicomLimits : dicomLimits, tags, context.source, inflateBeside(context)),

  /** Writes the inflated form of a deflated object to `path`. */
  async inflate({ path }: { path: string }, { source }: TaskContext): Promise<void> {
    const { end } = await readStart(source)
    await inflateToFile(source, end, storedDicomLimits, path)
  },

  /** Two objects with the same digests of both parts say the same. */
  digest: ({ part }: { part: DigestedPart }, { source }: TaskContext): Promise<string | undefined> =>
    digestContent(source, part),

  /** Where the frames lie, and the attributes that say how they are drawn. */
  async frames(
    { header, tags }: { header: Uint8Array; tags: readonly string[] },
    { source }: TaskContext,
  ): Promise<{ table: FrameTable; attributes: JsonDataset }> {
    const part10 = await readPart10(source, stored)
    const unpacked = unpackHeader(header)
    const dataset = part10.transferSyntax.isBigEndian ? toLittleEndian(unpacked) : unpacked
    return {
      table: await readFrameTable(part10, dataset),
      attributes: pickFirstItems(dataset, tags),
    }
  },

  /** Where a value lies, by its path: a tag, or `sequence-item-tag` for a nested one. */
  async value({ path }: { path: string }, { source }: TaskContext): Promise<FoundValue | undefined> {
    const part10 = await readPart10(source, stored)
    let dataSet: ReturnType<typeof parseDataSet> | undefined = parseDataSet(part10)
    const { isBigEndian } = part10.transferSyntax
    if (path === part10.pixelData?.tag) {
      const { valueOffset: offset, length, vr } = part10.pixelData
      if (length === undefined) return { kind: 'frames' }
      const bits = dataSet.uint16(toParserKey(tag.BitsAllocated)) ?? 0
      const swapBytes = isBigEndian && vr !== 'OB' ? sampleBytes(vr, bits) : 0
      return { kind: 'value', ranges: [{ offset, length }], swapBytes }
    }
    const steps = path.split('-')
    for (let i = 0; i + 2 < steps.length; i += 2)
      dataSet = dataSet?.elements[toParserKey(steps[i] ?? '')]?.items?.[Number(steps[i + 1])]?.dataSet
    const element = dataSet?.elements[toParserKey(steps.at(-1) ?? '')]
    if (!element) return undefined
    const swapBytes = (isBigEndian && numberBytesOf[element.vr ?? '']) || 0
    // Compressed pixels of an icon: the stream alone.
    const ranges = element.fragments?.map(({ position, length }) => ({ offset: position, length }))
    return { kind: 'value', ranges: ranges ?? [{ offset: element.dataOffset, length: element.length }], swapBytes }
  },

  /** The object in explicit little endian, all but its pixels. */
  async explicit(_input: object, { source }: TaskContext): Promise<ExplicitForm | { problem: string }> {
    try {
      return await toExplicitForm(await readInstance(source, stored))
    } catch (cause) {
      if (cause instanceof CannotTranscode) return { problem: cause.message }
      throw cause
    }
  },

  /** Rewrites an object under new UIDs, de-identified or not. One that is held back needs a look. */
  async copy(
    { secret, anonymize, look }: { secret: Uint8Array; anonymize: boolean; look?: Look | undefined },
    { source }: TaskContext,
  ): Promise<CopiedObject | { problem: string }> {
    const report = createReport()
    try {
      const instance = await readInstance(source, stored)
      const rewritten = await (anonymize
        ? deidentifyLooked(instance, secret, report, look)
        : copyUnderNewUids(instance, secret))
      return { rewritten, ...report }
    } catch (cause) {
      if (cause instanceof CannotDeidentify) return { problem: cause.message }
      throw cause
    }
  },

  /** Files of objects that were sent as metadata and values; throws `DicomRefusal` when the metadata are none. */
  async compose({
    json,
    values,
    max,
  }: {
    json: Uint8Array
    values: readonly (BulkValue & { uri: string })[]
    max: ComposingLimits
  }): Promise<(FilePiece[] | { problem: string })[]> {
    try {
      return composeObjects(json, new Map(values.map((value) => [value.uri, value])), max)
    } catch (cause) {
      throw cause instanceof SyntaxError ? new DicomRefusal('UNREADABLE', 'The metadata are no JSON.') : cause
    }
  },

  commitment: ({ bytes, transferSyntaxUID }: { bytes: Uint8Array; transferSyntaxUID: string }): Promise<Commitment> =>
    readCommitment(bytes, transferSyntaxUID),

  async commitmentReport({
    transactionUID,
    judged,
    encoding,
  }: {
    transactionUID: string
    judged: readonly Judged[]
    encoding: Encoding
  }): Promise<Uint8Array> {
    return writeReport(transactionUID, judged, encoding)
  },

  async dicomdir({ series }: { series: [DirectoryContent, ...DirectoryContent[]] }): Promise<Uint8Array> {
    return createDicomdir(...series)
  },
}

export type ReaderTasks = typeof readerTasks
export type TaskName = keyof ReaderTasks
export type TaskInput<K extends TaskName> = Parameters<ReaderTasks[K]>[0]
export type TaskResult<K extends TaskName> = Awaited<ReturnType<ReaderTasks[K]>>
