/** The live channel's messages to users (4.14, 8.04). */
export const liveTexts = {
  ended: 'Your session has ended. Please Login into the product again to use the application',
  invalid: 'Your session is invalid. Please open the application from the product again.',
  invalidId: 'Your session id is invalid. Please open the application from the product again.',
  exhausted: 'WebSocket service has not been able to connect, Maximum reconnect attempts reached',
  notOpen: 'The message could not be sent because the WebSocket is not open.',
} as const

/** An error of the live channel with the code that 8.04 gives it. */
export class LiveError extends Error {
  readonly code: 400 | 500

  constructor(code: 400 | 500, message: string) {
    super(message)
    this.name = 'LiveError'
    this.code = code
  }
}
