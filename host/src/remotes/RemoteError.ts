/** Everything that can go wrong between a URL and a remote's screen. Each fault has its own cause and cure. */
export type Fault =
  | 'http'
  | 'network'
  | 'timeout'
  | 'integrity'
  | 'evaluation'
  | 'chunk'
  | 'module'
  | 'contract'
  | 'unready'
  | 'hang'
  | 'render'
  | 'hides'
  | 'silent'
  | 'left'
  | 'flood'

const faultTexts: Readonly<Record<Fault, string>> = {
  http: 'The server could not deliver this part.',
  network: 'This part could not be loaded. Check your connection.',
  timeout: 'Loading took too long.',
  integrity: 'The downloaded files do not match the release, so they were not run.',
  evaluation: 'This part was loaded but failed to start.',
  chunk: 'A file of this part could not be loaded.',
  module: 'The release is incomplete.',
  contract: 'This part needs a different version of the application. Reload the page.',
  unready: 'This part was loaded, but shows nothing yet.',
  hang: 'The page stopped responding when this part was opened last, so it was not started again.',
  render: 'This part stopped because of an error.',
  hides: 'This part hid the rest of the page, so it was stopped.',
  silent: 'This part stopped responding, so it was stopped.',
  left: 'This part left its place, so it was stopped.',
  flood: 'This part asked for more than it may, so it was stopped.',
}

export interface Origin {
  readonly remote: string
  readonly release: string
  readonly url: string
}

/** A remote that cannot be shown: its name, release, address and the fault. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly fault: Fault
  readonly origin: Origin

  constructor(fault: Fault, origin: Origin, options?: ErrorOptions) {
    super(`${origin.remote}@${origin.release}: ${fault} (${origin.url})`, options)
    this.fault = fault
    this.origin = origin
  }

  /** The explanation shown to the user. */
  get sentence(): string {
    return faultTexts[this.fault]
  }
}
