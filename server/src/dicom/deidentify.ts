import { isPrivateTag, tag } from '@dmp/dicom'
import type { RawElement } from '@dmp/dimse/elementWriter'
import { number, text } from './attributes.ts'
import { findHoldReason } from './burnedIn.ts'
import { declaredCharset } from './declaredCharset.ts'
import { findCleanPixels, findWholePixels, maskCopiedPixels, type CopiedPixels } from './cleanPixels.ts'
import { Deidentifier } from './deidentifier.ts'
import { findKeyword } from './dictionary.ts'
import { findCharset, IdentifyingFacts } from './identifyingFacts.ts'
import type { Instance } from './instance.ts'
import { createMaskedElements, lookedElements, withoutFormerPixels, type Look } from './lookedAt.ts'
import { findDecodedPixels, type DecodedPixels } from './maskedFrames.ts'
import { rewrite, type Rewriting, type Rewritten } from './rewrite.ts'
import { UnreadableStream } from './streamComments.ts'
import { replaceUids } from './uidElements.ts'
import { createUidMapper } from './uidMap.ts'
import { openUnknownSequences } from './unknownSequences.ts'

/** How often each attribute was changed by which rule, and warnings that a person should check. */
export interface DeidentificationReport {
  readonly counts: Map<string, number>
  readonly warnings: Set<string>
}

/** The object cannot be de-identified; nothing of it is copied. */
export class CannotDeidentify extends Error {}

export const createReport = (): DeidentificationReport => ({ counts: new Map(), warnings: new Set() })

/** Encapsulated documents carry names on pages that cannot be judged here. */
const encapsulatedDocument = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.104\./
const structuredReport = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.88\./
function addWarnings({ header, part10, sopClassUID }: Instance, { warnings }: DeidentificationReport): void {
  const modality = text(header, tag.Modality) ?? ''
  if (modality === 'CT' || modality === 'MR' || modality === 'PT') {
    if (/HEAD|BRAIN|FACE|SKULL|NECK/i.test(text(header, tag.BodyPartExamined) ?? ''))
      warnings.add('A face can be reconstructed from images of the head.')
  }
  if (structuredReport.test(sopClassUID))
    warnings.add(
      'The texts, names and dates of this structured report were replaced. Only its public codes, its measurements and its references remain.',
    )
  if (part10.transferSyntax.mediaType.startsWith('video/'))
    warnings.add(
      'A video may hold titles and sound that name people. It was copied as it is: check it before you share it.',
    )
}

/** A retired way to keep overlays: in bits of the pixels that the picture does not use, and that nobody sees. */
function assertNoHiddenOverlay({ header }: Instance): void {
  for (let group = 0x6000; group <= 0x601e; group += 2) {
    const of = (element: string): string => `${group.toString(16).toUpperCase()}${element}`
    if ((number(header, of('0102')) ?? 0) > 0 && header[of('3000')] === undefined)
      throw new CannotDeidentify(
        'An overlay lies in unused bits of the pixels, where nobody can look at it. Nothing was copied.',
      )
  }
}

const videoPieceBytes = 2 ** 20

/** What a video stream carries beside its pictures is not understood here; facts of its object it must not hold. */
async function assertVideoSaysNothing({ part10 }: Instance, facts: IdentifyingFacts): Promise<void> {
  const { source, pixelData, transferSyntax } = part10
  if (!pixelData || !transferSyntax.mediaType.startsWith('video/')) return
  for (let at = pixelData.valueOffset; at < source.size; at += videoPieceBytes / 2)
    if (facts.inBytes(await source.read(at, videoPieceBytes)))
      throw new CannotDeidentify('The video holds a name, number or date of the patient as text. Nothing was copied.')
}

async function findPixels(instance: Instance, { counts }: DeidentificationReport): Promise<CopiedPixels | undefined> {
  try {
    return await findCleanPixels(instance, (what) => {
      const line = `pixel data: ${what} removed`
      counts.set(line, (counts.get(line) ?? 0) + 1)
    })
  } catch (cause) {
    if (!(cause instanceof UnreadableStream)) throw cause
    throw new CannotDeidentify(
      'The compressed pixels cannot be read, so that nobody can say whether a remark is hidden between them. Nothing was copied.',
    )
  }
}

