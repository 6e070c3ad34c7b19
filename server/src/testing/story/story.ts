import type { Endpoint, Input, Policy } from '@dmp/contract'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { startReceiver, type Receiver } from '../../modules/webhook/webhookInTests.ts'
import { startServer, type Data, type Reply, type SignedIn, type TestServer } from '../server.ts'
import { startStoryClock, type StoryClock } from './clock.ts'
import { keepRecord } from './record.ts'
import { Recorder } from './recorder.ts'

/** How a call of a story is made. */
export type How = InjectOptions & {
  /** What the record calls the step, if not by the summary of the call. */
  readonly title?: string
  /** Whoever is of another organization may do it as well. */
  readonly isOpen?: boolean
}

/** Somebody in a story, whose pages renew their access as they do. */
export interface Person extends SignedIn {
  readonly email: string
  /** Whom the record says. */
  readonly name: string
  readonly headers: { authorization: string }
  policy: Policy
  renewedAt: number
}

export interface Story {
  readonly server: TestServer
  readonly receiver: Receiver
  readonly people: Readonly<Record<'root' | 'system' | 'admin' | 'staff' | 'service' | 'south', Person>>
  /** Somebody else who has an account. */
  enter(name: string, email: string, password?: string): Promise<Person>
  /** A call, told with everything that it causes; the first time, also how it is refused to whoever must not. */
  does<E extends Endpoint>(
    who: Person | undefined,
    call: E,
    input: Input<E> | Record<string, unknown>,
    more?: How,
  ): Promise<Reply<Data<E>>>
  /** A request by any other door. */
  asks(title: string, who: Person | undefined, request: InjectOptions): Promise<Response>
  /** Anything else. */
  step<T>(title: string, act: () => Promise<T>): Promise<T>
  /** So many minutes pass; then everything happens that waits for its time, and everybody signs in again who must. */
  later(minutes: number): Promise<void>
}

/**
 * A day in the life of the demo's clinics, played through the server's doors, and written down with all that it causes.
 * The record lies beside the story's file.
 *
 * @example
 * story('A complaint', import.meta.url, async ({ does, people: { staff } }) => {
 *   await does(staff, complaint.list, {})
 * })
 */
export function story(
  title: string,
  file: string,
  play: (story: Story) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): void {
  const slowMachineMs = 600_000
  it(
    title,
    async () => {
      let clock: StoryClock | undefined
      const receiver = await startReceiver()
      let server: TestServer | undefined
      try {
        const open = {
          DMP_WEBHOOK_HOSTS: '127.0.0.1',
          DMP_LIVE_VALIDATE_SECONDS: '3600',
          DMP_QUIET_SECONDS: '600',
          // Whether somebody has built the uploader in this checkout is no part of a story.
          DMP_UPLOADERS: '/nowhere',
        }
        server = await startServer({ ...open, ...variables }, () => void (clock = startStoryClock()))
        const recorder = new Recorder(server, receiver, clock!)
        await recorder.begin()
        try {
          await play(recorder)
        } finally {
          keepRecord(file, recorder.end())
        }
      } finally {
        await server?.close()
        await receiver.close()
        clock?.stop()
      }
    },
    slowMachineMs,
  )
}
