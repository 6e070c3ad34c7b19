/** What can go wrong between a URL and a remote's screen, told apart because each has another cause and cure. */
export type Fault =
  | 'http'
  | 'network'
  | 'timeout'
  | 'integrity'
  | 'evaluation'
  | 'chunk'
  | 'module'
  | 'contract'
  | 'render'

const words: Readonly<Record<Fault, string>> = {
  http: 'The server does not have it, or could not send it.',
  network: 'It could not be reached. Check your connection.',
  timeout: 'It took too long to arrive.',
  integrity: 'What arrived is not what was released, so it was not run.',
  evaluation: 'It arrived but could not start.',
  chunk: 'A piece of it could not be loaded.',
  module: 'It does not contain what it should.',
  contract: 'It does not fit the version of the application that you have open. Reload the page.',
  render: 'It stopped because of an error.',
}

export interface Origin {
  readonly remote: string
  readonly release: string
  readonly url: string
}

/** A remote that cannot be shown: which one, which release of it, from where, and why. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly fault: Fault
  readonly origin: Origin

  constructor(fault: Fault, origin: Origin, options?: ErrorOptions) {
    super(`${origin.remote}@${origin.release}: ${fault} (${origin.url})`, options)
    this.fault = fault
    this.origin = origin
  }

  /** For the person in front of the page. */
  get sentence(): string {
    return words[this.fault]
  }
}
