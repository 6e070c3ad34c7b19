import type { RefusedOutcome } from '@dmp/dicom'
import { language } from '@dmp/kit'

/** Why the server does not take a file, by its word for programs. */
const reasonTexts: Readonly<Record<string, string>> = {
  NOT_DICOM: 'This is not a DICOM file.',
  DICOMDIR: 'This is the index of a disc, not an image.',
  PREAMBLE: 'The file is marked as a program or another kind of document.',
  META: 'The beginning of the file breaks the rules of DICOM.',
  TRANSFER_SYNTAX: 'The image is compressed in a way that is not supported here.',
  TRUNCATED: 'The file ends too early. Copy it once more from where it came from.',
  LENGTH: 'The file is damaged: a part of it claims more bytes than there are.',
  VR: 'The file is damaged: a part of it is of an unknown kind.',
  DUPLICATE_ELEMENT: 'The file is damaged: a part of it occurs twice.',
  SEQUENCE: 'The file is damaged: the structure of a sequence is broken.',
  DEPTH: 'The sequences of the file are nested too deeply.',
  DEFLATE: 'The compressed part of the file is damaged or too large.',
  TOO_LARGE: 'The file is larger than the server takes.',
  UID: 'An identifier (UID) of the image is missing, invalid or contradicts another.',
  CHARACTER_SET: 'The text of the file does not fit the character set that it names.',
  PIXEL_DATA: 'The picture is missing or does not match its description.',
  UNREADABLE: 'The file cannot be read.',
  CONFLICT:
    'Another image with the same ID is already stored. It was not replaced. Administrators find it under Conflicts.',
  OTHER_PATIENT:
    'This study is stored as another patient’s. The image was not stored. Administrators find it under Conflicts.',
  SERIES_OF_OTHER_STUDY:
    'This series is stored in another study. The image was not stored. Administrators find it under Conflicts.',
  OTHER_STUDY: 'The image belongs to another study.',
  DELETED_MEANWHILE: 'The scan was deleted while the image arrived. Send it once more if it is to be kept.',
  QUOTA:
    'The storage of this organization is full. Delete scans that are not needed any more, also from the bin, or ask your provider for more room.',
}

const unknownText = (failureCode: number): string => `The server refused this file (reason ${failureCode}).`

/** Why the server refused a file. Its own sentence is English and more exact, so that is what pages in English say. */
export function explainRefusal({ reason, sentence, failureCode }: RefusedOutcome): string {
  const words = Object.hasOwn(reasonTexts, reason) ? reasonTexts[reason] : undefined
  return (language() === 'en' ? sentence || words : words || sentence) || unknownText(failureCode)
}
