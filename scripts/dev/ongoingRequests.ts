import { setTimeout as pause } from 'node:timers/promises'
import { callsAt, type Answered } from '../../server/src/testing/callsFromOutside.ts'

/** Calls of somebody who is signed in, one after the other without an end, each only once. */
export interface OngoingRequests {
  /** Returns what went wrong, one sentence each. */
  end(): Promise<string[]>
}

/** Below what one person may ask in a minute. */
const pauseMs = 100

export async function beginRequests(url: string): Promise<OngoingRequests> {
  const calls = callsAt(url)
  const headers = await calls.signIn('staff@north.example')
  const asked: (readonly [about: string, status: number, ask: () => Promise<Answered>])[] = [
    ['A list', 200, () => calls.ask('GET', '/api/Complaint/list?page=1&pageSize=10', headers)],
    [
      'A call with a body',
      400,
      () => calls.ask('POST', '/api/Complaint/add', headers, { description: 'x'.repeat(9000) }),
    ],
    ['A page', 200, () => calls.ask('GET', '/complaint/add', { accept: 'text/html' })],
  ]
  const problems = new Set<string>()
  let isOver = false
  const asking = asked.map(async ([about, expected, ask]) => {
    while (!isOver) {
      const said = await ask().then(
        ({ status }) => String(status),
        (error: Error) => String(error.cause ?? error.message),
      )
      if (said !== String(expected)) problems.add(`${about} that was asked meanwhile was answered with ${said}.`)
      await pause(pauseMs)
    }
  })
  return {
    end: async () => {
      isOver = true
      await Promise.all(asking)
      return [...problems]
    },
  }
}
