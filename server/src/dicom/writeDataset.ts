import { tag } from '@dmp/dicom'
import { elementBytes, itemBytes, type Encoding } from '@dmp/dimse/elementWriter'
import { toValueBytes } from './composeObject.ts'
import type { JsonDataset } from './jsonModel.ts'

const unicode = { vr: 'CS', value: Buffer.from('ISO_IR 192') }

/**
 * A data set of the DICOM JSON model in little endian, its text in UTF-8 where it has more than ASCII. Bulk data that
 * are elsewhere are left empty. Throws `DicomRefusal` for a value that is not of the model.
 */
export function writeDataset(dataset: JsonDataset, encoding: Encoding): Buffer {
  const bytes = writeItem(dataset, encoding)
  // ASCII is a part of every character set. Nothing that is sent so stands before this element.
  const isAscii = bytes.every((byte) => byte < 0x80)
  return isAscii ? bytes : Buffer.concat([elementBytes(tag.SpecificCharacterSet, unicode, encoding), bytes])
}

function writeItem(dataset: JsonDataset, encoding: Encoding): Buffer {
  const keys = Object.keys(dataset)
    .filter((key) => key !== tag.SpecificCharacterSet && !key.endsWith('0000'))
    .sort()
  return Buffer.concat(
    keys.map((key) => {
      const { vr = 'UN', Value = [], InlineBinary } = dataset[key] ?? {}
      const value =
        vr === 'SQ'
          ? Buffer.concat(
              Value.map((item) => itemBytes(writeItem(item as JsonDataset, encoding), encoding.isBigEndian)),
            )
          : toValueBytes(key, vr, Value, InlineBinary)
      return elementBytes(key, { vr, value }, encoding)
    }),
  )
}
