import { tag, type JsonDataset } from '@dmp/dicom'
import { numbers, text } from '../dicomweb/dataset.ts'

const groups = [tag.SharedFunctionalGroupsSequence, tag.PerFrameFunctionalGroupsSequence]

/** Whether a header says how its picture lies in the patient: itself, for all frames, or for each. */
export function hasPlane(header: JsonDataset): boolean {
  if (header[tag.ImageOrientationPatient]?.Value !== undefined) return true
  return groups.some((key) => (header[key]?.Value?.[0] as JsonDataset | undefined)?.[tag.PlaneOrientationSequence])
}

/** Between the middles of rows and of columns, in mm. */
function spacingIn(header: JsonDataset, key: string): readonly number[] | undefined {
  const spacing = numbers(header, key)
  return spacing.length === 2 && spacing.every((mm) => mm > 0) ? spacing : undefined
}

/**
 * Whether the pixels of a radiograph are known by their size on the detector alone: the patient is nearer to the tube,
 * and appears larger there than it is (PS3.3 10.7.1.3). A pixel spacing that repeats that of the detector says no more.
 */
export function isAtDetector(header: JsonDataset): boolean {
  const [atDetector, ofPixels] = [spacingIn(header, tag.ImagerPixelSpacing), spacingIn(header, tag.PixelSpacing)]
  if (atDetector === undefined) return false
  return ofPixels === undefined || ofPixels.every((mm, axis) => mm === atDetector[axis])
}

/**
 * A header for Cornerstone, which measures in pixels whatever lies in no plane of the patient, also where the size of a
 * pixel is known: to such a picture it gives the plane that Cornerstone takes where there is none. The given object
 * stays as it is.
 */
export function withPlane(header: JsonDataset): JsonDataset {
  const spacing = spacingIn(header, tag.PixelSpacing) ?? spacingIn(header, tag.ImagerPixelSpacing)
  // Cornerstone reads other planes out of groups of frames, and out of nuclear medicine.
  const isRead = hasPlane(header) || groups.some((key) => header[key]) || text(header, tag.Modality) === 'NM'
  if (isRead || spacing === undefined) return header
  return {
    ...header,
    [tag.PixelSpacing]: { vr: 'DS', Value: [...spacing] },
    [tag.ImageOrientationPatient]: { vr: 'DS', Value: [1, 0, 0, 0, 1, 0] },
    [tag.ImagePositionPatient]: { vr: 'DS', Value: [0, 0, 0] },
  }
}
