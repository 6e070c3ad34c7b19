'use strict'
const { createRequire } = require('node:module')
const { pathToFileURL } = require('node:url')
const { default: Runtime } = require('jest-runtime')

let files = 0

/**
 * Modules as Node itself loads them, and each once per worker: what a server is made of is by far the larger part of a
 * test file's time (docs/decisions/0162-tests-in-node-itself.md). Only the test file is loaded for itself.
 */
module.exports = class NativeRuntime extends Runtime {
  unstable_shouldLoadAsEsm() {
    return true
  }

  async unstable_importModule(path) {
    globalThis.jest = this.jestGlobals.jestObjectFor(path)
    files += 1
    await import(`${pathToFileURL(path).href}?file=${files}`)
  }

  /** What gathers and runs tests begins anew with each file; it has the tests of one. */
  requireInternalModule(from, to) {
    if (to) return createRequire(from)(to)
    delete require.cache[from]
    return require(from)
  }

  /** Jest would take builtin modules into its own world. */
  installGetBuiltinModule() {}
}
