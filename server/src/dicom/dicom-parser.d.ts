import 'dicom-parser'

// The package exports these, its declarations leave them out.
declare module 'dicom-parser' {
  const littleEndianByteArrayParser: ByteArrayParser
  const bigEndianByteArrayParser: ByteArrayParser
  class DataSet {
    constructor(parser: ByteArrayParser, bytes: ByteArray, elements: Record<string, Element>)
  }
  interface ParseOptions {
    untilTag?: string
    vrCallback?: (tag: string) => string | undefined
  }
  function parseDicomDataSetExplicit(dataSet: DataSet, stream: ByteStream, end?: number, options?: ParseOptions): void
  function parseDicomDataSetImplicit(dataSet: DataSet, stream: ByteStream, end?: number, options?: ParseOptions): void
}
