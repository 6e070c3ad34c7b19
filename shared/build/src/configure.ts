import type { Configuration } from 'webpack'
import type { Mode } from './toolchain.ts'

/**
 * The export of a part's `webpack.config.ts`. Our build passes a mode; the `webpack` command its environment and
 * arguments.
 */
export type Configure = (modeOrEnvironment: Mode | object, args?: { readonly mode?: Mode }) => Configuration

/** @example export default configureBy((mode) => ({ mode, … })) */
export const createConfigure =
  (make: (mode: Mode) => Configuration): Configure =>
  (modeOrEnvironment, args) =>
    make(typeof modeOrEnvironment === 'string' ? modeOrEnvironment : (args?.mode ?? 'production'))
