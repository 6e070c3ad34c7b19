import type { Configuration } from 'webpack'
import type { Mode } from './toolchain.ts'

/** What a part's `webpack.config.ts` exports: asked by our own build with a mode, by `webpack` on the command line with its environment and arguments. */
export type Configure = (asked: Mode | object, words?: { readonly mode?: Mode }) => Configuration

/** @example export default configureBy((mode) => ({ mode, … })) */
export const createConfigure =
  (make: (mode: Mode) => Configuration): Configure =>
  (asked, words) =>
    make(typeof asked === 'string' ? asked : (words?.mode ?? 'production'))
