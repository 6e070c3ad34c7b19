import { createRequire } from 'node:module'
import { transferSyntax } from '@dmp/dicom'
import type * as codecs from 'dcmjs-codecs'
import { jpeg2000Family, jpegFamily, jpegLsFamily, jpegXlFamily, type SampleLayout } from './sampleLayout.ts'

// CommonJS; its logger would write to the server's output.
const { Context, NativeCodecs, log, constants } = createRequire(import.meta.url)('dcmjs-codecs') as typeof codecs
log.setLevel('silent')

type Decode = (context: codecs.Context, parameters?: Record<string, unknown>) => codecs.Context

const decoders = new Map<string, Decode>([
  [transferSyntax.rleLossless, (context) => NativeCodecs.decodeRle(context)],
  ...jpegFamily.map((uid) => [uid, decodeJpeg] as const),
  ...jpegLsFamily.map((uid) => [uid, (context) => NativeCodecs.decodeJpegLs(context)] as [string, Decode]),
  ...jpeg2000Family.map((uid) => [uid, (context) => NativeCodecs.decodeJpeg2000(context)] as [string, Decode]),
  ...jpegXlFamily.map((uid) => [uid, (context) => NativeCodecs.decodeJpegXl(context)] as [string, Decode]),
])

/** Colours that are written as YBR and not marked as RGB are turned into RGB, as every decoder of JPEG does. */
function decodeJpeg(context: codecs.Context): codecs.Context {
  const isYbr = context.getPhotometricInterpretation()?.startsWith('YBR') ?? false
  return NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: isYbr })
}

async function createContext(
  layout: SampleLayout,
  bytes: { encodedBuffer: Uint8Array } | { decodedBuffer: Uint8Array },
): Promise<codecs.Context> {
  if (!NativeCodecs.isInitialized()) await NativeCodecs.initializeAsync()
  return new Context({
    width: layout.columns,
    height: layout.rows,
    bitsAllocated: layout.bitsAllocated,
    bitsStored: layout.bitsStored,
    samplesPerPixel: layout.samples,
    pixelRepresentation: layout.isSigned ? 1 : 0,
    planarConfiguration: constants.PlanarConfiguration.Interleaved,
    photometricInterpretation: layout.photometric,
    ...bytes,
  })
}

/**
 * One compressed frame as samples: in rows, little-endian, colours side by side. Throws when the stream is broken, or
 * is not what the header says.
 */
export async function decodeFrame(
  encoded: Uint8Array,
  transferSyntaxUID: string,
  layout: SampleLayout,
): Promise<Uint8Array> {
  const decode = decoders.get(transferSyntaxUID)
  if (!decode) throw new Error('This transfer syntax cannot be decoded.')
  const context = decode(await createContext(layout, { encodedBuffer: encoded }))
  const samples = context.getDecodedBuffer()
  const expected = (layout.rows * layout.columns * layout.samples * layout.bitsAllocated) / 8
  if (samples?.length !== expected) throw new Error('The decoded frame has another size than its header states.')
  return samples
}

/**
 * Samples as run lengths, which every receiver reads without a decoder for them. Throws unless the same samples come
 * out again.
 */
export async function encodeRunLengths(samples: Uint8Array, layout: SampleLayout): Promise<Uint8Array> {
  const encoded = NativeCodecs.encodeRle(await createContext(layout, { decodedBuffer: samples })).getEncodedBuffer()
  if (!encoded) throw new Error('The frame could not be compressed.')
  const again = await decodeFrame(encoded, transferSyntax.rleLossless, layout)
  if (Buffer.compare(again, samples) !== 0) throw new Error('The frame could not be compressed without loss.')
  return encoded
}
