/**
 * The records of a zip that stores its files as they are (PKWARE APPNOTE 6.3.10; Info-ZIP's field 0x5455 for times).
 * What is beyond 4 GB or 65,534 files is said by ZIP64 records.
 */

/** What is known of a file before its bytes are read, and where its record begins. */
export interface Place {
  readonly name: string
  readonly size: number
  /** Of bytes that are at hand; otherwise it follows the bytes, in a descriptor. */
  readonly checksum: number | undefined
  /** Bytes of the zip before it. */
  readonly offset: number
}

/** One modification time for all files, so that the same files make the same zip. */
const modified = new Date(Date.UTC(2000, 0, 1))
const dosTime = (modified.getHours() << 11) | (modified.getMinutes() << 5) | Math.floor(modified.getSeconds() / 2)
const dosDate = ((modified.getFullYear() - 1980) << 9) | ((modified.getMonth() + 1) << 5) | modified.getDate()
/** A plain file that its owner may write and everybody read. */
const fileMode = 0o100644

const version = 20
const versionOfZip64 = 45
/** Unix; the specification's version 6.3. */
const madeBy = (3 << 8) | 63
const inUtf8 = 1 << 11
const checksumFollows = 1 << 3
const most4 = 0xffffffff
const most2 = 0xffff

const timeField = Buffer.alloc(9)
timeField.writeUInt16LE(0x5455, 0)
timeField.writeUInt16LE(5, 2)
timeField.writeUInt8(3, 4)
timeField.writeUInt32LE(modified.getTime() / 1000, 5)

const isBeyond4GB = ({ size, offset }: Pick<Place, 'size' | 'offset'>): boolean => size >= most4 || offset >= most4

const flagsOf = ({ checksum }: Place): number => inUtf8 | (checksum === undefined ? checksumFollows : 0)

const headBytes = 30
/** What stands before the bytes of a file. */
export function fileHead(place: Place): Buffer {
  const { name, size, checksum } = place
  const record = Buffer.alloc(headBytes)
  record.writeUInt32LE(0x04034b50, 0)
  record.writeUInt16LE(version, 4)
  record.writeUInt16LE(flagsOf(place), 6)
  record.writeUInt16LE(dosTime, 10)
  record.writeUInt16LE(dosDate, 12)
  if (checksum !== undefined) {
    record.writeUInt32LE(checksum, 14)
    record.writeUInt32LE(size, 18)
    record.writeUInt32LE(size, 22)
  }
  record.writeUInt16LE(Buffer.byteLength(name), 26)
  return Buffer.concat([record, Buffer.from(name)])
}

/** What stands behind the bytes of a file whose checksum its head could not say. */
export function fileEnd(place: Place, checksum: number): Buffer {
  if (place.checksum !== undefined) return Buffer.alloc(0)
  const record = Buffer.alloc(isBeyond4GB(place) ? 24 : 16)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(checksum, 4)
  if (isBeyond4GB(place)) {
    record.writeBigUInt64LE(BigInt(place.size), 8)
    record.writeBigUInt64LE(BigInt(place.size), 16)
  } else {
    record.writeUInt32LE(place.size, 8)
    record.writeUInt32LE(place.size, 12)
  }
  return record
}

/** A file's record in the directory at the end of the zip. */
export function directoryRecord(place: Place, checksum: number): Buffer {
  const { name, size, offset } = place
  const isLarge = isBeyond4GB(place)
  const large = Buffer.alloc(isLarge ? 28 : 0)
  if (isLarge) {
    large.writeUInt16LE(1, 0)
    large.writeUInt16LE(24, 2)
    large.writeBigUInt64LE(BigInt(size), 4)
    large.writeBigUInt64LE(BigInt(size), 12)
    large.writeBigUInt64LE(BigInt(offset), 20)
  }
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(madeBy, 4)
  record.writeUInt16LE(isLarge ? versionOfZip64 : version, 6)
  record.writeUInt16LE(flagsOf(place), 8)
  record.writeUInt16LE(dosTime, 12)
  record.writeUInt16LE(dosDate, 14)
  record.writeUInt32LE(checksum, 16)
  record.writeUInt32LE(isLarge ? most4 : size, 20)
  record.writeUInt32LE(isLarge ? most4 : size, 24)
  record.writeUInt16LE(Buffer.byteLength(name), 28)
  record.writeUInt16LE(timeField.length + large.length, 30)
  record.writeUInt32LE((fileMode << 16) >>> 0, 38)
  record.writeUInt32LE(isLarge ? most4 : offset, 42)
  return Buffer.concat([record, Buffer.from(name), timeField, large])
}

/** The files of a zip, and the directory behind them. */
export interface Directory {
  readonly places: readonly Place[]
  /** Bytes of its records. */
  readonly size: number
  /** Bytes of the zip before it. */
  readonly offset: number
}

/** The last records of a zip, which say where its directory is. */
export function endRecords({ places, size, offset }: Directory): Buffer {
  const files = places.length
  // Downloads that began when a library wrote the zip go on: it said the end by ZIP64 records from this size on.
  const isForced = size - 28 * places.filter(isBeyond4GB).length >= most2
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  const count = isForced || files >= most2 ? most2 : files
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(isForced ? most4 : Math.min(size, most4), 12)
  end.writeUInt32LE(isForced ? most4 : Math.min(offset, most4), 16)
  if (!isForced && files < most2 && offset < most4) return end
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(madeBy, 12)
  large.writeUInt16LE(versionOfZip64, 14)
  large.writeBigUInt64LE(BigInt(files), 24)
  large.writeBigUInt64LE(BigInt(files), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}
