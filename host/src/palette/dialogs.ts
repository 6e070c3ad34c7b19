// One script for both: whoever opens one is likely to open the other.
export { KeySheet } from './KeySheet.tsx'
export { Palette } from './Palette.tsx'
