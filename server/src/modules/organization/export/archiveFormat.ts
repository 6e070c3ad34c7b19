/**
 * A zip of files that are stored as they are, with ZIP64 where it is needed (APPNOTE 4.3, 4.5.3). Sizes and CRCs are
 * known before the first byte leaves, so that every byte has its place and any range can be made by itself.
 */
export interface ArchiveFile {
  readonly name: string
  readonly size: number
  readonly crc: number
}

/** So much, or so many files, and the 64-bit fields are used. */
const fourGigabytes = 0xffffffff
const mostFiles = 0xffff
/** The first of January 2000: the same files make the same bytes. */
const date = (20 << 9) | (1 << 5) | 1
const byUnix = 3 << 8
const [plainVersion, zip64Version] = [20, 45]
const fileMode = 0o100600

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return extra
}

const clipped = (value: number): number => Math.min(value, fourGigabytes)

/** Version to extract to lengths, which the local header and the record in the directory have alike. */
function commonFields({ name, size, crc }: ArchiveFile, isZip64: boolean, extraBytes: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(isZip64 ? zip64Version : plainVersion, 0)
  fields.writeUInt16LE(date, 8)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(clipped(size), 14)
  fields.writeUInt32LE(clipped(size), 18)
  fields.writeUInt16LE(name.length, 22)
  fields.writeUInt16LE(extraBytes, 24)
  return fields
}

/** What stands before the bytes of a file. Names are letters, digits and `._-/` alone. */
export function localHeader(file: ArchiveFile): Buffer {
  const isZip64 = file.size >= fourGigabytes
  const extra = zip64Extra(isZip64 ? [file.size, file.size] : [])
  const mark = Buffer.from('PK\x03\x04', 'latin1')
  return Buffer.concat([mark, commonFields(file, isZip64, extra.length), Buffer.from(file.name, 'latin1'), extra])
}

/** Its record in the directory at the end; `start` is where its local header stands. */
export function directoryRecord(file: ArchiveFile, start: number): Buffer {
  const values = [
    ...(file.size >= fourGigabytes ? [file.size, file.size] : []),
    ...(start >= fourGigabytes ? [start] : []),
  ]
  const extra = zip64Extra(values)
  const head = Buffer.from('PK\x01\x02\0\0', 'latin1')
  head.writeUInt16LE(byUnix | (values.length > 0 ? zip64Version : plainVersion), 4)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(fileMode * 0x10000, 6)
  tail.writeUInt32LE(clipped(start), 10)
  const fields = commonFields(file, values.length > 0, extra.length)
  return Buffer.concat([head, fields, tail, Buffer.from(file.name, 'latin1'), extra])
}

/** The records of files that stand one after the other from `start` on, and where they end. */
export function toDirectory(files: readonly ArchiveFile[], start: number): { bytes: Buffer; end: number } {
  let end = start
  const records = files.map((file) => {
    const record = directoryRecord(file, end)
    end += localHeader(file).length + file.size
    return record
  })
  return { bytes: Buffer.concat(records), end }
}

export interface Directory {
  readonly files: number
  readonly start: number
  readonly bytes: number
}

/** What the archive ends with. */
export function endRecords({ files, start, bytes }: Directory): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(files, mostFiles), 8)
  end.writeUInt16LE(Math.min(files, mostFiles), 10)
  end.writeUInt32LE(clipped(bytes), 12)
  end.writeUInt32LE(clipped(start), 16)
  if (files < mostFiles && start < fourGigabytes && bytes < fourGigabytes) return end
  const long = Buffer.alloc(56)
  long.write('PK\x06\x06', 'latin1')
  long.writeBigUInt64LE(44n, 4)
  long.writeUInt16LE(byUnix | zip64Version, 12)
  long.writeUInt16LE(zip64Version, 14)
  long.writeBigUInt64LE(BigInt(files), 24)
  long.writeBigUInt64LE(BigInt(files), 32)
  long.writeBigUInt64LE(BigInt(bytes), 40)
  long.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(start + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([long, locator, end])
}
