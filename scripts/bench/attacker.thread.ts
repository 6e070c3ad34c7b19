import { parentPort, workerData } from 'node:worker_threads'
import { attack, type AttackTarget } from './attacks.ts'

/** In a thread of its own, so that the attacker's work is not taken for the neighbour's waiting. */
const { name, target, seconds } = workerData as { name: string; target: AttackTarget; seconds: number }
parentPort?.once('message', () => {
  void attack(name, target, seconds).then((statuses) => {
    parentPort?.postMessage(statuses)
    parentPort?.close()
  })
})
parentPort?.postMessage('ready')
