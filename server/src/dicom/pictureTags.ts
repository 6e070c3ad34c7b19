import { tag } from '@dmp/dicom'

/** Attributes that decide how a frame becomes a picture; the renderer asks for no others. */
export const pictureTags: readonly string[] = [
  tag.SamplesPerPixel,
  tag.PhotometricInterpretation,
  tag.PlanarConfiguration,
  tag.NumberOfFrames,
  tag.Rows,
  tag.Columns,
  tag.BitsAllocated,
  tag.BitsStored,
  tag.HighBit,
  tag.PixelRepresentation,
  tag.WindowCenter,
  tag.WindowWidth,
  tag.RescaleIntercept,
  tag.RescaleSlope,
  tag.RedPaletteColorLookupTableDescriptor,
  tag.GreenPaletteColorLookupTableDescriptor,
  tag.BluePaletteColorLookupTableDescriptor,
  tag.RedPaletteColorLookupTableData,
  tag.GreenPaletteColorLookupTableData,
  tag.BluePaletteColorLookupTableData,
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
]