async function findMaskedPixels(
  instance: Instance,
  pixels: CopiedPixels | undefined,
  { rectangles }: Look,
): Promise<CopiedPixels | DecodedPixels | undefined> {
  if (!pixels || rectangles.length === 0) return pixels
  if (instance.part10.pixelData?.length !== undefined) return maskCopiedPixels(instance, pixels, rectangles)
  const decoded = await findDecodedPixels(instance, rectangles)
  if (!decoded)
    throw new CannotDeidentify('The pixels are in a form that the server does not decode, so no part can be hidden.')
  return decoded
}

interface Additions {
  /** Added afterwards. */
  readonly labels?: ReadonlyMap<string, RawElement>
  /** What somebody decided who looked at the picture. */
  readonly look?: Look | undefined
}

/**
 * Copies an object after the Basic Profile: new UIDs, nothing that names people, the pixels as they are or with the
 * rectangles of a look blacked out.
 */
export async function deidentify(
  instance: Instance,
  secret: Uint8Array,
  report: DeidentificationReport,
  { labels = new Map(), look }: Additions = {},
): Promise<Rewritten> {
  const { dataSet, sopClassUID, sopInstanceUID } = instance
  if (encapsulatedDocument.test(sopClassUID))
    throw new CannotDeidentify('Encapsulated documents cannot be de-identified. Nothing was copied.')
  assertNoHiddenOverlay(instance)
  addWarnings(instance, report)
  if (!instance.part10.transferSyntax.isBigEndian) openUnknownSequences(dataSet)
  const facts = new IdentifyingFacts(dataSet, declaredCharset(findCharset(dataSet)))
  await assertVideoSaysNothing(instance, facts)
  const identity = { sopClassUID, sopInstanceUID: createUidMapper(secret)(sopInstanceUID) }
  const cleanPixels = await findPixels(instance, report)
  const pixels = look ? await findMaskedPixels(instance, cleanPixels, look) : cleanPixels
  const isMasked = pixels !== undefined && pixels !== cleanPixels
  if (look) countLook(report, isMasked)
  const additions = new Map([
    ...labels,
    ...(look ? lookedElements : []),
    ...(isMasked ? createMaskedElements(instance, pixels, facts) : []),
  ])
  const rewriting = new Deidentifier(instance, secret, facts, report, { additions, isLookedAt: look !== undefined })
  return rewrite(instance, isMasked ? withoutFormerPixels(rewriting) : rewriting, identity, pixels)
}

function countLook({ counts }: DeidentificationReport, isMasked: boolean): void {
  const line = `pixel data: ${isMasked ? 'rectangles blackened' : 'left as they were'} after somebody had looked`
  counts.set(line, (counts.get(line) ?? 0) + 1)
}

/** The same for a copy that goes out: a picture that may show text needs a look first. */
export async function deidentifyLooked(
  instance: Instance,
  secret: Uint8Array,
  report: DeidentificationReport,
  look?: Look,
): Promise<Rewritten> {
  if (!look && findHoldReason(instance.header, instance.part10.transferSyntax.uid) !== undefined)
    throw new CannotDeidentify(
      'It may show text that names the patient, and nobody has looked at it. Nothing was copied.',
    )
  return deidentify(instance, secret, report, { look })
}

/** Copies an object under new UIDs and leaves everything else as it is. */
export async function copyUnderNewUids(instance: Instance, secret: Uint8Array): Promise<Rewritten> {
  const map = createUidMapper(secret)
  const rewriting: Rewriting = {
    replacements: new Map(),
    decide: (element) =>
      element.vr === 'UI' && !isPrivateTag(element.tag) && element.tag !== tag.SOPClassUID
        ? replaceUids(element.value(), findKeyword(element.tag), map)
        : 'keep',
  }
  const identity = { sopClassUID: instance.sopClassUID, sopInstanceUID: map(instance.sopInstanceUID) }
  return rewrite(instance, rewriting, identity, await findWholePixels(instance))
}
