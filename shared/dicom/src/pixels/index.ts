export { isDecodedFirst, toPlainFrame, toPlainHeader, type PlainFrame } from './plainFrame.ts'
export { readPixelShape, type PixelShape } from './shape.ts'
