import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingTask } from './hashingThreads.ts'

/** A third of what other threads get where all want the processor: enough that signing in goes on on a busy machine. */
const niceness = 5

// On Linux a priority is the thread's own; elsewhere it would be the whole process's. A server that was started with
// less (`nice`) keeps what it has: the system refuses more, and without the thread no user can sign in.
if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()))

parentPort?.on('message', (task: HashingTask) => {
  parentPort?.postMessage(
    task.kind === 'hash' ? hashSync(task.password, task.cost) : verifySync(task.hashed, task.password),
  )
})
