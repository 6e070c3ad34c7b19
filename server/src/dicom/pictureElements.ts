import { tag } from '@dmp/dicom'
import { items } from './attributes.ts'
import { pickTags, type JsonDataset } from './jsonModel.ts'

/** Elements that decide how pixels become an image, by the names that the renderer uses. */
const pictureElements: Record<string, string> = {
  [tag.SamplesPerPixel]: 'SamplesPerPixel',
  [tag.PhotometricInterpretation]: 'PhotometricInterpretation',
  [tag.PlanarConfiguration]: 'PlanarConfiguration',
  [tag.Rows]: 'Rows',
  [tag.Columns]: 'Columns',
  [tag.BitsAllocated]: 'BitsAllocated',
  [tag.BitsStored]: 'BitsStored',
  [tag.HighBit]: 'HighBit',
  [tag.PixelRepresentation]: 'PixelRepresentation',
  [tag.WindowCenter]: 'WindowCenter',
  [tag.WindowWidth]: 'WindowWidth',
  [tag.RescaleIntercept]: 'RescaleIntercept',
  [tag.RescaleSlope]: 'RescaleSlope',
}
const paletteElements: Record<string, string> = {
  [tag.RedPaletteColorLookupTableDescriptor]: 'RedPaletteColorLookupTableDescriptor',
  [tag.GreenPaletteColorLookupTableDescriptor]: 'GreenPaletteColorLookupTableDescriptor',
  [tag.BluePaletteColorLookupTableDescriptor]: 'BluePaletteColorLookupTableDescriptor',
  [tag.RedPaletteColorLookupTableData]: 'RedPaletteColorLookupTableData',
  [tag.GreenPaletteColorLookupTableData]: 'GreenPaletteColorLookupTableData',
  [tag.BluePaletteColorLookupTableData]: 'BluePaletteColorLookupTableData',
}

const groupElements = [tag.SharedFunctionalGroupsSequence, tag.PerFrameFunctionalGroupsSequence]

/** The few elements of a header that drawing needs: a picture that waits holds these and no more. */
export function pickPictureHeader(header: JsonDataset): JsonDataset {
  const own = pickTags(header, [...Object.keys(pictureElements), ...Object.keys(paletteElements), tag.NumberOfFrames])
  const groups = groupElements.flatMap((group) => {
    const [first] = items(header, group)
    return first ? [[group, { vr: 'SQ', Value: [pickTags(first, valueGroups)] }] as const] : []
  })
  return { ...own, ...Object.fromEntries(groups) }
}

/** Enhanced objects keep window and rescale in functional groups. */
const valueGroups = [tag.FrameVOILUTSequence, tag.PixelValueTransformationSequence]

/** The elements by the renderer's names. */
export function toPictureElements(header: JsonDataset): Record<string, unknown> {
  const elements: Record<string, unknown> = { NumberOfFrames: 1 }
  const sharedGroups = items(header, tag.SharedFunctionalGroupsSequence)[0] ?? {}
  const frameGroups = items(header, tag.PerFrameFunctionalGroupsSequence)[0] ?? {}
  const groups = valueGroups.flatMap((tag) => [...items(frameGroups, tag), ...items(sharedGroups, tag)])
  for (const [tag, keyword] of Object.entries(pictureElements)) {
    const value = [header, ...groups].map((dataset) => dataset[tag]?.Value).find((candidate) => candidate !== undefined)
    if (value !== undefined) elements[keyword] = value.length === 1 ? value[0] : value
  }
  for (const [tag, keyword] of Object.entries(paletteElements)) {
    const element = header[tag]
    if (element?.Value) elements[keyword] = element.Value
    if (element?.InlineBinary !== undefined) {
      const bytes = Buffer.from(element.InlineBinary, 'base64')
      elements[keyword] = [bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)]
    }
  }
  // A window without width makes a black picture.
  if (!(Number([elements['WindowWidth']].flat()[0]) >= 1)) delete elements['WindowWidth']
  if (elements['WindowWidth'] === undefined) delete elements['WindowCenter']
  return elements
}
