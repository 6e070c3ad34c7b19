import { readFileSeries, type FileSeries } from '@dmp/dicom'
import dicomParser from 'dicom-parser'

/** Headers of pictures are shorter; a file whose header is longer is shown by its folder. */
const headBytes = 65_536

/** The series of a DICOM file, read in the page so that progress can be shown by series before anything is sent. */
export const parseSeries = async (file: Blob): Promise<FileSeries | undefined> =>
  readFileSeries(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()), dicomParser.parseDicom)
