import { Charset, UnknownCharacterSet } from '@dmp/dicom'
import { DicomRefusal } from './refusal.ts'

/** The set that an object declares in (0008,0005); an object with an unknown one is refused. */
export function declaredCharset(specific: string): Charset {
  try {
    return new Charset(specific)
  } catch (cause) {
    if (cause instanceof UnknownCharacterSet) throw new DicomRefusal('CHARACTER_SET', cause.message)
    throw cause
  }
}
