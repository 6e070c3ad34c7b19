import { TestEnvironment } from 'jest-environment-jsdom'
import { recordsOf } from './records.mjs'

// jsdom lacks these; the platform's own are what a browser has too. AbortController must come along, or fetch refuses
// jsdom's signals.
const platform = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'ReadableStream',
  'TransformStream',
  'WritableStream',
  'CompressionStream',
  'DecompressionStream',
  'TextEncoder',
  'TextDecoder',
  'AbortController',
  'AbortSignal',
  'structuredClone',
  'BroadcastChannel',
]

/**
 * jsdom with the platform's fetch. MessageChannel is timed, because Node's real one keeps Jest alive and antd needs
 * one.
 */
export default class WebEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.testPath = context.testPath
  }

  async setup() {
    await super.setup()
    for (const name of platform) this.global[name] = globalThis[name]
    // Its own crypto has random numbers only.
    Object.defineProperty(this.global.crypto, 'subtle', { value: globalThis.crypto.subtle })
    this.global.MessageChannel = timedMessageChannel(this.global)
    this.global.dmpRecords = recordsOf(this.testPath)
  }
}

const timedMessageChannel = (window) =>
  class MessageChannel {
    constructor() {
      const port = () => ({ onmessage: null, close() {}, start() {} })
      this.port1 = port()
      this.port2 = port()
      const link = (from, to) => {
        from.postMessage = (data) => window.setTimeout(() => to.onmessage?.({ data }), 0)
      }
      link(this.port1, this.port2)
      link(this.port2, this.port1)
    }
  }
