import { tag } from '@dmp/dicom'
import { textValue, type RawElement } from '@dmp/dimse/elementWriter'
import { text } from './attributes.ts'
import { findDecodedPhotometric } from './sampleLayout.ts'
import type { IdentifyingFacts } from './identifyingFacts.ts'
import type { Instance } from './instance.ts'
import { isDecoded, type DecodedPixels } from './maskedFrames.ts'
import type { CopiedPixels } from './cleanPixels.ts'
import type { Rectangle } from './pixelMask.ts'
import type { Rewriting } from './rewrite.ts'

/** What somebody decided who looked at a picture: the parts to black out, or none. */
export interface Look {
  readonly rectangles: readonly Rectangle[]
}

/** Attributes that describe the pixels as they were: the range of their values, and where their frames began. */
const ofFormerPixels = new Set([
  '00280106',
  '00280107',
  '00280108',
  '00280109',
  '00280110',
  '00280111',
  '00603000',
  '7FE00001',
  '7FE00002',
  '7FE00003',
])

const lossySyntaxes = new Set(['1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.4.51'])

/** What an object says whose pixels somebody has looked at (PS3.15 E.3.1). */
export const lookedElements: ReadonlyMap<string, RawElement> = new Map([
  [tag.BurnedInAnnotation, textValue('CS', 'NO')],
])

/** What an object says beyond that of which parts were blacked out: a derived image (PS3.3 C.7.6.1.1.2). */
export function createMaskedElements(
  instance: Instance,
  pixels: CopiedPixels | DecodedPixels,
  facts: IdentifyingFacts,
): ReadonlyMap<string, RawElement> {
  const { header, part10 } = instance
  const [, second = 'SECONDARY', ...others] = (header[tag.ImageType]?.Value ?? []).map(String)
  const words = [second, ...others].map((word) => (facts.inText(word, true) ? 'ANONYMIZED' : word))
  const elements = new Map<string, RawElement>([
    [tag.ImageType, textValue('CS', ['DERIVED', ...words].join('\\'))],
    [
      tag.DerivationDescription,
      textValue(
        'ST',
        `Rectangles blackened to hide burned-in text${isDecoded(pixels) ? '; compressed again without loss' : ''}.`,
      ),
    ],
  ])
  if (!isDecoded(pixels)) return elements
  const { uid } = part10.transferSyntax
  const { photometric, samples } = pixels.layout
  elements.set(tag.PhotometricInterpretation, textValue('CS', findDecodedPhotometric(uid, photometric)))
  if (samples > 1) elements.set(tag.PlanarConfiguration, { vr: 'US', value: Buffer.alloc(2) })
  // That they were compressed with loss once stays true (PS3.3 C.7.6.1.1.5).
  if (lossySyntaxes.has(uid) && text(header, tag.LossyImageCompression) === null)
    elements.set(tag.LossyImageCompression, textValue('CS', '01'))
  return elements
}

/** Without what is no longer true of the pixels. */
export const withoutFormerPixels = (rewriting: Rewriting): Rewriting => ({
  replacements: rewriting.replacements,
  decide: (context) =>
    context.path.length === 0 && ofFormerPixels.has(context.tag) ? 'remove' : rewriting.decide(context),
})
