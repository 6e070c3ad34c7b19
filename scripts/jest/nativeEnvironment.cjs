'use strict'
const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

/** Where those that want to hear of a test stand: Jest's own, and of one file. */
const handlers = Symbol.for('EVENT_HANDLERS')

/** The process as it is, without a context of its own for each test file; what a file has changed is put back. */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis
    this.moduleMocker = new ModuleMocker(globalThis)
    this.fakeTimers = null
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.before = { env: { ...process.env }, exit: process.exit, console: globalThis.console }
  }

  async setup() {}

  /** Lines of a stack as paths, which editors open, and without what makes Node load a test file for itself. */
  handleTestEvent({ name, test }) {
    if (name !== 'test_done') return
    for (const error of test.errors.flat())
      if (typeof error?.stack === 'string')
        error.stack = error.stack.replaceAll(/file:\/\/(\/[^\s?:)]+)(?:\?file=\d+)?/g, '$1')
  }

  async teardown() {
    this.fakeTimersModern.dispose()
    const { env, exit, console } = this.before
    Object.assign(process, { exit })
    globalThis.console = console
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    delete globalThis[handlers]
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return null
  }
}
