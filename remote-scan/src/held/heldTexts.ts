import type { HeldPicture } from '@dmp/contract/scan'

/** Why a picture is held back. */
export const reasonTexts: Readonly<Record<HeldPicture['reason'], string>> = {
  Stated: 'This picture says that text is burned into it.',
  Screenshot: 'This picture is a screenshot, a printout or a scanned document.',
  KindOfImage: 'Pictures of this kind often have text burned into them.',
  Colour: 'This picture is in colour, though its modality makes grey ones: it may be a screenshot.',
  Video: 'Videos may have text burned into them.',
}
